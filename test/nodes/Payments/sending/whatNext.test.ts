import type { EndedAttempt } from '../../../../nodes/Payments/sending/EndedAttempt';
import {
	giveUp,
	NEW,
	whatNext,
	type TransactionRecord,
} from '../../../../nodes/Payments/sending/whatNext';
import {
	created,
	declined,
	ended,
	inProgress,
	limited,
	lost,
	refused,
	tokenRejected,
	unavailable,
} from '../../../support/builders/attempts';
import { fc } from '../../../support/properties';

type Attempt = EndedAttempt['attempt'];

type Next = ReturnType<typeof whatNext>;

const RECORDED: Attempt = { kind: 'recorded', response: { status: 409, headers: {}, body: {} } };
const retried = (attempt: typeof lost): Attempt => ({ ...attempt, retryable: true });

/** Attempts, each with when it starts and ends. */
type Step = [attempt: Attempt, startedAt: number, endedAt: number];

/** What becomes of a transaction after these attempts, with the longest backoff. */
function after(steps: Step[], maxRetryTime = 90_000, random = 1): Next {
	let record = NEW;
	for (const [index, [attempt, startedAt, endedAt]] of steps.entries()) {
		const next = whatNext(record, ended(attempt, endedAt, { startedAt }), maxRetryTime, random);
		if (index === steps.length - 1) return next;
		if ('result' in next) throw new Error(`It ended with attempt ${index}.`);
		record = next.record;
	}
	throw new Error('There is no attempt.');
}

const resultOf = (next: Next) => ('result' in next ? next.result : undefined);
const timesOf = (next: Next) =>
	'result' in next ? `done: ${next.result.outcome}` : [next.dueAt, next.deadline];

describe('done', () => {
	test.each<[string, Attempt, string]>([
		['created', created, 'created'],
		['recorded before', RECORDED, 'duplicate'],
		['declined', declined, 'rejected'],
		['lost, and not to be retried', lost, 'unknown'],
	])('%s', (_, attempt, outcome) => {
		expect(resultOf(after([[attempt, 0, 100]]))?.outcome).toBe(outcome);
	});

	test.each<[string, Attempt, boolean]>([
		['429', limited(), false],
		['a rejected token', tokenRejected(), false],
		['no connection', refused, false],
		['another request in progress', inProgress, false],
		['503', unavailable(), true],
		['no response', retried(lost), true],
	])('recorded, after %s: by an attempt of this execution: %p', (_, attempt, ownAttempt) => {
		const steps: Step[] = [
			[attempt, 0, 100],
			[RECORDED, 1000, 1100],
		];
		expect(resultOf(after(steps))).toMatchObject({ outcome: 'duplicate', ownAttempt });
	});

	test.each<[string, Attempt, string]>([
		['a refusal', declined, 'unknown'],
		['created', created, 'created'],
	])('what an attempt left open, %s leaves or settles', (_, attempt, outcome) => {
		const steps: Step[] = [
			[unavailable(), 0, 100],
			[limited(), 1000, 1100],
			[attempt, 3000, 3100],
		];
		expect(resultOf(after(steps))?.outcome).toBe(outcome);
	});
});

describe('again, after what the service asks for, or a backoff', () => {
	test.each<[string, Attempt, unknown]>([
		['429', limited(), [600, Infinity]],
		['429, wait 7 s', limited(7000), [7100, Infinity]],
		['no connection', refused, [600, Infinity]],
		['no token, wait 6 s', { ...refused, waitMs: 6000 }, [6100, Infinity]],
		['503', unavailable(), [600, 90_000]],
		['503, wait 7 s', unavailable(7000), [7100, 90_000]],
		['in progress', inProgress, [600, 90_000]],
		['lost, and to be retried', retried(lost), [600, 90_000]],
	])('%s', (_, attempt, expected) => {
		expect(timesOf(after([[attempt, 0, 100]]))).toEqual(expected);
	});

	test('a limit can ask for longer than is left of Max Retry Time, which doesn’t run meanwhile', () => {
		const steps: Step[] = [
			[unavailable(80_000), 0, 0],
			[limited(60_000), 80_000, 80_000],
		];
		expect(timesOf(after(steps))).toEqual([140_000, Infinity]);
	});

	test('the backoff doubles up to 5 s, and is spread between half of it and all', () => {
		const steps: Step[] = [];
		const waits = [1, 2, 3, 4, 5, 6].map((count) => {
			steps.push([limited(), count * 10_000, count * 10_000]);
			return [0, 1].map((random) => {
				const next = after(steps, 90_000, random);
				return 'result' in next ? NaN : next.dueAt - count * 10_000;
			});
		});
		expect(waits).toEqual([
			[250, 500],
			[500, 1000],
			[1000, 2000],
			[2000, 4000],
			[2500, 5000],
			[2500, 5000],
		]);
	});
});

test.each<[string, Step[], boolean]>([
	['429', [[limited(), 0, 0]], true],
	['no connection', [[refused, 0, 0]], true],
	['a rejected token', [[tokenRejected(), 0, 0]], false],
	['503', [[unavailable(), 0, 0]], false],
	[
		'429 after 503',
		[
			[unavailable(), 0, 0],
			[limited(), 1000, 1000],
		],
		false,
	],
])('others come first after %s, if nothing is open: %p', (_, steps, isGivenBack) => {
	expect(after(steps)).toMatchObject({ isGivenBack });
});

