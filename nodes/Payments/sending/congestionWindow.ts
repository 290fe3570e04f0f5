/** The initial window. A list of the usual size, a few dozen rows, goes out at once. */
const INITIAL_WINDOW = 50;

/** RFC 6298, section 2.1, starts its timer so, and doubles it (section 5.5). */
const FIRST_BACKOFF_MS = 1000;
const MAX_BACKOFF_MS = 20_000;

/** What a response says about how much the service can take. */
export type Feedback =
	/** The service decided about a payment, so it can take one request more. */
	| { kind: 'decided' }
	/** It didn't, or asked for fewer requests. */
	| {
			kind: 'undecided';
			/** ms, from the Retry-After header. */
			retryAfter?: number;
	  };

/**
 * How many requests may be open at the same time: TCP's congestion control (RFC 5681), with
 * requests in place of segments. It knows only this run of the node. Times are in ms.
 */
export class CongestionWindow {
	private size: number;

	/** Below it, the window doubles in a round trip; from it on, it grows by one (section 3.1). */
	private slowStartThreshold = Infinity;

	/** Requests that started before the last reduction say nothing about the window after it. */
	private reducedAt = -Infinity;

	/** Since the last decision about a payment. */
	reductionsInARow = 0;

	/** Nobody starts before this time, because the service asked to wait (Retry-After). */
	retryAfterUntil = 0;

	/** Nobody starts before this time, because reduced windows weren't enough. */
	private backoffUntil = 0;

	/** @param maximum requests that may be open, at least 1 */
	constructor(private readonly maximum: number) {
		this.size = Math.min(INITIAL_WINDOW, maximum);
	}

	/** Requests that may be open, at least 1. */
	get limit(): number {
		return Math.floor(this.size);
	}

	/** No request may start before this time. */
	get closedUntil(): number {
		return Math.max(this.retryAfterUntil, this.backoffUntil);
	}

	/**
	 * Takes in how a request ended that started at `startedAt`.
	 *
	 * @returns the size of the window that is lost, or 0
	 */
	finished(feedback: Feedback, startedAt: number, now: number): number {
		if (feedback.kind === 'decided') {
			this.reductionsInARow = 0;
			if (startedAt >= this.reducedAt) this.grow();
			return 0;
		}
		this.retryAfterUntil = Math.max(this.retryAfterUntil, now + (feedback.retryAfter ?? 0));
		// At most once per round trip: these were sent before the last reduction could help.
		if (startedAt < this.reducedAt) return 0;
		const lost = this.limit;
		this.reducedAt = now;
		this.size = Math.max(1, this.size / 2);
		this.slowStartThreshold = this.size;
		this.reductionsInARow++;
		if (this.reductionsInARow > 1) {
			const backoff = FIRST_BACKOFF_MS * 2 ** (this.reductionsInARow - 2);
			this.backoffUntil = now + Math.min(backoff, MAX_BACKOFF_MS);
		}
		return lost;
	}

	private grow(): void {
		const growth = this.size < this.slowStartThreshold ? 1 : 1 / this.size;
		this.size = Math.min(this.size + growth, this.maximum);
	}
}
