import type { IDataObject } from 'n8n-workflow';

import { failed, text, type Prompt } from './prompts';

/*
 * Ten more. Their author had the docs, too, and three of the workflows were corrected after the
 * first run: see "Corrected".
 */

const rent = (landlord: string, amount: string) => ({
	landlord_id: landlord,
	account: `acc-${landlord}`,
	country: 'DE',
	amount,
	currency: 'EUR',
	month: '',
	outcome: '',
});

const form = (amount: number, country = 'DE') => ({
	Supplier: 'city-power',
	Account: 'city-power-eur',
	Country: country,
	'Amount in EUR': amount,
	'Invoice number': 'INV-7',
});

const statusChange = (externalId: string, status: string, id = 'pmt_1') => ({
	...failed,
	data: { ...failed.data, id, status, metadata: { externalId } },
});

const refund = (id: string, amount: string) => ({
	id,
	customer: 'c1',
	account: 'a1',
	country: 'DE',
	amount,
	currency: 'EUR',
});

const bonus = (employee: number, amount: string) => ({
	bonus_id: `B-2026-${employee}`,
	employee_id: `emp-${employee}`,
	account: `emp-${employee}-eur`,
	country: 'DE',
	amount,
	currency: 'EUR',
});

const draft = (invoice: string, change: IDataObject = {}) => ({
	invoice,
	recipient_id: 'city-power',
	account: 'city-power-eur',
	country: 'DE',
	amount: '89.90',
	currency: 'EUR',
	...change,
});

const state = (paymentId: string, externalId: string) => ({
	event_id: `evt_${paymentId}`,
	event: 'PAYMENT.STATUS_UPDATED',
	payment_id: paymentId,
	external_id: externalId,
	status: 'PROCESSING',
	amount: '12.50',
	currency: 'EUR',
	event_at: 1_748_432_264_728,
});

const bill = (number: string, amount: string, account = 'city-power-eur') => ({
	vendor_id: 'city-power',
	vendor_account: account,
	vendor_country: 'DE',
	amount,
	reference: `Bill ${number}`,
	bill_number: number,
});

const payout = (externalId: string, amount: string) => ({
	external_id: externalId,
	recipient_id: 'city-power',
	account: 'city-power-eur',
	country: 'DE',
	amount,
	currency: 'EUR',
});

const INVOICE_FORM = {
	sentence:
		"Somebody fills in a form (supplier, account, country, amount, invoice number); pay it if it's at most 1,000 euros; otherwise don't pay and email finance that somebody has to look at it. Tell the person on the form's last page what came of it.",
	// Corrected: the last page said that the payment is on its way, and it is only accepted.
	file: 'invoice-form',
};
const REFUNDS = {
	sentence:
		"We get a JSON list of refunds by a webhook (with a secret header); pay all of them in one go, answer with how many were recorded, how many weren't, and why.",
	file: 'refunds',
};
const BONUSES = {
	sentence:
		'Pay the bonuses in the table "bonuses". If any single one is above 5,000 or the sum is above 20,000, nothing is paid and I get an email with the reason.',
	file: 'bonuses',
};
const THIS_MONTH = expect.stringMatching(/^\d{4}-\d\d$/) as unknown;

