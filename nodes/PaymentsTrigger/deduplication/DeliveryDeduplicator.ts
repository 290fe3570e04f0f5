/** What is known of an event: nothing, that it was acknowledged, or that another delivery of it is being processed. */
export type EventState = 'new' | 'duplicate' | 'inFlight';

/**
 * Remembers which events one trigger has acknowledged, in the memory of this process. An event is remembered only after
 * its delivery was answered with success.
 */
export class DeliveryDeduplicator {
	/** When each event was acknowledged, oldest first. */
	private readonly acknowledgedAt = new Map<string, number>();

	private readonly inFlight = new Set<string>();

	/**
	 * @param maxEvents how many events are remembered; the oldest are forgotten first
	 * @param now returns the time in milliseconds
	 */
	constructor(
		private readonly maxEvents: number,
		private readonly now: () => number,
	) {}

	/** @param window how long an acknowledged event counts as a duplicate, in milliseconds */
	stateOf(key: string, window: number): EventState {
		if (this.inFlight.has(key)) return 'inFlight';
		const acknowledgedAt = this.acknowledgedAt.get(key);
		// Stryker disable next-line ConditionalExpression: a time that is missing is within no window
		if (acknowledgedAt === undefined) return 'new';
		return this.now() - acknowledgedAt <= window ? 'duplicate' : 'new';
	}

	/**
	 * Marks events as being processed.
	 *
	 * @returns a function to call once, with whether the delivery was answered with success
	 */
	begin(keys: readonly string[]): (succeeded: boolean) => void {
		for (const key of keys) this.inFlight.add(key);
		return (succeeded) => {
			for (const key of keys) {
				this.inFlight.delete(key);
				if (succeeded) this.remember(key);
			}
		};
	}

	private remember(key: string) {
		// Deleted first, so that an event that is acknowledged anew moves to the end.
		this.acknowledgedAt.delete(key);
		this.acknowledgedAt.set(key, this.now());
		if (this.acknowledgedAt.size <= this.maxEvents) return;
		const [oldest] = this.acknowledgedAt.keys();
		this.acknowledgedAt.delete(oldest);
	}
}
