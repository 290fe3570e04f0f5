import type { FailureOutcome } from '../results';

/** Both say "not now" (public practice, Answers of the API). Some services answer 503 although they
 * recorded the transaction. */
const TOO_MANY_REQUESTS = 429;
const SERVICE_UNAVAILABLE = 503;
/** 408: a proxy may say so after it has passed the request on. */
const REQUEST_TIMEOUT = 408;
/** Redirects to what a POST has created, or to a page that says no (RFC 9110, section 15.4.4). */
const SEE_OTHER = 303;
/** Server statuses that rule out that the request was carried out. */
const NEVER_CARRIED_OUT = new Set([501, 505, 511]);

const isUnknown = (status: number): boolean =>
	status === REQUEST_TIMEOUT ||
	status === SEE_OTHER ||
	(status >= 500 && !NEVER_CARRIED_OUT.has(status));

/**
 * Says what a status that is not a success means for the transaction, and whether another attempt
 * is safe.
 *
 * @param retryUnknownOutcome the user says that it is safe even if the transaction was recorded
 */
export function classifyStatus(
	status: number,
	retryUnknownOutcome: boolean,
): { outcome: FailureOutcome; retryable: boolean } {
	if (status === TOO_MANY_REQUESTS) return { outcome: 'rejected', retryable: true };
	if (status === SERVICE_UNAVAILABLE) return { outcome: 'unknown', retryable: true };
	return isUnknown(status)
		? { outcome: 'unknown', retryable: retryUnknownOutcome }
		: { outcome: 'rejected', retryable: false };
}

/** Whether a status asks for fewer requests. */
export const isBusy = (status: number): boolean =>
	status === TOO_MANY_REQUESTS || status === SERVICE_UNAVAILABLE;

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 20_000;

/**
 * Exponential backoff with jitter: how long to wait before the next attempt.
 *
 * @param attemptCount 1 after the first attempt
 * @param retryAfter the header (RFC 9110, section 10.2.3): seconds or an HTTP date
 * @param elapsed ms since the first attempt
 * @param budget ms that all attempts together may take
 * @param now ms since the epoch
 * @param random from 0 to 1, spreads the retries of many requests
 * @returns ms, or `undefined` when the retry budget doesn't allow another attempt
 */
export function retryDelay(
	{
		attemptCount,
		retryAfter,
		elapsed,
		budget,
	}: { attemptCount: number; retryAfter?: string; elapsed: number; budget: number },
	now: number,
	random: number,
): number | undefined {
	const backoff =
		Math.min(FIRST_DELAY_MS * 2 ** (attemptCount - 1), MAX_DELAY_MS) * (0.5 + random / 2);
	const requested = parseRetryAfter(retryAfter, now);
	// A little later than the service asks for, and not all at once.
	const delay = requested === undefined ? backoff : requested + random * Math.min(backoff, 1000);
	return elapsed + delay <= budget ? delay : undefined;
}

/** Reads the Retry-After header: ms from now, or `undefined` when it can't be read. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
	const isDate = /^[A-Za-z]{3,9},? /.test(text);
	// The form of C's asctime has no zone, and means GMT (RFC 9110, section 5.6.7).
	const hasZone = /[A-Z]$|[+-]\d{4}$/.test(text);
	const date = isDate ? Date.parse(hasZone ? text : `${text} GMT`) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
