import {
	automaticLimit,
	fixedLimit,
	MAX_CONCURRENT_REQUESTS,
	type ConcurrencyLimit,
	type Feedback,
} from '../../nodes/Payments/sending/concurrencyLimit';
import * as service from '../support/serviceSimulation';
import { simulate } from '../support/serviceSimulation';
import { fc } from '../support/properties';

type NewService = () => Parameters<typeof simulate>[0];

/** ms of this machine's processor per request: measured with n8n's request helper, without and with a new TLS connection. */
const HTTP = 0.35;
const HTTPS = 1.4;
/** Three round trips of 30 and of 100 ms: TCP, TLS, and the request itself. */
const OVER_30_MS = 92;
const OVER_100_MS = 302;

const NUMBERS = [5, 10, 15, 20, 30, 50, 75, 100, 150, 200];

function bestFixed(newService: NewService, work: Parameters<typeof simulate>[2]) {
	const durations = NUMBERS.map(
		(number) => simulate(newService(), fixedLimit(number), work).duration,
	);
	return Math.min(...durations);
}

describe('automatic, compared with the best fixed number', () => {
	test.each<[string, NewService, number, number, number]>([
		['answers at once', () => service.fixedLatency(1), 1000, HTTP, 0.85],
		['HTTPS, same machine', () => service.fixedLatency(2), 1000, HTTPS, 0.85],
		['HTTPS, 30 ms round trip', () => service.fixedLatency(OVER_30_MS), 1000, HTTPS, 0.85],
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
			0.7,
		],
		['HTTPS, 100 ms round trip', () => service.fixedLatency(OVER_100_MS), 1000, HTTPS, 0.8],
		[
			'HTTPS, 100 ms round trip, short list',
			() => service.fixedLatency(OVER_100_MS),
			100,
			HTTPS,
			0.7,
		],
		['slows down beyond 20 requests', () => service.slowsDown(25, 20), 1000, HTTP, 0.9],
		['503 beyond 20 requests', () => service.limitsConcurrency(50, 20), 1000, HTTP, 0.8],
	])('%s', (_, newService, items, processorTime, ratio) => {
		const work = { items, processorTime };
		const { duration } = simulate(newService(), automaticLimit(), work);
		expect(bestFixed(newService, work) / duration).toBeGreaterThanOrEqual(ratio);
	});
});

describe('automatic, compared with the best fixed number, on a machine that is busy with something else', () => {
	test.each<[string, NewService, number, number]>([
		['answers at once', () => service.fixedLatency(1), HTTP, 0.85],
		['HTTPS, same machine', () => service.fixedLatency(2), HTTPS, 0.85],
		['HTTPS, 30 ms round trip', () => service.fixedLatency(OVER_30_MS), HTTPS, 0.6],
		['HTTPS, 100 ms round trip', () => service.fixedLatency(OVER_100_MS), HTTPS, 0.5],
	])('%s', (_, newService, processorTime, ratio) => {
		const work = { items: 1000, processorTime, otherWork: 60 };
		const { duration } = simulate(newService(), automaticLimit(), work);
		expect(bestFixed(newService, work) / duration).toBeGreaterThanOrEqual(ratio);
	});
});

