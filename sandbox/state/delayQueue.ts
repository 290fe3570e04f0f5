/** So many items leave at most before the event loop gets its turn. */
const BATCH = 200;

/**
 * Items leave in the order they came, each `waitMs()` after it was put on. All wait equally long, so one timer, for the first,
 * is enough for any number of items. After a change of the waiting time call `restart`: it holds for those who wait, too.
 */
export class DelayQueue<T> {
	private readonly waiting = new Map<T, number>();
	private timer: NodeJS.Timeout | undefined;

	constructor(
		private readonly waitMs: () => number,
		private readonly leave: (item: T) => void,
	) {}

	get size(): number {
		return this.waiting.size;
	}

	add(item: T): void {
		this.waiting.set(item, Date.now());
		this.timer ??= setTimeout(this.run, this.waitMs());
	}

	/** Those who wait, the next to leave first. */
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
			this.timer = setTimeout(this.run, Math.max(0, since + this.waitMs() - Date.now()));
			return;
		}
	}

	private readonly run = () => {
		const due = Date.now() - this.waitMs();
		let left = 0;
		for (const [item, since] of this.waiting) {
			if (since > due || ++left > BATCH) break;
			this.waiting.delete(item);
			this.leave(item);
		}
		this.restart();
	};
}
