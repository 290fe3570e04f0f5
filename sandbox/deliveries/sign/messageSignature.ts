import { createHash, createHmac } from 'node:crypto';
import type { Sign } from './types';

/** The label that is seen in public. */
const LABEL = 'fr1';

/**
 * Signs the SHA-1 of the body and the time of the event, as an early draft of HTTP Message
 * Signatures does (docs/interface.md, 10.1). Every attempt of an event has the same three
 * headers.
 */
export const messageSignature: Sign = ({ body, createdAt, secret }) => {
	const digest = createHash('sha1').update(body).digest('hex');
	const params = `("digest");created=${Math.floor(createdAt / 1000)}`;
	const base = `"digest": "${digest}"\n@signature-params: ${params}`;
	const signature = createHmac('sha256', secret).update(base).digest('hex');
	return { digest, 'signature-input': `${LABEL}=${params}`, signature: `${LABEL}=:${signature}:` };
};
