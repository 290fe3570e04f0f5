import type { PageOf, PageQuery } from '../types';

/**
 * Records in the order they came, found by id at once and read in pages from the newest back. With `keep` the oldest go when
 * there are more, so that a long run does not fill the memory.
 */
export class Log<T> {
	private readonly records = new Map<string, { record: T; index: number }>();
	/** Index n of the log is at n - dropped. */
	private order: string[] = [];
	private dropped = 0;

	constructor(private readonly keep = Number.POSITIVE_INFINITY) {}

	get size(): number {
		return this.records.size;
	}

	add(id: string, record: T): T {
		this.records.set(id, { record, index: this.dropped + this.order.length });
		this.order.push(id);
		// In blocks: taking single elements off the front of a long array costs its whole length each time.
		if (this.order.length > this.keep * 1.1 + 100) {
			for (const old of this.order.splice(0, this.order.length - this.keep)) {
				this.records.delete(old);
				this.dropped++;
			}
		}
		return record;
	}

	get(id: string): T | undefined {
		return this.records.get(id)?.record;
	}

	*[Symbol.iterator](): IterableIterator<T> {
		for (const { record } of this.records.values()) yield record;
	}

	clear(): void {
		this.records.clear();
		this.order = [];
		this.dropped = 0;
	}

	/** One page of what `wanted` lets through, the newest first. */
	page(
		{ limit = 50, before = Number.POSITIVE_INFINITY }: PageQuery,
		wanted: (record: T) => boolean = () => true,
	): PageOf<T> {
		const items: T[] = [];
		const from = Math.min(before, this.dropped + this.order.length);
		let index = from - 1;
		for (; index >= this.dropped && items.length < limit; index--) {
			const { record } = this.records.get(this.order[index - this.dropped])!;
			if (wanted(record)) items.push(record);
		}
		return { items, total: this.size, from, ...(index >= this.dropped && { next: index + 1 }) };
	}
}
