import { createHmac } from 'node:crypto';
import type { Sign } from './types';

const PREFIX = 'whsec_';

/** A secret with the prefix is base64, any other is taken as it stands (public practice, Webhook delivery). */
const key = (secret: string) =>
	secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : secret;

/**
 * Standard Webhooks: HMAC-SHA256 over `id.timestamp.body`, the time being the attempt's. After a change of the secret both
 * signatures are sent, so that a receiver can follow without losing a delivery.
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
