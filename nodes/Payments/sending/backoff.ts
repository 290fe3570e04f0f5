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
