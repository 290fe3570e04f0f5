/**
 * The events that one trigger has taken, in the memory of this process, so that a repetition does not run the workflow again.
 * Bounded by count and by age; an event is remembered only once its delivery was answered with success.
 */
export class DeliveryDeduplicator {
	/** When each event was taken, oldest first. */
	private readonly taken = new Map<string, number>();

	private readonly underWay = new Set<string>();

	/** @param limits how many events are kept, and for how long (ms) @param now milliseconds, from any fixed start */
	constructor(
		private readonly limits: { count: number; age: number },
		private readonly now: () => number,
	) {}

	/** Whether an event is new, was taken before, or is being taken by another delivery at this moment. */
	stateOf(key: string): 'new' | 'taken' | 'underWay' {
		if (this.underWay.has(key)) return 'underWay';
		const since = this.taken.get(key);
		return since !== undefined && this.now() - since <= this.limits.age ? 'taken' : 'new';
	}

	/** Marks events as being taken. The function returned must be called once, with whether their delivery succeeded. */
	begin(keys: readonly string[]): (succeeded: boolean) => void {
		for (const key of keys) this.underWay.add(key);
		return (succeeded) => {
			for (const key of keys) {
				this.underWay.delete(key);
				if (succeeded) this.remember(key);
			}
		};
	}

	private remember(key: string) {
		// Deleted first, so that an event that is taken anew counts as the youngest.
		this.taken.delete(key);
		this.taken.set(key, this.now());
		for (const [oldest, since] of this.taken) {
			if (this.taken.size <= this.limits.count && this.now() - since <= this.limits.age) break;
			this.taken.delete(oldest);
		}
	}
}
