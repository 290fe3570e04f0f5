import type { EndedAttempt } from './EndedAttempt';

/**
 * Requests don't take the same time to arrive: at exactly its rate, a service would now and then
 * count one too many in a second. At this share, one may take 50 ms longer than another.
 */
const SHARE_OF_RATE = 0.95;
/** So late does a timer usually come. The next start makes up for it. */
const TIMER_DELAY_MS = 2;

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

/** When the next request may start. */
export class Pace {
	/** Nothing starts before it: the service asked to wait, or fewer requests weren't enough. */
	pausedUntil = 0;

	/** By Max Requests per Second. */
	private dueAt = 0;

	/** @param maxRequestsPerSecond 0 for no limit */
	constructor(private readonly maxRequestsPerSecond: number) {}

	/** When the next request may start. */
	get nextStartAt(): number {
		return Math.max(this.pausedUntil, this.dueAt);
	}

	countStart(now: number): void {
		if (this.maxRequestsPerSecond === 0) return;
		const dueAt = Math.max(this.dueAt, now - TIMER_DELAY_MS);
		this.dueAt = dueAt + 1000 / (this.maxRequestsPerSecond * SHARE_OF_RATE);
	}

	learn({ attempt, endedAt, setback }: EndedAttempt): void {
		if (attempt.kind !== 'failure') return;
		const { evidence, tokenRejected, waitMs } = attempt;
		if (tokenRejected) this.pause(endedAt + tokenRejected.waitMs);
		if (evidence === 'overload' && waitMs !== undefined) this.pause(endedAt + waitMs);
		// The first time, a smaller window may be enough. From then on, everything waits.
		if (setback > 1) this.pause(endedAt + backoff(setback - 1));
	}

	private pause(until: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, until);
	}
}
