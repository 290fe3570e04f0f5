import type { Clock } from './clock';

/**
 * Releases each item `delayMs()` milliseconds after it was added. Call `restart` when the delay has
 * changed; it then applies to waiting items, too.
 */
export class DelayQueue<T> {
	private readonly waiting = new Map<T, { since: number; cancel: () => void }>();

	constructor(
		private readonly clock: Clock,
		private readonly delayMs: () => number,
		private readonly release: (item: T) => void,
	) {}

	add(item: T, since = this.clock.now()): void {
		const run = () => {
			this.waiting.delete(item);
			this.release(item);
		};
		const cancel = this.clock.setTimer(run, since + this.delayMs() - this.clock.now());
		this.waiting.set(item, { since, cancel });
	}

	/** The waiting items, the next one first. */
	[Symbol.iterator](): IterableIterator<T> {
		return this.waiting.keys();
	}

	delete(item: T): boolean {
		this.waiting.get(item)?.cancel();
		return this.waiting.delete(item);
	}

	clear(): void {
		for (const item of this.waiting.keys()) this.delete(item);
	}

	restart(): void {
		for (const [item, { since }] of [...this.waiting]) {
			this.delete(item);
			this.add(item, since);
		}
	}
}
