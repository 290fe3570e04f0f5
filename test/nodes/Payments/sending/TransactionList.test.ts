import { isNightly } from '../../../support/nightly';
import { fc, propertyRuns, randomFrom } from '../../../support/properties';
import { countOf, sendThrough, type Failure, type Weather } from '../../../support/weather';
import type { SendResult } from '../../../../nodes/Payments/results';

/* How a list is sent through outages, limits, and refusals, on a fast clock. */

const FOR_EVER = Infinity;
const LIST_LENGTHS = [3, 60, 200, 1000];

describe('an outage of 5 s is waited out', () => {
	const failures: Array<[string, Weather]> = [
		['503', down(503)],
		['503 with Retry-After', down(503, '1')],
		['503 after 20 ms', { ...down(503), latency: 20 }],
		['429', down(429)],
		['connections refused', down('refused')],
	];
	const cases = failures.flatMap(([name, weather]) =>
		LIST_LENGTHS.map((rows): [string, number, Weather] => [name, rows, weather]),
	);
	test.each(cases)('%s, %i rows: all are created within 10 s', async (_, rows, weather) => {
		const run = await sendThrough(weather, rows);
		expect(countOf(run, 'created')).toBe(rows);
		expect(run.endedAt).toBeLessThan(15_000);
	});

	test.each(failures)('%s, and it begins at row 30 of 60', async (_, weather) => {
		const [{ failure, retryAfter }] = weather.outages!;
		const run = await sendThrough(
			{ latency: 20, outages: [{ from: 100, to: 5100, failure, retryAfter }] },
			60,
			{ maxConcurrentRequests: 6 },
		);
		expect(countOf(run, 'created')).toBe(60);
		expect(run.endedAt).toBeLessThan(15_000);
	});

	function down(failure: Failure, retryAfter?: string): Weather {
		return { latency: 5, outages: [{ from: 0, to: 5000, failure, retryAfter }] };
	}
});

test('half of the connections fail for 5 s: all are created', async () => {
	let nth = 0;
	const weather: Weather = {
		latency: 5,
		drops: { share: 0.5, failure: 'refused' },
		random: () => (nth++ < 400 ? nth % 2 : 1),
	};
	const run = await sendThrough(weather, 1000);
	expect(countOf(run, 'created')).toBe(1000);
	expect(run.endedAt).toBeLessThan(15_000);
});

describe('one request that fails costs its own row at most its certainty', () => {
	const failures: Failure[] = [500, 'lost', 503, 429, 'refused'];
	const cases = failures.flatMap((failure) =>
		[10, 30, 100, 300, 450].map((nth): [Failure, number] => [failure, nth]),
	);
	test.each(cases)('%s at request %i of 500', async (failure, at) => {
		let nth = 0;
		const weather: Weather = {
			latency: 5,
			drops: { share: 0.5, failure },
			random: () => (++nth === at ? 0 : 1),
		};
		const run = await sendThrough(weather, 500);
		const isRetried = failure !== 500 && failure !== 'lost';
		expect(countOf(run, 'created')).toBe(isRetried ? 500 : 499);
		expect(run.endedAt).toBeLessThan(2000);
	});

	test.each(
		failures.flatMap((failure) => [20, 100].map((one): [Failure, number] => [failure, one])),
	)('%s, one in %i', async (failure, one) => {
		const run = await sendThrough({ latency: 5, drops: { share: 1 / one, failure } }, 500);
		expect(countOf(run, 'created') + countOf(run, 'unknown')).toBe(500);
		expect(countOf(run, 'unknown')).toBeLessThan((500 / one) * 3);
	});
});

test('the time for retries begins with the first attempt, not with the wait for a turn', async () => {
	let nth = 0;
	const weather: Weather = {
		latency: 90,
		drops: { share: 0.5, failure: 503 },
		random: () => (++nth === 9 ? 0 : 1),
	};
	const run = await sendThrough(weather, 10, { maxConcurrentRequests: 1, maxRetryTime: 700 });
	expect(countOf(run, 'created')).toBe(10);
});

