import { createHash } from 'crypto';

/**
 * Calculates a name-based UUID of version 5 (RFC 9562, section 5.5).
 *
 * @param namespace a UUID
 * @param name any text; its UTF-8 bytes count
 */
export function nameBasedUuid(namespace: string, name: string): string {
	const hash = createHash('sha1')
		.update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
		.update(name)
		.digest()
		.subarray(0, 16);
	hash[6] = (hash[6] & 0x0f) | 0x50;
	hash[8] = (hash[8] & 0x3f) | 0x80;
	const hex = hash.toString('hex');
	return [
		hex.slice(0, 8),
		hex.slice(8, 12),
		hex.slice(12, 16),
		hex.slice(16, 20),
		hex.slice(20),
	].join('-');
}
