import { createHash } from 'crypto';

import { BoundedMap } from '../../shared/BoundedMap';

/**
 * What is known of an event: nothing, that it was acknowledged, or that another delivery of it is
 * being processed.
 */
type EventState = 'new' | 'duplicate' | 'inFlight';

/** 96 bits of SHA-256 in 16 characters: IDs can be long, and 10,000 of them must fit. */
const hashOf = (key: string): string =>
	createHash('sha256').update(key).digest().subarray(0, 12).toString('base64');

/**
 * Remembers which events one trigger has acknowledged, in the memory of this process. An event is
 * remembered only after its delivery was answered with success.
 */
export class DeliveryDeduplicator {
	/** A set: its values say nothing. */
	private readonly acknowledged: BoundedMap<string, undefined>;

	/** Bounded by the deliveries that wait for a response: each takes out its own when it ends. */
	private readonly inFlight = new Set<string>();

	/**
	 * @param maxEvents how many events are remembered; the oldest are forgotten first
	 * @param windowMs how long an acknowledged event counts as a duplicate
	 * @param now returns the time in milliseconds
	 */
	constructor(maxEvents: number, windowMs: number, now: () => number) {
		this.acknowledged = new BoundedMap({ maxSize: maxEvents, maxAgeMs: windowMs }, now);
	}

	/** The window of the events that are remembered already changes, too. */
	set windowMs(windowMs: number) {
		this.acknowledged.bounds.maxAgeMs = windowMs;
	}

	stateOf(key: string): EventState {
		const hash = hashOf(key);
		if (this.inFlight.has(hash)) return 'inFlight';
		return this.acknowledged.has(hash) ? 'duplicate' : 'new';
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
				if (succeeded) this.acknowledged.set(hash, undefined);
			}
		};
	}
}
