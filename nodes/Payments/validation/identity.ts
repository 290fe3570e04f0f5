import type { Party, Transaction } from '../Transaction';

/** Invisible characters (Unicode category Cf), such as soft hyphen and zero-width space. */
const INVISIBLE = /\p{Cf}/gu;
/** White space of any length (ECMAScript's \s), and next line (U+0085). */
const WHITE_SPACE = /[\s\u0085]+/gu;

/**
 * Normalizes text, so that the same payment has the same identity whichever system it comes from:
 * Unicode Normalization Form C (Unicode Standard Annex 15), without invisible characters, with one
 * blank for any white space, and trimmed. Only the identity is normalized, not what is sent.
 */
export const identityText = (text: string): string =>
	// Normalized last, because an invisible character can separate a letter from its accent.
	text.replace(INVISIBLE, '').replace(WHITE_SPACE, ' ').trim().normalize('NFC');

/** Codes are the same in lower case. Normalized again, because upper case can undo it. */
const identityCode = (text: string): string => identityText(text).toUpperCase().normalize('NFC');

/** The fields that identify a payment. */
export type PaymentIdentity = Pick<
	Transaction,
	'amount' | 'currency' | 'externalId' | 'externalStatus' | 'paymentScheme' | 'recipient' | 'sender'
>;

/**
 * Returns the text that identifies a payment: JSON without blanks, with the members in alphabetical
 * order, and the amount without needless zeros. It leaves out what may differ between two
 * executions for the same payment: `reference` (free text, which a person or an agent words
 * differently the next time), `baseAmount` (exchange rates), `externalCreatedAt`, and `receivedAt`.
 * docs/idempotency.md describes it for other programs.
 */
export function identityOf(payment: PaymentIdentity): string {
	const { externalStatus } = payment;
	return JSON.stringify({
		amount: withoutNeedlessZeros(payment.amount),
		currency: identityCode(payment.currency),
		externalId: identityText(payment.externalId),
		externalStatus: externalStatus === null ? null : identityText(externalStatus),
		paymentScheme: identityCode(payment.paymentScheme),
		recipient: partyIdentity(payment.recipient),
		sender: partyIdentity(payment.sender),
	});
}

/** In alphabetical order, whatever the caller's order is, because JSON text keeps it. */
const partyIdentity = ({ countryCode, externalEntityId, externalPaymentChannelId }: Party) => ({
	countryCode: identityCode(countryCode),
	externalEntityId: identityText(externalEntityId),
	externalPaymentChannelId: identityText(externalPaymentChannelId),
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
