import { BoundedMap } from '../../shared/BoundedMap';
import type { Result } from '../../shared/result';

/**
 * After this time, the next accepted delivery reads the credential again, without waiting for it.
 */
export const FRESH_MS = 5000;

/** No delivery is verified with a credential whose reading began longer ago than this. */
export const MAX_AGE_MS = 10_000;

/** Deliveries that don't match make a credential be read again at most this often. */
export const REREAD_INTERVAL_MS = 1000;

export const MAX_ENTRIES = 500;

interface Entry<V> {
	verifier: Promise<V>;
	/** When the reading began. */
	readAt: number;
	/** When a delivery that didn't match last made the credential be read again. */
	rereadAt: number;
	isRefreshing?: boolean;
}

/**
 * Keeps what deliveries are verified with, decrypted credentials, for a few seconds, in memory,
 * because reading one costs n8n more than all the rest of verifying a delivery. No delivery causes
 * more than one reading.
 */
export class VerifierCache<V> {
	private readonly entries: BoundedMap<string, Entry<V>>;

	/** @param now returns the time in milliseconds */
	constructor(private readonly now: () => number) {
		this.entries = new BoundedMap({ maxSize: MAX_ENTRIES, maxAgeMs: MAX_AGE_MS }, now);
	}

	/** Forgets all credentials, also those that are being read. */
	clear() {
		this.entries.clear();
	}

	/**
	 * Verifies a delivery with a credential of the cache. If it doesn't match, the credential may
	 * have changed: it's read again and the delivery verified once more, unless others that didn't
	 * match have just done so.
	 *
	 * @param key names the credential and who uses it; undefined reads it for this delivery alone
	 * @param read reads the credential; what it throws reaches all who wait for it, and isn't kept
	 */
	async verify<R>(
		key: string | undefined,
		read: () => Promise<V>,
		verifyWith: (verifier: V) => Result<R>,
	): Promise<Result<R>> {
		if (key === undefined) return verifyWith(await read());
		let entry = this.get(key);
		let isNew = !entry;
		entry ??= this.store(key, this.begin(read, -Infinity));
		for (;;) {
			const result = verifyWith(await entry.verifier);
			if (!result.problem && !isNew) this.refresh(key, entry, read);
			if (!result.problem || isNew) return result;

			const current = this.get(key);
			if (current && current !== entry) {
				entry = current;
				continue;
			}
			const now = this.now();
			if (now - entry.rereadAt < REREAD_INTERVAL_MS) return result;
			entry = this.store(key, this.begin(read, now));
			isNew = true;
		}
	}

	private get(key: string): Entry<V> | undefined {
		const entry = this.entries.get(key);
		return entry && this.now() - entry.readAt < MAX_AGE_MS ? entry : undefined;
	}

	private begin(read: () => Promise<V>, rereadAt: number): Entry<V> {
		return { readAt: this.now(), rereadAt, verifier: read() };
	}

	private store(key: string, entry: Entry<V>): Entry<V> {
		this.entries.set(key, entry);
		entry.verifier.catch(() => this.drop(key, entry));
		return entry;
	}

	private drop(key: string, entry: Entry<V>) {
		if (this.entries.get(key) === entry) this.entries.delete(key);
	}

	/** Reads the credential in the background. Doesn't replace what another reading has stored. */
	private refresh(key: string, entry: Entry<V>, read: () => Promise<V>) {
		if (entry.isRefreshing || this.now() - entry.readAt < FRESH_MS) return;
		entry.isRefreshing = true;
		const next = this.begin(read, entry.rereadAt);
		next.verifier.then(
			() => {
				if (this.entries.get(key) === entry) this.store(key, next);
			},
			() => this.drop(key, entry),
		);
	}
}
