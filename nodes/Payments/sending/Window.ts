import { evidenceOf, type EndedAttempt } from './EndedAttempt';

/** A list of the usual size, a few dozen rows, goes out at once. */
const INITIAL_SIZE = 50;

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

	/**
	 * @param maxSize a whole number
	 * @param isAlone whether one request at a time is sent, until one is answered: the first of an
	 *   execution that stops at a failure, and later the first with another token
	 */
	constructor(
		private readonly maxSize: number,
		private isAlone: boolean,
	) {
		this.size = Math.min(INITIAL_SIZE, maxSize);
	}

	/** How many requests may be open. */
	get limit(): number {
		return this.isAlone ? 1 : Math.floor(this.size);
	}

	learn({ attempt, startedAt, endedAt, setback }: EndedAttempt): void {
		switch (evidenceOf(attempt)) {
			case 'decision':
				this.isAlone = false;
				this.grow(startedAt);
				break;
			case 'answer':
			case 'elsewhere':
				this.isAlone = false;
				break;
			case 'token':
				this.isAlone = true;
				break;
			case 'overload':
			case 'unusable':
				if (setback > 0) this.reduce(setback, endedAt);
		}
	}

	private grow(startedAt: number): void {
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
