import { isNightly } from '../../../support/nightly';
import { fc, propertyRuns, randomFrom } from '../../../support/properties';
import {
	countOf,
	sendThrough,
	type Failure,
	type Outage,
	type Run,
	type Weather,
} from '../../../support/weather';
import type { Conclusion } from '../../../../nodes/Payments/results';
import { TransactionList } from '../../../../nodes/Payments/sending/TransactionList';
import { limited } from '../../../support/builders/attempts';
import { transaction } from '../../../support/builders/transactions';
import { FastClock } from '../../../support/fastClock';

/* How a list is sent through outages, limits, and refusals, on a fast clock. */

describe('an outage of 5 s is waited out', () => {
	const outages: Array<[string, Outage]> = [
		['503', { failure: 503 }],
		['503 with Retry-After', { failure: 503, retryAfter: '1' }],
		['429', { failure: 429 }],
		['connections refused', { failure: 'refused' }],
	];
	const lists = [
		{ rows: 3, from: 0, maxConcurrentRequests: 200 },
		{ rows: 1000, from: 0, maxConcurrentRequests: 200 },
		// It begins at row 30.
		{ rows: 60, from: 100, maxConcurrentRequests: 6 },
	];
	const cases = outages.flatMap(([name, outage]) =>
		lists.map((list) => ({ name, outage, ...list })),
	);
	test.each(cases)(
		'$name, $rows rows, from $from ms on: all are created within 10 s after it',
		async ({ outage, rows, from, ...options }) => {
			const outages = [{ ...outage, from, to: from + 5000 }];
			const run = await sendThrough({ latency: 20, outages }, rows, options);
			expect(countOf(run, 'created')).toBe(rows);
			expect(run.endedAt).toBeLessThan(15_000);
		},
	);
});

describe('one request that fails costs its own row at most its certainty', () => {
	const failures: Failure[] = [500, 'lost', 503, 429, 'refused'];
	const cases = failures.flatMap((failure) =>
		[10, 450].map((nth): [Failure, number] => [failure, nth]),
	);
	test.each(cases)('%s at request %i of 500', async (failure, at) => {
		const rows = (_: number, nth: number) => (nth === at ? failure : undefined);
		const run = await sendThrough({ latency: 5, rows }, 500);
		const isRetried = failure !== 500 && failure !== 'lost';
		expect(countOf(run, 'created')).toBe(isRetried ? 500 : 499);
		expect(run.endedAt).toBeLessThan(2000);
	});

	test.each(failures)('%s, one in 20', async (failure) => {
		const run = await sendThrough({ latency: 5, drops: { share: 0.05, failure } }, 500);
		expect(countOf(run, 'created') + countOf(run, 'unknown')).toBe(500);
		expect(countOf(run, 'unknown')).toBeLessThan(75);
	});
});

test('the time for retries begins with the first attempt, not with the wait for a turn', async () => {
	const rows = (_: number, nth: number) => (nth === 9 ? 503 : undefined);
	const options = { maxConcurrentRequests: 1, maxRetryTime: 700 };
	const run = await sendThrough({ latency: 90, rows }, 10, options);
	expect(countOf(run, 'created')).toBe(10);
});

test.each<[Failure, boolean]>([
	[429, true],
	['refused', true],
	[503, false],
])('a row that gets %s goes behind all that had no attempt: %p', async (failure, isBehind) => {
	let nth = 0;
	const drops = { share: 0.5, failure };
	const weather = { latency: 5, drops, random: () => (++nth === 1 ? 0 : 1) };
	const { starts } = await sendThrough(weather, 200, { maxConcurrentRequests: 1 });
	expect(starts[0][1] > starts[199][0]).toBe(isBehind);
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
	test.each<[string, Outage, number, number, number]>([
		['a dead host', { failure: 'refused' }, 5000, 20_000, 200],
		['503', { failure: 503 }, 5000, 20_000, 200],
		['500', { failure: 500 }, 5000, 20_000, 200],
		['429', { failure: 429 }, 5000, 16_000, 100],
		['429 with Retry-After', { failure: 429, retryAfter: '1' }, 5000, 20_000, 300],
		['no answer', { failure: 'hangs' }, 5000, 20_000, 200],
		['no answer for longer than Max Retry Time', { failure: 'hangs' }, 30_000, 45_000, 50],
	])('%s', async (_, outage, timeout, maxMs, maxRequests) => {
		const options = { maxRetryTime: 10_000, timeout };
		const run = await sendThrough({ latency: 5, outages: [outage] }, 5000, options);
		expect(run.endedAt).toBeGreaterThanOrEqual(10_000);
		expect(run.endedAt).toBeLessThanOrEqual(maxMs);
		expect(run.requests).toBeLessThanOrEqual(maxRequests);
		expect(run.results.at(-1)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/\b[13]\d s/),
			fix: expect.stringContaining("'Max Retry Time'"),
		});
		if (outage.failure === 429) expect(countOf(run, 'notSent')).toBe(5000);
	});

	test.each<Failure>([503, 'refused'])('%s and a wait of an hour, at once', async (failure) => {
		const outages = [{ failure, retryAfter: '3600' }];
		const run = await sendThrough({ latency: 5, outages }, 500);
		expect(run.endedAt).toBeLessThan(1000);
		expect(run.results.at(-1)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringContaining('3600 s'),
		});
	});
});

