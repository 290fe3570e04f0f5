import type { INodeProperties } from 'n8n-workflow';

import { choice, collection, moment, notice, text } from '../../shared/properties';
import { options } from './options';
import type { Field } from './validate';

const show = { resource: ['transaction'], operation: ['create'] };
const inMode = (mode: string) => ({
	displayOptions: { show: { ...show, specifyTransaction: [mode] } },
});
const fieldsMode = inMode('fields');

const ADDITIONAL: readonly Field[] = ['baseAmount', 'eventId', 'externalStatus', 'receivedAt'];

/** Which parameter of the node carries a field of the wire: `sender.countryCode` is `senderCountryCode`, the rarely used ones stand in a collection. */
export const parameterOf = (field: Field) =>
	ADDITIONAL.includes(field)
		? `additionalFields.${field}`
		: field.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());

const required = (displayName: string, name: string, example: string, description: string) =>
	text(displayName, name, description, {
		required: true,
		placeholder: `e.g. ${example}`,
		...fieldsMode,
	});

const party = (
	label: 'Sender' | 'Recipient',
	who: string,
	[entity, channel, country]: [string, string, string],
): INodeProperties[] => {
	const prefix = label.toLowerCase();
	return [
		required(
			`${label} Entity ID`,
			`${prefix}ExternalEntityId`,
			entity,
			`ID of the person or company that ${who} (${prefix}.externalEntityId)`,
		),
		required(
			`${label} Payment Channel ID`,
			`${prefix}ExternalPaymentChannelId`,
			channel,
			`ID of the account or wallet of whoever ${who} (${prefix}.externalPaymentChannelId)`,
		),
		required(
			`${label} Country`,
			`${prefix}CountryCode`,
			country,
			`Country of whoever ${who}, as two letters of ISO 3166-1 (${prefix}.countryCode)`,
		),
	];
};

const additionalFields = [
	text(
		'Base Amount',
		'baseAmount',
		'The amount after conversion into your base currency. Leave empty when there was none: it is then the same as Amount.',
		{ placeholder: 'e.g. 2501.00' },
	),
	text(
		'Event ID',
		'eventId',
		'Leave empty: it is then worked out from the content, so the same payment always has the same ID and cannot be recorded twice. Fill it in only if your own system already has one ID per payment; never make up a new one for another try.',
		{ placeholder: 'e.g. 5609c570-3b45-4bec-a326-9d50ee465156' },
	),
	text(
		'External Status',
		'externalStatus',
		'What your own system calls the state of this transaction. Left empty, none is sent.',
		{ placeholder: 'e.g. settled' },
	),
	moment(
		'Received At',
		'receivedAt',
		'When the service received the transaction. Left empty, it is the time of sending.',
	),
];

/** What the user sees for Transaction → Create: who pays, who gets, what, when; the rest below (service interface, sections 2.1 and 2.2). */
export const transactionFields: INodeProperties[] = [
	choice(
		'Specify Transaction',
		'specifyTransaction',
		'Where the transaction is taken from',
		[
			['Using Fields Below', 'fields', 'Type each field, or drag it from the input'],
			[
				'From Input Item',
				'item',
				'Each input item is a transaction already, with the field names of the service',
			],
			['Using JSON', 'json', 'One JSON object for each item'],
		],
		{ displayOptions: { show } },
	),
	...party('Sender', 'pays', ['pyr_north_windmills', 'pyr_north_windmills_main', 'BE']),
	...party('Recipient', 'is paid', ['eus_harbour_bakery', 'vac_harbour_bakery_eur', 'DK']),
	required(
		'Amount',
		'amount',
		'2501.00',
		'As a decimal number with a dot, without thousands separators (amount)',
	),
	required('Currency', 'currency', 'EUR', 'As three letters of ISO 4217 (currency)'),
	required(
		'Reference',
		'reference',
		'Invoice 2026-0042',
		'What the payment is for, for example an invoice number (reference)',
	),
	required(
		'Payment Scheme',
		'paymentScheme',
		'SCT',
		'How the money moves, for example SCT, SEPA or FPS (paymentScheme)',
	),
	required(
		'External ID',
		'externalId',
		'INV-2026-0042',
		'The ID of this transaction in your own system, one for each payment (externalId)',
	),
	moment(
		'Created At',
		'externalCreatedAt',
		'When the transaction was created in your own system (externalCreatedAt). Left empty, it is the time of sending.',
		fieldsMode,
	),
	collection('Additional Fields', 'additionalFields', 'Add Field', additionalFields, fieldsMode),
	notice(
		'itemNotice',
		'Each input item needs the field names of the service, such as amount, currency, externalId and sender.countryCode. Other fields of the item are left out.',
		inMode('item'),
	),
	text(
		'Transaction',
		'transactionJson',
		'One transaction as a JSON object with the field names of the service',
		{ type: 'json', default: '={{ $json }}', required: true, ...inMode('json') },
	),
	collection('Options', 'options', 'Add Option', options, { displayOptions: { show } }),
];