test('a defect of ours costs its row the certainty, and the others nothing', async () => {
	const rows = (index: number) => {
		if (index === 1) throw new Error('a defect');
		return undefined;
	};
	const run = await sendThrough({ latency: 5, rows }, 5);
	expect(countOf(run, 'created')).toBe(4);
	expect(run.results[1]).toMatchObject({
		outcome: 'unknown',
		fix: expect.stringContaining('Run it again as it is') as string,
	});
});

describe('a service that decides about no payment ends the list after Max Retry Time', () => {
	const options = { maxRetryTime: 10_000, timeout: 5000 };
	test.each<[string, Failure, string | undefined, number]>([
		['a dead host', 'refused', undefined, 200],
		['503', 503, undefined, 200],
		['500', 500, undefined, 200],
		['429', 429, undefined, 300],
		['429 with Retry-After', 429, '1', 300],
		['429 with Retry-After: 0', 429, '0', 300],
		['no answer', 'hangs', undefined, 200],
	])('%s', async (_, failure, retryAfter, maxRequests) => {
		const outages = [{ from: 0, to: FOR_EVER, failure, retryAfter }];
		const run = await sendThrough({ latency: 5, outages }, 5000, options);
		expect(run.endedAt).toBeLessThanOrEqual(20_000);
		expect(run.requests).toBeLessThanOrEqual(maxRequests);
		const { outcome, message, ...last } = run.results.at(-1)!;
		expect(outcome).toBe('notSent');
		expect(message).toMatch(/\b1\d s/);
		expect(last).toMatchObject({ fix: expect.stringContaining("'Max Retry Time'") });
	});

	test('no answer for a Timeout that is longer than Max Retry Time', async () => {
		const outages = [{ from: 0, to: FOR_EVER, failure: 'hangs' as const }];
		const run = await sendThrough({ latency: 5, outages }, 5000, { maxRetryTime: 10_000 });
		expect(run.endedAt).toBeLessThanOrEqual(45_000);
		expect(run.requests).toBe(50);
	});

	test('a wait of an hour, at once', async () => {
		const outages = [{ from: 0, to: FOR_EVER, failure: 503 as const, retryAfter: '3600' }];
		const run = await sendThrough({ latency: 5, outages }, 500);
		expect(run.endedAt).toBeLessThan(1000);
		expect(run.results.at(-1)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringContaining('3600 s'),
		});
	});
});

describe('a service that never worked ends the list', () => {
	test.each<[Failure, number]>([
		[404, 70],
		[301, 70],
		[401, 70],
		['unusable', 50],
	])('%s for everything: at most %i requests', async (failure, maxRequests) => {
		const run = await sendThrough({ latency: 20, rows: () => failure }, 5000);
		expect(run.requests).toBeLessThanOrEqual(maxRequests);
		expect(run.endedAt).toBeLessThan(5000);
		expect(run.results.at(-1)?.outcome).toBe('notSent');
	});

	test.each<Failure>([404, 301, 422])('but not %s for the first rows', async (failure) => {
		const run = await sendThrough(
			{ latency: 20, rows: (index) => (index < 10 ? failure : undefined) },
			110,
			{ maxConcurrentRequests: 1 },
		);
		expect(countOf(run, 'created')).toBe(100);
	});
});

test.each<[Failure, number]>([
	[404, 100],
	[301, 100],
	[404, Infinity],
	[401, Infinity],
])('%s for one in %d rows takes at most 1.2 times as long', async (failure, one) => {
	const isOne = (index: number) => (one === Infinity ? index === 500 : index % one === one - 1);
	const rows = (index: number) => (isOne(index) ? failure : undefined);
	const { endedAt } = await sendThrough({ latency: 200 }, 2000);
	const run = await sendThrough({ latency: 200, rows }, 2000);
	expect(countOf(run, 'created')).toBe(one === Infinity ? 1999 : 1980);
	expect(run.endedAt).toBeLessThanOrEqual(endedAt * 1.2);
});

test('401 for one in 100 rows: each ends after a few tokens, of which there is one in a second', async () => {
	const rows = (index: number) => (index % 100 === 99 ? 401 : undefined);
	const run = await sendThrough({ latency: 200, rows }, 2000);
	expect(countOf(run, 'created')).toBe(1980);
	expect(run.endedAt).toBeLessThanOrEqual(15_000);
});

