import { paymentRow, sealOf, type TextRow } from '../support/builders/paymentRows';
import { statementWithDifferences, toRows, type Entry } from '../support/builders/statement';
import { runCode, type Json } from '../support/codeNode';

/*
 * The Code nodes of the jobs daily-reconciliation and statement-reconciliation. What n8n's own
 * nodes do between them is in jobsReconciliation.test.ts.
 */

const ZONE = 'Europe/Copenhagen';
const SETTINGS = [{ setting: 'time zone', value: ZONE }];
const DEAD = ['rejected', 'failed'];

/** As the nodes before the code do. */
const plain = (amount: unknown) =>
	String(amount)
		.replace(/(\.\d*?)0+$/, '$1')
		.replace(/\.$/, '');
const toCompare = (row: TextRow): Json => ({
	...row,
	isGenuine: row.seal === sealOf('payments', row),
	isDead: DEAD.includes(row.result),
	paid: plain(row.amount),
	day: row.firstSentAt.slice(0, 10),
});

/** Brings together what n8n's Merge node does. */
function merged(payments: Json[], named: Json[]): Json[] {
	const entriesOf = (id: unknown) => named.filter(({ externalId }) => externalId === id);
	return [
		...payments.flatMap((one) => {
			const own = entriesOf(one.externalId);
			return own.length > 0 ? own.map((entry) => ({ ...one, ...entry })) : [one];
		}),
		...named.filter(({ externalId }) => externalId === undefined),
	];
}

function compare(rows: TextRow[], entries: Entry[]): Json[] {
	const payments = rows.map(toCompare);
	const read = runCode('csvEntries', toRows(entries));
	const Entries = read.map((entry) => ({ ...entry, booked: plain(entry.entryAmount) }));
	const outputs = { Entries, Payments: payments };
	const named = runCode('nameEntries', runCode('entryNames', payments, outputs), outputs);
	const pairs = runCode('statementPairs', merged(payments, named));
	return runCode('statementFindings', pairs, outputs);
}

const money = (amount: unknown, currency: unknown) => (amount ? [amount, currency].join(' ') : '');
const cellsOf = ({ list, invoice, text, amount, currency, entryAmount, entryCurrency }: Json) => [
	list,
	invoice ?? text,
	money(amount, currency),
	money(entryAmount, entryCurrency),
];

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
	'of 1,000 payments with 30 differences, 30 of 30 are found, and none that is not there (seed %i)',
	(seed) => {
		const { sent, entries, differences } = statementWithDifferences(1000, seed);
		const findings = compare(sent, entries);
		const found = findings.filter(({ list }) => list !== 'Matched').map(cellsOf);
		expect(found.sort()).toEqual(differences);
		const wrong = differences.filter(([list]) => list !== 'Unexpected').length;
		expect(findings.filter(({ list }) => list === 'Matched')).toHaveLength(1000 - wrong);
	},
);

const PAID = paymentRow({ invoice: 'INV 1/2026', result: 'paid' });
const ENTRY: Entry = {
	reference: 'Invoice inv 1/2026, thank you',
	...{ amount: '100.00', currency: 'EUR', date: '2026-11-11', isCredit: false },
};
const AROUND = ['2026-11-01', '2026-11-30'].map((date) => ({
	...ENTRY,
	...{ reference: 'A customer', date, isCredit: true },
}));
const findingsOf = (rows: TextRow[], entries: Array<Partial<Entry>>) =>
	compare(rows, [...entries.map((entry) => ({ ...ENTRY, ...entry })), ...AROUND]).map(
		({ list, finding }) => [list, finding],
	);

