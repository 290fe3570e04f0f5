import type { FailureOutcome } from '../results';

/**
 * Client and server statuses by which HTTP rejects a request: RFC 9110, section 15, RFC 6585,
 * RFC 7725 (451), and RFC 8470 (425).
 *
 * Not among them: 408, which a proxy may send after it has passed the request on; 409, whose body
 * decides (conflict.ts); and 418 and others that no standard defines for this.
 */
const REJECTIONS = new Set([
	400, 401, 402, 403, 404, 405, 406, 407, 410, 411, 412, 413, 414, 415, 416, 417, 421, 422, 425,
	426, 428, 429, 431, 451, 501, 505, 511,
]);
/**
 * The same request must be made at another address (RFC 9110, sections 15.4.8 and 15.4.9). The
 * other redirects can also lead to what a POST has created.
 */
const ELSEWHERE = new Set([307, 308]);

/** Says what a status means that is neither a success nor 409. */
export const classifyStatus = (status: number): Extract<FailureOutcome, 'rejected' | 'unknown'> =>
	REJECTIONS.has(status) || ELSEWHERE.has(status) ? 'rejected' : 'unknown';

/** "Not now": a retry is safe, because nothing was done, or the service recognizes the event. */
export const isNotNow = (status: number): boolean => status === 429 || status === 503;

/**
 * Rejections that say nothing about a payment, but about the client or the address: they meet a
 * whole list.
 */
const NOT_ABOUT_THE_PAYMENT = new Set([401, 403, 404, 405, 407]);

/** Whether a status shows that the service decides about payments. */
export const isDecision = (status: number): boolean =>
	status < 500 && classifyStatus(status) === 'rejected' && !NOT_ABOUT_THE_PAYMENT.has(status);

/** What an attempt shows of the service, for the flow control. */
export type Evidence =
	/** It decided about the payment: it recorded it, or rejected it for what it is. */
	| 'decision'
	/**
	 * It answered, but not about the payment: a refusal of the client or the address, a redirect, a
	 * web page. That says nothing about how much it can take. If nothing else comes from the first
	 * request on, the list ends.
	 */
	| 'answer'
	/** It may not take more now: 429, 5xx, no response, or no connection. */
	| 'overload'
	/** Nothing can be sent to it, now or later. */
	| 'unusable';

/** What a status shows that is neither a success nor 409. */
export function evidenceOf(status: number): Evidence {
	if (status === 429 || (status >= 500 && classifyStatus(status) === 'unknown')) return 'overload';
	return isDecision(status) ? 'decision' : 'answer';
}

const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 20_000;

/**
 * How long to wait before the next attempt, in ms: as long as the service asks for, or else an
 * exponential backoff with jitter.
 *
 * @param attemptCount 1 after the first attempt
 * @param retryAfter what the service asks for, in ms
 * @param random from 0 to 1, spreads the retries of many requests
 */
export function retryDelay(
	{ attemptCount, retryAfter }: { attemptCount: number; retryAfter?: number },
	random: number,
): number {
	if (retryAfter !== undefined) return retryAfter;
	const backoff = Math.min(FIRST_DELAY_MS * 2 ** (attemptCount - 1), MAX_DELAY_MS);
	return backoff * (0.5 + random / 2);
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