test.each<Failure>([503, 429, 'refused', 'hangs', 'lost'])(
	'canceled in an outage with %s: nothing starts anymore, and what had begun says what it knows',
	async (failure) => {
		const outages = [{ from: 1000, to: Infinity, failure }];
		const weather = { latency: 200, outages };
		const run = await sendThrough(weather, 1000, { cancelAt: 2500, timeout: 5000 });
		expect(run.endedAt).toBeLessThanOrEqual(1000 + 5000 + 2500);
		for (const [index, starts] of run.starts.entries()) {
			expect(starts.filter((at) => at > 2500)).toEqual([]);
			expect(run.results[index] === undefined).toBe(starts.length === 0);
			if (run.recorded.has(index))
				expect(run.results[index].outcome).toMatch(/created|duplicate|unknown/);
		}
		expect(countOf({ ...run, results: run.results.filter(Boolean) }, 'created')).toBeGreaterThan(0);
	},
);

test('a client that is disabled on the way: every row ends within Max Retry Time', async () => {
	const outages = [{ from: 1000, to: Infinity, failure: 401 as const }];
	const run = await sendThrough({ latency: 200, outages }, 1000, { maxRetryTime: 10_000 });
	expect(run.endedAt).toBeLessThanOrEqual(1000 + 10_000 + 5000);
	expect(countOf(run, 'created') + countOf(run, 'rejected') + countOf(run, 'notSent')).toBe(1000);
	expect(countOf(run, 'created')).toBe(run.recorded.size);
});

describe('a new token that the service accepts late', () => {
	const delays = [100, 500, 1000, 2000, 3000];
	test.each(delays.flatMap((lateBy) => [1, 100].map((rows) => [lateBy, rows])))(
		'by %i ms, %i rows: all are created with one token',
		async (lateBy, rows) => {
			const run = await sendThrough({ latency: 200, token: { lateBy, isStored: false } }, rows);
			expect([countOf(run, 'created'), run.tokenRequests]).toEqual([rows, 1]);
		},
	);

	test.each(delays.flatMap((lateBy) => [1, 100].map((rows) => [lateBy, rows])))(
		'by %i ms, after the stored one was revoked, %i rows: all are created',
		async (lateBy, rows) => {
			const token = { lateBy, revokedAt: 0, isStored: true };
			const run = await sendThrough({ latency: 200, token }, rows);
			expect(countOf(run, 'created')).toBe(rows);
			expect(run.tokenRequests).toBeLessThanOrEqual(2);
			expect(run.endedAt).toBeLessThanOrEqual(6000);
		},
	);
});

describe('a service that sends everything elsewhere after its first decision', () => {
	test.each<[Failure, 'unknown']>([
		[301, 'unknown'],
		['page', 'unknown'],
	])('%s: ends after 20 in a row', async (failure, outcome) => {
		const outages = [{ from: 300, to: FOR_EVER, failure }];
		const run = await sendThrough({ latency: 200, outages }, 1000);
		expect(countOf(run, 'created')).toBe(run.recorded.size);
		expect(run.recorded.size).toBeGreaterThan(0);
		expect(countOf(run, outcome)).toBeLessThanOrEqual(20 + 2 * 100);
		expect(run.requests).toBeLessThanOrEqual(500);
		expect(run.results.at(-1)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/20 requests in a row/),
		});
	});

	test.each<Failure>([301, 'page'])('%s for every second row: all are tried', async (failure) => {
		const rows = (index: number) => (index % 2 === 1 ? failure : undefined);
		const run = await sendThrough({ latency: 20, rows }, 500);
		expect([countOf(run, 'created'), countOf(run, 'unknown')]).toEqual([250, 250]);
	});

	test('the retries of a few rows aren’t a row of them', async () => {
		const rows = (index: number) => (index >= 3 && index < 8 ? 301 : undefined);
		const run = await sendThrough({ latency: 20, rows }, 100, {
			maxConcurrentRequests: 1,
			retryUnknownOutcome: true,
		});
		expect([countOf(run, 'created'), countOf(run, 'unknown')]).toEqual([95, 5]);
	});
});

