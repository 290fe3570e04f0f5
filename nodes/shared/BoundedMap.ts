/**
 * A map with a maximum size and age. It forgets the oldest entries beyond the size, and every entry
 * beyond the age, also when the map isn't used anymore. All that this process remembers from one
 * execution to the next is in such maps.
 */
export class BoundedMap<K, V> {
	/** When each entry was set, in ms since the map was made (small numbers), oldest first. */
	private readonly setAt = new Map<K, number>();

	/** Has no value that is undefined, so that a map used as a set takes half the memory. */
	private readonly values = new Map<K, V>();

	private readonly createdAt: number;

	private isSweepPlanned = false;

	/**
	 * @param bounds.maxSize number of entries
	 * @param bounds.maxAgeMs since an entry was set; can change while the map is in use
	 * @param now returns the time in ms
	 */
	constructor(
		readonly bounds: { readonly maxSize: number; maxAgeMs: number },
		private readonly now: () => number = Date.now,
	) {
		this.createdAt = now();
	}

	has(key: K): boolean {
		const setAt = this.setAt.get(key);
		return setAt !== undefined && this.msUntilTooOld(setAt) >= 0;
	}

	get(key: K): V | undefined {
		return this.has(key) ? this.values.get(key) : undefined;
	}

	/** Sets an entry, which is then the youngest. */
	set(key: K, value: V): void {
		this.delete(key);
		this.setAt.set(key, this.elapsed());
		if (value !== undefined) this.values.set(key, value);
		this.sweep();
	}

	delete(key: K): void {
		this.setAt.delete(key);
		this.values.delete(key);
	}

	private elapsed(): number {
		return Math.trunc(this.now() - this.createdAt);
	}

	private msUntilTooOld(setAt: number): number {
		return setAt + this.bounds.maxAgeMs - this.elapsed();
	}

	/** Forgets entries, and again when the oldest that stays gets too old. */
	private sweep(): void {
		for (const [key, setAt] of this.setAt) {
			const leftMs = this.msUntilTooOld(setAt);
			if (leftMs >= 0 && this.setAt.size <= this.bounds.maxSize) return this.planSweep(leftMs);
			this.delete(key);
		}
	}

	/** This timer doesn't keep the process alive. */
	private planSweep(leftMs: number): void {
		if (this.isSweepPlanned) return;
		this.isSweepPlanned = true;
		// A timeout of a fraction throws, and so does a long one: a clock can have been put back.
		const waitMs = Math.ceil(Math.min(leftMs, this.bounds.maxAgeMs)) + 1;
		AbortSignal.timeout(waitMs).addEventListener('abort', () => {
			this.isSweepPlanned = false;
			this.sweep();
		});
	}
}
