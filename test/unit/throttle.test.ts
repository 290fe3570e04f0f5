import {
	AutomaticThrottle,
	FixedThrottle,
	type Throttle,
	type Feedback,
} from '../../nodes/Payments/sending/throttle/throttle';
import { MAX_CONCURRENT_REQUESTS } from '../../nodes/shared/maxConcurrentRequests';
import * as service from '../support/serviceSimulation';
import { simulate } from '../support/serviceSimulation';
import { fc } from '../support/properties';

type NewService = () => Parameters<typeof simulate>[0];

/**
 * ms of this machine's processor per request: measured with n8n's request helper, without and with
 * a new TLS connection.
 */
const HTTP = 0.35;
const HTTPS = 1.4;
/** Three round trips of 30 and of 100 ms: TCP, TLS, and the request itself. */
const OVER_30_MS = 92;
const OVER_100_MS = 302;

const NUMBERS = [5, 10, 15, 20, 30, 50, 75, 100, 150, 200];

function bestFixed(newService: NewService, work: Parameters<typeof simulate>[2]) {
	const durations = NUMBERS.map(
		(number) => simulate(newService(), new FixedThrottle(number), work).duration,
	);
	return Math.min(...durations);
}

/** Automatic compared with the best fixed number: the median of three first executions. */
function ratioToBestFixed(newService: NewService, work: Parameters<typeof simulate>[2]) {
	const ratios = [1, 2, 3].map((seed) => {
		const { duration } = simulate(newService(), new AutomaticThrottle(), { ...work, seed });
		return bestFixed(newService, { ...work, seed }) / duration;
	});
	return ratios.sort((a, b) => a - b)[1];
}

describe('automatic, compared with the best fixed number', () => {
	test.each<[string, NewService, number, number, number]>([
		['answers at once', () => service.fixedLatency(1), 1000, HTTP, 0.85],
		['HTTPS, same machine', () => service.fixedLatency(2), 1000, HTTPS, 0.85],
		['HTTPS, 30 ms round trip', () => service.fixedLatency(OVER_30_MS), 1000, HTTPS, 0.8],
		[
			'HTTPS, 30 ms round trip, long list',
			() => service.fixedLatency(OVER_30_MS),
			10_000,
			HTTPS,
			0.95,
		],
		[
			'HTTPS, 30 ms round trip, short list',
			() => service.fixedLatency(OVER_30_MS),
			100,
			HTTPS,
			0.4,
		],
		['HTTPS, 100 ms round trip', () => service.fixedLatency(OVER_100_MS), 1000, HTTPS, 0.75],
		[
			'HTTPS, 100 ms round trip, short list',
			() => service.fixedLatency(OVER_100_MS),
			100,
			HTTPS,
			0.4,
		],
		['slows down beyond 20 requests', () => service.slowsDown(25, 20), 1000, HTTP, 0.83],
		['503 beyond 20 requests', () => service.limitsConcurrency(50, 20), 1000, HTTP, 0.75],
	])('%s', (_, newService, items, processorTime, ratio) => {
		expect(ratioToBestFixed(newService, { items, processorTime })).toBeGreaterThanOrEqual(ratio);
	});
});

describe('automatic, compared with the best fixed number, on a machine that is busy with something else', () => {
	test.each<[string, NewService, number, number]>([
		['answers at once', () => service.fixedLatency(1), HTTP, 0.85],
		['HTTPS, same machine', () => service.fixedLatency(2), HTTPS, 0.85],
		['HTTPS, 30 ms round trip', () => service.fixedLatency(OVER_30_MS), HTTPS, 0.7],
		['HTTPS, 100 ms round trip', () => service.fixedLatency(OVER_100_MS), HTTPS, 0.75],
	])('%s', (_, newService, processorTime, ratio) => {
		const work = { items: 1000, processorTime, otherWork: 60 };
		expect(ratioToBestFixed(newService, work)).toBeGreaterThanOrEqual(ratio);
	});
});

