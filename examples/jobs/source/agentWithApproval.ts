import { agent, callThisWorkflow, chat, chatModel, manually, pass, whenCalled } from './otherNodes';
import { askForPayments } from './shared';
import { chain, code, createTable, insert, node, only, rows, exists, type Job } from './workflow';

const COLUMNS = ['supplier', 'invoice', 'amount', 'currency', 'method', 'account', 'country'];

/** Two of them have the same number, from two suppliers. */
const INVOICES = [
	['eus_north_windmills', 'INV-2026-0701', '120.00', 'EUR', 'SCT', 'vac_north_windmills', 'BE'],
	['eus_thames_cycles', 'INV-2026-0701', '91.35', 'EUR', 'SCT', 'vac_thames_cycles_eur', 'GB'],
	['eus_north_windmills', 'INV-2026-0703', '2480.00', 'EUR', 'SCT', 'vac_north_windmills', 'BE'],
].map((cells) => Object.fromEntries(COLUMNS.map((column, index) => [column, cells[index]])));

export const agentWithApproval: Job = {
	file: 'agent-with-approval',
	name: 'AI agent that can be trusted with money',
	lines: [
		[
			manually(),
			createTable('Create Table of Invoices', 'invoices_to_pay', COLUMNS),
			node('Example Invoices', 'set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ rows: INVOICES }, null, '\t'),
				options: {},
			}),
			node('Each Invoice', 'splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			exists('Only Missing Ones', 'rowNotExists', 'invoices_to_pay', [
				['supplier', 'eq', '={{ $json.supplier }}'],
				['invoice', 'eq', '={{ $json.invoice }}'],
			]),
			insert('Add Invoice', 'invoices_to_pay', COLUMNS),
		],
		[
			chat(),
			agent(
				'You ask for payments of invoices that are in the list. Call Pay_Invoice for each one. A small payment is approved at once and sent within a few minutes; for others, a person decides. So say that it is approved or that it waits for approval, never that it is paid. Never invent a supplier, an invoice number, an amount, or a currency: ask for what is missing. Two suppliers can use the same invoice number. If the tool says that something is not possible, tell the user why, and do not look for another way.',
			),
		],
		// n8n shows what an agent uses below it.
		[
			chatModel(),
			callThisWorkflow(
				'Pay Invoice',
				'Asks for the payment of one invoice of the list. Returns at once what became of it: approved, waiting for a person, or not possible and why.',
				{
					supplier: 'ID of the supplier, such as eus_north_windmills',
					invoice: 'Number of the invoice, such as INV-2026-0701',
					amount: 'Amount of the invoice, such as 120.00',
					currency: 'Currency of the invoice, such as EUR',
				},
			),
		],
		[
			whenCalled('When the Agent Asks', ['supplier', 'invoice', 'amount', 'currency']),
			rows('Find Invoice', 'invoices_to_pay', [
				['supplier', 'eq', '={{ $json.supplier }}'],
				['invoice', 'eq', '={{ $json.invoice }}'],
			]),
			code('Check Request', 'agentCheck'),
			only('if', 'Can Be Asked For', "={{ $json.answer ?? '' }}", 'empty'),
			askForPayments(),
		],
		[pass('Not Possible')],
	],
	connections: {
		...chain(
			'When clicking ‘Execute workflow’',
			'Create Table of Invoices',
			'Example Invoices',
			'Each Invoice',
			'Only Missing Ones',
			'Add Invoice',
		),
		'When chat message received': ['AI Agent'],
		'Chat Model': ['ai_languageModel>AI Agent'],
		'Pay Invoice': ['ai_tool>AI Agent'],
		...chain('When the Agent Asks', 'Find Invoice', 'Check Request', 'Can Be Asked For'),
		'Can Be Asked For': ['Ask for Payments', 'Not Possible'],
	},
	notes: [
		{
			line: 0,
			height: 130,
			width: 1100,
			content:
				'## 1. The list of invoices\nExecute this part once. It creates the data table `invoices_to_pay` with three examples. Then replace the examples with your own invoices. The agent can ask only for what is in this table.',
		},
		{
			line: 1,
			height: 120,
			width: 1100,
			content:
				"## 2. The agent\nIt has one tool, which asks for a payment and never sends one. Select a chat model of your own if you don't use OpenAI.",
		},
		{
			line: 3,
			height: 170,
			width: 1100,
			content:
				'## 3. What the agent asks for\nThe model names a supplier, an invoice, an amount, and a currency. They must match exactly one row of the table. **Ask for Payments** calls the workflow *Ask for payments*: it checks the payment, and approves it at once only within `agent up to` and `agent per day` of the settings. All others wait in the form *Approve payouts*.',
		},
	],
};
