/*
 * The terms that all folders of this node share: a transaction, the names of its fields, and what
 * came of sending it.
 */

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

/**
 * The display name of every field in the editor and in messages. The keys are the names in the
 * service interface, in its order. Those of a party have a dot.
 */
export const DISPLAY_NAMES = {
	eventId: 'Event ID',
	externalId: 'External ID',
	externalStatus: 'External Status',
	reference: 'Reference',
	amount: 'Amount',
	currency: 'Currency',
	baseAmount: 'Base Amount',
	paymentScheme: 'Payment Scheme',
	'sender.externalEntityId': 'Sender Entity ID',
	'sender.externalPaymentChannelId': 'Sender Channel ID',
	'sender.countryCode': 'Sender Country',
	'recipient.externalEntityId': 'Recipient Entity ID',
	'recipient.externalPaymentChannelId': 'Recipient Channel ID',
	'recipient.countryCode': 'Recipient Country',
	externalCreatedAt: 'Created At',
	receivedAt: 'Received At',
} as const;

export type Field = keyof typeof DISPLAY_NAMES;

export const FIELDS = Object.keys(DISPLAY_NAMES) as Field[];

/** Where the transaction of an item comes from: the values of the parameter Specify Transaction. */
export type TransactionSource = 'fields' | 'columns' | 'item' | 'json';

/** Fields that are rarely set. The editor has them in the collection Additional Fields. */
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

/** What the service says about one field. */
export interface Warning {
	position: string;
	issue: string;
}

/** The service accepted the transaction. */
export interface CreatedResult {
	outcome: 'created';
	message: string;
	status: number;
	body: unknown;
}

/** The service has recorded the event before. */
export interface DuplicateResult {
	outcome: 'duplicate';
	message: string;
	fix: string;
	status: number;
	errorCode?: string;
	warnings?: Warning[];
	/** Whether an earlier attempt of this execution recorded it, or may have. */
	ownAttempt: boolean;
}

/** The service rejected it, nobody knows, or the service never received it. */
export type FailureOutcome = 'rejected' | 'unknown' | 'notSent';

/** The transaction isn't recorded, or nobody knows. */
export interface SendFailure {
	outcome: FailureOutcome;
	message: string;
	fix: string;
	status?: number;
	errorCode?: string;
	warnings?: Warning[];
}

/** What came of sending one transaction. There are no other results. */
export type SendResult = CreatedResult | DuplicateResult | SendFailure;

/** Whether the service has the transaction. */
export const isRecorded = (result: SendResult): result is CreatedResult | DuplicateResult =>
	result.outcome === 'created' || result.outcome === 'duplicate';

/**
 * Whether an item is a success. A duplicate is, unless the user wants to stop at it. One that this
 * execution recorded itself always is.
 */
export function isSuccess(
	result: SendResult,
	onDuplicate: 'continue' | 'stop',
): result is CreatedResult | DuplicateResult {
	if (result.outcome === 'duplicate') return onDuplicate === 'continue' || result.ownAttempt;
	return result.outcome === 'created';
}
