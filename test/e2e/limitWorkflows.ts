import { FIELDS, isAdditionalField, parameterOf } from '../../nodes/Payments/Transaction';
import type { IDataObject, INode } from 'n8n-workflow';

import { SAMPLE } from '../support/builders/transactions';
import type { WorkflowJson } from '../../host/n8n/client';
import { agentWorkflow } from './agentWorkflow';

/*
 * Workflows that try to send transactions with a credential that has limits, each in another way.
 */

/** The limits that the transactions of this file are made for. */
export const LIMITS = { maxAmounts: 'EUR 1000, any 500', allowedCurrencies: 'EUR, USD, JPY' };

type Body = IDataObject & { externalId: string };

const body = (prefix: string, index: number, changes: IDataObject): Body => ({
	...(SAMPLE as unknown as IDataObject),
	eventId: `${prefix}-${index}`,
	externalId: `${prefix}-${index}`,
	...changes,
});

const BEYOND: IDataObject[] = [
	{ amount: '1000.01' },
	{ amount: '999999999999999999999999.99' },
	{ amount: '500.01', currency: 'USD' },
	{ amount: '501', currency: 'JPY' },
	{ amount: '1', currency: 'GBP' },
	{ amount: '00001001' },
];

/** Transactions beyond the limits, each in another way than the one before. */
export const beyond = (prefix: string, count: number): Body[] =>
	Array.from({ length: count }, (_, index) => body(prefix, index, BEYOND[index % BEYOND.length]));

/** Transactions at the limits. */
export const within = (prefix: string, count: number): Body[] =>
	Array.from({ length: count }, (_, index) =>
		body(
			`${prefix}-within`,
			index,
			[{ amount: '1000' }, { amount: '500', currency: 'USD' }][index % 2],
		),
	);

export const START = 'Start';
export const SEND = 'Send';

const START_NODE: INode = {
	id: 'start',
	name: START,
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Start → items → a node that sends, and goes on after items that it can't send. */
function workflow(
	name: string,
	items: object[],
	send: Pick<INode, 'type' | 'typeVersion' | 'parameters'>,
): WorkflowJson {
	const itemsNode: INode = {
		id: 'items',
		name: 'Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		position: [200, 0],
		parameters: { jsCode: `return ${JSON.stringify(items)};` },
	};
	const sendNode: INode = {
		id: 'send',
		name: SEND,
		position: [400, 0],
		onError: 'continueRegularOutput',
		credentials: { paymentsApi: { id: '', name: '' } },
		...send,
	};
	return {
		name,
		nodes: [START_NODE, itemsNode, sendNode],
		connections: {
			[START]: { main: [[{ node: 'Items', type: 'main', index: 0 }]] },
			Items: { main: [[{ node: SEND, type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/** By the Payments node. */
export const byPaymentsNode = (bodies: Body[]): WorkflowJson =>
	workflow(
		'Payments node',
		bodies.map((json) => ({ json })),
		{
			type: 'n8n-nodes-payments.payments',
			typeVersion: 1,
			parameters: {
				resource: 'transaction',
				operation: 'create',
				specifyTransaction: 'item',
				options: {},
			},
		},
	);

const httpRequest = (url: string, parameters: IDataObject) => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'POST',
		url,
		authentication: 'predefinedCredentialType',
		nodeCredentialType: 'paymentsApi',
		sendBody: true,
		options: {},
		...parameters,
	} as INode['parameters'],
});

/** By n8n's HTTP Request node with a JSON body. */
export const byJson = (url: string, bodies: Body[]): WorkflowJson =>
	workflow(
		'HTTP Request, JSON',
		bodies.map((json) => ({ json })),
		httpRequest(url, { specifyBody: 'json', jsonBody: '={{ $json }}' }),
	);

/** With form fields, URL-encoded or multipart. */
export const byForm = (
	url: string,
	bodies: Body[],
	contentType: 'form-urlencoded' | 'multipart-form-data',
): WorkflowJson =>
	workflow(
		`HTTP Request, ${contentType}`,
		bodies.map((json) => ({ json })),
		httpRequest(url, {
			contentType,
			bodyParameters: {
				parameters: ['eventId', 'externalId', 'amount', 'currency'].map((name) => ({
					parameterType: 'formData',
					name,
					value: `={{ $json.${name} }}`,
				})),
			},
		}),
	);

/** With a body of raw text, sent as JSON. */
export const byText = (url: string, texts: string[]): WorkflowJson =>
	workflow(
		'HTTP Request, raw text',
		texts.map((text) => ({ json: { text } })),
		httpRequest(url, {
			contentType: 'raw',
			rawContentType: 'application/json',
			body: '={{ $json.text }}',
		}),
	);

/** With a file as body. */
export const byFile = (url: string, bodies: Body[]): WorkflowJson =>
	workflow(
		'HTTP Request, binary',
		bodies.map((transaction) => ({
			json: {},
			binary: {
				data: {
					data: Buffer.from(JSON.stringify(transaction)).toString('base64'),
					mimeType: 'application/json',
					fileName: 'transaction.json',
				},
			},
		})),
		httpRequest(url, { contentType: 'binaryData', inputDataFieldName: 'data' }),
	);

/**
 * By an agent with two tools: the Payments node and the HTTP Request node, both with the
 * credential.
 */
/** The fields of the node, each a member of what an expression gives. */
const fieldsOf = (expression: string) => ({
	specifyTransaction: 'fields',
	...Object.fromEntries(
		FIELDS.filter((field) => !isAdditionalField(field)).map((field) => [
			parameterOf(field),
			`={{ ${expression}.${field.replace('.', '?.')} }}`,
		]),
	),
});

export const byAgent = (url: string): WorkflowJson =>
	agentWorkflow(
		'Agent with limits',
		[
			{
				id: 'payments',
				name: 'payments',
				type: 'n8n-nodes-payments.paymentsTool',
				typeVersion: 1,
				position: [400, 200],
				onError: 'continueRegularOutput',
				parameters: {
					resource: 'transaction',
					operation: 'create',
					...fieldsOf("JSON.parse($fromAI('transaction', 'the transaction as JSON', 'string'))"),
					options: {},
					descriptionType: 'manual',
					toolDescription: 'Creates a transaction',
				},
				credentials: { paymentsApi: { id: '', name: '' } },
			},
			{
				id: 'http',
				name: 'http',
				type: 'n8n-nodes-base.httpRequestTool',
				typeVersion: 4.2,
				position: [600, 200],
				onError: 'continueRegularOutput',
				...{
					parameters: {
						...httpRequest(url, {
							specifyBody: 'json',
							jsonBody: "={{ $fromAI('transaction', 'the transaction as JSON', 'string') }}",
						}).parameters,
						toolDescription: 'Sends a transaction',
					},
				},
				credentials: { paymentsApi: { id: '', name: '' } },
			},
		],
		{ maxIterations: 500 },
	);
