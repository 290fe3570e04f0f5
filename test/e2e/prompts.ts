import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { IDataObject, INode } from 'n8n-workflow';

import type { WorkflowJson } from '../../host/n8n/client';
import type { Faults } from '../../sandbox/types';

/*
 * What people ask an AI builder for. The workflow of each is in test/fixtures/aiBuilder, as an
 * author wrote it who knew nothing but n8n's type definitions of the nodes and their hints.
 */

interface Result {
	/** Rows of data tables, by the name of the table. */
	rows?: Record<string, object[]>;
	/** What Slack and the mail server get. */
	messages?: unknown[];
	mails?: unknown[];
	/** What the caller gets: a shop, somebody who chats, or who fills in a form. */
	response?: unknown;
	/** The outcomes that the tool of the assistant returns. */
	outcomes?: string[];
	/** Payments that the service has recorded. */
	recorded?: number;
	/** After so many requests, the service gets none for a second. */
	pauseAfter?: number;
	/** Of the executions, if they fail on purpose. */
	status?: 'error';
}

export interface Prompt {
	sentence: string;
	/** What is so in this test, if a sentence has several. */
	when?: string;
	file: string;
	/** The rows that the tables of the workflow have before. */
	tables?: Record<string, IDataObject[]>;
	/** Starts the workflow: these events, or this request (of a form: its fields). */
	events?: Array<{ event: string; data: IDataObject; previousValues?: IDataObject }>;
	request?: IDataObject | IDataObject[];
	/** The triggers by which somebody runs it then. Without events and a request: its first. */
	runs?: string[];
	/** The calls of its tool that the model of the assistant makes. */
	calls?: IDataObject[];
	/** Limits of the credential. */
	limits?: Record<string, string>;
	faults?: Faults;
	result: Result;
}

export const text = (part: string) => expect.stringContaining(part) as unknown;
export const failed = {
	event: 'PAYMENT.STATUS_UPDATED',
	previousValues: { status: 'PROCESSING' },
	data: {
		id: 'pmt_1',
		amount: '12.50',
		currency: 'EUR',
		reference: 'Invoice 7',
		status: 'FAILED',
		metadata: { externalId: 'INV-7' },
	},
};
const invoice = (invoiceNumber: string, dueDate: string) => ({
	invoiceNumber,
	supplierId: 'city-power',
	supplierAccountId: 'city-power-eur-account',
	supplierCountry: 'DE',
	amount: '89.90',
	currency: 'EUR',
	dueDate,
	status: 'approved',
	outcome: '',
	outcomeMessage: '',
	eventId: '',
	lastTriedAt: '',
});

