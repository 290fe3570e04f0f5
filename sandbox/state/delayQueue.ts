import type { Clock } from './clock';

/** The most items that are released before other work gets its turn. */
const BATCH_SIZE = 200;

/**
 * A queue that releases each item `delayMs()` milliseconds after it was added. All items have the
 * same delay, so that one timer, for the first item, is enough. Call `restart` when the delay has
 * changed; it then applies to waiting items, too.
 */
export class DelayQueue<T> {
	private readonly waiting = new Map<T, number>();
	private cancel: (() => void) | undefined;

	constructor(
		private readonly clock: Clock,
		private readonly delayMs: () => number,
		private readonly release: (item: T) => void,
	) {}

	add(item: T): void {
		this.waiting.set(item, this.clock.now());
		this.cancel ??= this.clock.setTimer(this.run, this.delayMs());
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
		this.cancel?.();
		this.cancel = undefined;
		for (const since of this.waiting.values()) {
			this.cancel = this.clock.setTimer(this.run, since + this.delayMs() - this.clock.now());
			return;
		}
	}

	private readonly run = () => {
		const due = this.clock.now() - this.delayMs();
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
