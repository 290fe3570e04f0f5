import { evidenceOf, isRateLimited, type EndedAttempt } from './EndedAttempt';

/** A list of the usual size, a few dozen rows, goes out at once. */
const INITIAL_SIZE = 50;
/** A decision that takes so many times as long as the shortest has waited in a queue. */
const QUEUING = 2;

/**
 * How many requests may be open: TCP's congestion control (RFC 5681), with requests in place of
 * segments.
 */
export class Window {
	/** With a fraction. */
	private size: number;

	/** Below it, the window doubles in a round trip; from it on, it grows by one (section 3.1). */
	private slowStartThreshold = Infinity;

	private reducedAt = -Infinity;

	/** How long the service took at least to record one, in ms. What it rejects can be faster. */
	private shortestMs = Infinity;

	/** Set while one request at a time is sent, until one that started since then is answered. */
	private aloneSince: number | undefined;

	/**
	 * @param maxSize a whole number
	 * @param isFirstAlone whether the first request goes alone: of an execution that stops at a
	 *   failure. Later, the first with another token does, and the first after a 429.
	 */
	constructor(
		private readonly maxSize: number,
		isFirstAlone: boolean,
	) {
		this.size = Math.min(INITIAL_SIZE, maxSize);
		if (isFirstAlone) this.aloneSince = 0;
	}

	/** How many requests may be open. */
	get limit(): number {
		return this.aloneSince === undefined ? Math.floor(this.size) : 1;
	}

	learn({ attempt, startedAt, endedAt, setback }: EndedAttempt): void {
		switch (evidenceOf(attempt)) {
			case 'decision':
				this.grow(startedAt, endedAt - startedAt, attempt.kind === 'created');
				return this.endAlone(startedAt);
			case 'answer':
			case 'elsewhere':
				return this.endAlone(startedAt);
			case 'token':
				// Any answer will do: a token that another request has used is accepted, too.
				this.aloneSince = 0;
				return;
			case 'overload':
			case 'unusable':
				if (setback > 0) this.reduce(setback, endedAt);
				// Without it, half a window would find out that the limit still holds.
				if (isRateLimited(attempt)) this.aloneSince = endedAt;
		}
	}

	private endAlone(startedAt: number): void {
		const { aloneSince } = this;
		if (aloneSince !== undefined && startedAt >= aloneSince) this.aloneSince = undefined;
	}

	private grow(startedAt: number, tookMs: number, isCreated: boolean): void {
		if (isCreated) this.shortestMs = Math.min(this.shortestMs, tookMs);
		// More would only queue, here or there, and be refused by a limit (RFC 9406, section 4.2).
		if (this.size >= INITIAL_SIZE && tookMs > QUEUING * this.shortestMs) return;
		// What started before the last reduction says nothing about the window after it.
		if (startedAt < this.reducedAt) return;
		const growth = this.size < this.slowStartThreshold ? 1 : 1 / this.size;
		this.size = Math.min(this.size + growth, this.maxSize);
	}

	/** Reduces the window: first to half, then, if that isn't enough, to one. */
	private reduce(setback: number, now: number): void {
		this.reducedAt = now;
		this.size = setback === 1 ? Math.max(1, this.size / 2) : 1;
		// Held for as long as an outage goes on (section 3.1).
		if (setback === 1) this.slowStartThreshold = this.size;
	}
}