describe('what one execution learned is where the next one starts', () => {
	test.each<[string, NewService, number]>([
		['HTTPS, 30 ms round trip, 1,000 items', () => service.fixedLatency(OVER_30_MS), 1000],
		['HTTPS, 30 ms round trip, 100 items', () => service.fixedLatency(OVER_30_MS), 100],
		['HTTPS, 100 ms round trip, 1,000 items', () => service.fixedLatency(OVER_100_MS), 1000],
		['HTTPS, 100 ms round trip, 100 items', () => service.fixedLatency(OVER_100_MS), 100],
	])('%s: at least 0.95 of the best fixed number', (_, newService, items) => {
		const work = { items, processorTime: HTTPS };
		const first = new AutomaticThrottle();
		simulate(newService(), first, work);
		const { duration } = simulate(newService(), new AutomaticThrottle(0, first.learned), work);
		expect(bestFixed(newService, work) / duration).toBeGreaterThanOrEqual(0.95);
	});
});

describe('automatic, at a service with a rate limit of 50 per second, 1,000 items', () => {
	const work = { items: 1000, processorTime: HTTPS };
	const ideal = 20_000;

	describe.each<[string, NewService]>([
		['fixed window', () => service.fixedWindow(OVER_30_MS, 50)],
		['sliding window', () => service.slidingWindow(OVER_30_MS, 50)],
		['token bucket', () => service.tokenBucket(OVER_30_MS, 50)],
	])('%s', (_, newService) => {
		test('first execution: at most 1.25 of the ideal time, 6 % rejected; the next: 1.1, 1 %', () => {
			const limit = new AutomaticThrottle();
			const first = simulate(newService(), limit, work);
			const next = simulate(newService(), new AutomaticThrottle(0, limit.learned), work);
			expect(first.duration).toBeLessThanOrEqual(1.25 * ideal);
			expect(first.rejected / first.sent).toBeLessThanOrEqual(0.06);
			expect(next.duration).toBeLessThanOrEqual(1.1 * ideal);
			expect(next.rejected / next.sent).toBeLessThanOrEqual(0.01);
			expect([first, next].map(({ startedDuringPause }) => startedDuringPause)).toEqual([0, 0]);
		});

		test.each([
			['automatic', () => new AutomaticThrottle(50)],
			['fixed', () => new FixedThrottle(20, 50)],
		])('Max Requests per Second 50, concurrency %s: none rejected', (_mode, newLimit) => {
			const run = simulate(newService(), newLimit(), work);
			expect(run.rejected).toBe(0);
			expect(run.duration).toBeLessThanOrEqual(1.1 * ideal);
		});
	});
});

describe('automatic, at a service that asks to wait', () => {
	test('a rate limit of 5 per second, below the number of requests that start at once', () => {
		const run = simulate(service.slidingWindow(OVER_30_MS, 5), new AutomaticThrottle(), {
			items: 100,
			processorTime: HTTPS,
		});
		expect(run.duration).toBeLessThanOrEqual(1.25 * 20_000);
		expect(run.rejected).toBeLessThanOrEqual(30);
	});

	test('a rate limit that falls to a tenth is found again', () => {
		const run = simulate(service.shrinkingWindow(OVER_30_MS, 200, 5000), new AutomaticThrottle(), {
			items: 1200,
			processorTime: HTTPS,
		});
		// About 650 of them are sent before, at 200 per second.
		expect(run.duration).toBeLessThanOrEqual(1.5 * (5000 + 550 * 50));
		expect(run.rejected / run.sent).toBeLessThanOrEqual(0.15);
	});

	test('429 that has nothing to do with the rate does not make it slower and slower', () => {
		const busy = service.randomlyBusy(50, 0.1, 1000);
		const run = simulate(busy, new AutomaticThrottle(), { items: 300, processorTime: HTTP });
		// A pause of a second for each of 39 rejected requests is what the service asks for.
		expect(run.duration).toBeLessThan(46_000);
		expect(run.startedDuringPause).toBe(0);
	});

	test('429 without Retry-After never stops it', () => {
		const run = simulate(service.randomlyBusy(50, 0.1), new AutomaticThrottle(), {
			items: 1000,
			processorTime: HTTP,
		});
		expect(run.duration).toBeLessThan(20_000);
	});
});

test.each([
	['nothing before it asked to wait', 0, undefined],
	['some requests', 40, 20],
])('what the next execution begins with: a service that accepted %s', (_, accepted, rate) => {
	const limit = new AutomaticThrottle();
	limit.started(0);
	for (let count = 0; count < accepted; count++) limit.finished({ kind: 'answered' }, 0, 100);
	limit.finished({ kind: 'busy', retryAfter: 2000 }, 0, 100);
	expect(limit.learned.rate).toBe(rate);
});

