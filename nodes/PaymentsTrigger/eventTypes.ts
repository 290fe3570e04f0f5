/** Selects every event type, also those that the list doesn't have. */
export const ALL_EVENTS = '*';

/** Returns what is compared of an event type: case and outer blanks don't count. */
export const comparedEventType = (eventType: string): string => eventType.trim().toLowerCase();

/** The event types that the service recommends as a minimum (docs/interface.md, 6). */
export const recommendedEventTypes = [
	'PAYMENT.STATUS_UPDATED',
	'PAYMENT.CREATED',
	'VIRTUAL_ACCOUNT.STATUS_UPDATED',
];

/**
 * The other event types seen in public, by the object that they are about (docs/interface.md,
 * 10.2). Those of payments come first, because that's what most workflows wait for: by the
 * alphabet, the list would begin with the crypto wallets of businesses.
 */
const OTHER_CHANGES_BY_SUBJECT = {
	PAYMENT: 'UPDATED METADATA_UPDATED PROCESSED_PAYMENT_SCHEME_UPDATED',
	RETURN: 'STATUS_UPDATED CREATED UPDATED',
	PAYEE: 'STATUS_UPDATED CREATED DELETED',
	VIRTUAL_ACCOUNT: 'CREATED BANK_DETAILS_UPDATED LABEL_UPDATED METADATA_UPDATED UPDATED',
	FIAT_ACCOUNT:
		'STATUS_UPDATED BALANCE_UPDATED CREATED BANK_DETAILS_UPDATED LABEL_UPDATED METADATA_UPDATED TAGS_UPDATED UPDATED',
	INDIVIDUAL_END_USER:
		'STATUS_UPDATED CREATED PERSONAL_DETAILS_UPDATED LINKED_CRYPTO_WALLETS_UPDATED METADATA_UPDATED UPDATED',
	BUSINESS_END_USER:
		'STATUS_UPDATED CREATED DELETED BUSINESS_DETAILS_UPDATED LINKED_CRYPTO_WALLETS_UPDATED METADATA_UPDATED UPDATED',
};

const otherEventTypes = Object.entries(OTHER_CHANGES_BY_SUBJECT).flatMap(([subject, changes]) =>
	changes.split(' ').map((change) => `${subject}.${change}`),
);

const toWords = (constant: string) => constant.toLowerCase().replace(/[_.]/g, ' ');

const toTitleCase = (constant: string) =>
	toWords(constant).replace(/\b[a-z]/g, (letter) => letter.toUpperCase());

/** Describes a change. `X.UPDATED` stands for any change of X, `X.Y_UPDATED` only for one of Y. */
function describeChange(eventType: string): string {
	const [subject, change] = eventType.split('.');
	const article = /^[AEIOU]/.test(subject) ? 'an' : 'a';
	const noun = `${article} ${toWords(subject)}`;
	if (change === 'UPDATED') return `anything about ${noun} changed`;
	if (change.endsWith('_UPDATED')) {
		const part = toWords(change.slice(0, -'_UPDATED'.length));
		return `the ${part} of ${noun} changed`;
	}
	return `${noun} was ${toWords(change)}`;
}

/** The event types seen in public, as the user reads them, in the order of the editor's lists. */
export const eventTypes = [...recommendedEventTypes, ...otherEventTypes].map((value) => ({
	value,
	/** In Title Case, such as "Payment Status Updated". */
	name: toTitleCase(value),
	/** Begins in lower case, such as "the status of a payment changed". */
	meaning: describeChange(value),
}));
