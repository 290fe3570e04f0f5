import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * Creates an id in the service's own form, such as `evt_9n5ev10g6ozjnn681y4azjdkl2`. It doesn't
 * depend on the seed: a second run with the same ids would look like retried deliveries to a
 * receiver that remembers the first run.
 */
export function newId(prefix: string, length = 26): string {
	// Joined: a text that grows letter by letter keeps an object for each letter in memory.
	return `${prefix}_${Array.from(randomBytes(length), (byte) => alphabet[byte % 36]).join('')}`;
}

/** Creates a secret or a token of 256 random bits. */
export const newSecret = (encoding: 'hex' | 'base64' | 'base64url' = 'base64url') =>
	randomBytes(32).toString(encoding);
