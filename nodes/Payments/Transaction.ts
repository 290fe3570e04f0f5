/** One of the two parties of a transaction (service interface, section 2.2). */
export interface Party {
	externalEntityId: string;
	externalPaymentChannelId: string;
	/** ISO 3166-1 alpha-2. */
	countryCode: string;
}

/** The body of the create-transaction operation (service interface, section 2.1). */
export interface Transaction {
	/** The idempotency key. */
	eventId: string;
	externalId: string;
	externalStatus: string | null;
	reference: string;
	/** Decimal string. */
	amount: string;
	/** ISO 4217. */
	currency: string;
	/** Decimal string. */
	baseAmount: string;
	paymentScheme: string;
	sender: Party;
	recipient: Party;
	/** ms since the epoch. */
	externalCreatedAt: number;
	/** ms since the epoch. */
	receivedAt: number;
}

const PARTY_FIELDS = ['externalEntityId', 'externalPaymentChannelId', 'countryCode'] as const;

/** Every field by its name in the service interface, in its order; those of a party with a dot. */
export const FIELDS = [
	'eventId',
	'externalId',
	'externalStatus',
	'reference',
	'amount',
	'currency',
	'baseAmount',
	'paymentScheme',
	...PARTY_FIELDS.map((name) => `sender.${name}` as const),
	...PARTY_FIELDS.map((name) => `recipient.${name}` as const),
	'externalCreatedAt',
	'receivedAt',
] as const;

export type Field = (typeof FIELDS)[number];
