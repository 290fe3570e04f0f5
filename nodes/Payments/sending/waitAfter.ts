import type { Answer } from './answer/Says';

const FIRST_BACKOFF_MS = 500;
/** After an outage, nobody waits longer than this for the next attempt. */
const MAX_BACKOFF_MS = 5000;
/** After its token was rejected, another transaction shows first whether it was the token. */
const AFTER_ANOTHER_MS = 100;

/** How long something waits after an attempt, in ms, and why. */
export interface Wait {
	/** Nothing starts before. */
	all: number;
	/** This transaction isn't sent again before. */
	own: number;
	/** The reason for the longer one. */
	because: 'nothing' | 'token' | 'stated' | 'backoff';
}

/** What counts beside the answer itself. */
interface Setting {
	/** How often this transaction was tried, at least 1. */
	attempts: number;
	/** How many setbacks in a row the list has had with it, 0 if it's none: see Throttle. */
	setback: number;
	/** From 0 to 1, spreads the retries of many transactions. */
	random: number;
}

/**
 * Returns how long everything waits after an answer, and how long its transaction. ARCHITECTURE.md
 * has a table of it (*How long it waits*).
 *
 * The backoff of everything begins with the second setback in a row: after the first, a smaller
 * window may be enough.
 */
export function waitAfter(answer: Answer, { attempts, setback, random }: Setting): Wait {
	const { shows, isSentAgain, waitMs, rejectedToken } = answer;
	if (rejectedToken) {
		const { waitMs: all } = rejectedToken;
		return { all, own: all + AFTER_ANOTHER_MS, because: 'token' };
	}
	const stated = shows === 'overload' ? (waitMs ?? 0) : 0;
	const all = Math.max(stated, setback > 1 ? backoff(setback - 1) : 0);
	const ownBackoff = backoff(attempts) * (0.5 + random / 2);
	const own = isSentAgain ? (waitMs ?? ownBackoff) : 0;
	const longest = Math.max(all, own);
	if (longest === 0) return { all, own, because: 'nothing' };
	return { all, own, because: longest === waitMs ? 'stated' : 'backoff' };
}

/**
 * Returns the exponential backoff in ms.
 *
 * @param count how often it went wrong in a row, at least 1
 */
const backoff = (count: number): number =>
	Math.min(FIRST_BACKOFF_MS * 2 ** (count - 1), MAX_BACKOFF_MS);
