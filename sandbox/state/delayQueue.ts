/** The most items that are released before other work gets its turn. */
const BATCH_SIZE = 200;

/**
 * A queue that releases each item `delayMs()` milliseconds after it was added. All items have the same delay, so that one
 * timer, for the first item, is enough. Call `restart` when the delay has changed; it then applies to waiting items, too.
 */
export class DelayQueue<T> {
	private readonly waiting = new Map<T, number>();
	private timer: NodeJS.Timeout | undefined;

	constructor(
		private readonly delayMs: () => number,
		private readonly release: (item: T) => void,
	) {}

	get size(): number {
		return this.waiting.size;
	}

	add(item: T): void {
		this.waiting.set(item, Date.now());
		this.timer ??= setTimeout(this.run, this.delayMs());
	}

	/** The waiting items, the next one first. */
	[Symbol.iterator](): IterableIterator<T> {
		return this.waiting.keys();
	}

	delete(item: T): boolean {
		return this.waiting.delete(item);
	}

	clear(): void {
		this.waiting.clear();
		this.restart();
	}

	restart(): void {
		clearTimeout(this.timer);
		this.timer = undefined;
		for (const since of this.waiting.values()) {
			this.timer = setTimeout(this.run, Math.max(0, since + this.delayMs() - Date.now()));
			return;
		}
	}

	private readonly run = () => {
		const due = Date.now() - this.delayMs();
		let released = 0;
		for (const [item, since] of this.waiting) {
			if (since > due || released === BATCH_SIZE) break;
			released++;
			this.waiting.delete(item);
			this.release(item);
		}
		this.restart();
	};
}
