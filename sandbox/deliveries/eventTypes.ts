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

/** Public practice, Event kinds seen in public: what is about what. The list is not closed; any other kind can be sent, too. */
const kindsByFamily: Record<string, string[]> = {
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

/** All of them, in alphabetical order. */
export const eventKinds = Object.entries(kindsByFamily)
	.flatMap(([family, kinds]) => kinds.map((kind) => `${family}.${kind}`))
	.sort();
