/** Service interface, section 6: recommended as a minimum. */
export const recommendedEvents = [
	'PAYMENT.CREATED',
	'PAYMENT.STATUS_UPDATED',
	'VIRTUAL_ACCOUNT.STATUS_UPDATED',
];

const endUser = [
	'CREATED',
	'STATUS_UPDATED',
	'UPDATED',
	'METADATA_UPDATED',
	'LINKED_CRYPTO_WALLETS_UPDATED',
];

/** Event types by the resource they are about (public practice, "Event kinds seen in public"). Any other type can be sent, too. */
const typesByFamily: Record<string, string[]> = {
	BUSINESS_END_USER: [...endUser, 'DELETED', 'BUSINESS_DETAILS_UPDATED'],
	FIAT_ACCOUNT: [
		'CREATED',
		'STATUS_UPDATED',
		'BALANCE_UPDATED',
		'BANK_DETAILS_UPDATED',
		'LABEL_UPDATED',
		'METADATA_UPDATED',
		'TAGS_UPDATED',
		'UPDATED',
	],
	INDIVIDUAL_END_USER: [...endUser, 'PERSONAL_DETAILS_UPDATED'],
	PAYEE: ['CREATED', 'DELETED', 'STATUS_UPDATED'],
	PAYMENT: [
		'CREATED',
		'STATUS_UPDATED',
		'METADATA_UPDATED',
		'UPDATED',
		'PROCESSED_PAYMENT_SCHEME_UPDATED',
	],
	RETURN: ['CREATED', 'UPDATED', 'STATUS_UPDATED'],
	VIRTUAL_ACCOUNT: [
		'CREATED',
		'STATUS_UPDATED',
		'BANK_DETAILS_UPDATED',
		'LABEL_UPDATED',
		'METADATA_UPDATED',
		'UPDATED',
	],
};

/** All event types, in alphabetical order. */
export const eventTypes = Object.entries(typesByFamily)
	.flatMap(([family, changes]) => changes.map((change) => `${family}.${change}`))
	.sort();
