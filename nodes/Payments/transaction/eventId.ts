import { createHash } from 'crypto';

import type { Transaction } from './validate';

/** Namespace of the derived event ids (RFC 9562, section 6.6). Changing it would make every payment a new event: never change it. */
const NAMESPACE = '0f9f3e2c-6d0b-4c57-9a54-3b1de0c6a7d1';

/** An amount without the zeros that mean nothing: 10, 10.0 and 10.00 are the same money. */
const plain = (amount: string) => (amount.includes('.') ? amount.replace(/\.?0+$/, '') : amount);

/** The members that make a payment this payment, in alphabetical order: those of the transaction, then those of its parties. */
const MEMBERS = [
	'amount',
	'baseAmount',
	'currency',
	'externalId',
	'externalStatus',
	'paymentScheme',
	'recipient',
	'reference',
	'sender',
	'countryCode',
	'externalEntityId',
	'externalPaymentChannelId',
];

/**
 * The event id of a transaction that was not given one: a name-based UUID (RFC 9562, section 5.5, version 5) over what the transaction says,
 * without the id itself and without both timestamps. The same payment therefore is the same event however often it is sent.
 *
 * The name is the JSON text of the members in alphabetical order, without blanks, amounts without trailing zeros.
 */
export const generateEventId = (
	transaction: Omit<Transaction, 'eventId' | 'externalCreatedAt' | 'receivedAt'>,
): string =>
	// A list as second argument names the members that are written, at every depth, and their order.
	nameBasedUuid(
		NAMESPACE,
		JSON.stringify(
			{
				...transaction,
				amount: plain(transaction.amount),
				baseAmount: plain(transaction.baseAmount),
			},
			MEMBERS,
		),
	);

/** RFC 9562, section 5.5. */
export function nameBasedUuid(namespace: string, name: string): string {
	const hash = createHash('sha1')
		.update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
		.update(name, 'utf8')
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
