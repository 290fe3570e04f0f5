import { createHash, createHmac } from 'node:crypto';
import { newSecret } from '../state/ids';
import type { Endpoint, SignatureScheme } from '../types';

/** What is signed. */
interface ToSign {
	/** The exact text that is sent, as UTF-8. */
	body: string;
	eventId: string;
	/** When the event happened, ms since the epoch. */
	createdAt: number;
	/** When this attempt is made, ms since the epoch. */
	attemptAt: number;
	secret: string;
	endpoint: Pick<Endpoint, 'headerName' | 'encoding' | 'prefix'>;
}

/** Returns the headers that sign a delivery. */
type Sign = (toSign: ToSign) => Record<string, string>;

/**
 * Signs the body with HMAC-SHA256 in one header: hex or base64, with an optional prefix such as
 * `sha256=` (docs/interface.md, 10.1).
 */
const hmacSha256: Sign = ({ body, secret, endpoint }) => ({
	[endpoint.headerName ?? 'x-signature']: `${endpoint.prefix ?? ''}${createHmac('sha256', secret)
		.update(body)
		.digest(endpoint.encoding ?? 'hex')}`,
});

/** The label that is seen in public. */
const LABEL = 'fr1';

/**
 * Signs the SHA-1 of the body and the time of the event, as an early draft of HTTP Message
 * Signatures does (docs/interface.md, 10.1). Every attempt of an event has the same three
 * headers.
 */
const messageSignature: Sign = ({ body, createdAt, secret }) => {
	const digest = createHash('sha1').update(body).digest('hex');
	const params = `("digest");created=${Math.floor(createdAt / 1000)}`;
	const base = `"digest": "${digest}"\n@signature-params: ${params}`;
	const signature = createHmac('sha256', secret).update(base).digest('hex');
	return { digest, 'signature-input': `${LABEL}=${params}`, signature: `${LABEL}=:${signature}:` };
};

const PREFIX = 'whsec_';

/**
 * Decodes a secret with the prefix from base64. Any other secret is used as it is
 * (docs/interface.md, 10.1).
 */
const key = (secret: string) =>
	secret.startsWith(PREFIX) ? Buffer.from(secret.slice(PREFIX.length), 'base64') : secret;

/**
 * Signs `id.timestamp.body` with HMAC-SHA256, as Standard Webhooks does; the timestamp is that of
 * the attempt.
 */
const standardWebhooks: Sign = ({ body, eventId, attemptAt, secret }) => {
	const timestamp = String(Math.floor(attemptAt / 1000));
	const signed = createHmac('sha256', key(secret)).update(`${eventId}.${timestamp}.${body}`);
	return {
		'webhook-id': eventId,
		'webhook-timestamp': timestamp,
		'webhook-signature': `v1,${signed.digest('base64')}`,
	};
};

/**
 * The signature schemes by name. They share no code with the trigger's verifiers, so that each
 * tests the other.
 */
export const schemes: Record<SignatureScheme, Sign> = {
	messageSignature,
	standardWebhooks,
	hmacSha256,
};

/** Creates a secret in the usual form of a scheme. */
export const newSecretFor = (scheme: SignatureScheme) =>
	scheme === 'standardWebhooks' ? `whsec_${newSecret('base64')}` : newSecret();