test('404 for 30 rows in a row after decisions: all are tried', async () => {
	const rows = (index: number) => (index >= 10 && index < 40 ? 404 : undefined);
	const run = await sendThrough({ latency: 20, rows }, 100, { maxConcurrentRequests: 1 });
	expect([countOf(run, 'created'), countOf(run, 'rejected')]).toEqual([70, 30]);
});

test.each<Failure>([409, 422])(
	'%s for 500 rows, then 10 new ones: all are tried',
	async (failure) => {
		const rows = (index: number) => (index < 500 ? failure : undefined);
		const plain = await sendThrough({ latency: 20 }, 510);
		const run = await sendThrough({ latency: 20, rows }, 510);
		expect(countOf(run, 'created')).toBe(10);
		expect(run.endedAt).toBeLessThanOrEqual(plain.endedAt * 1.2);
	},
);

describe('an execution that stops at the first failure', () => {
	const stopsAt = ({ outcome }: SendResult) => outcome !== 'created';

	test('the first request goes alone', async () => {
		const rows = (index: number) => (index === 0 ? 422 : undefined);
		const run = await sendThrough({ latency: 20, rows }, 300, { stopsAt });
		expect(run.requests).toBe(1);
		expect(run.results.filter(Boolean)).toHaveLength(1);
	});

	test('then as many as otherwise, so a window can have left by a later failure', async () => {
		const rows = (index: number) => (index === 19 ? 422 : undefined);
		const run = await sendThrough({ latency: 20, rows }, 300, { stopsAt });
		expect(run.requests).toBeGreaterThan(20);
		expect(run.requests).toBeLessThanOrEqual(20 + 50 + 50);
		expect(run.results.filter(Boolean)).toHaveLength(run.requests);
	});

	test('a row that was given back has no result, so that the refused one is named', async () => {
		let seen = 0;
		const run = await sendThrough(
			{
				latency: 20,
				limit: () => (++seen > 10 && seen <= 40 ? { 'retry-after': '5' } : undefined),
				rows: (index) => (index === 45 ? 422 : undefined),
			},
			60,
			{ stopsAt },
		);
		expect(run.results.filter(Boolean).map(({ outcome }) => outcome)).not.toContain('notSent');
		expect(countOf({ ...run, results: run.results.filter(Boolean) }, 'rejected')).toBe(1);
	});

	test('a row whose token was rejected isn’t sent anymore', async () => {
		const rows = (index: number) => (index === 5 ? 401 : index === 9 ? 422 : undefined);
		const run = await sendThrough({ latency: 20, rows }, 300, { stopsAt });
		expect(run.starts[5]).toHaveLength(1);
		expect(run.results[5]).toBeUndefined();
		expect(run.results[9].outcome).toBe('rejected');
	});

	test('a row that may be recorded is tried on, and has a result', async () => {
		let seen = 0;
		const outages = [{ from: 0, to: 100, failure: 503 as const }];
		const run = await sendThrough(
			{
				latency: 20,
				outages,
				// The first row that comes through is refused.
				limit: () => void seen++,
				rows: () => (seen === 1 ? 422 : undefined),
			},
			5,
			{ stopsAt },
		);
		const begun = run.starts.filter((starts) => starts.length > 0).length;
		expect(run.results.filter(Boolean)).toHaveLength(begun);
	});
});

test('20 at once, 502 beyond: at most 8 % are unknown', async () => {
	const run = await sendThrough({ latency: 50, capacity: { atOnce: 20, failure: 500 } }, 1000);
	expect(countOf(run, 'created') + countOf(run, 'unknown')).toBe(1000);
	expect(countOf(run, 'unknown')).toBeLessThanOrEqual(80);
});

test('Max Requests per Second spaces the starts evenly', async () => {
	const { starts } = await sendThrough({ latency: 30 }, 500, { maxRequestsPerSecond: 50 });
	const all = starts.flat();
	for (const [index, at] of all.entries())
		expect(at - (all[index - 50] ?? -Infinity)).toBeGreaterThanOrEqual(1000);
	expect(all.at(-1)).toBeLessThan(11_000);
});

