import { fc } from '../support/properties';
import { filesIn, read } from './sourceTexts';

/* The workflows of whole jobs: what every one of them must be like, and the code of their Code nodes. */

interface WorkflowNode {
	name: string;
	type: string;
	parameters: Record<string, unknown>;
	credentials?: Record<string, { id: string | null }>;
}

interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: Record<string, Record<string, Array<Array<{ node: string }>>>>;
}

const readJob = (path: string) => JSON.parse(read(path)) as Workflow;

describe.each(filesIn('examples/jobs', '.json'))('%s', (path) => {
	const { nodes, connections } = readJob(path);
	const names = nodes.map(({ name }) => name);

	test('has one node of each name, and connects only those', () => {
		const connected = Object.entries(connections).flatMap(([from, byType]) => [
			from,
			...Object.values(byType).flatMap((outputs) => outputs.flat().map(({ node }) => node)),
		]);
		expect(new Set(names).size).toBe(names.length);
		expect(connected.filter((name) => !names.includes(name))).toEqual([]);
	});

	test('names only nodes that are there in its expressions and code', () => {
		const named = [...read(path).matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name);
		expect(named.filter((name) => !names.includes(name))).toEqual([]);
	});

	test('has no credential of the instance where it was made', () => {
		const ids = nodes.flatMap(({ credentials = {} }) => Object.values(credentials));
		expect(ids.filter(({ id }) => id !== null)).toEqual([]);
	});

	test('explains itself with sticky notes', () => {
		expect(nodes.filter(({ type }) => type.endsWith('.stickyNote')).length).toBeGreaterThan(0);
	});
});

type Json = Record<string, unknown>;

/** What a decoder puts in place of bytes that aren't UTF-8. */
const UNREADABLE = String.fromCodePoint(65533);

const payoutRun = readJob('examples/jobs/payout-run-with-approval.json');
const nodeOf = (name: string) => payoutRun.nodes.find((node) => node.name === name)!;
const mapping = nodeOf('Check Rows').parameters.columns as { value: Record<string, string> };

/** Runs the code of a Code node, with what it reads from other nodes. */
function runCode(name: string, input: Json[], outputs: Record<string, Json[]> = {}): Json[] {
	const toItems = (all: Json[]) =>
		all.map((json) => ({ json, binary: { File: { fileName: 'a.csv' } } }));
	const read = (all: Json[]) => ({ all: () => toItems(all), first: () => toItems(all)[0] });
	const node = (other: string) => ({
		...read(outputs[other] ?? []),
		params: nodeOf(other).parameters,
	});
	const code = nodeOf(name).parameters.jsCode as string;
	// eslint-disable-next-line @typescript-eslint/no-implied-eval -- n8n runs the text of the parameter in the same way
	const run = new Function('$input', '$', '$execution', code) as (...args: unknown[]) => Array<{
		json: Json;
	}>;
	return run(read(input), node, { id: '1' }).map(({ json }) => json);
}

