import { BoundedMap } from '../../shared/BoundedMap';
import type { Result } from '../../shared/result';

/** No delivery is verified with a credential whose reading began longer ago than this. */
export const MAX_AGE_MS = 10_000;

/** Deliveries that don't match make a credential be read again at most this often. */
export const REREAD_INTERVAL_MS = 1000;

export const MAX_ENTRIES = 500;

interface Entry<V> {
	verifier: Promise<V>;
	readAt: number;
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
		this.entries = new BoundedMap({ maxSize: MAX_ENTRIES, maxAgeMs: MAX_AGE_MS - 1 }, now);
	}

	/**
	 * Verifies a delivery with a credential of the cache. If it doesn't match, the credential may
	 * have changed: it's read again, and the delivery verified once more.
	 *
	 * @param key names the credential and who uses it
	 * @param read reads the credential; what it throws reaches all who wait for it, and isn't kept
	 */
	async verify<R>(
		key: string,
		read: () => Promise<V>,
		verifyWith: (verifier: V) => Result<R>,
	): Promise<Result<R>> {
		const kept = this.entries.get(key);
		if (kept) {
			const result = verifyWith(await kept.verifier);
			if (!result.problem || this.now() - kept.readAt < REREAD_INTERVAL_MS) return result;
		}
		let entry = this.entries.get(key);
		// Otherwise, another delivery has made it be read again meanwhile.
		if (!entry || entry === kept) {
			entry = { verifier: read(), readAt: this.now() };
			this.entries.set(key, entry);
			entry.verifier.catch(() => this.entries.delete(key));
		}
		return verifyWith(await entry.verifier);
	}
}
