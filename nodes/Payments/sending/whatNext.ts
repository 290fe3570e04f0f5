import type { Conclusion, SendFailure } from '../results';
import { MAX_REJECTED_TOKENS } from './Breaker';
import type { EndedAttempt } from './EndedAttempt';
import { triedInVain } from './endings';
import { backoff } from './Pace';
import { duplicate, mergeFailures } from './response/outcome';
import type { FailedAttempt } from './response/readResponse';

/** What is known of a transaction that has no result. Times are in ms. */
export interface TransactionRecord {
	attempts: number;
	/** When its first attempt started. */
	startedAt?: number;
	/** How it ended so far: the last attempt, and what an earlier one left open. */
	failure?: SendFailure;
	/** How the first attempt ended that may have been recorded. */
	leftOpen?: SendFailure;
	/**
	 * Whether an attempt of this run may have recorded it. That it's still in progress says that
	 * another request may.
	 */
	mayHaveRecorded: boolean;
	/** How many tokens were rejected for it that are accepted for others. */
	provenTokens: number;
	/** How many rejections of tokens count against it. */
	rejectedTokens: number;
	/** How much of its Max Retry Time is used up. */
	retriedFor: number;
	/** Since when that time runs again. It stands still after 429, without a connection or token. */
	runsSince?: number;
}

export const NEW: TransactionRecord = {
	attempts: 0,
	mayHaveRecorded: false,
	provenTokens: 0,
	rejectedTokens: 0,
	retriedFor: 0,
};

/** The next attempt for a transaction. */
export interface NextAttempt {
	record: TransactionRecord;
	/** It may start from then on … */
	dueAt: number;
	/** … until then. */
	deadline: number;
	/** Whether it goes behind all that had no attempt. What may be recorded doesn't. */
	isGivenBack: boolean;
}

/** After its token was rejected, another transaction shows first whether it was the token. */
const AFTER_ANOTHER_MS = 100;

/**
 * Decides what becomes of a transaction after an attempt:
 *
 *     the attempt                                  then
 *     it's recorded (2xx, or a code for that)      done: `created`, or `duplicate`
 *     rejected: 400, 404, 422, …                   done
 *     unknown: the connection broke, 500, a 409    done, unless Retry on Unknown Outcome
 *       without a known code, a redirect, …
 *     503, a code for "still in progress", or      again, after the stated wait or a backoff, for
 *       unknown with Retry on Unknown Outcome        as long as its Max Retry Time. It runs from
 *                                                    the start of the first such attempt, and
 *                                                    stands still after those below.
 *     429, no connection, or no access token:      given back: again, after the stated wait or a
 *       nothing was processed                        backoff, behind all that had no attempt. Only
 *                                                    a single wait that is longer than Max Retry
 *                                                    Time ends it here, else the breaker does.
 *     the token was rejected                       again, with the next token, which all share, or
 *                                                    with the same if the service may not know it
 *                                                    yet. The third one that counts ends it as
 *                                                    `rejected`. The first one of a token that was
 *                                                    accepted for others doesn't count.
 *
 * After an attempt that may have been recorded (503, unknown), only `created` and `duplicate`
 * settle it: with any other answer, it ends as `unknown`.
 *
 * @param random from 0 to 1, spreads the retries of many transactions
 */
export function whatNext(
	before: TransactionRecord,
	{ attempt, startedAt, endedAt }: EndedAttempt,
	maxRetryTime: number,
	random: number,
): { result: Conclusion } | NextAttempt {
	if (attempt.kind === 'created') return { result: attempt.result };
	if (attempt.kind === 'recorded')
		return { result: duplicate(attempt.response, before.mayHaveRecorded) };

	const { retryable, tokenRejected, waitMs, result } = attempt;
	const record = addFailure(before, attempt, startedAt);
	if (!retryable || record.rejectedTokens === MAX_REJECTED_TOKENS)
		return { result: record.failure! };

	const isProcessed = !tokenRejected && result.outcome !== 'notSent';
	const { runsSince = startedAt } = before;
	const retriedFor = before.retriedFor + (isProcessed ? endedAt : startedAt) - runsSince;
	const timeLeft = isProcessed ? maxRetryTime - retriedFor : maxRetryTime;
	const wait = tokenRejected
		? tokenRejected.waitMs + AFTER_ANOTHER_MS
		: (waitMs ?? backoff(record.attempts) * (0.5 + random / 2));
	if (!tokenRejected && wait > timeLeft) return { result: giveUp(record, endedAt) };
	return {
		record: { ...record, retriedFor, runsSince: isProcessed ? endedAt : undefined },
		dueAt: endedAt + wait,
		deadline: isProcessed ? endedAt + timeLeft : Infinity,
		isGivenBack: result.outcome === 'notSent' && record.leftOpen === undefined,
	};
}

function addFailure(
	before: TransactionRecord,
	{ result, evidence, tokenRejected }: FailedAttempt,
	startedAt: number,
): TransactionRecord {
	const isOpen = result.outcome === 'unknown';
	// A token can end while the transaction is open. If that happens twice, it's the transaction.
	const provenTokens = before.provenTokens + (tokenRejected?.isProven ? 1 : 0);
	const counts = tokenRejected && (tokenRejected.counts || provenTokens > 1);
	return {
		...before,
		attempts: before.attempts + 1,
		startedAt: before.startedAt ?? startedAt,
		failure: mergeFailures(before.leftOpen, result),
		leftOpen: before.leftOpen ?? (isOpen ? result : undefined),
		// If the Event ID is still in progress, it's another request that may record it.
		mayHaveRecorded: before.mayHaveRecorded || (isOpen && evidence !== 'decision'),
		provenTokens,
		rejectedTokens: before.rejectedTokens + (counts ? 1 : 0),
	};
}

/** Returns the result of a transaction that isn't sent again, although it could be. */
export const giveUp = (record: TransactionRecord, now: number): SendFailure =>
	triedInVain(record.failure!, record.attempts, now - record.startedAt!);
