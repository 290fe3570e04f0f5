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

/** How the value of a field is read: see validation/validate.ts. */
type FieldType = 'amount' | 'baseAmount' | 'currency' | 'identifier' | 'country' | 'text' | 'time';

export interface FieldDefinition {
	displayName: string;
	type: FieldType;
	/** What the form shows in place of a value. */
	example?: string;
	/** It may be empty. The editor has it in the collection Additional Fields. */
	isAdditional?: boolean;
}

/**
 * Every field by its name in the service interface. Those of a party have a dot. In the order of
 * the form, which reads like a bank statement: what it is, how much, from whom, to whom, and then
 * what may be empty.
 */
const TABLE = {
	externalId: { displayName: 'External ID', type: 'identifier', example: 'INV-2026-0042' },
	externalCreatedAt: { displayName: 'Created At', type: 'time' },
	reference: { displayName: 'Reference', type: 'text', example: 'Invoice 2026-0042' },
	amount: { displayName: 'Amount', type: 'amount', example: '2501.00' },
	currency: { displayName: 'Currency', type: 'currency', example: 'EUR' },
	paymentScheme: { displayName: 'Payment Scheme', type: 'text', example: 'SCT' },
	'sender.externalEntityId': {
		displayName: 'Sender Entity ID',
		type: 'identifier',
		example: 'north-windmills',
	},
	'sender.externalPaymentChannelId': {
		displayName: 'Sender Payment Channel ID',
		type: 'identifier',
		example: 'north-windmills-account',
	},
	'sender.countryCode': { displayName: 'Sender Country', type: 'country', example: 'BE' },
	'recipient.externalEntityId': {
		displayName: 'Recipient Entity ID',
		type: 'identifier',
		example: 'harbour-bakery',
	},
	'recipient.externalPaymentChannelId': {
		displayName: 'Recipient Payment Channel ID',
		type: 'identifier',
		example: 'harbour-bakery-eur-account',
	},
	'recipient.countryCode': { displayName: 'Recipient Country', type: 'country', example: 'DK' },
	baseAmount: {
		displayName: 'Base Amount',
		type: 'baseAmount',
		example: '2501.00',
		isAdditional: true,
	},
	eventId: {
		displayName: 'Event ID',
		type: 'identifier',
		example: '5609c570-3b45-4bec-a326-9d50ee465156',
		isAdditional: true,
	},
	externalStatus: {
		displayName: 'External Status',
		type: 'identifier',
		example: 'booked',
		isAdditional: true,
	},
	receivedAt: { displayName: 'Received At', type: 'time', isAdditional: true },
} as const satisfies Record<string, FieldDefinition>;

export type Field = keyof typeof TABLE;

/** The fields that the form, the columns, and the validation have. */
export const FIELD_TABLE: Readonly<Record<Field, FieldDefinition>> = TABLE;

export const FIELDS = Object.keys(TABLE) as Field[];

type AdditionalField = {
	[F in Field]: (typeof TABLE)[F] extends { isAdditional: true } ? F : never;
}[Field];
type FieldValue<F extends Field> = (typeof TABLE)[F]['type'] extends 'time' ? number : string;

/** The values of the fields, read and valid. Additional ones may be missing. */
export type FieldValues = {
	[F in Exclude<Field, AdditionalField>]: FieldValue<F>;
} & { [F in AdditionalField]?: FieldValue<F> };

/** Returns the value of a field, also of one of a party. */
export function valueOf(transaction: Transaction, field: Field): unknown {
	const [name, nameInParty] = field.split('.');
	const value = transaction[name as keyof Transaction];
	return nameInParty === undefined ? value : (value as Party)[nameInParty as keyof Party];
}

/** What is wrong with an item: with a field of it, or with all of it. */
export interface ItemProblem extends Problem {
	field?: Field;
	/** Only another transaction would be valid. */
	isBeyondLimit?: true;
	/** The index of one with the same Event ID, whose name ends the message. */
	otherItem?: number;
}

/** What an input item has for a transaction, not checked yet. */
export interface RawTransaction {
	values: Readonly<Partial<Record<Field, unknown>>>;
	/** Why some of the fields can't be read. `values` doesn't have them. */
	unreadable: readonly ItemProblem[];
	/** The names of what the item has. */
	columns: readonly string[];
	/** Whether nothing in it has a value, such as in a row of separators at the end of a CSV file. */
	isEmpty: boolean;
	/** The column that each field has its value from, if columns are matched by their names. */
	columnByField?: ReadonlyMap<Field, string>;
	/** The JavaScript of the fields whose value comes from an expression. */
	expressionByField?: ReadonlyMap<Field, string>;
}

/** Where the transaction of an item comes from: the values of the parameter Specify Transaction. */
export type TransactionSource = 'fields' | 'item';

export const isAdditionalField = (field: Field): boolean =>
	FIELD_TABLE[field].isAdditional === true;

/** Names the parameter that holds a field: `senderCountryCode` for `sender.countryCode`. */
export const parameterOf = (field: Field): string =>
	field.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());
