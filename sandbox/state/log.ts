import type { PageOf } from '../types';
import { notFound } from './serviceError';

/** How many of the newest records a log keeps, so that a long run doesn't fill the memory. */
export const MAX_KEPT = 3000;
/** The oldest are removed so many at once, because a map is slow at what was removed first. */
const MAX_MORE = 1000;

/**
 * Records in the order in which they were added, with lookup by ID.
 */
export class Log<T> {
	readonly records = new Map<string, T>();

	/** @param what a record is, for messages */
	constructor(private readonly what: string) {}

	get size(): number {
		return this.records.size;
	}

	add(id: string, record: T): T {
		this.records.set(id, record);
		if (this.size >= MAX_KEPT + MAX_MORE) {
			for (const old of [...this.records.keys()].slice(0, MAX_MORE)) this.records.delete(old);
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
	}

	/** Returns the newest records that `wanted` accepts, at most `limit`, the newest first. */
	page(limit = 50, wanted: (record: T) => boolean = () => true): PageOf<T> {
		const items: T[] = [];
		for (const record of [...this.records.values()].reverse()) {
			if (items.length === limit) break;
			if (wanted(record)) items.push(record);
		}
		return { items, total: this.size };
	}
}