describe('automatic, at a service with a rate limit of 50 per second', () => {
	test.each<[string, NewService]>([
		['fixed window', () => service.fixedWindow(OVER_30_MS, 50)],
		['sliding window', () => service.slidingWindow(OVER_30_MS, 50)],
		['token bucket', () => service.tokenBucket(OVER_30_MS, 50)],
	])('%s: 1,000 items in at most 1.15 × 20 s, at most 5 %% rejected', (_, newService) => {
		const run = simulate(newService(), automaticLimit(), { items: 1000, processorTime: HTTPS });
		expect(run.duration).toBeLessThanOrEqual(1.15 * 20_000);
		expect(run.rejected / run.sent).toBeLessThanOrEqual(0.05);
		expect(run.startedDuringPause).toBe(0);
	});

	test('a rate limit of 5 per second, below the number of requests that start at once', () => {
		const run = simulate(service.slidingWindow(OVER_30_MS, 5), automaticLimit(), {
			items: 100,
			processorTime: HTTPS,
		});
		expect(run.duration).toBeLessThanOrEqual(1.2 * 20_000);
		expect(run.rejected).toBeLessThanOrEqual(30);
	});

	test('a rate limit that falls to a tenth is found again', () => {
		const run = simulate(service.shrinkingWindow(OVER_30_MS, 200, 5000), automaticLimit(), {
			items: 1200,
			processorTime: HTTPS,
		});
		// About 650 of them are sent before, at 200 per second.
		expect(run.duration).toBeLessThanOrEqual(1.5 * (5000 + 550 * 50));
		expect(run.rejected / run.sent).toBeLessThanOrEqual(0.15);
	});

	test('429 that has nothing to do with the rate does not make it slower and slower', () => {
		const busy = service.randomlyBusy(50, 0.1, 1000);
		const run = simulate(busy, automaticLimit(), { items: 300, processorTime: HTTP });
		// One pause of a second for each of about 30 rejected requests is what the service asks for.
		expect(run.duration).toBeLessThan(40_000);
		expect(run.startedDuringPause).toBe(0);
	});

	test('429 without Retry-After never stops it', () => {
		const run = simulate(service.randomlyBusy(50, 0.1), automaticLimit(), {
			items: 1000,
			processorTime: HTTP,
		});
		expect(run.duration).toBeLessThan(20_000);
	});
});

test('a short list leaves in one round trip after the first request', () => {
	const run = simulate(service.fixedLatency(OVER_30_MS), automaticLimit(), {
		items: 11,
		processorTime: HTTPS,
	});
	expect(run.duration).toBeLessThan(2.3 * OVER_30_MS);
	expect(run.maxInFlight).toBe(10);
});

test('a fixed number stays as it is, within 1 and the maximum', () => {
	for (const [asked, expected] of [
		[1, 1],
		[7, 7],
		[-3, 1],
		[100_000, MAX_CONCURRENT_REQUESTS],
	]) {
		const limit = fixedLimit(asked);
		limit.started(0);
		limit.finished({ kind: 'busy' }, 0, 5);
		limit.finished({ kind: 'lost' }, 0, 5);
		expect(limit.limit).toBe(expected);
		expect(limit.delay(5)).toBe(0);
	}
});

