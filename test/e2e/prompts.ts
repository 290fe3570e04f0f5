import { randomUUID } from 'node:crypto';
import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../host/n8n/client';

/*
 * What people ask an AI builder for, and the workflows that an agent writes from nothing but n8n's
 * type definitions of the nodes.
 */

export interface Prompt {
	sentence: string;
	workflow: WorkflowJson;
	/** The trigger that starts it by hand. Without one, an event or a request does. */
	start?: string;
	/** The event that starts it. */
	event?: { event: string; data: Record<string, unknown> };
	/** The node whose output is the result, and what its items must have. */
	result: { node: string; items: object[] };
}

const PAYMENTS = 'n8n-nodes-payments.payments';
const TRIGGER = 'n8n-nodes-payments.paymentsTrigger';

let nodes = 0;
const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
	more: Partial<INode> = {},
): INode => ({
	id: `node-${++nodes}`,
	name,
	type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
	typeVersion,
	position: [220 * nodes, 0],
	parameters,
	...more,
});

const credential = (type: string) => ({ credentials: { [type]: { id: null, name: type } } });
const manual = () => node('Start', 'manualTrigger', 1, {});
const code = (name: string, jsCode: string) => node(name, 'code', 2, { jsCode });
const payments = (parameters: INodeParameters, more: Partial<INode> = {}) =>
	node(
		'Payments',
		PAYMENTS,
		1,
		{ resource: 'transaction', operation: 'create', ...parameters },
		{ ...credential('paymentsApi'), ...more },
	);
const trigger = (parameters: INodeParameters) =>
	node('Payments Trigger', TRIGGER, 1.1, parameters, {
		webhookId: randomUUID(),
		...credential('paymentsWebhookApi'),
	});
const equals = (leftValue: string, rightValue: string) => ({
	options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
	combinator: 'and',
	conditions: [
		{ id: 'c1', leftValue, rightValue, operator: { type: 'string', operation: 'equals' } },
	],
});
const switchOn = (value: string, cases: string[]) =>
	node('Switch', 'switch', 3.2, {
		mode: 'rules',
		rules: {
			values: cases.map((one) => ({
				conditions: equals(value, one),
				renameOutput: true,
				outputKey: one,
			})),
		},
		options: { fallbackOutput: 'extra' },
	});

const locator = (value: string) => ({ __rl: true, mode: 'id', value });
/** The required parameters of *Using Fields Below*. */
const fields = (values: { amount: string; reference: string; externalId: string }) => ({
	specifyTransaction: 'fields',
	senderExternalEntityId: 'north_windmills',
	senderExternalPaymentChannelId: 'north_windmills_main',
	senderCountryCode: locator('BE'),
	recipientExternalEntityId: 'harbour_bakery',
	recipientExternalPaymentChannelId: 'harbour_bakery_eur',
	recipientCountryCode: locator('DK'),
	currency: locator('EUR'),
	paymentScheme: locator('SCT'),
	...values,
});
/** JavaScript for rows with the column names of a person. */
const rows = (count: number, prefix: string) =>
	`return Array.from({ length: ${count} }, (_, i) => ({ json: { Amount: String(i + 1) + '.00', Currency: 'EUR', Reference: '${prefix} ' + i, 'External ID': '${prefix}-' + i, 'Payment Scheme': 'SCT', 'Sender Entity ID': 'north_windmills', 'Sender Channel ID': 'main', 'Sender Country': 'BE', 'Recipient Entity ID': 'bakery', 'Recipient Channel ID': 'eur', 'Recipient Country': 'DK' } }));`;
const transaction = (externalId: string, amount: string) =>
	`return [{ json: { externalId: '${externalId}', reference: '${externalId}', amount: '${amount}', currency: 'EUR', paymentScheme: 'SCT', sender: { externalEntityId: 'a', externalPaymentChannelId: 'a1', countryCode: 'BE' }, recipient: { externalEntityId: 'b', externalPaymentChannelId: 'b1', countryCode: 'DK' } } }];`;
const autoMap = {
	specifyTransaction: 'columns',
	columns: { mappingMode: 'autoMapInputData', value: null },
};

/** Connects nodes in a line; a number before a node is the output that leads to it. */
function line(name: string, ...steps: Array<INode | [number, INode]>): WorkflowJson {
	const connections: WorkflowJson['connections'] = {};
	const list = steps.map((step) => (Array.isArray(step) ? step : ([0, step] as const)));
	for (const [index, [output, to]] of list.entries()) {
		if (index === 0) continue;
		const [, from] = list[index - 1];
		const main = Array.from({ length: output + 1 }, (_, i) =>
			i === output ? [{ node: to.name, type: 'main' as const, index: 0 }] : [],
		);
		connections[from.name] = { main };
	}
	return { name, nodes: list.map(([, one]) => one), connections, settings: {} };
}

