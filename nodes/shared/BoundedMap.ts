interface Entry<V> {
	value: V;
	/** ms since the epoch. */
	setAt: number;
}

/**
 * A map that forgets: the oldest entries beyond a size, and every entry beyond an age, also when nobody uses the map any more. What this process
 * remembers from one execution to the next is in such maps.
 */
export class BoundedMap<K, V> {
	/** Oldest first. */
	private readonly entries = new Map<K, Entry<V>>();

	private isSweepPlanned = false;

	/**
	 * @param bounds.maxSize number of entries
	 * @param bounds.maxAgeMs since an entry was set
	 * @param now returns the time in ms
	 */
	constructor(
		private readonly bounds: { maxSize: number; maxAgeMs: number },
		private readonly now: () => number = Date.now,
	) {}

	get size(): number {
		return this.entries.size;
	}

	get(key: K): V | undefined {
		const entry = this.entries.get(key);
		return entry && !this.isTooOld(entry) ? entry.value : undefined;
	}

	/** Sets an entry anew: it is the youngest afterwards. */
	set(key: K, value: V): void {
		this.entries.delete(key);
		this.entries.set(key, { value, setAt: this.now() });
		this.forgetOldest();
		this.planSweep();
	}

	delete(key: K): void {
		this.entries.delete(key);
	}

	clear(): void {
		this.entries.clear();
	}

	private isTooOld({ setAt }: Entry<V>): boolean {
		return this.now() - setAt > this.bounds.maxAgeMs;
	}

	private forgetOldest(): void {
		for (const [key, entry] of this.entries) {
			if (this.entries.size <= this.bounds.maxSize && !this.isTooOld(entry)) return;
			this.entries.delete(key);
		}
	}

	/** This timer doesn't keep the process alive. */
	private planSweep(): void {
		if (this.isSweepPlanned) return;
		this.isSweepPlanned = true;
		AbortSignal.timeout(this.bounds.maxAgeMs + 1).addEventListener('abort', () => {
			this.isSweepPlanned = false;
			this.forgetOldest();
			if (this.entries.size > 0) this.planSweep();
		});
	}
}