test.each<[string, Partial<Entry>, RegExp[][]]>([
	['the same', {}, [[/Matched/, /^$/]]],
	['three days later', { date: '2026-11-13' }, [[/Matched/, /^$/]]],
	['four days later', { date: '2026-11-14' }, [[/Different/, /4 days after/]]],
	['its External ID', { reference: PAID.externalId }, [[/Matched/, /^$/]]],
	['another amount', { amount: '99.50' }, [[/Different/, /amount or currency/]]],
	['another form of the amount', { amount: '100.0' }, [[/Matched/, /^$/]]],
	['another currency', { currency: 'GBP' }, [[/Different/, /amount or currency/]]],
	[
		'another reference',
		{ reference: 'INV 11/2026' },
		[
			[/Missing/, /Not in the statement/],
			[/Unexpected/, /No payment/],
		],
	],
	['money that comes back', { isCredit: true }, [[/Came back/, /statement/]]],
	["an amount that can't be read", { amount: '1e2' }, [[/Different/, /amount/]]],
	['a month before', { date: '2026-10-11' }, [[/Different/, /30 days before it was sent/]]],
	['a date that could be another', { date: '11/11/2026' }, [[/Different/, /date can't be read/]]],
	["a date that can't be read", { date: '31st' }, [[/Different/, /date can't be read/]]],
])('one payment and one entry: %s', (_, entry, expected) => {
	expect(findingsOf([PAID], [entry])).toEqual(
		expected.map((cells) => cells.map((cell) => expect.stringMatching(cell) as string)),
	);
});

const row = (values: TextRow) => paymentRow({ invoice: 'INV 1/2026', ...values });

test.each<[string, TextRow, Array<Partial<Entry>>, string[]]>([
	['returned', { result: 'returned' }, [{}], ['Came back']],
	['went out and came back', {}, [{}, { isCredit: true, date: '2026-11-12' }], ['Came back']],
	['returned, and in no statement', { result: 'returned' }, [], ['Came back']],
	['rejected, and in no statement', { result: 'rejected' }, [], []],
	['rejected, and in the statement', { result: 'rejected' }, [{}], ['Different']],
	['in doubt, and in the statement', { result: 'in doubt' }, [{}], ['Matched']],
	['sent before the statement begins', { firstSentAt: '2026-10-30T09:00:00.000Z' }, [], []],
	['sent at its end', { firstSentAt: '2026-11-28T09:00:00.000Z' }, [], ['May still come']],
	['sent before its end', { firstSentAt: '2026-11-26T09:00:00.000Z' }, [], ['Missing']],
])('a payment that was %s', (_, values, entries, lists) => {
	expect(findingsOf([row(values)], entries).map(([list]) => list)).toEqual(lists);
});

test('a second try has its own entry, and the first one has none', () => {
	const first = row({ result: 'rejected' });
	const second = row({ externalId: `${first.externalId}.2`, result: 'paid' });
	for (const reference of [second.externalId, 'INV 1/2026'])
		expect(findingsOf([first, second], [{ reference }])).toEqual([['Matched', '']]);
});

test('a row that somebody changed is never matched', () => {
	expect(findingsOf([{ ...PAID, account: 'GB29NWBK60161331926819' }], [{}])).toEqual([
		['Different', expect.stringMatching(/changed the row/)],
	]);
});

test('a sum beyond what a floating-point number holds is compared exactly', () => {
	const large = row({ amount: '90071992547409.93' });
	const of = (amount: string) => findingsOf([large], [{ amount }]).map(([list]) => list);
	expect(of('90071992547409.93')).toEqual(['Matched']);
	expect(of('90071992547409.92')).toEqual(['Different']);
});

test.each([
	[{ Date: '1', Amount: '2' }, /no column Currency, Reference/],
	[{}, /no rows/],
	[{ error: 'Invalid' }, /no rows, or they can't be read/],
])('a CSV file that can not be used says why: %j', (first, says) => {
	expect(runCode('csvEntries', [first])).toEqual([
		{ remark: expect.stringMatching(says) as string },
	]);
});

test.each([
	['-1.250,00', '1250.00', false],
	['-1,250.00', '1250.00', false],
	['−1250', '1250', false],
	['+12,5', '12.5', true],
	['- 1 250,00', '1250.00', false],
])('the amount %s of a CSV statement is %s', (amount, entryAmount, isCredit) => {
	const rows = [{ Date: '03.11.2026', Amount: amount, Currency: 'eur', Reference: 'x' }];
	expect(runCode('csvEntries', rows)).toMatchObject([
		{ entryAmount, isCredit, entryCurrency: 'EUR', date: '2026-11-03' },
	]);
});

describe('camtEntries', () => {
	const camt = (Ntry: unknown) => [{ Document: { BkToCstmrStmt: { Stmt: { Ntry } } } }];
	const amount = (_: string) => ({ _, Ccy: 'EUR' });
	const entry = { Amt: amount('30.00'), CdtDbtInd: 'DBIT', BookgDt: { Dt: '2026-11-03' } };

	test('a batch of two transactions is two entries, each with its own amount', () => {
		const detail = (text: string, sum: string) => ({
			Refs: { EndToEndId: 'NOTPROVIDED' },
			RmtInf: { Ustrd: text },
			AmtDtls: { TxAmt: { Amt: amount(sum) } },
		});
		const TxDtls = [detail('INV-1', '10.00'), detail('INV-2', '20.00')];
		expect(runCode('camtEntries', camt([{ ...entry, NtryDtls: { TxDtls } }]))).toMatchObject([
			{ entry: '1.1', text: 'INV-1', entryAmount: '10.00', isCredit: false },
			{ entry: '1.2', text: 'INV-2', entryAmount: '20.00', isCredit: false },
		]);
	});

	test('an entry without details is one transaction', () => {
		const read = runCode('camtEntries', camt({ ...entry, AddtlNtryInf: 'fee', CdtDbtInd: 'CRDT' }));
		expect(read).toEqual([
			{
				...{ entry: '1.1', text: 'fee', entryAmount: '30.00', entryCurrency: 'EUR' },
				...{ date: '2026-11-03', isCredit: true },
			},
		]);
	});

	test.each([[[{ error: 'not XML' }]], [[{ 'ns:Document': {} }]]])(
		'a file without entries says so',
		(input) => {
			expect(runCode('camtEntries', input)).toEqual([
				{ remark: expect.stringMatching(/no entries/) as string },
			]);
		},
	);
});

describe('the morning', () => {
	const NOW = '2026-12-01T06:00:00.000Z';
	const at = (iso: string) => String(Date.parse(iso));
	const YESTERDAY = at('2026-11-30T15:00:00.000Z');
	const LONG_AGO = at('2026-11-20T15:00:00.000Z');

	test.each<[TextRow, string[]]>([
		[{ result: 'paid', statusAt: YESTERDAY }, ['Matched']],
		[{ result: 'paid', statusAt: LONG_AGO }, []],
		[{ result: 'returned', statusAt: YESTERDAY }, ['Came back']],
		[{ result: 'failed', statusAt: YESTERDAY }, ['Not paid']],
		[{ result: 'rejected', acceptedAt: '2026-11-30T15:00:00.000Z' }, ['Not paid']],
		[{ result: 'rejected', statusAt: LONG_AGO }, []],
		[{ result: 'accepted', firstSentAt: '2026-11-29T09:00:00.000Z' }, []],
		[{ result: 'accepted', firstSentAt: '2026-11-27T09:00:00.000Z' }, ['Missing']],
		[{ result: 'in doubt' }, ['Open']],
		[{ result: 'needs attention' }, ['Open']],
	])('%j is in %j', (values, lists) => {
		const findings = runCode('morningFindings', [toCompare(row(values)), {}], {}, NOW);
		expect(findings.map(({ list }) => list)).toEqual(lists);
	});

	test('a row that somebody changed is named, whatever it says', () => {
		const changed = { ...row({ result: 'paid' }), result: 'to approve' };
		expect(runCode('morningFindings', [toCompare(changed)])).toMatchObject([{ list: 'Changed' }]);
	});
});

describe('the page', () => {
	const page = (findings: Json[]) =>
		['findingsTotals', 'findingsTables', 'tablesPage'].reduce<Json[]>(
			(rows, file) => runCode(file, rows, { Findings: findings, Settings: SETTINGS, Totals: rows }),
			[{}],
		)[0] as { title: string; html: string };

	test('has the count of each list in the title, and its exact totals', () => {
		const matched = (amount: string, currency = 'EUR') => ({ list: 'Matched', amount, currency });
		const { title, html } = page([
			...[matched('90071992547409.93'), matched('0.07'), matched('1500', 'JPY')],
			{ list: 'Unexpected', booked: '5', entryCurrency: 'EUR' },
		]);
		expect(title).toBe('1 unexpected, 3 matched');
		expect(html).toContain('<p>EUR 90,071,992,547,410.00, JPY 1,500</p>');
		expect(html).toContain('<p>EUR 5</p>');
		expect(html).toContain(ZONE);
	});

	test('shows what a statement says as text', () => {
		const { html } = page([{ list: 'Unexpected', text: '=1+1<b>' }]);
		expect(html).toContain('=1+1&#60;b&#62;');
	});

	test('names 50 of each list, and says how many more the file has', () => {
		const { html } = page(Array.from({ length: 53 }, () => ({ list: 'Missing' })));
		expect(html.match(/<tr>/g)).toHaveLength(51);
		expect(html).toContain('3 more are in the file.');
	});

	test('says that there is nothing', () => {
		expect(page([{}]).title).toBe('Nothing to report');
	});
});
