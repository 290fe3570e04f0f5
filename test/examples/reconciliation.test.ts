import { DateTime } from 'luxon';
import {
	statementWithDifferences,
	toCsvStatement,
	type Entry,
	type SentPayment,
} from '../support/builders/statement';
import { read } from '../support/sourceTexts';

/*
 * The Code nodes of the job daily-reconciliation. n8n reads the XML of a camt.053 statement: see
 * jobs-reconciliation.test.ts.
 */

const { nodes } = JSON.parse(read('examples/jobs/daily-reconciliation.json')) as {
	nodes: Array<{ name: string; parameters: { jsCode: string } }>;
};

type Json = Record<string, unknown>;
type Items = Array<{ json: Json; binary?: { file: { data: string } } }>;

/** Runs the code of a Code node, with what it reads from other nodes. */
function runCode(
	name: string,
	input: Json[],
	outputs: Record<string, Json[]> = {},
	changeCode = (code: string) => code,
): Items {
	const items = (all: Json[] = []) => {
		const list = all.map((json) => ({ json }));
		return { all: () => list, first: () => list[0] };
	};
	const node = (other: string) => ({ ...items(outputs[other]), isExecuted: other in outputs });
	const code = changeCode(nodes.find((one) => one.name === name)!.parameters.jsCode);
	// n8n runs the text of the parameter in the same way.
	// eslint-disable-next-line @typescript-eslint/no-implied-eval
	const run = new Function('$input', '$', '$now', code) as (...args: unknown[]) => Items;
	return run(items(input), node, DateTime.fromISO('2026-12-01'));
}

const readCsv = (data: string) =>
	runCode('Statement Entries', [{ data }]).map(({ json }) => json as unknown as Entry);

function reconcile(sent: SentPayment[], entries: Json[], fees = '') {
	const [{ json, binary }] = runCode(
		'Reconcile',
		sent as unknown as Json[],
		{ 'Statement Entries': entries },
		(code) => code.replace("EUR: '0.00'", fees || "EUR: '0.00'"),
	);
	const cells = (list: unknown) =>
		(list as string[][]).map(([name, reference, paid, , happened]) => [
			name,
			reference.trim(),
			paid,
			happened.replace(',', '.'),
		]);
	return {
		...(json as { summary: string; html: string; matched: number; waiting: number }),
		differences: [...cells(json.missing), ...cells(json.unexpected)].sort(),
		findings: [...(json.missing as string[][]), ...(json.unexpected as string[][])].map(
			(row) => row[6],
		),
		file: Buffer.from(binary!.file.data, 'base64').toString(),
	};
}

const asEntries = (data: Entry[]) => readCsv(toCsvStatement(data)) as unknown as Json[];

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
	'of 1,000 payments with 30 differences, 30 of 30 are found, and none that is not there (seed %i)',
	(seed) => {
		const { sent, entries, differences } = statementWithDifferences(1000, seed);
		expect([sent, differences].map(({ length }) => length)).toEqual([1000, 30]);
		const found = reconcile(sent, asEntries(entries));
		expect(found.differences).toEqual(differences);
		const missing = differences.filter(([list]) => list === 'Missing').length;
		expect(found).toMatchObject({ matched: 1000 - missing, waiting: 0 });
		expect(found.file.split('\r\n')).toHaveLength(1 + 1000 + (30 - missing));
	},
);

const PAID: SentPayment = {
	eventId: 'e1',
	externalId: 'INV 1/2026',
	amount: '100.00',
	currency: 'EUR',
	sentAt: '2026-11-10T10:00:00.000Z',
};
const ENTRY: Entry = {
	reference: 'Invoice inv 1/2026, thank you',
	amount: '100.00',
	currency: 'EUR',
	date: '2026-11-11',
	isCredit: false,
};
const AROUND = ['2026-11-01', '2026-11-30'].map((date) => ({
	...ENTRY,
	reference: 'A customer',
	date,
	isCredit: true,
}));
const compare = (entry: Partial<Entry>, fees?: string) =>
	reconcile([PAID], asEntries([{ ...ENTRY, ...entry }, ...AROUND]), fees);

test.each<[string, Partial<Entry>, string | undefined, string[]]>([
	['the same', {}, undefined, []],
	['three days later', { date: '2026-11-13' }, undefined, []],
	[
		'four days later',
		{ date: '2026-11-14' },
		undefined,
		['Only on 2026-11-14, more than 3 days later'],
	],
	['a fee within the tolerance', { amount: '99.50' }, "EUR: '0.50'", []],
	['a larger fee', { amount: '99.49' }, "EUR: '0.50'", ['Another amount or currency: 99,49 EUR']],
	[
		'more than was sent',
		{ amount: '100.01' },
		"EUR: '0.50'",
		['Another amount or currency: 100,01 EUR'],
	],
	['another currency', { currency: 'GBP' }, undefined, ['Another amount or currency: 100,00 GBP']],
	[
		'another reference',
		{ reference: 'INV 11/2026' },
		undefined,
		['Not in the statement', 'Nothing with this reference was sent'],
	],
	[
		'money that comes back',
		{ isCredit: true },
		undefined,
		['Not in the statement', 'Came back: a payment with this reference was sent'],
	],
	[
		"an amount that can't be read",
		{ amount: '1e2' },
		undefined,
		['Another amount or currency: 1e2 EUR'],
	],
])('one payment and one entry: %s', (_, entry, fees, findings) => {
	expect(compare(entry, fees).findings).toEqual(findings);
});

test('what was sent too late to be in the statement may still come, and what was sent before it began is not missing', () => {
	const sentAt = (date: string) => ({ ...PAID, sentAt: `${date}T10:00:00.000Z` });
	const of = (payment: SentPayment) => reconcile([payment], asEntries(AROUND));
	expect(of(sentAt('2026-11-28'))).toMatchObject({ differences: [], waiting: 1 });
	expect(of(sentAt('2026-10-31'))).toMatchObject({ differences: [], waiting: 0 });
	expect(of(sentAt('2026-11-26')).findings).toEqual(['Not in the statement']);
});

test('a sum beyond what a floating-point number holds is compared exactly', () => {
	const amount = '90071992547409.93';
	const payment = { ...PAID, amount };
	const of = (happened: string) =>
		reconcile([payment], asEntries([{ ...ENTRY, amount: happened }, ...AROUND]));
	expect(of(amount).findings).toEqual([]);
	expect(of('90071992547409.92').findings).toHaveLength(1);
});

test('what a statement says is text on the page and in the spreadsheet', () => {
	const { html, file } = compare({ reference: '=1+1<b>' });
	expect(html).toContain('=1+1&#60;b&#62;');
	expect(file).toContain('"\'=1+1<b>"');
});

test('a statement without a column or without entries says so', () => {
	expect(() => readCsv('Date;Amount\n1;2')).toThrow(/no column Currency, Reference/);
	expect(() => readCsv('Date;Amount;Currency;Reference\n')).toThrow(/no entries/);
});
