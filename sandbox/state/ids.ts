import { randomBytes } from 'node:crypto';

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';

/**
 * An id in the service's own form, such as `evt_9n5ev10g6ozjnn681y4azjdkl2`. Truly random whatever the seed: a second run with
 * the same ids would look like repeated deliveries to whoever remembers the first one's.
 */
export function newId(prefix: string, length = 26): string {
	let id = `${prefix}_`;
	for (const byte of randomBytes(length)) id += alphabet[byte % 36];
	return id;
}

/** 256 random bits for a secret or a token. */
export const newSecret = (encoding: 'hex' | 'base64' | 'base64url' = 'base64url') =>
	randomBytes(32).toString(encoding);
