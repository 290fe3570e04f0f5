import type { INodeProperties } from 'n8n-workflow';

import { collection } from '../../shared/collection';
import {
	FIELD_TABLE,
	FIELDS,
	isAdditionalField,
	parameterOf,
	type Field,
	type TransactionSource,
} from '../Transaction';
import { options } from './options';

const showOnlyForTransactionCreate = { resource: ['transaction'], operation: ['create'] };

const showOnlyFor = (source: TransactionSource) => ({
	...showOnlyForTransactionCreate,
	specifyTransaction: [source],
});

const DESCRIPTIONS: Record<Field, string> = {
	externalId:
		'ID of this transaction in your own system, a different one for each (externalId). For what recurs, add the period, such as RENT-7-2026-11: the same ID between the same entities counts once, also if the row is corrected.',
	externalCreatedAt:
		'When the transaction was created in your own system (externalCreatedAt), from your data if it has the time. Enter {{ $now }} only if it is created now.',
	reference: 'What the transaction is for, for example an invoice number (reference)',
	amount: 'Decimal number with a dot and without thousands separators (amount)',
	currency: 'Currency of the amount, by its ISO 4217 code of three letters (currency)',
	paymentScheme:
		'How the money moves (paymentScheme), such as SCT or SEPA for euros, or FPS for pounds',
	'sender.externalEntityId':
		'ID of the person or company that sends the funds (sender.externalEntityId)',
	'sender.externalPaymentChannelId':
		'ID of the account or wallet of the sender (sender.externalPaymentChannelId)',
	'sender.countryCode':
		'Country of the sender, by its ISO 3166-1 code of two letters (sender.countryCode)',
	'recipient.externalEntityId':
		'ID of the person or company that receives the funds (recipient.externalEntityId)',
	'recipient.externalPaymentChannelId':
		'ID of the account or wallet of the recipient (recipient.externalPaymentChannelId)',
	'recipient.countryCode':
		'Country of the recipient, by its ISO 3166-1 code of two letters (recipient.countryCode)',
	baseAmount:
		'Amount after conversion into your base currency (baseAmount). If empty, it is the same as the amount.',
	eventId:
		'The idempotency key: the service records each Event ID once (eventId). If empty, it is generated from External ID, External Status, and the IDs of the entities, so a row that you run again, or correct, is no second transaction. Enter an ID only if each item has one, and never generate a new one for a retry.',
	externalStatus: 'Status of this transaction in your own system (externalStatus)',
	receivedAt:
		'When the service received the transaction (receivedAt). If empty, it is the same as Created At.',
};

/** What the editor always shows below a field, because it isn't what one expects. */
const CHANNEL_HINT = 'The ID that the service has for it, usually not an IBAN';
const ALWAYS_SHOWN: Partial<Record<Field, string>> = {
	'sender.externalPaymentChannelId': CHANNEL_HINT,
	'recipient.externalPaymentChannelId': CHANNEL_HINT,
};

/** What AI builders read besides. */
const HINTS: Partial<Record<Field, string>> = {
	'recipient.externalEntityId':
		'The ID that the service has for the recipient, not a name. If the data has only names and IBANs, ask the user which IDs the service takes.',
	'recipient.externalPaymentChannelId':
		'Usually an ID of the service, and no IBAN. If a party has no channel, the ID of its entity. No field has the name of the recipient, or whether it is a person.',
	externalId:
		'The ID of what moved, such as the number of an invoice or a refund: never random or with a time of day. Add the period to what recurs, as in RENT-7-2026-11, and a suffix to a second one of an invoice or order. The period is a column of the data, or of a schedule the time that it was due: taken from the clock, the same row would be recorded again in the next period.',
	externalCreatedAt:
		'The time of the row, such as its booking or invoice date, so that the same row is sent alike each time. {{ $now }} only if nothing has a date.',
	paymentScheme:
		"Never empty, also for JPY or SEK. Ask the user for the service's name if none is given.",
	eventId:
		'Leave it out, unless a status can come back. Then set it for all. Never random or from the clock: each retry would be another transaction.',
	externalStatus:
		'Such as booked, to record each change: a new status is a new transaction. If one can come back, add eventId: the ID of the change, or {{ $json.id }}-{{ $json.status }}-{{ $json.changedAt }}. Leave it out to record each row once, or if the service pays. Funds that go back are a transaction of their own, with sender and recipient exchanged.',
};

function parameter(field: Field): INodeProperties {
	const { displayName, type, example } = FIELD_TABLE[field];
	const [hint, propertyHint] = [ALWAYS_SHOWN[field], HINTS[field]];
	return {
		displayName,
		name: parameterOf(field),
		type: type === 'time' ? 'dateTime' : 'string',
		default: '',
		description: DESCRIPTIONS[field],
		...(example && { placeholder: `e.g. ${example}` }),
		...(hint && { hint }),
		...(propertyHint && { builderHint: { propertyHint } }),
	};
}

const namesOf = (fields: readonly Field[]) =>
	fields.map((field) => FIELD_TABLE[field].displayName).join(', ');

/** The parameters of Transaction → Create (docs/interface.md, 2.1 and 2.2). */
export const transactionFields: INodeProperties[] = [
	{
		displayName: 'Specify Transaction',
		name: 'specifyTransaction',
		type: 'options',
		displayOptions: { show: showOnlyForTransactionCreate },
		options: [
			{
				name: 'From Input Item',
				value: 'item',
				description:
					'Columns of the input match the fields by their whole names, such as Amount or amount. Capital letters, blanks, _ and - make no difference.',
			},
			{
				name: 'Using Fields Below',
				value: 'fields',
				description: 'Enter each field, or drag it from the input panel',
			},
		],
		default: 'fields',
		description: 'Where the transaction comes from',
		builderHint: {
			propertyHint:
				"'fields' maps the columns of the input, whatever their names are, with expressions. An ID can be a whole number. 'item' only if the columns have the whole names of the fields: amount, currency, reference, externalId, externalCreatedAt, paymentScheme, and sender and recipient with externalEntityId, externalPaymentChannelId, countryCode (or Sender Entity ID, Sender Country, …).",
		},
	},
	...FIELDS.filter((field) => !isAdditionalField(field)).map((field) => ({
		...parameter(field),
		required: true,
		displayOptions: { show: showOnlyFor('fields') },
	})),
	...collection({
		displayName: 'Additional Fields',
		name: 'additionalFields',
		displayOptions: { show: showOnlyFor('fields') },
		placeholder: 'Add Field',
		options: FIELDS.filter(isAdditionalField).map(parameter),
	}),
	{
		displayName: `Columns of the input: ${namesOf(FIELDS.filter((field) => !isAdditionalField(field)))}. They can also have: ${namesOf(FIELDS.filter(isAdditionalField))}. Capital letters, blanks, _ and - make no difference.`,
		name: 'columnNames',
		type: 'notice',
		default: '',
		displayOptions: { show: showOnlyFor('item') },
	},
	...collection({
		displayName: 'Options',
		name: 'options',
		displayOptions: { show: showOnlyForTransactionCreate },
		placeholder: 'Add Option',
		builderHint: {
			propertyHint: 'Each has one value for all items: send those that need another one apart.',
		},
		options,
	}),
];
