import type { PageOf, PageQuery } from '../types';
import { notFound } from './serviceError';

/** How many of the newest records a log keeps, so that a long run doesn't fill the memory. */
export const MAX_KEPT = 3000;
/** The oldest are removed so many at once, because a map is slow at what was removed first. */
const MAX_MORE = 1000;

/**
 * Records in the order in which they were added, with lookup by ID and pages from the newest to the
 * oldest.
 */
export class Log<T> {
	readonly records = new Map<string, T>();
	private dropped = 0;

	/** @param what a record is, for messages */
	constructor(private readonly what: string) {}

	get size(): number {
		return this.records.size;
	}

	add(id: string, record: T): T {
		this.records.set(id, record);
		if (this.size >= MAX_KEPT + MAX_MORE) {
			for (const old of [...this.records.keys()].slice(0, MAX_MORE)) this.records.delete(old);
			this.dropped += MAX_MORE;
		}
		return record;
	}

	get(id: string): T | undefined {
		return this.records.get(id);
	}

	/** Returns the record with an ID. Throws a 404 if there is none. */
	find(id: string): T {
		const record = this.records.get(id);
		if (record === undefined) throw notFound(this.what, id);
		return record;
	}

	clear(): void {
		this.records.clear();
		this.dropped = 0;
	}

	/** Returns one page of the records that `wanted` accepts, the newest first. */
	page(
		{ limit = 50, before = Number.POSITIVE_INFINITY }: PageQuery,
		wanted: (record: T) => boolean = () => true,
	): PageOf<T> {
		// Record number n is at n - dropped.
		const records = [...this.records.values()];
		const items: T[] = [];
		let index = Math.min(before, this.dropped + records.length) - 1;
		for (; index >= this.dropped && items.length < limit; index--) {
			const record = records[index - this.dropped];
			if (wanted(record)) items.push(record);
		}
		const more = index >= this.dropped ? { next: index + 1 } : {};
		return { items, total: this.size, ...more };
	}
}
