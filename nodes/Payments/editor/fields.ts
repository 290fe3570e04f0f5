import type { INodeProperties } from 'n8n-workflow';

import {
	DISPLAY_NAMES,
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

type FieldParameter = Omit<INodeProperties, 'displayName' | 'name'>;

/** A parameter with a list to search. Its value can also be typed, or come from an expression. */
const locator = ({
	list,
	typed: { example, ...typed },
	description,
}: {
	list: { placeholder: string; searchListMethod: string };
	typed: { displayName: string; example: string };
	description: string;
}): FieldParameter => ({
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: list.placeholder,
			typeOptions: { searchListMethod: list.searchListMethod, searchable: true },
		},
		{ ...typed, name: 'id', type: 'string', placeholder: `e.g. ${example}` },
	],
	description,
	// n8n's type synthesis takes a parameter with a default for optional. Without one, the editor
	// shows neither the mode nor the list.
	builderHint: {
		propertyHint: `Required: { __rl: true, mode: 'id', value: '${example}' }; value can be expr(…)`,
	},
});

const countryLocator = ({ description }: { description: string }): FieldParameter =>
	locator({
		list: { placeholder: 'Select a country...', searchListMethod: 'searchCountries' },
		typed: { displayName: 'By ID', example: 'DE' },
		description,
	});

/** In the order of the editor: who pays, who is paid, how much, and for what. */
const FIELD_PARAMETERS: Record<Field, FieldParameter> = {
	'sender.externalEntityId': {
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. north-windmills',
		description: 'ID of the person or company that pays (sender.externalEntityId)',
	},
	'sender.externalPaymentChannelId': {
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. north-windmills-account',
		description: 'ID of the account or wallet that pays (sender.externalPaymentChannelId)',
	},
	'sender.countryCode': countryLocator({
		description:
			'Country of the sender, by its ISO 3166-1 code of two letters (sender.countryCode)',
	}),
	'recipient.externalEntityId': {
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. harbour-bakery',
		description: 'ID of the person or company that is paid (recipient.externalEntityId)',
	},
	'recipient.externalPaymentChannelId': {
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. harbour-bakery-eur-account',
		description: 'ID of the account or wallet that is paid (recipient.externalPaymentChannelId)',
	},
	'recipient.countryCode': countryLocator({
		description:
			'Country of the recipient, by its ISO 3166-1 code of two letters (recipient.countryCode)',
	}),
	amount: {
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 2501.00',
		description: 'Decimal number with a dot and without thousands separators (amount)',
	},
	currency: locator({
		list: { placeholder: 'Select a currency...', searchListMethod: 'searchCurrencies' },
		typed: { displayName: 'By ID', example: 'EUR' },
		description: 'Currency of the amount, by its ISO 4217 code of three letters (currency)',
	}),
	reference: {
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Invoice 2026-0042',
		description: 'What the payment is for, for example an invoice number (reference)',
	},
	paymentScheme: locator({
		list: { placeholder: 'Select a payment scheme...', searchListMethod: 'searchPaymentSchemes' },
		typed: { displayName: 'By ID', example: 'SCT' },
		description:
			'How the money moves (paymentScheme), such as SCT for euros or FPS for pounds. The service can accept more schemes than the list has.',
	}),
	externalId: {
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. INV-2026-0042',
		description:
			'ID of this transaction in your own system, a different one for each payment (externalId)',
		builderHint: {
			propertyHint: 'The number of the invoice or order, never random or from the current time',
		},
	},
	externalCreatedAt: {
		type: 'dateTime',
		default: '',
		description:
			'When the transaction was created in your own system (externalCreatedAt). If empty, it is the time of sending.',
	},
	baseAmount: {
		type: 'string',
		default: '',
		placeholder: 'e.g. 2501.00',
		description:
			'Amount after conversion into your base currency (baseAmount). If empty, it is the same as the amount.',
	},
	eventId: {
		type: 'string',
		default: '',
		placeholder: 'e.g. 5609c570-3b45-4bec-a326-9d50ee465156',
		description:
			'The idempotency key: the service records each Event ID once (eventId). If empty, it is generated from the payment, so the same payment always has the same one. Enter an ID only if your own system has one for each payment, and never generate a new one for a retry.',
		builderHint: {
			propertyHint:
				'Leave it out: it is generated from all fields but the reference, the base amount, and the times, so the same payment is recorded once, and one with another amount or External ID is a new payment. A random ID would pay again with each retry.',
		},
	},
	externalStatus: {
		type: 'string',
		default: '',
		placeholder: 'e.g. settled',
		description: 'Status of this transaction in your own system (externalStatus)',
	},
	receivedAt: {
		type: 'dateTime',
		default: '',
		description:
			'When the service received the transaction (receivedAt). If empty, it is the time of sending.',
	},
};