const failure = fc.constantFrom<Failure>(429, 500, 503, 'lost', 'hangs', 'refused');
const retryAfter = fc.constantFrom(undefined, undefined, '0', '1', '2.5', 'soon', '4');
const weathers = fc.record({
	latency: fc.constantFrom(1, 5, 20, 200, 2000),
	outages: fc.array(
		fc
			.record({
				from: fc.nat(20_000),
				ms: fc.oneof(fc.nat(8000), fc.nat(90_000), fc.constant(FOR_EVER)),
				failure,
				retryAfter,
			})
			.map(({ ms, ...outage }) => ({ ...outage, to: outage.from + ms })),
		{ maxLength: 3 },
	),
	capacity: fc.option(fc.record({ atOnce: fc.integer({ min: 1, max: 300 }), failure }), {
		nil: undefined,
	}),
	drops: fc.option(
		fc.record({ share: fc.constantFrom(0.001, 0.01, 0.05, 0.3), failure, retryAfter }),
		{ nil: undefined },
	),
	refused: fc.option(
		fc.record({
			one: fc.constantFrom(1, 2, 10, 100),
			as: fc.constantFrom<Failure>(422, 404, 301, 401),
		}),
		{ nil: undefined },
	),
	seed: fc.integer(),
});
const runs = fc.record({
	weather: weathers,
	rows: fc.oneof(
		{ weight: 6, arbitrary: fc.integer({ min: 1, max: 300 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 5000 }) },
	),
	options: fc.record({
		maxRetryTime: fc.constantFrom(0, 1000, 10_000, 90_000),
		timeout: fc.constantFrom(1000, 5000, 30_000),
		maxConcurrentRequests: fc.constantFrom(200, 200, 200, 1, 5),
		retryUnknownOutcome: fc.boolean(),
	}),
});

test('through any weather, each row gets a true outcome in the time that the rules allow', async () => {
	await fc.assert(
		fc.asyncProperty(runs, async ({ weather: { refused, seed, ...weather }, rows, options }) => {
			const run = await sendThrough(
				{
					...weather,
					random: randomFrom(seed),
					spread: randomFrom(seed + 1),
					rows: (index) => (refused && index % refused.one === 0 ? refused.as : undefined),
				},
				rows,
				options,
			);
			const { maxRetryTime, timeout } = options;
			const longest = Math.max(timeout, weather.latency);
			const patience = Math.max(maxRetryTime, 5000);

			// No row without an outcome, and none that isn't true.
			const untrue = run.results.filter((result, index) => {
				const isRecorded = run.recorded.has(index);
				const hasBegun = run.starts[index].length > 0;
				if (result === undefined) return true;
				if (result.outcome === 'created' || result.outcome === 'duplicate') return !isRecorded;
				if (result.outcome === 'unknown') return !hasBegun;
				return isRecorded || (result.outcome === 'rejected' && !hasBegun);
			});
			expect(untrue).toEqual([]);
			// None is sent after its budget.
			expect(Math.max(...run.retryTimes)).toBeLessThanOrEqual(maxRetryTime);
			// It ends within what the rules allow: no item begins after its patience, and what has begun
			// has its own budget.
			const lastAnswer = run.answeredAt.at(-1) ?? 0;
			expect(run.endedAt).toBeLessThanOrEqual(
				lastAnswer + patience + maxRetryTime + 2 * longest + 6000,
			);
			// After a decision, only a time without one keeps an item from being sent. 401 is about the
			// client, so many rows with it are such a time, and 301 about the address.
			const isAboutRow = refused?.as !== 401 && refused?.as !== 301;
			const isCutShort = isAboutRow && run.starts.some((attempts) => attempts.length === 0);
			if (isCutShort && run.decidedAt.length > 0) {
				const gaps = [...run.answeredAt, run.endedAt].map(
					(at, index) => at - (run.answeredAt[index - 1] ?? 0),
				);
				expect(Math.max(...gaps)).toBeGreaterThanOrEqual(patience);
			}
		}),
		{ numRuns: propertyRuns(isNightly ? 10_000 : 300, 20) },
	);
}, 3_600_000);
