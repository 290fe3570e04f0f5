import { createHash } from 'crypto';

import type { Party, Transaction } from '../Transaction';

/**
 * Namespace of the generated Event IDs (RFC 9562, section 6.6).
 * Never change it after the first release: every payment would get another Event ID, and a repeated
 * execution would create it again.
 */
const NAMESPACE = '32f35368-c373-4199-a3d4-10281f601175';

/** What makes it the same payment: its External ID between two entities, and its status. */
export interface PaymentIdentity extends Pick<Transaction, 'externalId' | 'externalStatus'> {
	sender: Pick<Party, 'externalEntityId'>;
	recipient: Pick<Party, 'externalEntityId'>;
}

/**
 * Generates the Event ID of a transaction that has none, as a name-based UUID. It is the service's
 * idempotency key, so it must be the same each time the same payment is sent.
 *
 * External ID is the "unique identifier of the transaction in the member's own system"
 * (docs/interface.md, 2.1), so a corrected amount, account, or reference makes no other payment. A
 * new status is a new event. The entities keep members apart whose systems count alike, such as
 * INV-1 of two companies. docs/idempotency.md has the same for other programs.
 */
export const generateEventId = (payment: PaymentIdentity): string =>
	nameBasedUuid(
		NAMESPACE,
		[
			payment.externalId,
			payment.externalStatus ?? '',
			payment.sender.externalEntityId,
			payment.recipient.externalEntityId,
		]
			.map(normalize)
			// No normalized text has a line break.
			.join('\n'),
	);

/** Invisible characters (Unicode category Cf), such as soft hyphen and zero-width space. */
const INVISIBLE = /\p{Cf}/gu;
/** White space of any length (ECMAScript's \s), and next line (U+0085). */
const WHITE_SPACE = /[\s\u0085]+/gu;

/**
 * Normalizes text, so that the same payment has the same Event ID whichever system it comes from:
 * Unicode Normalization Form C (Unicode Standard Annex 15), without invisible characters, with one
 * blank for any white space, and trimmed. What is sent stays as it is.
 */
export const normalize = (text: string): string =>
	// Normalized last, because an invisible character can separate a letter from its accent.
	text.replace(INVISIBLE, '').replace(WHITE_SPACE, ' ').trim().normalize('NFC');

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