test('a fixed number waits as long as the service asks, and for nothing else', () => {
	const limit = fixedLimit(3);
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

	test.each<[string, () => ConcurrencyLimit]>([
		['automatic', automaticLimit],
		['fixed', () => fixedLimit(20)],
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

/** Plays requests to an automatic limit, so that every throughput and every latency is exact. Times are in ms. */
class Player {
	readonly limit = automaticLimit();

	constructor(public now = 0) {}

	/** The answer with which slow start begins; it counts for the first round. */
	open(latency: number) {
		this.limit.started(this.now);
		this.now += latency;
		this.limit.finished({ kind: 'answered' }, this.now - latency, this.now);
		return this.limit.limit;
	}

	/** So many answers in `duration`, the last one at its end. Returns the limit after them. */
	round(answers: number, duration: number, latency = duration) {
		const { limit, now } = this;
		this.now += duration;
		for (let i = 0; i < answers; i++) limit.started(now);
		for (let i = answers - 1; i >= 0; i--) {
			const answeredAt = i === 0 ? this.now : now + 1;
			limit.finished({ kind: 'answered' }, answeredAt - latency, answeredAt);
		}
		return limit.limit;
	}

	/** A request that ends otherwise. Returns the limit after it. */
	end(feedback: Feedback, startedAt = this.now) {
		this.limit.started(startedAt);
		this.limit.finished(feedback, startedAt, this.now);
		return this.limit.limit;
	}
}

describe('slow start, round by round', () => {
	test.each([
		[1, 10],
		[43, 10],
		[44, 11],
		[92, 23],
		[300, 75],
		[1000, 75],
	])('after %i ms until the first answer, it begins with %i requests', (latency, limit) => {
		expect(new Player(5000).open(latency)).toBe(limit);
	});

	test.each([
		[9, 20, 20],
		[9, 19, 10],
		[8, 1000, 10],
	])('the first answer and %i more in %i ms: %i', (answers, duration, limit) => {
		const player = new Player();
		player.open(20);
		expect(player.round(answers, duration)).toBe(limit);
	});

	test.each([
		[8, 10],
		[9, 20],
	])('%i concurrent requests under a limit of 10: %i', (inFlight, limit) => {
		const player = new Player();
		player.open(20);
		player.round(inFlight, 10);
		// The others come one by one.
		for (let i = inFlight; i < 9; i++) player.round(1, 10);
		player.round(1, 10);
		expect(player.limit.limit).toBe(limit);
	});

	/** 10 answers in `duration`, from which the limit goes to 20. */
	const doubled = (duration: number) => {
		const player = new Player();
		player.open(20);
		expect(player.round(9, duration)).toBe(20);
		return player;
	};

	test.each([
		['1.25 times the throughput', 20, 32, 32, 40],
		['less than 1.25 times the throughput', 20, 33, 33, 20],
		['0.9 times the throughput', 54, 120, 120, 20],
		['less than 0.9 times the throughput', 54, 121, 121, 10],
		['less than 0.9 times the throughput, at 39 ms', 20, 200, 39, 20],
		['less than 0.9 times the throughput, at 40 ms', 20, 200, 40, 10],
	])(
		'%s: 10 answers in %i ms, then 20 in %i ms, after %i ms each: %i',
		(_, first, second, latency, limit) => {
			expect(doubled(first).round(20, second, latency)).toBe(limit);
		},
	);

	test.each([
		['1.04 times', 50, 20, 16],
		['less than 1.04 times', 51, 10, 8],
	])('measured twice, %s the throughput ends it', (_, duration, limit, reduced) => {
		const player = doubled(26);
		expect(player.round(20, duration)).toBe(20);
		expect(player.round(20, duration)).toBe(limit);
		// In slow start, it would be halved.
		expect(player.end({ kind: 'lost' })).toBe(reduced);
	});

	test('a request that was not sent says nothing', () => {
		const player = new Player();
		expect(player.end({ kind: 'unused' })).toBe(10);
		expect(player.open(20)).toBe(10);
		expect(player.round(9, 20)).toBe(20);
	});
});

test.each([
	[99, 5],
	[100, 4],
])('of requests since a reduction at 100, one of %i counts: %i', (startedAt, limit) => {
	const player = new Player(100);
	expect(player.end({ kind: 'lost' }, 0)).toBe(5);
	player.now = 150;
	expect(player.end({ kind: 'lost' }, startedAt)).toBe(limit);
});

describe('the steady phase, round by round', () => {
	/** Slow start fell back to a limit of 10. */
	const steadyAt10 = () => {
		const player = new Player();
		player.open(20);
		player.round(9, 20);
		expect(player.round(20, 200)).toBe(10);
		return player;
	};

	/** Slow start ended with a limit of 20. */
	const steadyAt20 = () => {
		const player = new Player();
		player.open(20);
		player.round(9, 26);
		player.round(20, 50);
		expect(player.round(20, 50)).toBe(20);
		return player;
	};

	test.each([
		['0.8 times the throughput', 50, 1000, 20],
		['less than 0.8 times the throughput', 51, 1000, 16],
		['1.25 times the latency', 200, 100, 20],
		['more than 1.25 times the latency', 200, 101, 16],
	])('%s: 20 answers in %i ms, after %i ms each: %i', (_, duration, latency, limit) => {
		const player = steadyAt20();
		player.round(20, 40, 80);
		expect(player.round(20, duration, latency)).toBe(limit);
	});

	test('a limit of 10 is kept when the service slows down, and probed as ever', () => {
		const player = steadyAt10();
		const course = [player.round(10, 100), player.round(10, 200), player.round(10, 100)];
		expect(course).toEqual([10, 10, 12]);
	});

	test.each([
		['1.04 times', 13, 25, 12],
		['less than 1.04 times', 13, 26, 10],
	])('a probe needs %s the throughput: %i answers in %i ms', (_, answers, duration, limit) => {
		const player = steadyAt10();
		const course = [player.round(10, 20), player.round(10, 20), player.round(10, 20)];
		// The first round after a change does not count.
		course.push(player.round(12, 1000), player.round(answers, duration));
		expect(course).toEqual([10, 10, 12, 12, limit]);
	});

	test('the maximum is not probed, so that the next round can show a slowdown', () => {
		const player = new Player();
		expect(player.open(302)).toBe(75);
		const course = [player.round(74, 100), player.round(127, 100)];
		for (let i = 0; i < 5; i++) course.push(player.round(200, 150));
		course.push(player.round(200, 1000));
		expect(course).toEqual([127, 200, 200, 200, 200, 200, 200, 160]);
	});
});

describe('the rate after Retry-After', () => {
	/** 10 requests are accepted, and one at 150 is asked to wait from 200 to 1200: 9.8 requests per second. */
	const paused = () => {
		const player = new Player();
		for (let i = 0; i < 10; i++) player.limit.started(0);
		for (let i = 0; i < 10; i++) player.limit.finished({ kind: 'answered' }, 0, 100);
		player.now = 200;
		player.end({ kind: 'busy', retryAfter: 1000 }, 150);
		player.now = 1200;
		return player;
	};

	/** The time until another request may start. */
	const gapAfterStart = ({ limit, now }: Player) => {
		limit.started(now);
		return limit.delay(now);
	};

	test.each([
		[200, 1000],
		[1199, 1],
		[1200, 0],
		[1300, 0],
	])('at %i, nothing starts for %i ms', (now, delay) => {
		expect(paused().limit.delay(now)).toBe(delay);
	});

	test.each([
		[1200, 102.04],
		[1210, 92.04],
		[1225, 77.04],
		// More than 25 ms are not made up for.
		[5000, 77.04],
		[7199, 77.04],
		// The rate is held for 5 s and one more, then grows by 2 %.
		[7200, 75.04],
	])('after a start at %i, the next one waits %d ms', (now, gap) => {
		const player = paused();
		player.now = now;
		expect(gapAfterStart(player)).toBeCloseTo(gap, 2);
	});

	test.each<[string, Array<[active: number, accepted: number]>, number]>([
		['once', [[3000, 20]], 107.41],
		['once, soon', [[2999, 20]], 107.41],
		[
			'twice',
			[
				[3000, 20],
				[3000, 20],
			],
			113.06,
		],
		[
			'twice, soon',
			[
				[2999, 20],
				[2999, 20],
			],
			153.44,
		],
		[
			'twice, the first time soon',
			[
				[2999, 20],
				[3000, 20],
			],
			113.06,
		],
		[
			'twice, the second time soon',
			[
				[3000, 20],
				[2999, 20],
			],
			113.06,
		],
		[
			'three times, soon',
			[
				[2999, 20],
				[2999, 20],
				[2999, 20],
			],
			219.21,
		],
		[
			'three times, with few requests',
			[
				[3000, 0],
				[3000, 0],
				[3000, 0],
			],
			119.02,
		],
		// Then the rate is not the reason.
		[
			'three times, soon, with few requests',
			[
				[2999, 19],
				[2999, 19],
				[2999, 19],
			],
			0,
		],
		[
			'twice and once more, soon, with few requests',
			[
				[2999, 0],
				[2999, 0],
				[3000, 0],
				[2999, 0],
			],
			170.02,
		],
	])('the service asks to wait again: %s', (_, again, gap) => {
		const player = paused();
		for (const [active, accepted] of again) {
			const resumedAt = player.now;
			player.now += active;
			for (let i = 0; i < accepted; i++) {
				player.limit.started(resumedAt);
				player.limit.finished({ kind: 'answered' }, resumedAt, player.now);
			}
			player.end({ kind: 'busy', retryAfter: 1000 }, resumedAt);
			player.now += 1000;
		}
		expect(gapAfterStart(player)).toBeCloseTo(gap, 2);
	});
});