/** @param chatUrl stands for Slack's incoming webhook */
export function prompts(chatUrl: string): Prompt[] {
	const loop = node('Loop Over Items', 'splitInBatches', 3, { batchSize: 20, options: {} });
	const looped = line('loop', manual(), code('Rows', rows(50, 'loop')), loop, [
		1,
		payments(autoMap),
	]);
	looped.connections.Payments = { main: [[{ node: loop.name, type: 'main', index: 0 }]] };

	const failed = { id: 'pmt_1', status: 'FAILED', amount: '12.50', currency: 'EUR' };
	return [
		{
			sentence: 'When a payment fails, write it to a data table and tell Slack',
			workflow: line(
				'failed',
				trigger({ events: ['PAYMENT.STATUS_UPDATED'] }),
				node('If Failed', 'if', 2.2, {
					conditions: equals('={{ $json.data.status }}', 'FAILED'),
					options: {},
				}),
				node('Table', 'dataTable', 1.1, {
					resource: 'table',
					operation: 'create',
					tableName: 'failed_payments',
					columns: { column: [{ name: 'payment', type: 'string' }] },
					options: { createIfNotExists: true },
				}),
				node('Insert', 'dataTable', 1.1, {
					resource: 'row',
					operation: 'insert',
					dataTableId: { __rl: true, mode: 'name', value: 'failed_payments' },
					columns: {
						mappingMode: 'defineBelow',
						value: { payment: "={{ $('If Failed').item.json.data.id }}" },
						matchingColumns: [],
						schema: [{ id: 'payment', displayName: 'payment', required: false, type: 'string' }],
					},
					options: {},
				}),
				node('Slack', 'httpRequest', 4.2, {
					method: 'POST',
					url: chatUrl,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ { "text": "Payment " + $json.payment + " failed" } }}',
					options: {},
				}),
			),
			event: { event: 'PAYMENT.STATUS_UPDATED', data: failed },
			result: { node: 'Slack', items: [{ text: 'Payment pmt_1 failed' }] },
		},
		{
			sentence: 'Pay one supplier 250 euros by SEPA',
			workflow: line(
				'one',
				manual(),
				payments(fields({ amount: '250.00', reference: 'Invoice 7', externalId: 'INV-7' })),
			),
			start: 'Start',
			result: { node: 'Payments', items: [{ outcome: 'created', amount: '250.00' }] },
		},
		{
			sentence: 'Pay the rows of my table, whose columns have the names of the fields',
			workflow: line('columns', manual(), code('Rows', rows(3, 'row')), payments(autoMap)),
			start: 'Start',
			result: { node: 'Payments', items: Array(3).fill({ outcome: 'created' }) as object[] },
		},
		{
			sentence: 'Pay it, and branch on whether it was created, a duplicate, or something else',
			workflow: line(
				'branches',
				manual(),
				code('Transaction', transaction('BR-1', '5.00')),
				payments({ specifyTransaction: 'item' }),
				switchOn('={{ $json.outcome }}', ['created', 'duplicate']),
				node('Created', 'noOp', 1, {}),
			),
			start: 'Start',
			result: { node: 'Created', items: [{ outcome: 'created', externalId: 'BR-1' }] },
		},
		{
			sentence: 'Check a list of payments without sending anything',
			workflow: line(
				'dry',
				manual(),
				code('Rows', rows(2, 'dry')),
				payments({ ...autoMap, options: { dryRun: true } }),
			),
			start: 'Start',
			result: { node: 'Payments', items: Array(2).fill({ outcome: 'dryRun' }) as object[] },
		},
		{
			sentence: 'Pay a list, and send the rows that are wrong to another branch',
			workflow: line(
				'wrong',
				manual(),
				code('Transaction', transaction('WR-1', 'a lot')),
				payments({ specifyTransaction: 'item' }, { onError: 'continueErrorOutput' }),
				[1, node('Wrong', 'noOp', 1, {})],
			),
			start: 'Start',
			result: { node: 'Wrong', items: [{ outcome: 'invalid' }] },
		},
		{
			sentence: 'Pay a very long list in batches',
			workflow: looped,
			start: 'Start',
			result: { node: 'Payments', items: Array(10).fill({ outcome: 'created' }) as object[] },
		},
		{
			sentence: 'Send each kind of event to a branch of its own',
			workflow: line(
				'kinds',
				trigger({
					events: ['PAYMENT.CREATED', 'PAYMENT.STATUS_UPDATED'],
					options: { oneOutputPerEventType: true },
				}),
				[1, node('Status', 'noOp', 1, {})],
			),
			event: { event: 'PAYMENT.STATUS_UPDATED', data: { ...failed, id: 'pmt_2' } },
			result: { node: 'Status', items: [{ event: 'PAYMENT.STATUS_UPDATED' }] },
		},
		{
			sentence: 'When a virtual account becomes active, send its bank details to our system',
			workflow: line(
				'account',
				trigger({ events: ['VIRTUAL_ACCOUNT.STATUS_UPDATED'] }),
				node('If Active', 'if', 2.2, {
					conditions: equals('={{ $json.data.status }}', 'ACTIVE'),
					options: {},
				}),
				node('Our System', 'httpRequest', 4.2, {
					method: 'POST',
					url: chatUrl,
					sendBody: true,
					specifyBody: 'json',
					jsonBody: '={{ $json.data.bankDetails }}',
					options: {},
				}),
			),
			event: {
				event: 'VIRTUAL_ACCOUNT.STATUS_UPDATED',
				data: { id: 'vac_1', status: 'ACTIVE', bankDetails: { iban: 'DK5000400440116243' } },
			},
			result: { node: 'Our System', items: [{ iban: 'DK5000400440116243' }] },
		},
		{
			sentence: 'When a payment comes in, pay 10 percent of it on to our charity',
			workflow: line(
				'on',
				trigger({ events: ['PAYMENT.CREATED'] }),
				payments(
					fields({
						amount: '={{ (Number($json.data.amount) / 10).toFixed(2) }}',
						reference: '=Part of {{ $json.data.id }}',
						externalId: '=part-{{ $json.data.id }}',
					}),
				),
			),
			event: { event: 'PAYMENT.CREATED', data: { id: 'pmt_3', amount: '120.00' } },
			result: { node: 'Payments', items: [{ outcome: 'created', amount: '12.00' }] },
		},
	];
}
