import type { Party, Transaction } from '../Transaction';

/** Invisible characters (Unicode's general category Cf): soft hyphen, zero-width space and joiners, word joiner, byte order mark. */
const INVISIBLE = /\p{Cf}/gu;
/** Any run of white space, also of blanks that don't break or are narrow (ECMAScript's \s), and next line (U+0085). */
const WHITE_SPACE = /[\s\u0085]+/gu;

/**
 * Brings text into the form in which the same payment has the same identity, from whichever system it comes: Unicode Normalization Form C
 * (Unicode Standard Annex 15), without invisible characters, with one blank for any white space, and trimmed. Only the identity has this
 * form; what is sent stays as it is.
 */
export const identityText = (text: string): string =>
	// Normalized last, so that letters and accents meet between which an invisible character was.
	text.replace(INVISIBLE, '').replace(WHITE_SPACE, ' ').trim().normalize('NFC');

/** Codes are the same in lower case. Upper case can undo the normalization. */
const identityCode = (text: string): string => identityText(text).toUpperCase().normalize('NFC');

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
 * Returns the text that identifies a payment: JSON with the members in alphabetical order, without blanks between them, and the amount
 * without the zeros that have no value. Left out is what may change between two executions for the same payment: `baseAmount` (it follows
 * the exchange rate), `externalCreatedAt`, and `receivedAt`. docs/idempotency.md describes it for other programs.
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
		reference: identityText(payment.reference),
		sender: partyIdentity(payment.sender),
	});
}

/** JSON text keeps the order in which members were written, so the caller's order must not count. */
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
