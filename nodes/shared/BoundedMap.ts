/**
 * A map with a maximum size and age. It forgets the oldest entries beyond the size, and every entry
 * beyond the age, also when the map isn't used anymore. All that this process remembers from one
 * execution to the next is in such maps.
 */
export class BoundedMap<K, V> {
	/** The oldest first. */
	private readonly entries = new Map<K, { value: V; setAt: number }>();

	private isSweepPlanned = false;

	/**
	 * @param bounds.maxSize number of entries
	 * @param bounds.maxAgeMs since an entry was set; can change while the map is in use
	 */
	constructor(readonly bounds: { readonly maxSize: number; maxAgeMs: number }) {}

	has(key: K): boolean {
		const entry = this.entries.get(key);
		return entry !== undefined && this.msLeft(entry) >= 0;
	}

	get(key: K): V | undefined {
		return this.has(key) ? this.entries.get(key)!.value : undefined;
	}

	/** Sets an entry, which is then the youngest. */
	set(key: K, value: V): void {
		this.entries.delete(key);
		this.entries.set(key, { value, setAt: Date.now() });
		this.sweep();
	}

	delete(key: K): void {
		this.entries.delete(key);
	}

	private msLeft({ setAt }: { setAt: number }): number {
		return setAt + this.bounds.maxAgeMs - Date.now();
	}

	/** Forgets entries, and again when the oldest that stays gets too old. */
	private sweep(): void {
		for (const [oldest, entry] of this.entries) {
			const msLeft = this.msLeft(entry);
			if (msLeft >= 0 && this.entries.size <= this.bounds.maxSize) return this.planSweep(msLeft);
			this.entries.delete(oldest);
		}
	}

	/** This timer doesn't keep the process alive. */
	private planSweep(msLeft: number): void {
		if (this.isSweepPlanned) return;
		this.isSweepPlanned = true;
		// A timeout of a fraction throws, and so does a long one: a clock can have been put back.
		const waitMs = Math.ceil(Math.min(msLeft, this.bounds.maxAgeMs)) + 1;
		AbortSignal.timeout(waitMs).addEventListener('abort', () => {
			this.isSweepPlanned = false;
			this.sweep();
		});
	}
}
