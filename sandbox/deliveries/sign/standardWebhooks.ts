import { createHmac } from 'node:crypto';
import type { Sign } from './types';

const PREFIX = 'whsec_';

/**
 * Decodes a secret with the prefix from base64. Any other secret is used as it is
 * (docs/interface.md, 10.1).
 */
const key = (secret: string) =>
	secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : secret;

/**
 * Signs `id.timestamp.body` with HMAC-SHA256, as Standard Webhooks does; the timestamp is that of
 * the attempt. After a rotation it signs with both secrets, so that a receiver can change its
 * secret without missing a delivery.
 */
export const standardWebhooks: Sign = ({ body, eventId, attemptAt, secret, previousSecret }) => {
	const timestamp = String(Math.floor(attemptAt / 1000));
	const secrets = previousSecret === undefined ? [secret] : [secret, previousSecret];
	const signatures = secrets.map(
		(one) =>
			`v1,${createHmac('sha256', key(one)).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`,
	);
	return {
		'webhook-id': eventId,
		'webhook-timestamp': timestamp,
		'webhook-signature': signatures.join(' '),
	};
};