export const prompts: Prompt[] = [
	{
		sentence:
			'When a payment fails, write it down in my failed payments table and tell the team in #payments on Slack.',
		file: 'failed-payments',
		tables: { failed_payments: [] },
		events: [failed],
		result: {
			rows: { failed_payments: [{ paymentId: 'pmt_1', externalId: 'INV-7', amount: '12.50' }] },
			messages: [text('Payment failed: 12.50 EUR')],
		},
	},
	{
		sentence:
			'Our shop sends us an order over the web (with a secret header) – pay the seller out right away and answer the shop with whether it worked.',
		file: 'pay-order',
		request: {
			orderId: 'SO-20117',
			amount: 149.9,
			currency: 'EUR',
			seller: { id: 'seller-318', accountId: 'seller-318-eur', country: 'DE' },
		},
		result: { response: { orderId: 'SO-20117', paid: true, outcome: 'created' }, recorded: 1 },
	},
	{
		sentence:
			'I have a CSV with payouts from our German accounting (semicolons, decimal commas): pay all rows, 200 at a time, never more than 250,000 euros altogether, note the result of each row in a table, and post a summary to Slack.',
		file: 'pay-csv',
		tables: { payout_results: [] },
		result: {
			rows: {
				payout_results: [
					{ externalId: 'ER-2025-0815', outcome: 'created', amount: '1249.90' },
					{ externalId: 'ER-2025-0816', outcome: 'created', amount: '380.00' },
					{ externalId: 'ER-2025-0817', outcome: 'created', amount: '2075.5' },
				],
			},
			messages: [text('3 rows, 3 recorded, 0 refused, 0 unclear, 0 not sent')],
			recorded: 3,
		},
	},
	{
		sentence:
			"Every Monday pay our partners' commissions; if it isn't clear whether one went through, wait 15 minutes and try it again, and alert us on Slack if it's still unclear – but never pay anybody twice.",
		file: 'commissions',
		faults: { next: [{ fault: 'dropAfter', times: 3 }] },
		result: { messages: [], recorded: 3 },
	},
	{
		sentence:
			'Depending on what the payment service tells us, do different things: log new payments, update the log when a status changes, email finance about returned money, and post changes of virtual accounts to Slack.',
		file: 'route-events',
		tables: { payment_log: [] },
		events: [
			{ event: 'PAYMENT.CREATED', data: { ...failed.data, direction: 'OUT', status: 'CREATED' } },
			failed,
			{ event: 'RETURN.CREATED', data: { id: 'ret_1', amount: '12.50', currency: 'EUR' } },
			{
				event: 'VIRTUAL_ACCOUNT.STATUS_UPDATED',
				data: { id: 'vac_1', label: 'Main', status: 'ACTIVE' },
				previousValues: { status: 'CREATED' },
			},
		],
		result: {
			rows: { payment_log: [{ paymentId: 'pmt_1', direction: 'OUT', status: 'FAILED' }] },
			messages: ['Virtual account Main: CREATED → ACTIVE'],
			mails: [text('Money returned: 12.50 EUR')],
		},
	},
	{
		sentence:
			'Every weekday at 7 in the morning pay the approved invoices that are due from my invoices table, and write next to each one what came of it.',
		file: 'due-invoices',
		tables: { invoices: [invoice('INV-1', '2026-01-01'), invoice('INV-2', '2999-01-01')] },
		result: {
			rows: {
				invoices: [
					{ invoiceNumber: 'INV-1', status: 'sent', outcome: 'created' },
					{ invoiceNumber: 'INV-2', status: 'approved', outcome: '' },
				],
			},
			recorded: 1,
		},
	},
	{
		sentence:
			"Every Friday afternoon pay our contractors' timesheets, and sort the results: the good ones go into a table, the refused ones to finance in one email, and anything unclear to Slack.",
		file: 'timesheets',
		tables: { contractor_payments: [] },
		faults: { next: [{ fault: 'dropAfter' }, { status: 400 }] },
		result: {
			rows: { contractor_payments: [{ outcome: 'created' }] },
			messages: [text('was paid (unknown)')],
			mails: [text('1 contractor payment(s) refused')],
			recorded: 2,
		},
	},
	{
		sentence:
			"I want to chat with an assistant that can pay our suppliers' invoices for me, but only suppliers from my list, at most 500 euros each and 1,000 euros per message.",
		file: 'assistant',
		tables: {
			suppliers: [
				{
					name: 'City Power',
					supplierId: 'city-power',
					accountId: 'city-power-eur',
					country: 'DE',
				},
			],
		},
		request: { action: 'sendMessage', sessionId: 'session', chatInput: 'Pay INV-1.' },
		calls: [
			{ supplierId: 'city-power', amount: '129.90', invoiceNumber: 'INV-1' },
			{ supplierId: 'a-stranger', amount: '1.00', invoiceNumber: 'INV-2' },
			{ supplierId: 'city-power', amount: '500.01', invoiceNumber: 'INV-3' },
		],
		result: {
			response: { output: 'Done.' },
			outcomes: ['created', 'invalid', 'invalid'],
			recorded: 1,
		},
	},
	{
		sentence:
			'Before you send the salaries, check the whole list first: if anything is wrong with any of them, email me what it is and pay nobody, otherwise pay them all.',
		file: 'check-salaries',
		result: { mails: [], recorded: 3 },
	},
	{
		sentence:
			"Whenever the status of a payment changes, update the row of my payouts table with the same ID of ours, and don't lose an update if the table can't be written at that moment.",
		file: 'payout-status',
		tables: {
			payouts: [
				{ externalId: 'INV-7', status: '', previousStatus: '', paymentId: '', statusChangedAt: '' },
			],
		},
		events: [failed],
		result: {
			rows: { payouts: [{ externalId: 'INV-7', status: 'FAILED', previousStatus: 'PROCESSING' }] },
		},
	},
];

export const FIXTURES = join(__dirname, '..', 'fixtures', 'aiBuilder');

export const readPromptWorkflow = (file: string): WorkflowJson =>
	JSON.parse(readFileSync(join(FIXTURES, `${file}.json`), 'utf8')) as WorkflowJson;

/** What stands for the nodes that need more than this machine, or more time. */
const REPLACEMENTS: Record<string, (parameters: IDataObject, url: string) => Partial<INode>> = {
	'n8n-nodes-base.slack': ({ text }, url) =>
		httpRequest({
			method: 'POST',
			url,
			sendBody: true,
			bodyParameters: { parameters: [{ name: 'text', value: text }] },
		}),
	'n8n-nodes-base.readWriteFile': ({ fileSelector }, url) =>
		httpRequest({
			url: `${url}/${basename(fileSelector as string)}`,
			options: { response: { response: { responseFormat: 'file' } } },
		}),
	// It must not start on its own while the trigger beside it listens.
	'n8n-nodes-base.scheduleTrigger': () => ({
		parameters: { rule: { interval: [{ field: 'months', monthsInterval: 12 }] } },
	}),
	'n8n-nodes-base.wait': () => ({ parameters: { amount: 1, unit: 'seconds' } }),
	// It talks in the editor only, and the test comes from outside.
	'@n8n/n8n-nodes-langchain.chatTrigger': () => ({ parameters: { public: true, options: {} } }),
};

const httpRequest = (parameters: IDataObject) => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: parameters as INode['parameters'],
	credentials: undefined,
});

/**
 * Replaces Slack and the file by a server of this machine, and 15 minutes by a second. Nothing else
 * changes, but each trigger gets an address of its own.
 */
export const replaceOutside = (workflow: WorkflowJson, url: string): WorkflowJson => ({
	...workflow,
	nodes: workflow.nodes.map((node) => ({
		...node,
		webhookId: randomUUID(),
		...REPLACEMENTS[node.type]?.(node.parameters, url),
	})),
});
