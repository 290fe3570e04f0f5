import type { PageOf, PageQuery } from '../types';
import { notFound } from './serviceError';

/** How many records of each list are kept, so that a long run doesn't fill the memory. */
export const MAX_KEPT = 3000;

/**
 * Records in the order in which they were added, with lookup by id and pages from the newest to the
 * oldest.
 *
 * The newest `keep` records stay; older ones are removed, a few at a time, so that a long run
 * doesn't fill the memory.
 */
export class Log<T> {
	private readonly records = new Map<string, T>();
	/** The ids, oldest first. Record number n is at n - dropped. */
	private order: string[] = [];
	private dropped = 0;

	/** @param what a record is, for messages */
	constructor(
		private readonly what: string,
		private readonly keep = Number.POSITIVE_INFINITY,
	) {}

	get size(): number {
		return this.records.size;
	}

	add(id: string, record: T): T {
		this.records.set(id, record);
		this.order.push(id);
		// In blocks: removing the first element of a long array costs as much as its length.
		if (this.order.length >= this.keep + 1000) {
			for (const old of this.order.splice(0, this.order.length - this.keep)) {
				this.records.delete(old);
				this.dropped++;
			}
		}
		return record;
	}

	get(id: string): T | undefined {
		return this.records.get(id);
	}

	/** Returns the record with an id. Throws a 404 if there is none. */
	find(id: string): T {
		const record = this.records.get(id);
		if (record === undefined) throw notFound(this.what, id);
		return record;
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
			const record = this.records.get(this.order[index - this.dropped])!;
			if (wanted(record)) items.push(record);
		}
		return {
			items,
			total: this.size,
			dropped: this.dropped,
			from,
			...(index >= this.dropped && { next: index + 1 }),
		};
	}
}
