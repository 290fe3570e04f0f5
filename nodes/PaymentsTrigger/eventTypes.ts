/** Selects every event type, also those that the list doesn't have. */
export const ALL_EVENTS = '*';

/** The event types that the service recommends as a minimum (docs/interface.md, 6). */
export const recommendedEventTypes = [
	'PAYMENT.CREATED',
	'PAYMENT.STATUS_UPDATED',
	'VIRTUAL_ACCOUNT.STATUS_UPDATED',
];

/** Event types seen in public, by the object that they are about (docs/interface.md, 10.2). */
const CHANGES_BY_SUBJECT = {
	BUSINESS_END_USER:
		'BUSINESS_DETAILS_UPDATED CREATED DELETED LINKED_CRYPTO_WALLETS_UPDATED METADATA_UPDATED STATUS_UPDATED UPDATED',
	FIAT_ACCOUNT:
		'BALANCE_UPDATED BANK_DETAILS_UPDATED CREATED LABEL_UPDATED METADATA_UPDATED STATUS_UPDATED TAGS_UPDATED UPDATED',
	INDIVIDUAL_END_USER:
		'CREATED LINKED_CRYPTO_WALLETS_UPDATED METADATA_UPDATED PERSONAL_DETAILS_UPDATED STATUS_UPDATED UPDATED',
	PAYEE: 'CREATED DELETED STATUS_UPDATED',
	PAYMENT: 'CREATED METADATA_UPDATED PROCESSED_PAYMENT_SCHEME_UPDATED STATUS_UPDATED UPDATED',
	RETURN: 'CREATED STATUS_UPDATED UPDATED',
	VIRTUAL_ACCOUNT:
		'BANK_DETAILS_UPDATED CREATED LABEL_UPDATED METADATA_UPDATED STATUS_UPDATED UPDATED',
};

const toWords = (constant: string) => constant.toLowerCase().replaceAll('_', ' ');

const toTitleCase = (constant: string) =>
	toWords(constant).replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Describes a change. `X.UPDATED` stands for any change of X, `X.Y_UPDATED` only for one of Y. */
function describeChange(subject: string, change: string): string {
	const article = /^[AEIOU]/.test(subject) ? 'an' : 'a';
	const noun = `${article} ${toWords(subject)}`;
	if (change === 'UPDATED') return `anything about ${noun} changed`;
	if (change.endsWith('_UPDATED')) {
		const part = toWords(change.slice(0, -'_UPDATED'.length));
		return `the ${part} of ${noun} changed`;
	}
	return `${noun} was ${toWords(change)}`;
}

/** The event types seen in public, in alphabetical order, as the user reads them. */
export const eventTypes = Object.entries(CHANGES_BY_SUBJECT).flatMap(([subject, changes]) =>
	changes.split(' ').map((change) => ({
		value: `${subject}.${change}`,
		/** In Title Case, such as "Payment Status Updated". */
		name: `${toTitleCase(subject)} ${toTitleCase(change)}`,
		/** Begins in lower case, such as "the status of a payment changed". */
		meaning: describeChange(subject, change),
	})),
);