describe('a service that never worked ends the list', () => {
	test.each<[Failure, number, number]>([
		[404, 70, 0],
		[301, 70, 0],
		[401, 70, 2],
		['unusable', 50, 0],
	])('%s for everything: %i requests, and %i for tokens', async (failure, requests, tokens) => {
		const run = await sendThrough({ latency: 20, rows: () => failure }, 5000);
		expect(run.requests).toBeLessThanOrEqual(requests);
		expect(run.tokenRequests).toBe(tokens);
		expect(run.endedAt).toBeLessThan(5000);
		expect(run.results.at(-1)?.outcome).toBe('notSent');
	});

	test('also if its first token is a new one, which it may accept late', async () => {
		const weather: Weather = { latency: 20, token: { isStored: false }, rows: () => 401 };
		const run = await sendThrough(weather, 5000);
		expect(run.requests).toBeLessThanOrEqual(120);
		expect(run.tokenRequests).toBe(3);
		expect(run.endedAt).toBeLessThan(10_000);
		expect(run.results[0]).toMatchObject({ outcome: 'rejected', status: 401 });
	});
});

describe('what is refused takes at most 1.2 times as long', () => {
	let plain: Run;
	beforeAll(async () => (plain = await sendThrough({ latency: 200 }, 2000)));

	test.each<[string, (index: number) => Failure | undefined, number]>([
		['401 for a row', (index) => (index === 500 ? 401 : undefined), 1999],
		['404 for one in 100', (index) => (index % 100 === 99 ? 404 : undefined), 1980],
		['409 for the first 500', (index) => (index < 500 ? 409 : undefined), 1500],
	])('%s', async (_, rows, created) => {
		const run = await sendThrough({ latency: 200, rows }, 2000);
		expect(countOf(run, 'created')).toBe(created);
		expect(run.endedAt).toBeLessThanOrEqual(plain.endedAt * 1.2);
	});

	test('401 for one in 100: each ends after a few tokens, of which there is one in a second', async () => {
		const rows = (index: number) => (index % 100 === 99 ? 401 : undefined);
		const run = await sendThrough({ latency: 200, rows }, 2000);
		expect(countOf(run, 'created')).toBe(1980);
		expect(run.endedAt).toBeLessThanOrEqual(15_000);
	});
});

test.each<Failure>([503, 429, 'refused', 'hangs', 'lost'])(
	'canceled in an outage with %s: nothing starts anymore, and what had begun says what it knows',
	async (failure) => {
		const weather = { latency: 200, outages: [{ from: 1000, failure }] };
		const run = await sendThrough(weather, 1000, { cancelAt: 2500, timeout: 5000 });
		expect(run.endedAt).toBeLessThanOrEqual(1000 + 5000 + 2500);
		for (const [index, starts] of run.starts.entries()) {
			expect(starts.filter((at) => at > 2500)).toEqual([]);
			expect(run.results[index] === undefined).toBe(starts.length === 0);
			if (run.recorded.has(index))
				expect(run.results[index]?.outcome).toMatch(/created|duplicate|unknown/);
		}
		expect(countOf(run, 'created')).toBeGreaterThan(0);
	},
);

test('who cancels in a long pause leaves no longer timer than a second behind', async () => {
	const clock = new FastClock();
	const sleeps: number[] = [];
	const sleep = async (ms: number) => {
		sleeps.push(ms);
		await clock.sleep(ms);
	};
	const canceled = new AbortController();
	const list = new TransactionList(
		[{ itemIndex: 0, transaction: transaction(0) }],
		async () => await Promise.resolve(limited(60_000)),
		{
			maxRetryTime: 90_000,
			maxConcurrentRequests: 5,
			maxRequestsPerSecond: 0,
			cancelSignal: canceled.signal,
		},
		{ now: clock.now, sleep },
	);
	void clock.sleep(10_500).then(() => canceled.abort());
	const results = await clock.until(list.send());
	expect([results.get(0)!.outcome, clock.now()]).toEqual(['notSent', 10_500]);
	expect(sleeps.length).toBeGreaterThan(5);
	expect(Math.max(...sleeps)).toBeLessThanOrEqual(1000);
});