/** The fields with their parameters, in the order of the editor. */
export const fieldParameters = (
	Object.entries(FIELD_PARAMETERS) as Array<[Field, FieldParameter]>
).map(([field, parameter]) => ({ field, ...parameter, displayName: DISPLAY_NAMES[field] }));

const mainFields = fieldParameters
	.filter(({ field }) => !isAdditionalField(field))
	.map(
		({ field, ...parameter }): INodeProperties => ({
			...parameter,
			name: parameterOf(field),
			displayOptions: { show: showOnlyFor('fields') },
		}),
	);

const additionalFields = fieldParameters
	.filter(({ field }) => isAdditionalField(field))
	.map(({ field, ...parameter }): INodeProperties => ({ ...parameter, name: field }));

/** The parameters of Transaction → Create (service interface, sections 2.1 and 2.2). */
export const transactionFields: INodeProperties[] = [
	{
		displayName: 'Specify Transaction',
		name: 'specifyTransaction',
		type: 'options',
		displayOptions: { show: showOnlyForTransactionCreate },
		options: [
			{
				name: 'Using Fields Below',
				value: 'fields',
				description: 'Enter each field, or drag it from the input panel',
			},
			{
				name: 'Map Columns',
				value: 'columns',
				description: 'Match the columns of your data to the fields of a transaction',
			},
			{
				name: 'From Input Item',
				value: 'item',
				description:
					'Each input item is a transaction already, with the field names of the service',
			},
			{
				name: 'Using JSON',
				value: 'json',
				description: 'One JSON object for each item',
			},
		],
		default: 'fields',
		description: 'Where the transaction comes from',
		builderHint: {
			propertyHint:
				"'fields' for a few payments or values from several nodes, 'columns' for rows of a table or file, 'item' if the items have the field names of the service, such as amount and sender: { externalEntityId, externalPaymentChannelId, countryCode }. Other fields of an item are ignored.",
		},
	},
	...mainFields,
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		displayOptions: { show: showOnlyFor('fields') },
		default: {},
		placeholder: 'Add Field',
		options: additionalFields,
	},
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		displayOptions: { show: showOnlyFor('columns') },
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getTransactionFields',
				mode: 'add',
				fieldWords: { singular: 'field', plural: 'fields' },
				addAllFields: true,
				multiKeyMatch: false,
				supportAutoMap: true,
			},
		},
		builderHint: {
			propertyHint:
				"Required: { mappingMode: 'defineBelow', value: { amount: expr('{{ $json.sum }}'), 'sender.countryCode': 'DE', … } } with the field names of the service, a dot for those of a party, and no schema. If the columns have the names of the fields, { mappingMode: 'autoMapInputData', value: null }: 'Sender Entity ID', 'Sender Channel ID', 'Sender Country', the same with Recipient, Amount, Currency, Reference, 'Payment Scheme', 'External ID'.",
		},
	},
	{
		displayName:
			"A column matches a field by its name, such as Amount or amount. Case, blanks, _ and - don't count. Other columns are left out.",
		name: 'columnsNotice',
		type: 'notice',
		displayOptions: {
			show: { ...showOnlyFor('columns'), '/columns.mappingMode': ['autoMapInputData'] },
		},
		default: '',
	},
	{
		displayName:
			'Each input item needs the field names of the service, such as amount, currency, externalId and sender.countryCode. Other fields of the item are left out.',
		name: 'itemNotice',
		type: 'notice',
		displayOptions: { show: showOnlyFor('item') },
		default: '',
	},
	{
		displayName: 'Transaction',
		name: 'transactionJson',
		type: 'json',
		required: true,
		displayOptions: { show: showOnlyFor('json') },
		default: '={{ $json }}',
		description: 'One transaction as a JSON object with the field names of the service',
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		displayOptions: { show: showOnlyForTransactionCreate },
		default: {},
		placeholder: 'Add Option',
		options,
	},
];
