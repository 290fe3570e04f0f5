/**
 * A map with a maximum size and age. It forgets the oldest entries beyond the size, and every entry
 * beyond the age, also when the map isn't used anymore. All that this process remembers from one
 * execution to the next is in such maps.
 */
export class BoundedMap<K, V> {
	/** When each entry was set, in ms since the map was made (small numbers), oldest first. */
	private readonly setAt = new Map<K, number>();

	/**
	 * Has no entry for a value that is undefined, so that a map used as a set takes half the memory.
	 */
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

	get size(): number {
		this.forgetOldest();
		return this.setAt.size;
	}

	has(key: K): boolean {
		const setAt = this.setAt.get(key);
		return setAt !== undefined && !this.isTooOld(setAt);
	}

	get(key: K): V | undefined {
		return this.has(key) ? this.values.get(key) : undefined;
	}

	/** Sets an entry, which is then the youngest. */
	set(key: K, value: V): void {
		this.delete(key);
		this.setAt.set(key, this.elapsed());
		if (value !== undefined) this.values.set(key, value);
		this.forgetOldest();
		this.planSweep();
	}

	delete(key: K): void {
		this.setAt.delete(key);
		this.values.delete(key);
	}

	clear(): void {
		this.setAt.clear();
		this.values.clear();
	}

	private elapsed(): number {
		return Math.trunc(this.now() - this.createdAt);
	}

	private isTooOld(setAt: number): boolean {
		return this.elapsed() - setAt > this.bounds.maxAgeMs;
	}

	private forgetOldest(): void {
		for (const [key, setAt] of this.setAt) {
			if (this.setAt.size <= this.bounds.maxSize && !this.isTooOld(setAt)) return;
			this.delete(key);
		}
	}

	/** Forgets the oldest entry when its time is over. This timer doesn't keep the process alive. */
	private planSweep(): void {
		const [oldest] = this.setAt.values();
		if (oldest === undefined || this.isSweepPlanned) return;
		this.isSweepPlanned = true;
		// A timeout of a fraction throws.
		const waitMs = Math.ceil(Math.max(oldest + this.bounds.maxAgeMs - this.elapsed(), 0)) + 1;
		AbortSignal.timeout(waitMs).addEventListener('abort', () => {
			this.isSweepPlanned = false;
			this.forgetOldest();
			this.planSweep();
		});
	}
}
