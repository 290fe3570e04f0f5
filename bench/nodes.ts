import type { INode } from 'n8n-workflow';
import { PARALLEL, RATE_PER_SECOND, type NodeSubject } from './subjects';

/**
 * Where the twelve fields that come from expressions stand in an item; the Payments node's
 * parameters for them, in the same order, are below.
 */
const PATHS = [
	'eventId',
	'baseAmount',
	'receivedAt',
	'externalId',
	'reference',
	'amount',
	'externalCreatedAt',
	'sender.externalEntityId',
	'sender.externalPaymentChannelId',
	'sender.countryCode',
	'recipient.externalEntityId',
	'recipient.externalPaymentChannelId',
];
/** The fields that are typed, by their paths. */
const TYPED = { currency: 'EUR', paymentScheme: 'SCT', 'recipient.countryCode': 'DK' };

/**
 * The node names a field of a party in one word: sender.countryCode is its parameter
 * senderCountryCode.
 */
const parameterOf = (path: string) =>
	path.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());

/** The parameters of the Payments node's fields: twelve from expressions, the others typed. */
function fields(expressionFor: (path: string) => string) {
	const all = [
		...PATHS.map((path) => [path, `=${expressionFor(path)}`]),
		...Object.entries(TYPED),
	].map(([path, value]) => [parameterOf(path), value]);
	const { eventId, baseAmount, receivedAt, externalCreatedAt, ...main } = Object.fromEntries(
		all,
	) as Record<string, string>;
	return {
		specifyTransaction: 'fields',
		...main,
		additionalFields: { eventId, baseAmount, receivedAt, externalCreatedAt },
	};
}

const dragged = (path: string) => `{{ $json.${path} }}`;

/** Something that only n8n's engine can work out, and that the service accepts. */
function calculated(path: string): string {
	if (path.endsWith('At')) return `{{ $json.${path} + 1 }}`;
	if (path.endsWith('mount')) return `{{ "1" + $json.${path}.trim() }}`;
	if (path.endsWith('Code')) return `{{ $json.${path}.toUpperCase() }}`;
	return `{{ $json.${path}.toUpperCase() + "x" }}`;
}

/** The body as JSON with the same twelve expressions in it. */
const TEMPLATE = `={
	"eventId": "${dragged('eventId')}",
	"externalId": "${dragged('externalId')}",
	"reference": "${dragged('reference')}",
	"amount": "${dragged('amount')}",
	"currency": "EUR",
	"baseAmount": "${dragged('baseAmount')}",
	"paymentScheme": "SCT",
	"sender": {
		"externalEntityId": "${dragged('sender.externalEntityId')}",
		"externalPaymentChannelId": "${dragged('sender.externalPaymentChannelId')}",
		"countryCode": "${dragged('sender.countryCode')}"
	},
	"recipient": {
		"externalEntityId": "${dragged('recipient.externalEntityId')}",
		"externalPaymentChannelId": "${dragged('recipient.externalPaymentChannelId')}",
		"countryCode": "DK"
	},
	"externalCreatedAt": ${dragged('externalCreatedAt')},
	"receivedAt": ${dragged('receivedAt')}
}`;

/** The same as keys and values; a dot in a key nests. */
const KEY_VALUE = [
	...PATHS.map((name) => ({ name, value: `=${dragged(name)}` })),
	...Object.entries(TYPED).map(([name, value]) => ({ name, value })),
];

type Measured = Pick<INode, 'type' | 'typeVersion' | 'parameters'>;

const payments = (
	parameters: object,
	options: object = { maxConcurrentRequests: PARALLEL },
): Measured => ({
	type: 'n8n-nodes-payments.payments',
	typeVersion: 1,
	parameters: {
		resource: 'transaction',
		operation: 'create',
		...parameters,
		options,
	} as INode['parameters'],
});

/**
 * With its own defaults: no batching, so that all requests are sent at once, which is its fastest.
 */
const httpRequest = (url: string, body: object): Measured => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.5,
	parameters: {
		method: 'POST',
		url: `${url}/api/v1/transactions`,
		authentication: 'genericCredentialType',
		genericAuthType: 'oAuth2Api',
		sendBody: true,
		contentType: 'json',
		...body,
		options: {},
	},
});

const NODES: Record<NodeSubject, (url: string) => Measured> = {
	item: () => payments({ specifyTransaction: 'item' }),
	'item-default': () => payments({ specifyTransaction: 'item' }, {}),
	'item-next': () => payments({ specifyTransaction: 'item' }, {}),
	'item-per-second': () =>
		payments({ specifyTransaction: 'item' }, { maxRequestsPerSecond: RATE_PER_SECOND }),
	'item-20': () => payments({ specifyTransaction: 'item' }, { maxConcurrentRequests: 20 }),
	'item-50': () => payments({ specifyTransaction: 'item' }, { maxConcurrentRequests: 50 }),
	'item-100': () => payments({ specifyTransaction: 'item' }, { maxConcurrentRequests: 100 }),
	'item-200': () => payments({ specifyTransaction: 'item' }, { maxConcurrentRequests: 200 }),
	dragged: () => payments(fields(dragged)),
	expressions: () => payments(fields(calculated)),
	'http-template': (url) => httpRequest(url, { specifyBody: 'json', jsonBody: TEMPLATE }),
	'http-keyvalue': (url) =>
		httpRequest(url, { specifyBody: 'keypair', bodyParameters: { parameters: KEY_VALUE } }),
	'http-json': (url) => httpRequest(url, { specifyBody: 'json', jsonBody: '={{ $json }}' }),
};

/** The type of the credential that a node sends with. */
export const credentialTypeOf = (subject: NodeSubject): string =>
	subject.startsWith('http-') ? 'oAuth2Api' : 'paymentsApi';

/** The node that is measured, for a service at `url`. */
export const nodeOf = (subject: NodeSubject, url: string): Measured => NODES[subject](url);