describe('Max Retry Time', () => {
	test.each<[string, Attempt, string]>([
		['503', unavailable(), 'unknown'],
		['429', limited(), 'notSent'],
		['no connection', refused, 'notSent'],
	])('0 retries nothing: %s', (_, attempt, outcome) => {
		const result = resultOf(after([[attempt, 0, 100]], 0));
		expect(result).toMatchObject({ outcome, message: expect.stringContaining('tried once') });
	});

	test('0 retries a rejected token', () => {
		expect(timesOf(after([[tokenRejected(), 0, 100]], 0))).toEqual([200, Infinity]);
	});

	test.each<[number, Attempt, unknown]>([
		[10_000, unavailable(9900), [10_000, 10_000]],
		[10_000, unavailable(9901), 'done: unknown'],
		[10_000, limited(10_000), [10_100, Infinity]],
		[10_000, limited(10_001), 'done: notSent'],
	])('%i ms, and a longer wait isn’t waited for', (maxRetryTime, attempt, expected) => {
		expect(timesOf(after([[attempt, 0, 100]], maxRetryTime))).toEqual(expected);
	});

	test('runs from the start of the first attempt that may be processed', () => {
		const steps: Step[] = [
			[unavailable(), 1000, 2000],
			[unavailable(), 3000, 4000],
		];
		expect(timesOf(after(steps, 10_000))).toEqual([5000, 11_000]);
		steps.push([unavailable(), 9000, 9500]);
		expect(timesOf(after(steps, 10_000))).toEqual('done: unknown');
	});

	test.each<[string, Attempt]>([
		['429', limited()],
		['no connection', refused],
		['a rejected token', tokenRejected({ counts: false })],
	])('doesn’t run while nothing was processed: %s', (_, attempt) => {
		const steps: Step[] = [
			[attempt, 0, 100],
			[attempt, 60_000, 60_100],
			[unavailable(), 120_000, 120_500],
			// 2 s are used up.
			[attempt, 122_000, 122_100],
			[attempt, 180_000, 180_100],
			[unavailable(), 240_000, 241_000],
		];
		expect(timesOf(after(steps.slice(0, 2), 10_000))).toEqual([expect.any(Number), Infinity]);
		expect(timesOf(after(steps.slice(0, 3), 10_000))).toEqual([expect.any(Number), 130_000]);
		expect(timesOf(after(steps, 10_000))).toEqual([expect.any(Number), 248_000]);
	});

	test('is never exceeded by waits after attempts that may be processed', () => {
		const attempts = fc.array(
			fc.tuple(
				fc.constantFrom<Attempt>(limited(), unavailable(), refused, inProgress, unavailable(3000)),
				fc.nat(3000),
				fc.nat(3000),
			),
			{ minLength: 1, maxLength: 40 },
		);
		fc.assert(
			fc.property(attempts, fc.nat(20_000), (steps, maxRetryTime) => {
				let record: TransactionRecord = NEW;
				let now = 0;
				let ran = 0;
				let dueAt = 0;
				let deadline = Infinity;
				for (const [attempt, late, duration] of steps) {
					const startedAt = Math.min(Math.max(now, dueAt + late), Math.max(deadline, dueAt));
					if (deadline < Infinity) ran += startedAt - now;
					now = startedAt + duration;
					const next = whatNext(record, ended(attempt, now, { startedAt }), maxRetryTime, 0.5);
					const isProcessed = attempt.kind === 'failure' && attempt.result.outcome === 'unknown';
					if (isProcessed) ran += duration;
					if ('result' in next) return;
					({ record, dueAt, deadline } = next);
					if (isProcessed) expect(ran).toBeLessThanOrEqual(maxRetryTime);
				}
			}),
		);
	});
});

describe('a rejected token', () => {
	const rejections = (...all: Array<Parameters<typeof tokenRejected>[0]>): Step[] =>
		all.map((one, at) => [tokenRejected(one), at, at]);

	test('again, after the next one, and after another transaction', () => {
		expect(timesOf(after([[tokenRejected({ waitMs: 500 }), 0, 100]]))).toEqual([700, Infinity]);
	});

	test('three that count are the end', () => {
		expect('result' in after(rejections({}, {}))).toBe(false);
		expect(resultOf(after(rejections({}, {}, {})))).toMatchObject({ outcome: 'rejected' });
	});

	test('those that don’t count are none', () => {
		const none = { counts: false };
		expect('result' in after(rejections({}, none, {}, none, none, none))).toBe(false);
	});

	test('a second one that is accepted for others counts, and so does each after that', () => {
		const proven = { counts: false, isProven: true };
		const none = { counts: false };
		expect('result' in after(rejections(proven, none, none, proven, none))).toBe(false);
		expect('result' in after(rejections(proven, none, proven, none, none))).toBe(true);
		expect('result' in after(rejections(proven, proven, proven))).toBe(false);
		expect('result' in after(rejections(proven, proven, proven, proven))).toBe(true);
	});

	test('what was open stays open', () => {
		const steps: Step[] = [[unavailable(), 0, 0], ...rejections({}, {}, {})];
		expect(resultOf(after(steps))?.outcome).toBe('unknown');
	});
});

test('what isn’t tried again says how often it was tried, and for how long', () => {
	const next = after([
		[limited(), 1000, 1100],
		[limited(), 3000, 3100],
	]);
	if ('result' in next) throw new Error('It ended.');
	expect(giveUp(next.record, 16_000)).toMatchObject({
		outcome: 'notSent',
		message: expect.stringMatching(/tried 2 times in 15 s/),
	});
});