test('a client that is disabled on the way: every row ends within Max Retry Time', async () => {
	const outages: Outage[] = [{ from: 1000, failure: 401 }];
	const run = await sendThrough({ latency: 200, outages }, 1000, { maxRetryTime: 10_000 });
	expect(run.endedAt).toBeLessThanOrEqual(1000 + 10_000 + 5000);
	expect(countOf(run, 'created') + countOf(run, 'rejected') + countOf(run, 'notSent')).toBe(1000);
	expect(countOf(run, 'created')).toBe(run.recorded.size);
});

describe('access tokens', () => {
	const cases = [100, 1000, 3000].flatMap((lateBy) => [1, 100].map((rows) => [lateBy, rows]));

	test.each(cases)('a new one that is accepted %i ms late, %i rows', async (lateBy, rows) => {
		const run = await sendThrough({ latency: 200, token: { lateBy, isStored: false } }, rows);
		expect([countOf(run, 'created'), run.tokenRequests]).toEqual([rows, 1]);
	});

	test.each(cases)(
		'after the stored one was revoked, %i ms late, %i rows',
		async (lateBy, rows) => {
			const run = await sendThrough({ latency: 200, token: { lateBy, revokedAt: 0 } }, rows);
			expect(countOf(run, 'created')).toBe(rows);
			expect(run.tokenRequests).toBeLessThanOrEqual(2);
			expect(run.endedAt).toBeLessThanOrEqual(6000);
		},
	);

	test('one for each client, which another system takes again and again', async () => {
		const run = await sendThrough({ latency: 20, token: { takenAfter: 100 } }, 400);
		expect([countOf(run, 'created'), run.tokenRequests]).toEqual([400, 3]);
	});
});

test('the retries of a few rows aren’t 20 answers in a row', async () => {
	const rows = (index: number) => (index >= 3 && index < 8 ? 301 : undefined);
	const options = { maxConcurrentRequests: 1, retryUnknownOutcome: true };
	const run = await sendThrough({ latency: 2000, rows }, 100, options);
	expect([countOf(run, 'created'), countOf(run, 'unknown')]).toEqual([95, 5]);
});

describe('an execution that stops at the first failure', () => {
	const stopsAt = ({ outcome }: Conclusion) => outcome !== 'created';
	const send = async (weather: Partial<Weather>, rowCount = 300) =>
		await sendThrough({ latency: 20, ...weather }, rowCount, { stopsAt });
	const resultsIn = ({ results }: Run) => results.filter(Boolean);

	test('the first request goes alone', async () => {
		const run = await send({ rows: (index) => (index === 0 ? 422 : undefined) });
		expect([run.requests, resultsIn(run).length]).toEqual([1, 1]);
	});

	test('then as many as otherwise, so a window can have left by a later failure', async () => {
		const run = await send({ rows: (index) => (index === 19 ? 422 : undefined) });
		expect(run.requests).toBeGreaterThan(20);
		expect(run.requests).toBeLessThanOrEqual(20 + 50 + 50);
		expect(resultsIn(run)).toHaveLength(run.requests);
	});

	test('a row that was given back has no result, so that the refused one is named', async () => {
		let seen = 0;
		const limit = () => (++seen > 10 && seen <= 40 ? { 'retry-after': '5' } : undefined);
		const run = await send({ limit, rows: (index) => (index === 45 ? 422 : undefined) }, 60);
		expect([countOf(run, 'notSent'), countOf(run, 'rejected')]).toEqual([0, 1]);
	});

	test('a row whose token was rejected isn’t sent anymore', async () => {
		const failures: Record<number, Failure | undefined> = { 5: 401, 9: 422 };
		const run = await send({ rows: (index) => failures[index] });
		expect(run.starts[5]).toHaveLength(1);
		expect(run.results[5]).toBeUndefined();
		expect(run.results[9]?.outcome).toBe('rejected');
	});

	test('a row that may be recorded is tried on, and has a result', async () => {
		let seen = 0;
		const run = await send(
			{
				outages: [{ to: 100, failure: 503 }],
				// The first row that comes through is refused.
				rows: () => (seen++ === 0 ? 422 : undefined),
			},
			5,
		);
		const begun = run.starts.filter((starts) => starts.length > 0).length;
		expect(resultsIn(run)).toHaveLength(begun);
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
				ms: fc.oneof(fc.nat(8000), fc.nat(90_000), fc.constant(Infinity)),
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