export const promptsOfDocs: Prompt[] = [
	{
		sentence:
			'Every 1st of the month pay the rents from my table "rents" (tenant-side landlord ID, account, country, amount, currency); each month is a payment of its own, and nobody is paid twice if the workflow runs twice in the same month. Write the outcome and the event ID beside each rent.',
		file: 'rents',
		tables: { rents: [rent('7', '900.00'), rent('8', '9,5')] },
		runs: ['Every 1st of the Month', 'Every 1st of the Month'],
		result: {
			rows: {
				rents: [
					// In the second run, its outcome would be "duplicate".
					{ outcome: 'created', month: THIS_MONTH, event_id: text('-') },
					{ outcome: 'invalid', message: text("'Amount'") },
				],
			},
			recorded: 1,
		},
	},
	{
		...INVOICE_FORM,
		when: '(1,000)',
		request: form(1000),
		result: { response: text('The payment service has accepted the payment'), recorded: 1 },
	},
	{
		...INVOICE_FORM,
		when: '(1,000.01)',
		request: form(1000.01),
		result: { response: text('Finance has got an email'), mails: [text('Amount: 1000.01 EUR')] },
	},
	{
		...INVOICE_FORM,
		when: '(a country that there is not)',
		request: form(1000, 'XX'),
		result: { response: text('a country of ISO 3166-1') },
	},
	{
		sentence:
			'When money comes back (a return), find the payment in my table "payouts" by our own ID, mark it as returned, and post it to Slack.',
		file: 'returns',
		tables: {
			payouts: [
				{ external_id: 'INV-7', status: 'paid' },
				{ external_id: 'INV-8', status: 'paid' },
			],
		},
		events: [
			statusChange('INV-8', 'COMPLETED'),
			statusChange('INV-7', 'RETURNED'),
			statusChange('INV-9', 'RETURNED'),
		],
		result: {
			rows: { payouts: [{ status: 'returned' }, { status: 'paid' }] },
			messages: [text('INV-7 of 12.50 EUR came back'), text("doesn't have it. Our ID: INV-9")],
		},
	},
	{
		...REFUNDS,
		request: [refund('R1', '12.50'), refund('R2', 'x'), refund('R-TEST_UNKNOWN', '1.00')],
		result: {
			response: {
				total: 3,
				recorded: 1,
				notRecorded: 1,
				unknown: 1,
				reasons: [
					{ externalId: 'REFUND-R2', outcome: 'invalid', message: text("'Amount'") },
					{ externalId: 'REFUND-R-TEST_UNKNOWN', outcome: 'unknown' },
				],
			},
			recorded: 2,
		},
	},
	{
		...REFUNDS,
		when: '(no list)',
		request: {},
		result: { response: { error: text('Nothing was paid') } },
	},
	{
		sentence:
			'A sheet in CSV with columns "Beneficiary", "Beneficiary account", "Country", "Total", "Cur.", "Invoice" is read from disk each evening: pay it in batches of 50 with at most 5 requests per second, as the service allows only that.',
		// Corrected: without a pause after each batch, the service got six requests in a second.
		file: 'evening-sheet',
		// The last row has an amount that can't be paid.
		result: { recorded: 52, pauseAfter: 50, status: 'error' },
	},
	{
		...BONUSES,
		tables: { bonuses: [1, 2, 3, 4].map((employee) => bonus(employee, '5000')) },
		result: { recorded: 4 },
	},
	{
		...BONUSES,
		when: '(a single one above)',
		tables: { bonuses: [bonus(1, '5000.01'), bonus(2, '10')] },
		result: { mails: [text('B-2026-1, 5000.01 EUR: ')] },
	},
	{
		...BONUSES,
		when: '(the sum above)',
		tables: {
			bonuses: [...[1, 2, 3, 4].map((employee) => bonus(employee, '5000')), bonus(5, '0.01')],
		},
		result: { mails: [text('B-2026-5, 0.01 EUR: ')] },
	},
	{
		sentence:
			'Test my list of payments in the table "drafts" without paying anything: write beside each row whether it would work and what\'s wrong.',
		file: 'drafts',
		tables: {
			drafts: [
				draft('D-1'),
				draft('D-2', { amount: '1,5' }),
				draft('D-3', { country: 'Denmark' }),
				draft('D-4', { account: '' }),
				draft('D-1'),
			],
		},
		result: {
			rows: {
				drafts: [
					{ would_work: true, problem: '' },
					{ would_work: false, problem: text("'Amount'") },
					{ would_work: false, problem: text('DK') },
					{ would_work: false, problem: text("'Recipient Channel ID (Account)'") },
					{ would_work: false, problem: text('same') },
				],
			},
		},
	},
	{
		sentence:
			'Alert us in Slack when a payment is stuck: every payment event goes into the table "payment_states", and each hour those that were PROCESSING for more than a day are posted.',
		// Corrected: n8n's rowNotExists ignores all conditions but "equals", so payments that had
		// ended were posted, too.
		file: 'stuck-payments',
		tables: { payment_states: [state('pmt_1', 'INV-7'), state('pmt_2', 'INV-8')] },
		events: [statusChange('INV-7', 'FAILED'), statusChange('INV-9', 'PROCESSING', 'pmt_3')],
		runs: ['Each Hour'],
		result: {
			rows: {
				payment_states: [
					{ payment_id: 'pmt_1', status: 'PROCESSING' },
					{ payment_id: 'pmt_2', status: 'PROCESSING' },
					{ payment_id: 'pmt_1', status: 'FAILED' },
					{ payment_id: 'pmt_3', status: 'PROCESSING' },
				],
			},
			messages: [expect.stringMatching(/a day:\n• INV-8, 12\.50 EUR, since 2025-05-28 \d\d:\d\d$/)],
		},
	},
	{
		sentence:
			"Let my assistant look after vendor bills by chat: it may only pay in EUR, at most 250 per bill, and only to the recipients in my credential's list; if the payment is refused, it tells me the reason and doesn't try again with another amount.",
		file: 'vendor-bills',
		limits: {
			maxAmount: 'EUR 250',
			allowedCurrencies: 'EUR',
			allowedRecipients: 'city-power-eur',
		},
		request: { action: 'sendMessage', sessionId: 'session', chatInput: 'Pay B-1.' },
		calls: [
			bill('B-1', '250.00'),
			bill('B-2', '250.01'),
			bill('B-3', '1.00', 'a-stranger'),
			bill('B-1', '250.00'),
		],
		result: {
			response: { output: 'Done.' },
			outcomes: ['created', 'invalid', 'invalid', 'duplicate'],
			recorded: 1,
		},
	},
	{
		sentence:
			'After each payment run, send me one email: how many were recorded, how many were duplicates, the sum of what is unknown; and put what is unknown into the table "to_check", never pay it again by itself. The run is started by hand, rows come from the table "payouts".',
		file: 'payment-run',
		tables: {
			payouts: [
				payout('P-1', '10.00'),
				payout('P-2', '20.00'),
				payout('A-TEST_DUPLICATE', '30.00'),
				payout('B-TEST_UNKNOWN', '80.00'),
				payout('C-TEST_UNEXPLAINED_CONFLICT', '0.10'),
				payout('P-3', '1,00'),
			],
			to_check: [],
		},
		runs: ['Start by Hand', 'Start by Hand'],
		result: {
			rows: {
				to_check: [
					{ external_id: 'B-TEST_UNKNOWN', amount: '80.00' },
					{ external_id: 'C-TEST_UNEXPLAINED_CONFLICT', amount: '0.10' },
				],
			},
			mails: [
				expect.stringMatching(
					/Recorded: 3 \(2 new, 1 duplicates[^]*unknown: EUR 80\.10 \(2 [^]*Not recorded: 1\s+P-3: invalid/,
				),
				expect.stringMatching(
					/Recorded: 3 \(0 new, 3 duplicates[^]*unknown: 0\.00 \(0 [^]*Not recorded: 1\s+P-3: invalid/,
				),
			],
			recorded: 5,
		},
	},
];
