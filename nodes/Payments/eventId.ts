import { createHash } from 'crypto';

import type { Party, Transaction } from './Transaction';

/**
 * Namespace of the generated Event IDs (RFC 9562, section 6.6).
 * Never change it after the first release: every transaction would get another Event ID, and a
 * repeated execution would create it again.
 */
const NAMESPACE = '32f35368-c373-4199-a3d4-10281f601175';

/** What makes it the same transaction: its External ID between two entities, and its status. */
interface TransactionIdentity extends Pick<Transaction, 'externalId' | 'externalStatus'> {
	sender: Pick<Party, 'externalEntityId'>;
	recipient: Pick<Party, 'externalEntityId'>;
}

/**
 * Generates the Event ID of a transaction that has none, as a name-based UUID. It is the service's
 * idempotency key, so it must be the same each time the same transaction is sent.
 *
 * External ID is the "unique identifier of the transaction in the member's own system"
 * (docs/interface.md, 2.1), so a corrected amount, account, or reference makes no other
 * transaction. A new status is a new event. The entities keep members apart whose systems count
 * alike, such as INV-1 of two companies. docs/idempotency.md has the same for other programs.
 */
export const generateEventId = (identity: TransactionIdentity): string =>
	nameBasedUuid(
		NAMESPACE,
		[
			identity.externalId,
			identity.externalStatus ?? '',
			identity.sender.externalEntityId,
			identity.recipient.externalEntityId,
		]
			.map(canonical)
			// None of them has a line break (validation/parse.ts).
			.join('\n'),
	);

/**
 * The form of a text in which systems that write the same letters with other code points agree:
 * Unicode Normalization Form C (Unicode Standard Annex 15). What is sent stays as it is.
 */
export const canonical = (text: string): string => text.trim().normalize('NFC');

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
	return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
