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
