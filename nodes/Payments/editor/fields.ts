import type { INodeProperties } from 'n8n-workflow';

import { options } from './options';
import { outputParameters } from './outputParameters';
import type { Field } from '../Transaction';

const showOnlyForTransactionCreate = {
	resource: ['transaction'],
	operation: ['create'],
};
const showOnlyForFields = { ...showOnlyForTransactionCreate, specifyTransaction: ['fields'] };
const showOnlyForColumns = { ...showOnlyForTransactionCreate, specifyTransaction: ['columns'] };
const showOnlyForInputItem = { ...showOnlyForTransactionCreate, specifyTransaction: ['item'] };
const showOnlyForJson = { ...showOnlyForTransactionCreate, specifyTransaction: ['json'] };

const ADDITIONAL_FIELDS: readonly Field[] = [
	'baseAmount',
	'eventId',
	'externalStatus',
	'receivedAt',
];

/** Says whether a field is rarely used. */
export const isAdditionalField = (field: Field) => ADDITIONAL_FIELDS.includes(field);

/**
 * Names the parameter that holds a field of the service interface: `senderCountryCode` for `sender.countryCode`. Those that are rarely used
 * are in a collection.
 */
export const parameterOf = (field: Field) =>
	isAdditionalField(field)
		? `additionalFields.${field}`
		: field.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());

/** The fields of Transaction → Create: who pays, who is paid, how much and for what, and the rest below (service interface, sections 2.1 and 2.2). */
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
	},
	{
		displayName: 'Sender Entity ID',
		name: 'senderExternalEntityId',
		type: 'string',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: '',
		placeholder: 'e.g. pyr_north_windmills',
		description: 'ID of the person or company that pays (sender.externalEntityId)',
	},
	{
		displayName: 'Sender Payment Channel ID',
		name: 'senderExternalPaymentChannelId',
		type: 'string',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: '',
		placeholder: 'e.g. pyr_north_windmills_main',
		description: 'ID of the account or wallet that pays (sender.externalPaymentChannelId)',
	},
	{
		displayName: 'Sender Country',
		name: 'senderCountryCode',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a country...',
				typeOptions: { searchListMethod: 'searchCountries', searchable: true },
			},
			{
				displayName: 'By Code',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. DE',
			},
		],
		description:
			'Country of the sender, by its ISO 3166-1 code of two letters (sender.countryCode)',
	},
	{
		displayName: 'Recipient Entity ID',
		name: 'recipientExternalEntityId',
		type: 'string',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: '',
		placeholder: 'e.g. eus_harbour_bakery',
		description: 'ID of the person or company that is paid (recipient.externalEntityId)',
	},
	{
		displayName: 'Recipient Payment Channel ID',
		name: 'recipientExternalPaymentChannelId',
		type: 'string',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: '',
		placeholder: 'e.g. vac_harbour_bakery_eur',
		description: 'ID of the account or wallet that is paid (recipient.externalPaymentChannelId)',
	},
	{
		displayName: 'Recipient Country',
		name: 'recipientCountryCode',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a country...',
				typeOptions: { searchListMethod: 'searchCountries', searchable: true },
			},
			{
				displayName: 'By Code',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. DE',
			},
		],
		description:
			'Country of the recipient, by its ISO 3166-1 code of two letters (recipient.countryCode)',
	},
	{
		displayName: 'Amount',
		name: 'amount',
		type: 'string',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: '',
		placeholder: 'e.g. 2501.00',
		description: 'Decimal number with a dot and without thousands separators (amount)',
	},
	{
		displayName: 'Currency',
		name: 'currency',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a currency...',
				typeOptions: { searchListMethod: 'searchCurrencies', searchable: true },
			},
			{
				displayName: 'By Code',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. EUR',
			},
		],
		description: 'Currency of the amount, by its ISO 4217 code of three letters (currency)',
	},
	{
		displayName: 'Reference',
		name: 'reference',
		type: 'string',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: '',
		placeholder: 'e.g. Invoice 2026-0042',
		description: 'What the payment is for, for example an invoice number (reference)',
	},
	{
		displayName: 'Payment Scheme',
		name: 'paymentScheme',
		type: 'resourceLocator',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Select a payment scheme...',
				typeOptions: { searchListMethod: 'searchPaymentSchemes', searchable: true },
			},
			{
				displayName: 'By Name',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. SCT',
			},
		],
		description:
			'How the money moves (paymentScheme). The service can accept more schemes than the list has.',
	},
	{
		displayName: 'External ID',
		name: 'externalId',
		type: 'string',
		required: true,
		displayOptions: { show: showOnlyForFields },
		default: '',
		placeholder: 'e.g. INV-2026-0042',
		description:
			'ID of this transaction in your own system, a different one for each payment (externalId)',
	},
	{
		displayName: 'Created At',
		name: 'externalCreatedAt',
		type: 'dateTime',
		displayOptions: { show: showOnlyForFields },
		default: '',
		description:
			'When the transaction was created in your own system (externalCreatedAt). If empty, it is the time of sending.',
	},
	{
		displayName: 'Additional Fields',
		name: 'additionalFields',
		type: 'collection',
		displayOptions: { show: showOnlyForFields },
		default: {},
		placeholder: 'Add Field',
		options: [
			{
				displayName: 'Base Amount',
				name: 'baseAmount',
				type: 'string',
				default: '',
				placeholder: 'e.g. 2501.00',
				description:
					'Amount after conversion into your base currency (baseAmount). If empty, it is the same as the amount.',
			},
			{
				displayName: 'Event ID',
				name: 'eventId',
				type: 'string',
				default: '',
				placeholder: 'e.g. 5609c570-3b45-4bec-a326-9d50ee465156',
				description:
					'The idempotency key: the service records each Event ID once (eventId). If empty, it is generated from the payment, so the same payment always has the same one. Enter an ID only if your own system has one for each payment, and never generate a new one for a retry.',
			},
			{
				displayName: 'External Status',
				name: 'externalStatus',
				type: 'string',
				default: '',
				placeholder: 'e.g. settled',
				description: 'Status of this transaction in your own system (externalStatus)',
			},
			{
				displayName: 'Received At',
				name: 'receivedAt',
				type: 'dateTime',
				default: '',
				description:
					'When the service received the transaction (receivedAt). If empty, it is the time of sending.',
			},
		],
	},
	{
		displayName: 'Columns',
		name: 'columns',
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		displayOptions: { show: showOnlyForColumns },
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
	},
	{
		displayName:
			"A column matches a field by its name, such as Amount or amount. Case, blanks, _ and - don't count. Other columns are left out.",
		name: 'columnsNotice',
		type: 'notice',
		displayOptions: {
			show: { ...showOnlyForColumns, '/columns.mappingMode': ['autoMapInputData'] },
		},
		default: '',
	},
	{
		displayName:
			'Each input item needs the field names of the service, such as amount, currency, externalId and sender.countryCode. Other fields of the item are left out.',
		name: 'itemNotice',
		type: 'notice',
		displayOptions: { show: showOnlyForInputItem },
		default: '',
	},
	{
		displayName: 'Transaction',
		name: 'transactionJson',
		type: 'json',
		required: true,
		displayOptions: { show: showOnlyForJson },
		default: '={{ $json }}',
		description: 'One transaction as a JSON object with the field names of the service',
	},
	...outputParameters,
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
