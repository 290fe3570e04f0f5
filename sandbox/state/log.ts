import type { PageOf, PageQuery } from '../types';

/**
 * Records in the order in which they were added, with lookup by id and pages from the newest to the oldest.
 *
 * At least the newest `keep` records stay; older ones are removed, so that a long run doesn't fill the memory.
 */
export class Log<T> {
	private readonly records = new Map<string, { record: T; index: number }>();
	/** The ids, oldest first. Record number n is at n - dropped. */
	private order: string[] = [];
	private dropped = 0;

	constructor(private readonly keep = Number.POSITIVE_INFINITY) {}

	get size(): number {
		return this.records.size;
	}

	add(id: string, record: T): T {
		this.records.set(id, { record, index: this.dropped + this.order.length });
		this.order.push(id);
		// In blocks: removing the first element of a long array costs as much as its length.
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

	/** Returns one page of the records that `wanted` accepts, the newest first. */
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
