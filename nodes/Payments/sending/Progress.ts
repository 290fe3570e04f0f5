import type { Conclusion, SendFailure } from '../results';
import type { Answer } from './answer/Says';
import { byOwnAttempt, stillUnknown, triedInVain } from './answer/words';
import { MAX_REJECTED_TOKENS } from './Ending';
import type { Attempt } from './Throttle';
import type { Wait } from './waitAfter';

/** What is known of a transaction that was tried, and has no result. Times are in ms. */
export interface Progress {
	attempts: number;
	/** When its first attempt started. */
	startedAt: number;
	/** How it ended so far: the last attempt, and what an earlier one left open. */
	failure: SendFailure;
	/** How the first attempt ended that may have been recorded. */
	leftOpen?: SendFailure;
	/** Whether an attempt of this run may have recorded it. */
	mayHaveRecorded: boolean;
	/** How many tokens were rejected for it that are accepted for others. */
	provenTokens: number;
	/** How many rejections of tokens count against it. */
	rejectedTokens: number;
	/** How much of its Max Retry Time is used up. */
	retriedFor: number;
	/** Since when that time runs. Not set while it stands still: see `advance`. */
	runsSince?: number;
}

/** The next attempt for a transaction. */
export interface NextAttempt {
	progress: Progress;
	/** It may start from then on … */
	dueAt: number;
	/** … until then. */
	deadline: number;
	/** Whether it goes behind all that had no attempt. What may be recorded doesn't. */
	isGivenBack: boolean;
}

/**
 * Decides what becomes of a transaction after an attempt:
 *
 *     the answer                                   then
 *     it's recorded, or accepted                   done: `created`, or `duplicate`
 *     it isn't sent again: 400, 500, a conflict    done: `rejected`, or `unknown`
 *     503, still in progress, unknown with         again, within its Max Retry Time, which runs
 *       Retry on Unknown Outcome                     from the start of the first such attempt, and
 *                                                    stands still after those below.
 *     429, no connection, or no access token:      given back: again, behind all that had no
 *       nothing was processed                        attempt. It ends if it would have to wait
 *                                                    longer than Max Retry Time at once. How long
 *                                                    this goes on is decided by Ending.
 *     the token was rejected                       again, with the next token, which all share, or
 *                                                    with the same if the service may not know it
 *                                                    yet. The third one that counts ends it as
 *                                                    `rejected`. The first one of a token that was
 *                                                    accepted for others doesn't count.
 *
 * After an attempt that may have been recorded (503, unknown), only `created` and `duplicate`
 * settle it: with any other answer, it ends as `unknown`.
 *
 * @param before undefined if it was its first attempt
 * @param wait how long the transaction waits, see waitAfter
 */
export function advance(
	before: Progress | undefined,
	attempt: Attempt,
	wait: Wait,
	maxRetryTime: number,
): { result: Conclusion } | NextAttempt {
	const { answer, startedAt, endedAt } = attempt;
	if (!answer.failure) return { result: settle(before, answer.taken) };

	const { isSentAgain, rejectedToken, failure } = answer;
	const after = addFailure(before, attempt, failure);
	if (!isSentAgain || after.rejectedTokens === MAX_REJECTED_TOKENS)
		return { result: after.failure };

	const isTimed = !rejectedToken && failure.outcome !== 'notSent';
	const { runsSince = startedAt } = after;
	const retriedFor = after.retriedFor + (isTimed ? endedAt : startedAt) - runsSince;
	const timeLeft = isTimed ? maxRetryTime - retriedFor : maxRetryTime;
	if (!rejectedToken && wait.own > timeLeft) return { result: giveUp(after, endedAt) };
	return {
		progress: { ...after, retriedFor, runsSince: isTimed ? endedAt : undefined },
		dueAt: endedAt + wait.own,
		deadline: isTimed ? endedAt + timeLeft : Infinity,
		isGivenBack: failure.outcome === 'notSent' && after.leftOpen === undefined,
	};
}

function settle(before: Progress | undefined, taken: NonNullable<Answer['taken']>): Conclusion {
	const isOwn = before?.mayHaveRecorded && taken.outcome === 'duplicate';
	return isOwn ? byOwnAttempt(taken) : taken;
}

const FIRST = { mayHaveRecorded: false, provenTokens: 0, rejectedTokens: 0, retriedFor: 0 };

function addFailure(
	progress: Progress | undefined,
	{ answer: { shows, rejectedToken }, startedAt, number }: Attempt,
	failure: SendFailure,
): Progress {
	const before = progress ?? { ...FIRST, startedAt, leftOpen: undefined };
	const { leftOpen } = before;
	const isOpen = failure.outcome === 'unknown';
	// A token can end while the transaction is open. If that happens twice, it's the transaction.
	const provenTokens = before.provenTokens + (rejectedToken?.isProven ? 1 : 0);
	const counts = rejectedToken && (rejectedToken.counts || provenTokens > 1);
	return {
		...before,
		attempts: number,
		failure: leftOpen && !isOpen ? stillUnknown(leftOpen, failure) : failure,
		leftOpen: leftOpen ?? (isOpen ? failure : undefined),
		// If the Event ID is still in progress, it's another request that may record it.
		mayHaveRecorded: before.mayHaveRecorded || (isOpen && shows !== 'decision'),
		provenTokens,
		rejectedTokens: before.rejectedTokens + (counts ? 1 : 0),
	};
}

/** Returns the result of a transaction that isn't sent again, although it could be. */
export const giveUp = ({ failure, attempts, startedAt }: Progress, now: number): SendFailure =>
	triedInVain(failure, attempts, now - startedAt);
