/** After this time, the next delivery that is accepted reads the credential anew, without waiting for it. */
export const FRESH_MS = 5000;

/** No delivery is checked with a credential whose reading began longer ago than this when the delivery arrived. */
export const MAX_AGE_MS = 10_000;

/** Deliveries that don't match make a credential be read again at most this often. */
export const REREAD_INTERVAL_MS = 1000;

export const MAX_ENTRIES = 500;

interface Entry<T> {
	credential: Promise<T>;
	/** When the reading began. */
	readAt: number;
	/** When a delivery that didn't match last made the credential be read again. */
	rereadAt: number;
	isRefreshing?: boolean;
}

/**
 * Keeps decrypted credentials for a few seconds, in memory, because reading one costs n8n more than all the rest of
 * verifying a delivery. No delivery causes more than one reading.
 */
export class CredentialCache<T> {
	/** By key, the one that was stored first at the front. */
	private readonly entries = new Map<string, Entry<T>>();

	/** @param clock `now` in milliseconds; `later` calls a function after some, without keeping the process alive */
	constructor(
		private readonly clock: { now(): number; later(ms: number, action: () => void): void },
	) {}

	/** How many credentials are kept. */
	get size(): number {
		return this.entries.size;
	}

	/** Forgets all credentials, also those that are being read. */
	clear() {
		this.entries.clear();
	}

	/**
	 * Checks a delivery with a credential of the cache. If it doesn't match, the credential may have changed: it's read
	 * again and the delivery checked once more, unless others that didn't match have just done so.
	 *
	 * @param key names the credential and who uses it; undefined reads it for this delivery alone
	 * @param read reads the credential; what it throws reaches all who wait for it, and isn't kept
	 */
	async check<R extends { accepted: boolean }>(
		key: string | undefined,
		read: () => Promise<T>,
		matches: (credential: T) => R,
	): Promise<R> {
		if (key === undefined) return matches(await read());
		let entry = this.get(key);
		let isNew = !entry;
		entry ??= this.store(key, this.begin(read, -Infinity));
		for (;;) {
			const result = matches(await entry.credential);
			if (result.accepted && !isNew) this.refresh(key, entry, read);
			if (result.accepted || isNew) return result;

			const current = this.get(key);
			if (current && current !== entry) {
				entry = current;
				continue;
			}
			const now = this.clock.now();
			if (now - entry.rereadAt < REREAD_INTERVAL_MS) return result;
			entry = this.store(key, this.begin(read, now));
			isNew = true;
		}
	}

	private get(key: string): Entry<T> | undefined {
		const entry = this.entries.get(key);
		return entry && this.clock.now() - entry.readAt < MAX_AGE_MS ? entry : undefined;
	}

	private begin(read: () => Promise<T>, rereadAt: number): Entry<T> {
		return { readAt: this.clock.now(), rereadAt, credential: read() };
	}

	private store(key: string, entry: Entry<T>): Entry<T> {
		// Deleted first, so that it moves to the end.
		this.entries.delete(key);
		this.entries.set(key, entry);
		if (this.entries.size > MAX_ENTRIES) {
			const [oldest] = this.entries.keys();
			this.entries.delete(oldest);
		}
		const drop = () => this.drop(key, entry);
		entry.credential.catch(drop);
		this.clock.later(MAX_AGE_MS, drop);
		return entry;
	}

	private drop(key: string, entry: Entry<T>) {
		if (this.entries.get(key) === entry) this.entries.delete(key);
	}

	/** Reads a credential that is no longer fresh in the background, and replaces it unless another reading has done so. */
	private refresh(key: string, entry: Entry<T>, read: () => Promise<T>) {
		if (entry.isRefreshing || this.clock.now() - entry.readAt < FRESH_MS) return;
		entry.isRefreshing = true;
		const next = this.begin(read, entry.rereadAt);
		next.credential.then(
			() => {
				if (this.entries.get(key) === entry) this.store(key, next);
			},
			() => this.drop(key, entry),
		);
	}
}
