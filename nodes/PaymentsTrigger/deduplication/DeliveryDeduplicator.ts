import { createHash } from 'crypto';

/** What is known of an event: nothing, that it was acknowledged, or that another delivery of it is being processed. */
export type EventState = 'new' | 'duplicate' | 'inFlight';

/** 96 bits of SHA-256 in 16 characters: IDs can be long, and 10,000 of them must fit. */
const hashOf = (key: string): string =>
	createHash('sha256').update(key).digest().subarray(0, 12).toString('base64');

/**
 * Remembers which events one trigger has acknowledged, in the memory of this process. An event is remembered only after
 * its delivery was answered with success.
 */
export class DeliveryDeduplicator {
	/** When each event was acknowledged, in ms since this object was made, oldest first. */
	private readonly acknowledgedAt = new Map<string, number>();

	private readonly inFlight = new Set<string>();

	private readonly startedAt: number;

	/**
	 * @param maxEvents how many events are remembered; the oldest are forgotten first
	 * @param now returns the time in milliseconds
	 */
	constructor(
		private readonly maxEvents: number,
		private readonly now: () => number,
	) {
		this.startedAt = now();
	}

	/** @param window how long an acknowledged event counts as a duplicate, in milliseconds */
	stateOf(key: string, window: number): EventState {
		const hash = hashOf(key);
		if (this.inFlight.has(hash)) return 'inFlight';
		const acknowledgedAt = this.acknowledgedAt.get(hash);
		if (acknowledgedAt === undefined) return 'new';
		return this.elapsed() - acknowledgedAt <= window ? 'duplicate' : 'new';
	}

	/**
	 * Marks events as being processed.
	 *
	 * @returns a function to call once, with whether the delivery was answered with success
	 */
	begin(keys: readonly string[]): (succeeded: boolean) => void {
		const hashes = keys.map(hashOf);
		for (const hash of hashes) this.inFlight.add(hash);
		return (succeeded) => {
			for (const hash of hashes) {
				this.inFlight.delete(hash);
				if (succeeded) this.remember(hash);
			}
		};
	}

	/**
	 * Forgets the events that were acknowledged longer ago than so many milliseconds.
	 *
	 * @returns whether nothing is known any more
	 */
	forgetOlderThan(window: number): boolean {
		for (const [oldest, acknowledgedAt] of this.acknowledgedAt) {
			if (this.elapsed() - acknowledgedAt <= window) break;
			this.acknowledgedAt.delete(oldest);
		}
		return this.acknowledgedAt.size === 0 && this.inFlight.size === 0;
	}

	/** Small numbers take no memory of their own. */
	private elapsed(): number {
		return Math.trunc(this.now() - this.startedAt);
	}

	private remember(hash: string) {
		// Deleted first, so that an event that is acknowledged anew moves to the end.
		this.acknowledgedAt.delete(hash);
		this.acknowledgedAt.set(hash, this.elapsed());
		if (this.acknowledgedAt.size <= this.maxEvents) return;
		const [oldest] = this.acknowledgedAt.keys();
		this.acknowledgedAt.delete(oldest);
	}
}
