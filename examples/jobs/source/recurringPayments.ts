import { fields, manually, schedule, ZONE } from './otherNodes';
import { askForPayments, settings } from './shared';
import { chain, code, createTable, exists, insert, node, only, rows, type Job } from './workflow';

const COLUMNS = [
	...['order', 'every', 'firstDue', 'lastDue', 'amount', 'currency', 'method'],
	...['supplier', 'account', 'country'],
];

const PAYMENT = {
	...Object.fromEntries(
		['invoice', ...COLUMNS.slice(4), 'row'].map((column) => [column, `$json.${column}`]),
	),
	job: "'recurring payments'",
	requestedBy: "'recurring payments'",
};

const ORDERS = [
	['RENT-QUAY-12', 'month', '2026-10-31', '', '1850.00', 'EUR', 'SCT'],
	['CLEANING', 'week', '2026-11-02', '2026-12-31', '240.50', 'EUR', 'SCT'],
	['INSURANCE-CYCLES', 'quarter', '2026-10-01', '', '320.00', 'GBP', 'FPS'],
].map((cells) =>
	Object.fromEntries(
		[...cells, 'eus_thames_cycles', `vac_thames_cycles_${cells[5].toLowerCase()}`, 'GB'].map(
			(cell, index) => [COLUMNS[index], cell],
		),
	),
);

export const recurringPayments: Job = {
	file: 'recurring-payments',
	name: 'Recurring payments',
	lines: [
		[
			manually(),
			createTable('Create Table of Standing Orders', 'standing_orders', COLUMNS),
			node('Example Standing Orders', 'set', 3.4, {
				mode: 'raw',
				jsonOutput: JSON.stringify({ rows: ORDERS }, null, '\t'),
				options: {},
			}),
			node('Each Order', 'splitOut', 1, { fieldToSplitOut: 'rows', options: {} }),
			exists('Only Missing Ones', 'rowNotExists', 'standing_orders', [
				['order', 'eq', '={{ $json.order }}'],
			]),
			insert('Add Standing Order', 'standing_orders', COLUMNS),
		],
		[
			schedule('Every Morning', { field: 'days', triggerAtHour: 6 }),
			settings(),
			fields('Today', { today: `={{ $now.setZone(${ZONE}).toISODate() }}` }, false),
			rows('Standing Orders', 'standing_orders'),
			rows('Payments So Far', 'payments', [['job', 'eq', 'recurring payments']]),
			code('Payments Due', 'duePayments'),
			fields('Payments to Ask For', PAYMENT, false),
			askForPayments(),
			only('filter', 'Not Asked For', '={{ $json.verdict }}', 'notEquals', 'to approve'),
			node('Stop with the List', 'stopAndError', 1, {
				errorMessage:
					"={{ $input.all().length }} recurring payments can't be asked for: {{ $input.all().slice(0, 20).map(({ json }) => `${json.invoice} (${json.answer})`).join('; ') }}",
			}),
		],
	],
	connections: {
		...chain(
			'When clicking ‘Execute workflow’',
			'Create Table of Standing Orders',
			'Example Standing Orders',
			'Each Order',
			'Only Missing Ones',
			'Add Standing Order',
		),
		...chain(
			...['Every Morning', 'Settings', 'Today', 'Standing Orders', 'Payments So Far'],
			...[
				'Payments Due',
				'Payments to Ask For',
				'Ask for Payments',
				'Not Asked For',
				'Stop with the List',
			],
		),
	},
	notes: [
		{
			line: 0,
			height: 190,
			width: 1100,
			content:
				'## 1. Standing orders\nExecute this part once. It creates the data table `standing_orders` with three examples. Then replace the examples with your own rows.\n- **every**: `week`, `month`, `quarter`, or `year`\n- **firstDue**, **lastDue**: dates such as `2026-10-31`. Leave **lastDue** empty if the order has no end.\n- **amount**: text with a dot, such as `1850.00`',
		},
		{
			line: 1,
			height: 240,
			width: 1100,
			content:
				'## 2. Ask for what is due\nEvery morning, **Payments Due** lists each period that is due and that nobody asked for. Its invoice is the order and the period, such as `RENT-QUAY-12-2026-11`, so each period is asked for once, even if the amount was changed meanwhile. **Ask for Payments** calls the workflow *Ask for payments*: it saves what has to be approved in the form *Approve payouts*. Periods that were missed while n8n was down are asked for once. With more than 12 open periods of an order, nothing is asked for.\n\nWhat can\'t be asked for stops the execution with a list: select *Nothing left in doubt* as **Error Workflow** in the settings of this workflow. To try another day, pin data in **Today**, such as `{ "today": "2026-12-31" }`.',
		},
	],
};
