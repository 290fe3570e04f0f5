import type { Answer } from '../../../../nodes/Payments/sending/answer/Says';
import { advance, giveUp, type Progress } from '../../../../nodes/Payments/sending/Progress';
import { waitAfter } from '../../../../nodes/Payments/sending/waitAfter';
import {
	created,
	declined,
	ended,
	inProgress,
	limited,
	lost,
	recorded,
	refused,
	tokenRejected,
	unavailable,
} from '../../../support/builders/attempts';

type Next = ReturnType<typeof advance>;

const lostAndRetried: Answer = { ...lost, isSentAgain: true };

/** Attempts, each with when it starts and ends. */
type Step = [attempt: Answer, startedAt: number, endedAt: number];

/** What becomes of a transaction after these attempts, with the longest backoff. */
function after(steps: Step[], maxRetryTime = 90_000, random = 1): Next {
	let progress: Progress | undefined;
	for (const [index, [answer, startedAt, endedAt]] of steps.entries()) {
		const number = index + 1;
		const attempt = ended(answer, endedAt, { startedAt, number });
		const wait = waitAfter(answer, { attempts: number, setback: 0, random });
		const next = advance(progress, attempt, wait, maxRetryTime);
		if (index === steps.length - 1) return next;
		if ('result' in next) throw new Error(`It ended with attempt ${index}.`);
		({ progress } = next);
	}
	throw new Error('There is no attempt.');
}

const resultOf = (next: Next) => ('result' in next ? next.result : undefined);
/** The outcome, or when the next attempt may start. */
const readNext = (next: Next) =>
	'result' in next ? next.result.outcome : [next.dueAt, next.deadline];

test.each<[string, Answer, unknown]>([
	['created', created, 'created'],
	['recorded before', recorded, 'duplicate'],
	['declined', declined, 'rejected'],
	['lost, and not to be retried', lost, 'unknown'],
	// Again, after what the service asks for, or a backoff.
	['429', limited(), [600, Infinity]],
	['429, wait 7 s', limited(7000), [7100, Infinity]],
	['no connection', refused, [600, Infinity]],
	['no token, wait 6 s', { ...refused, waitMs: 6000 }, [6100, Infinity]],
	['503', unavailable(), [600, 90_000]],
	['503, wait 7 s', unavailable(7000), [7100, 90_000]],
	['in progress', inProgress, [600, 90_000]],
	['lost, and to be retried', lostAndRetried, [600, 90_000]],
	// After the next token, and after another transaction.
	['a rejected token, wait 0.5 s', tokenRejected({ waitMs: 500 }), [700, Infinity]],
])('%s', (_, attempt, expected) => expect(readNext(after([[attempt, 0, 100]]))).toEqual(expected));

test.each<[string, Answer, boolean]>([
	['429', limited(), false],
	['a rejected token', tokenRejected(), false],
	['no connection', refused, false],
	['another request in progress', inProgress, false],
	['503', unavailable(), true],
	['no response', lostAndRetried, true],
])('recorded, after %s: by an attempt of this execution: %p', (_, attempt, ownAttempt) => {
	const steps: Step[] = [
		[attempt, 0, 100],
		[recorded, 1000, 1100],
	];
	expect(resultOf(after(steps))).toMatchObject({ outcome: 'duplicate', ownAttempt });
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

describe('after an attempt that may be recorded, a 429, and a refusal', () => {
	const open: Step = [unavailable(), 0, 100];
	const limit: Step = [limited(), 1000, 1100];

	test.each<[string, Answer, string]>([
		['a refusal leaves it open', declined, 'unknown'],
		['created settles it', created, 'created'],
	])('%s', (_, attempt, outcome) =>
		expect(resultOf(after([open, limit, [attempt, 3000, 3100]]))?.outcome).toBe(outcome),
	);

	test('the last one counts if it leaves it open itself', () =>
		expect(resultOf(after([open, [lost, 1000, 1100]]))).toBe(lost.failure));

	test.each<[string, Step[], boolean]>([
		['429', [limit], true],
		['no connection', [[refused, 0, 0]], true],
		['a rejected token', [[tokenRejected(), 0, 0]], false],
		['503', [open], false],
		['429 after 503', [open, limit], false],
	])('others come first after %s, if nothing is open: %p', (_, steps, isGivenBack) =>
		expect(after(steps)).toMatchObject({ isGivenBack }),
	);
});

describe('Max Retry Time', () => {
	test.each<[string, number, Answer, unknown]>([
		['503', 0, unavailable(), 'unknown'],
		['429', 0, limited(), 'notSent'],
		['no connection', 0, refused, 'notSent'],
		['a rejected token, which needs none', 0, tokenRejected(), [200, Infinity]],
		['503, wait as long', 10_000, unavailable(9900), [10_000, 10_000]],
		['503, wait longer', 10_000, unavailable(9901), 'unknown'],
		['429, wait as long', 10_000, limited(10_000), [10_100, Infinity]],
		['429, wait longer', 10_000, limited(10_001), 'notSent'],
	])('%s, %i ms', (_, maxRetryTime, attempt, expected) =>
		expect(readNext(after([[attempt, 0, 100]], maxRetryTime))).toEqual(expected),
	);

	test('runs from the start of the first attempt that may be processed', () => {
		const steps: Step[] = [
			[unavailable(), 1000, 2000],
			[unavailable(), 3000, 4000],
		];
		expect(readNext(after(steps, 10_000))).toEqual([5000, 11_000]);
		expect(readNext(after([...steps, [unavailable(), 9000, 9500]], 10_000))).toBe('unknown');
		// It doesn't run while a limit asks for longer than is left of it.
		expect(readNext(after([...steps, [limited(10_000), 9000, 9500]], 10_000))).toEqual([
			19_500,
			Infinity,
		]);
	});

	test.each<[string, Answer]>([
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
		expect(after(steps.slice(0, 2), 10_000)).toMatchObject({ deadline: Infinity });
		expect(after(steps.slice(0, 3), 10_000)).toMatchObject({ deadline: 130_000 });
		expect(after(steps, 10_000)).toMatchObject({ deadline: 248_000 });
	});
});

const counts = tokenRejected();
const none = tokenRejected({ counts: false });
/** The token is accepted for others. */
const proven = tokenRejected({ counts: false, isProven: true });

test.each<[string, Answer[], string | undefined]>([
	['two that count', [counts, counts], undefined],
	['three that count', [counts, counts, counts], 'rejected'],
	['those that don’t count', [counts, none, counts, none, none, none], undefined],
	['one that is accepted for others', [proven, none, none, none], undefined],
	['a second one that is, and the next two', [proven, none, proven, none, none], 'rejected'],
	['three that are', [proven, proven, proven], undefined],
	['four that are', [proven, proven, proven, proven], 'rejected'],
	['three, while it is open', [unavailable(), counts, counts, counts], 'unknown'],
])('rejected tokens, %s: %s', (_, attempts, outcome) => {
	const next = after(attempts.map((attempt, at): Step => [attempt, at, at]));
	expect(resultOf(next)?.outcome).toBe(outcome);
});

test.each([
	[1, 1100, /tried once in 0 s/],
	[2, 16_000, /tried 2 times in 15 s/],
])('what isn’t tried again says how often it was tried: %i', (count, now, says) => {
	const steps: Step[] = [
		[limited(), 1000, 1100],
		[limited(), 3000, 3100],
	];
	const next = after(steps.slice(0, count));
	if ('result' in next) throw new Error('It ended.');
	expect(giveUp(next.progress, now)).toMatchObject({
		outcome: 'notSent',
		message: expect.stringMatching(says),
	});
});