describe('Read Rows', () => {
	const COLUMNS = [
		'Invoice',
		'Supplier',
		'Supplier Account',
		'Country',
		'Amount',
		'Currency',
		'Method',
	];
	const readCsv = (data: string) => runCode('Read Rows', [{ data }]);
	const rowOf = (invoice: string) => [invoice, 'eus_1', 'vac_1', 'DE', '1,50', 'EUR', 'SCT'];
	const csvOf = (rows: string[][], separator = ';', lineBreak = '\n') =>
		rows
			.map((row) => row.map((cell) => `"${cell.replace(/"/g, '""')}"`).join(separator))
			.join(lineBreak);

	test('the columns that it needs are those of Check Rows', () => {
		const used = Object.values(mapping.value).join(' ');
		for (const column of COLUMNS) expect(used).toContain(column);
	});

	test.each([
		[';', '\n'],
		[',', '\r\n'],
		['\t', '\n'],
	])(
		'reads every cell of a CSV file with the separator %j and the line break %j',
		(separator, lineBreak) => {
			// n8n and spreadsheets leave out blanks around a value, and so does the code.
			const cell = fc
				.string({ minLength: 1 })
				.filter(
					(text) => text.trim() === text && !text.includes('\r') && !text.includes(UNREADABLE),
				);
			const row = fc.array(cell, { minLength: COLUMNS.length, maxLength: COLUMNS.length });
			fc.assert(
				fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
					const found = readCsv(csvOf([COLUMNS, ...rows], separator, lineBreak));
					expect(found).toEqual(
						rows.map((cells, index) => ({
							Row: index + 2,
							...Object.fromEntries(COLUMNS.map((name, column) => [name, cells[column]])),
						})),
					);
				}),
			);
		},
	);

	test('counts blank rows, and leaves them out', () => {
		const lines = [COLUMNS, rowOf('1'), [], rowOf('2')].map((row) => row.join(';'));
		expect(readCsv(`${lines.join('\n')}\n\n`).map(({ Row, Invoice }) => [Row, Invoice])).toEqual([
			[2, '1'],
			[4, '2'],
		]);
	});

	test('a row with a cell too many has no values, so that nothing of it can be paid', () => {
		const lines = [COLUMNS, [...rowOf('1'), 'x'], [...rowOf('2'), '']].map((row) => row.join(';'));
		const [first, second] = readCsv(lines.join('\n'));
		expect(first).toEqual({ Row: 2, rowProblem: expect.stringContaining('more cells') as string });
		expect(second).toMatchObject({ Row: 3, Invoice: '2' });
	});

	test('columns of the file do not replace what is said about the row', () => {
		const header = [...COLUMNS, 'Row', 'rowProblem', 'fileProblem'];
		const [row] = readCsv(
			[header, [...rowOf('1'), '7', 'x', 'y']].map((cells) => cells.join(';')).join('\n'),
		);
		expect(row).toMatchObject({ Row: 2, Invoice: '1' });
		expect(row).not.toHaveProperty('rowProblem');
		expect(row).not.toHaveProperty('fileProblem');
	});

	test('a row with characters that cannot be read has no values', () => {
		const lines = [COLUMNS, rowOf(`INV${UNREADABLE}1`), rowOf('2')].map((row) => row.join(';'));
		const [first, second] = readCsv(lines.join('\n'));
		expect(first).toEqual({ Row: 2, rowProblem: expect.stringContaining('UTF-8') as string });
		expect(second).toMatchObject({ Row: 3, Invoice: '2' });
	});

	test.each([
		['', /no rows/],
		[COLUMNS.join(';'), /no rows/],
		[`${COLUMNS.slice(1).join(';')}\n1;2;3;4;5;6`, /no column Invoice/],
		[`${COLUMNS.join(';')};Amount\n${rowOf('1').join(';')};7`, /column Amount twice/],
		[`${COLUMNS.join(';')}\n"1;2`, /quotation mark/],
	])('says why a file cannot be read: %j', (data, reason) => {
		expect(readCsv(data)).toEqual([{ fileProblem: expect.stringMatching(reason) as string }]);
	});
});

describe('Summarize Check', () => {
	const summarize = (amounts: Array<[currency: string, amount: string]>) =>
		runCode('Summarize Check', [], {
			'Read Rows': amounts.map((_, index) => ({ Row: index + 2 })),
			'Check Rows': amounts.map(([currency, amount]) => ({ outcome: 'dryRun', currency, amount })),
			'Upload Payout File': [{ 'Your Name': 'Lena' }],
		})[0];

	test.each([
		[['0.1', '0.2'], '0.3'],
		[['12345678901234567.10', '0.05'], '12,345,678,901,234,567.15'],
		[['999.99', '0.01'], '1,000.00'],
		[['5', '7.5'], '12.5'],
		[['1200', '300'], '1,500'],
		[['0.001'], '0.001'],
	])('adds %j to %s', (amounts, total) => {
		expect(summarize(amounts.map((amount) => ['EUR', amount])).totals).toEqual([
			{ currency: 'EUR', payments: amounts.length, total },
		]);
	});

	test('the total of each currency is exact', () => {
		const cents = fc.bigInt({ min: 1n, max: 10n ** 20n });
		const payment = fc.tuple(fc.constantFrom('EUR', 'GBP', 'USD'), cents);
		const asAmount = (units: bigint) => {
			const digits = units.toString().padStart(3, '0');
			return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
		};
		fc.assert(
			fc.property(fc.array(payment, { minLength: 1, maxLength: 50 }), (payments) => {
				const { totals } = summarize(
					payments.map(([currency, units]) => [currency, asAmount(units)]),
				);
				const expected = ['EUR', 'GBP', 'USD'].flatMap((currency) => {
					const own = payments.filter(([other]) => other === currency);
					if (own.length === 0) return [];
					const sum = own.reduce((total, [, units]) => total + units, 0n);
					return [{ currency, payments: own.length, total: asAmount(sum) }];
				});
				const found = totals as Array<{ total: string }>;
				expect(found.map((one) => ({ ...one, total: one.total.replace(/,/g, '') }))).toEqual(
					expected,
				);
			}),
		);
	});

	test('what a file says is text on the page, not HTML', () => {
		const [{ problemsHtml }] = runCode('Summarize Check', [], {
			'Read Rows': [{ Row: 2 }],
			'Check Rows': [
				{
					outcome: 'invalid',
					issues: [{ field: 'amount', issue: '"<b>&" is not a number', fix: 'Fix it.' }],
				},
			],
			'Upload Payout File': [{ 'Your Name': 'Lena' }],
		}) as [{ problemsHtml: string }];
		expect(problemsHtml).toContain('<td>Amount</td>');
		expect(problemsHtml).not.toMatch(/<b>/);
	});
});
