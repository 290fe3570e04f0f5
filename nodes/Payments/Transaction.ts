/* A transaction and its fields, as the service interface names them. */

import type { Problem } from '../shared/result';

/** One of the two parties of a transaction (docs/interface.md, 2.2). */
export interface Party {
	externalEntityId: string;
	externalPaymentChannelId: string;
	/** ISO 3166-1 alpha-2. */
	countryCode: string;
}

/** The body of the create-transaction operation (docs/interface.md, 2.1). */
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

/** A transaction and the input item that it comes from. */
export interface TransactionItem {
	itemIndex: number;
	transaction: Transaction;
}

/**
 * The display name of every field in the editor and in messages. The keys are the names in the
 * service interface. Those of a party have a dot. In the order of the form: what is another for
 * each transaction comes first, then what stays the same for months, and then what may be empty.
 */
export const DISPLAY_NAMES = {
	amount: 'Amount',
	currency: 'Currency',
	'recipient.externalEntityId': 'Recipient Entity ID',
	'recipient.externalPaymentChannelId': 'Recipient Payment Channel ID',
	'recipient.countryCode': 'Recipient Country',
	reference: 'Reference',
	externalId: 'External ID',
	externalCreatedAt: 'Created At',
	'sender.externalEntityId': 'Sender Entity ID',
	'sender.externalPaymentChannelId': 'Sender Payment Channel ID',
	'sender.countryCode': 'Sender Country',
	paymentScheme: 'Payment Scheme',
	baseAmount: 'Base Amount',
	eventId: 'Event ID',
	externalStatus: 'External Status',
	receivedAt: 'Received At',
} as const;

export type Field = keyof typeof DISPLAY_NAMES;

export const FIELDS = Object.keys(DISPLAY_NAMES) as Field[];

/** Returns the value of a field, also of one of a party. */
export function valueOf(transaction: Transaction, field: Field): unknown {
	const [name, nameInParty] = field.split('.');
	const value = transaction[name as keyof Transaction];
	return nameInParty === undefined ? value : (value as Party)[nameInParty as keyof Party];
}

/** A problem with one field of an item. */
export interface FieldProblem extends Problem {
	field: Field;
	/** Whether the field has no value. */
	isEmpty?: boolean;
	/** Whether the payment is beyond a limit, so that only another payment would be valid. */
	isBeyondLimit?: boolean;
	/** The index of another item, whose name ends the message. */
	otherItem?: number;
}

/** What an input item has for a transaction, not checked yet. */
export interface RawTransaction {
	values: Readonly<Partial<Record<Field, unknown>>>;
	/** Why some of the fields can't be read. `values` doesn't have them. */
	unreadable: readonly FieldProblem[];
	/** The names of what the item has. */
	columns: readonly string[];
	/** The column that each field has its value from, if columns are matched by their names. */
	columnByField?: ReadonlyMap<Field, string>;
	/** The fields whose value comes from an expression. */
	expressionFields?: ReadonlySet<Field>;
}

/** Where the transaction of an item comes from: the values of the parameter Specify Transaction. */
export type TransactionSource = 'fields' | 'item';

/** Fields that may be empty. The editor has them in the collection Additional Fields. */
const ADDITIONAL_FIELDS: readonly Field[] = [
	'baseAmount',
	'eventId',
	'externalStatus',
	'receivedAt',
];

export const isAdditionalField = (field: Field): boolean => ADDITIONAL_FIELDS.includes(field);

/** Names the parameter that holds a field: `senderCountryCode` for `sender.countryCode`. */
export const parameterOf = (field: Field): string =>
	isAdditionalField(field)
		? `additionalFields.${field}`
		: field.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());
