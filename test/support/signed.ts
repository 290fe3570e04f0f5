import { createHash, createHmac } from 'node:crypto';

export const SECRET = 'endpoint-secret-0123456789';

/**
 * Signs a body with the message signature (docs/interface.md, 10.1) and returns the
 * headers; `created` in seconds.
 */
export function signed(
	body: string | Buffer,
	{ secret = SECRET, created = Math.floor(Date.now() / 1000) } = {},
): Record<string, string> {
	const digest = createHash('sha1').update(body).digest('hex');
	const parameters = `("digest");created=${created}`;
	const hex = createHmac('sha256', secret)
		.update(`"digest": "${digest}"\n@signature-params: ${parameters}`)
		.digest('hex');
	return {
		'content-type': 'application/json',
		digest,
		'signature-input': `fr1=${parameters}`,
		signature: `fr1=:${hex}:`,
	};
}