test('a window of slow start that was almost used goes on growing in the next execution', () => {
	const limit = new AutomaticThrottle();
	const run = (count: number, startedAt: number, answeredAt: number) => {
		for (let index = 0; index < count; index++) limit.started(startedAt);
		for (let index = 0; index < count; index++)
			limit.finished({ kind: 'answered' }, startedAt, answeredAt);
	};
	run(10, 0, 320);
	expect(limit.limit).toBe(96);
	run(90, 325, 650);
	expect(limit.learned.concurrency).toBeGreaterThanOrEqual(100);
});

test('a learned rate is not measured again if the service did not ask to wait', () => {
	const limit = new AutomaticThrottle(0, { concurrency: 10, rate: 20 });
	simulate(service.fixedLatency(OVER_30_MS), limit, { items: 50, processorTime: HTTPS });
	expect(limit.learned.rate).toBeUndefined();
});

test('a short list leaves in one round trip', () => {
	const run = simulate(service.fixedLatency(OVER_30_MS), new AutomaticThrottle(), {
		items: 10,
		processorTime: HTTPS,
	});
	expect(run.duration).toBeLessThan(1.3 * OVER_30_MS);
	expect(run.maxInFlight).toBe(10);
});

test('a fixed number stays as it is, within 1 and the maximum', () => {
	for (const [asked, expected] of [
		[1, 1],
		[7, 7],
		[2.5, 2],
		[-3, 1],
		[100_000, MAX_CONCURRENT_REQUESTS],
	]) {
		const limit = new FixedThrottle(asked);
		limit.started(0);
		limit.finished({ kind: 'busy' }, 0, 5);
		limit.finished({ kind: 'lost' }, 0, 5);
		expect(limit.limit).toBe(expected);
		expect(limit.delay(5)).toBe(0);
	}
});

test('a fixed number waits as long as the service asks, and for nothing else', () => {
	const limit = new FixedThrottle(3);
	expect(limit.pausedUntil).toBe(0);
	limit.finished({ kind: 'busy', retryAfter: 1000 }, 0, 5);
	expect([0, 5, 505, 1005, 2000].map((now) => limit.delay(now))).toEqual([1005, 1000, 500, 0, 0]);
	// The later of two times counts.
	limit.finished({ kind: 'busy', retryAfter: 10 }, 0, 6);
	limit.finished({ kind: 'busy', retryAfter: 0 }, 0, 7);
	expect(limit.pausedUntil).toBe(1005);
	limit.finished({ kind: 'busy', retryAfter: 1000 }, 0, 6);
	expect(limit.pausedUntil).toBe(1006);
	for (const kind of ['answered', 'lost', 'unused', 'busy'] as const)
		limit.finished({ kind }, 0, 5000);
	expect(limit.delay(5000)).toBe(0);
});

describe('whatever the service answers', () => {
	const feedback: fc.Arbitrary<Feedback> = fc.oneof(
		{ weight: 6, arbitrary: fc.constant<Feedback>({ kind: 'answered' }) },
		fc.constant<Feedback>({ kind: 'lost' }),
		fc.record({
			kind: fc.constant('busy' as const),
			retryAfter: fc.option(fc.nat(5000), { nil: undefined }),
		}),
	);
	const steps = fc.array(fc.record({ feedback, latency: fc.nat(500), gap: fc.nat(50) }), {
		maxLength: 300,
	});

	test.each<[string, () => Throttle]>([
		['automatic', () => new AutomaticThrottle()],
		['fixed', () => new FixedThrottle(20)],
	])('%s: the limit stays within bounds, and every pause is kept', (_, newLimit) => {
		fc.assert(
			fc.property(steps, (all) => {
				const limit = newLimit();
				let now = 0;
				let pausedUntil = 0;
				for (const step of all) {
					now += step.gap + limit.delay(now);
					expect(now).toBeGreaterThanOrEqual(pausedUntil);
					limit.started(now);
					const startedAt = now;
					now += step.latency;
					limit.finished(step.feedback, startedAt, now);
					if (step.feedback.kind === 'busy') {
						pausedUntil = Math.max(pausedUntil, now + (step.feedback.retryAfter ?? 0));
					}
					expect(limit.limit).toBeGreaterThanOrEqual(1);
					expect(limit.limit).toBeLessThanOrEqual(MAX_CONCURRENT_REQUESTS);
					expect(limit.delay(now)).toBeLessThan(1e7);
				}
			}),
		);
	});
});
