import { createHash } from 'crypto';

import type { Party, Transaction } from '../Transaction';

/**
 * Namespace of the generated Event IDs (RFC 9562, section 6.6).
 * Never change it after the first release: every payment would get another Event ID, and a repeated execution would create it again.
 */
const NAMESPACE = '20961885-dd30-4ac4-9b3e-5b4a5b68dd40';

/** The fields that say which payment it is. */
export type PaymentIdentity = Pick<
	Transaction,
	| 'amount'
	| 'currency'
	| 'externalId'
	| 'externalStatus'
	| 'paymentScheme'
	| 'recipient'
	| 'reference'
	| 'sender'
>;

/**
 * Generates the Event ID of a transaction that has none: a name-based UUID (RFC 9562, section 5.5, version 5).
 * The Event ID is the service's idempotency key, so it must be the same each time the same payment is sent.
 *
 * Left out is what may change between two executions for the same payment: `baseAmount` (it follows the exchange rate), `externalCreatedAt`,
 * and `receivedAt`. The name is JSON text with the members in alphabetical order, without blanks, and the amount without the zeros that
 * have no value. docs/idempotency.md describes it for other programs that have to generate the same ID.
 */
export function generateEventId(payment: PaymentIdentity): string {
	const identity = {
		amount: withoutNeedlessZeros(payment.amount),
		currency: payment.currency,
		externalId: payment.externalId,
		externalStatus: payment.externalStatus,
		paymentScheme: payment.paymentScheme,
		recipient: partyIdentity(payment.recipient),
		reference: payment.reference,
		sender: partyIdentity(payment.sender),
	};
	return nameBasedUuid(NAMESPACE, JSON.stringify(identity));
}

/** JSON text keeps the order in which members were written, so the caller's order must not count. */
const partyIdentity = ({ countryCode, externalEntityId, externalPaymentChannelId }: Party) => ({
	countryCode,
	externalEntityId,
	externalPaymentChannelId,
});

/** 10, 010, 10.0 and 10.00 are the same money. */
function withoutNeedlessZeros(amount: string): string {
	const [whole, decimals = ''] = amount.split('.');
	const significantWhole = whole.replace(/^0+(?=\d)/, '');
	const significantDecimals = decimals.replace(/0+$/, '');
	return significantDecimals === ''
		? significantWhole
		: `${significantWhole}.${significantDecimals}`;
}

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
