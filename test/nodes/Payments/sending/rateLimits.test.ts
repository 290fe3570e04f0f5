import { isNightly } from '../../../support/nightly';
import { fc, propertyRuns, randomFrom } from '../../../support/properties';
import {
	fixedWindow,
	LIMIT_HEADERS,
	slidingWindow,
	tokenBucket,
	weatherLimit,
	type RateLimit,
} from '../../../support/rateLimits';
import { countOf, sendThrough, type Run } from '../../../support/weather';

/* Limits per minute, as services publish them, with default options, on a fast clock. */

const KINDS: Record<string, (perMinute: number) => RateLimit> = {
	'fixed windows': fixedWindow,
	'a sliding window': slidingWindow,
	'a bucket of tokens': tokenBucket,
};

// What each header says is read in test/nodes/shared/statedWait.test.ts.
const cases = Object.keys(KINDS).flatMap((kind) =>
	['Retry-After', 'nothing'].map((header): [string, string] => [kind, header]),
);

describe.each(cases)('%s, and the 429 has %s', (kind, header) => {
	/** The time is that of the limit itself, and a tenth for finding out when it ends. */
	test.each([
		[500, 700, 66_000],
		[100, 310, 198_000],
		[10, 35, 198_000],
		[500, 5000, 594_000],
	])('%i a minute, %i rows: all are created within %i ms', async (perMinute, rows, ms) => {
		const limit = weatherLimit(KINDS[kind](perMinute), header);
		const run = await sendThrough({ latency: 20, limit }, rows);
		expect(countOf(run, 'created')).toBe(rows);
		expect(run.endedAt).toBeLessThanOrEqual(ms);
		const isWindow = kind !== 'a bucket of tokens';
		if (isWindow && (rows === 310 || rows === 5000))
			expect(shareRefused(run)).toBeLessThanOrEqual(0.3);
	});
});

const shareRefused = ({ requests, recorded }: Run) => 1 - recorded.size / requests;

const MINUTE = 60_000;
const lists = fc.record({
	perMinute: fc.integer({ min: 10, max: 2000 }),
	kind: fc.constantFrom(...Object.keys(KINDS)),
	header: fc.constantFrom(...Object.keys(LIMIT_HEADERS)),
	phase: fc.nat(MINUTE),
	latency: fc.integer({ min: 1, max: 1000 }),
	jitter: fc.constantFrom(0, 0.5, 3),
	rows: fc.integer({ min: 50, max: isNightly ? 10_000 : 1000 }),
	seed: fc.integer(),
});

test('whatever the limit, all are created, and no time passes without a request that the limit doesn’t ask for', async () => {
	await fc.assert(
		fc.asyncProperty(lists, async ({ perMinute, kind, header, phase, rows, seed, ...weather }) => {
			const limit =
				kind === 'fixed windows' ? fixedWindow(perMinute, phase) : KINDS[kind](perMinute);
			const [random, spread] = [randomFrom(seed), randomFrom(seed + 1)];
			const run = await sendThrough(
				{ ...weather, random, spread, limit: weatherLimit(limit, header) },
				rows,
			);
			expect(countOf(run, 'created')).toBe(rows);
			// A wait that is stated in seconds, or a backoff, and the round trip before it.
			const roundTrip = weather.latency * (1 + weather.jitter);
			const longest = roundTrip + (header === 'nothing' ? 5000 : Math.max(5000, MINUTE + 2000));
			expect(longestPause(run)).toBeLessThanOrEqual(longest);
		}),
		{ numRuns: propertyRuns(640, 20) },
	);
}, 3_600_000);

function longestPause({ starts }: Run): number {
	const all = starts.flat().sort((one, other) => one - other);
	return Math.max(...all.map((at, index) => at - (all[index - 1] ?? 0)));
}

test('a limit for single rows: the others are created, and these are notSent', async () => {
	const rows = (index: number) => (index % 50 === 0 ? (429 as const) : undefined);
	const run = await sendThrough({ latency: 50, rows }, 500, { maxRetryTime: 10_000 });
	expect([countOf(run, 'created'), countOf(run, 'notSent')]).toEqual([490, 10]);
	expect(run.endedAt).toBeLessThanOrEqual(30_000);
});
