import type { NetworkFailure } from '../../shared/networkError';

/** Why a request has no good answer. */
export type RequestFailure =
	| { kind: 'status'; status: number; retryAfter?: string }
	| { kind: 'network'; fault: NetworkFailure }
	/** No token could be had, so nothing was sent. */
	| { kind: 'token'; temporary: boolean }
	/** A good status, but what came with it is not from the service. */
	| { kind: 'foreign'; status: number };

/** What is known of a transaction after a fault: the service said no, nobody knows, or the service never saw it. */
export type FailureKind = 'rejected' | 'unknown' | 'notSent';

/** Statuses that say "not now", and nothing was done: sending again is safe (public practice, Answers of the API). */
const BUSY = new Set([429, 503]);
/** Server statuses that rule out that the request was carried out. */
const NEVER_CARRIED_OUT = new Set([501, 505, 511]);

/**
 * What a fault means for the transaction, and whether it may be sent again.
 *
 * @param retryUnknownOutcome the user's word that sending again is safe even when the first may have gone through
 */
export function classifyFailure(
	fault: RequestFailure,
	retryUnknownOutcome: boolean,
): { doubt: FailureKind; resend: boolean } {
	switch (fault.kind) {
		case 'token':
			return { doubt: 'notSent', resend: fault.temporary };
		case 'network':
			if (fault.fault.reach === 'notSent')
				return { doubt: 'notSent', resend: fault.fault.temporary };
			return { doubt: 'unknown', resend: retryUnknownOutcome };
		case 'foreign':
			return { doubt: 'unknown', resend: false };
		case 'status': {
			const { status } = fault;
			if (BUSY.has(status)) return { doubt: 'rejected', resend: true };
			// 408: a proxy may say so after it has passed the request on.
			const unclear = status === 408 || (status >= 500 && !NEVER_CARRIED_OUT.has(status));
			return unclear
				? { doubt: 'unknown', resend: retryUnknownOutcome }
				: { doubt: 'rejected', resend: false };
		}
	}
}

const FIRST_WAIT = 500;
const LONGEST_WAIT = 20_000;

/**
 * How long to wait before sending again, in ms; `undefined` when the time budget does not allow it.
 *
 * @param attempt 1 after the first try
 * @param retryAfter the service's own wish (RFC 9110, section 10.2.3): seconds or an HTTP date
 * @param elapsed ms since the first try
 * @param budget ms that all tries together may take
 * @param random from 0 to 1, spreads the waits of many requests
 */
export function retryDelay(
	{
		attempt,
		retryAfter,
		elapsed,
		budget,
	}: { attempt: number; retryAfter?: string; elapsed: number; budget: number },
	now: number,
	random: number,
): number | undefined {
	const backoff = Math.min(FIRST_WAIT * 2 ** (attempt - 1), LONGEST_WAIT) * (0.5 + random / 2);
	const wished = parseRetryAfter(retryAfter, now);
	// A little later than asked for, and not all at once.
	const wait = wished === undefined ? backoff : wished + random * Math.min(backoff, 1000);
	return elapsed + wait <= budget ? wait : undefined;
}

/** The Retry-After header as ms from now, or `undefined` when it says nothing that can be read. */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
	const text = header?.trim() ?? '';
	if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
	const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : NaN;
	return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
