/* How long to wait before something is tried again. */

const FIRST_BACKOFF_MS = 500;
/** After an outage, nobody waits longer than this for the next attempt. */
const MAX_BACKOFF_MS = 5000;

/**
 * Returns the exponential backoff in ms.
 *
 * @param count how often it went wrong in a row, at least 1
 */
export const backoff = (count: number): number =>
	Math.min(FIRST_BACKOFF_MS * 2 ** (count - 1), MAX_BACKOFF_MS);

/**
 * Returns how long a transaction waits before its next attempt, in ms: as long as the service asks
 * for, or else a backoff with jitter.
 *
 * @param attemptCount 1 after the first attempt
 * @param retryAfter what the service asks for, in ms
 * @param random from 0 to 1, spreads the retries of many transactions
 */
export const retryDelay = (
	{ attemptCount, retryAfter }: { attemptCount: number; retryAfter?: number },
	random: number,
): number => retryAfter ?? backoff(attemptCount) * (0.5 + random / 2);

/**
 * Reads the Retry-After header (RFC 9110, section 10.2.3). Services also send decimals, and proxies
 * join several headers with commas, of which the longest wait counts.
 *
 * @param now ms since the epoch, because a date is a time of the clock
 * @returns ms from now. `undefined` if it says nothing that can be read, or asks for no wait: who
 *   then tries again at once for ever is a burden, so a backoff takes its place
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
	// The comma of a date is followed by its day.
	const values = (header ?? '').split(/,(?!\s*\d{1,2}[ -][A-Za-z]{3})/);
	const longest = Math.max(...values.map((value) => waitOf(value.trim(), now)));
	return longest > 0 ? longest : undefined;
}

/** Returns ms from now, and 0 if the value can't be read. */
function waitOf(value: string, now: number): number {
	if (/^\d{1,9}(\.\d*)?$/.test(value)) return Number(value) * 1000;
	if (!/^[A-Za-z]{3,9},? /.test(value)) return 0;
	// The form of C's asctime has no zone, and means GMT (RFC 9110, section 5.6.7).
	const hasZone = /[A-Z]$|[+-]\d{4}$/.test(value);
	const date = Date.parse(hasZone ? value : `${value} GMT`);
	return Number.isNaN(date) ? 0 : date - now;
}
