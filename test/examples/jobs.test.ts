import { DateTime } from 'luxon';

import { fc } from '../support/properties';
import { filesIn, read } from '../support/sourceTexts';

/*
 * The workflows of whole jobs: what every one of them must be like, and the code of their Code
 * nodes.
 */

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

/**
 * What a row is known by in each data table. A payment's reference isn't a key: two suppliers can
 * use the same one.
 */
const KEYS: Record<string, string[]> = {
	invoices_to_pay: ['payee', 'invoice'],
	payment_status: ['paymentId'],
	payments_completed: ['paymentId'],
	standing_orders: ['order'],
	standing_order_payments: ['payment'],
	// The External ID that the example makes itself, and the docs ask to be unique.
	payments_waiting: ['externalId'],
};

interface DataTable {
	operation: string;
	dataTableId: { value: string };
	filters: { conditions: Array<{ keyName: string }> };
	limit?: number;
}

describe.each(filesIn('examples', '.json'))('lookups of %s', (path) => {
	const { nodes } = readJob(path);
	const tables = nodes
		.filter(({ type }) => /\.dataTable(Tool)?$/.test(type))
		.map(({ name, parameters }) => ({ name, ...(parameters as unknown as DataTable) }));

	test('an upsert matches the whole key of its table', () => {
		const saves = tables.filter(({ operation }) => operation === 'upsert');
		expect(
			saves.map(({ name, filters }) => [name, filters.conditions.map((one) => one.keyName)]),
		).toEqual(saves.map(({ name, dataTableId }) => [name, KEYS[dataTableId.value]]));
	});

	test('no lookup takes the first match of several', () => {
		expect(tables.filter(({ limit }) => limit !== undefined).map(({ name }) => name)).toEqual([]);
		const finds = [...read(path).matchAll(/\.find\(\(row\)/g)];
		expect(finds).toEqual([]);
	});
});

test('two standing orders with one name: nothing is due, because the second one would never be paid', () => {
	const { nodes } = readJob('examples/jobs/recurring-payments.json');
	const code = nodes.find(({ name }) => name === 'Payments Due')!.parameters.jsCode as string;
	const order = { order: 'RENT', every: 'month', firstDue: '2026-11-01', amount: '1.00' };
	const due = (...orders: object[]) => {
		const outputs: Record<string, object[]> = {
			Today: [{ today: '2026-11-02' }],
			'Standing Orders': orders,
			'Payments So Far': [],
		};
		const node = (name: string) => {
			const items = outputs[name].map((json) => ({ json }));
			return { all: () => items, first: () => items[0] };
		};
		// n8n runs the text of the parameter in the same way.
		// eslint-disable-next-line @typescript-eslint/no-implied-eval
		const run = new Function('$', 'DateTime', code) as (...args: unknown[]) => unknown[];
		return run(node, DateTime);
	};
	expect(due(order, { ...order, order: 'CLEANING' })).toHaveLength(2);
	expect(() => due(order, { ...order, amount: '2.00' })).toThrow(/RENT.*twice\. Nothing was sent/);
});

type Json = Record<string, unknown>;

const payoutRun = readJob('examples/jobs/payout-run-with-approval.json');
const nodeOf = (name: string) => payoutRun.nodes.find((node) => node.name === name)!;

/** Runs the code of a Code node, with what it reads from other nodes and from the uploaded file. */
async function runCode(
	name: string,
	input: Json[],
	outputs: Record<string, Json[]> = {},
	file: { name: string; content: Buffer } = { name: 'a.csv', content: Buffer.alloc(0) },
): Promise<Json[]> {
	const toItems = (all: Json[]) =>
		all.map((json) => ({ json, binary: { File: { fileName: file.name } } }));
	const read = (all: Json[]) => ({ all: () => toItems(all), first: () => toItems(all)[0] });
	const node = (other: string) =>
		read(outputs[other] ?? (other === 'Upload Payout File' ? [{ user: { email: 'x' } }] : []));
	const helpers = { getBinaryDataBuffer: async () => await Promise.resolve(file.content) };
	const code = `return (async () => { ${nodeOf(name).parameters.jsCode as string}\n})()`;
	// n8n runs the text of the parameter in the same way.
	// eslint-disable-next-line @typescript-eslint/no-implied-eval
	const run = new Function('$input', '$', '$execution', 'DateTime', code) as (
		this: unknown,
		...args: unknown[]
	) => Promise<Array<{ json: Json }>>;
	// The arrow function takes `this` from the function around it.
	const items = await run.call({ helpers }, read(input), node, { id: '51' }, DateTime);
	return items.map(({ json }) => json);
}

const COLUMNS = [
	'Invoice',
	'Supplier',
	'Supplier Account',
	'Country',
	'Amount',
	'Currency',
	'Method',
];
const FIELDS = ['invoice', 'supplier', 'account', 'country', 'amount', 'currency', 'method'];

describe('Read Rows', () => {
	const readCsv = async (text: string | Buffer) =>
		await runCode('Read Rows', [{}], {}, { name: 'a.csv', content: Buffer.from(text) });
	const rowOf = (invoice: string) => [invoice, 'eus_1', 'vac_1', 'DE', '1,50', 'EUR', 'SCT'];
	const csvOf = (rows: string[][], separator = ';', lineBreak = '\n') =>
		rows
			.map((row) => row.map((cell) => `"${cell.replace(/"/g, '""')}"`).join(separator))
			.join(lineBreak);

	test.each([
		[';', '\n'],
		[',', '\r\n'],
		['\t', '\n'],
	])(
		'reads every cell of a CSV file with the separator %j and the line break %j',
		async (separator, lineBreak) => {
			// What stands around a quoted cell is left out.
			const cell = fc
				.string({ minLength: 1, unit: 'grapheme' })
				.filter((text) => text.trim() !== '' && !text.includes('\r'));
			const row = fc.array(cell, { minLength: COLUMNS.length, maxLength: COLUMNS.length });
			await fc.assert(
				fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 20 }), async (rows) => {
					const found = await readCsv(csvOf([COLUMNS, ...rows], separator, lineBreak));
					expect(found).toEqual(
						rows.map((cells, index) => ({
							row: index + 2,
							remark: '',
							...Object.fromEntries(FIELDS.map((name, column) => [name, cells[column]])),
						})),
					);
				}),
			);
		},
	);

	test('counts blank rows and a title above the header, and leaves them out', async () => {
		const lines = [['Payments', 'of November'], [], COLUMNS, rowOf('1'), [], rowOf('2')];
		const found = await readCsv(`${lines.map((row) => row.join(';')).join('\n')}\n\n`);
		expect(found.map(({ row, invoice }) => [row, invoice])).toEqual([
			[4, '1'],
			[6, '2'],
		]);
	});

	test('columns can stand in any order, in any case, and among others', async () => {
		const header = ['Note', ...[...COLUMNS].reverse()].map((name) => name.toUpperCase());
		const [row] = await readCsv(csvOf([header, ['n', ...rowOf('7').reverse()]], ','));
		expect(row).toMatchObject({ invoice: '7', supplier: 'eus_1', method: 'SCT' });
		expect(row).not.toHaveProperty('note');
	});

	test.each([
		['UTF-8', Buffer.from('Müller €')],
		['UTF-8 with a byte order mark', Buffer.from('\uFEFFMüller €')],
		['Windows-1252', Buffer.from([0x4d, 0xfc, 0x6c, 0x6c, 0x65, 0x72, 0x20, 0x80])],
	])('reads %s', async (_, supplier) => {
		const isMarked = supplier[0] === 0xef;
		const header = Buffer.from(`${COLUMNS.join(';')}\n1;`);
		const rest = Buffer.from(';v;DE;1;EUR;SCT');
		const name = isMarked ? supplier.subarray(3) : supplier;
		const start = isMarked ? supplier.subarray(0, 3) : Buffer.alloc(0);
		const [row] = await readCsv(Buffer.concat([start, header, name, rest]));
		expect(row).toMatchObject({ supplier: 'Müller €' });
	});

	test.each([
		[{ SvcLvl: { Cd: 'SEPA' } }, {}, 'SCT'],
		[{ SvcLvl: { Prtry: 'FPS' } }, {}, 'FPS'],
		[{ SvcLvl: { Prtry: 'FPS' } }, { SvcLvl: { Cd: 'URGP' } }, 'URGP'],
		[{}, {}, ''],
	])('the method of a pain.001 file with %j and %j is %j', async (group, own, method) => {
		const payment = { PmtTpInf: own, Amt: { InstdAmt: { _: '1.5', Ccy: 'GBP' } } };
		const PmtInf = { PmtTpInf: group, CdtTrfTxInf: payment };
		const input = [{ Document: { CstmrCdtTrfInitn: { PmtInf } } }];
		const file = { name: 'a.xml', content: Buffer.alloc(0) };
		expect(await runCode('Read Rows', input, {}, file)).toMatchObject([
			{ method, amount: '1.5', currency: 'GBP' },
		]);
	});

	test.each([
		[{ Strd: { RfrdDocInf: { Nb: 'RE-1' } } }, 'E2E-1', 'RE-1'],
		[{ Strd: { RfrdDocInf: [{ Nb: 'RE-1' }, { Nb: 'RE-2' }] } }, 'E2E-1', 'E2E-1'],
		[{ Ustrd: 'RE-1' }, 'NOTPROVIDED', ''],
	])('the invoice of a pain.001 payment with %j and %s is %j', async (RmtInf, id, invoice) => {
		const payment = { RmtInf, PmtId: { EndToEndId: id } };
		const input = [{ Document: { CstmrCdtTrfInitn: { PmtInf: { CdtTrfTxInf: payment } } } }];
		const file = { name: 'a.xml', content: Buffer.alloc(0) };
		expect(await runCode('Read Rows', input, {}, file)).toMatchObject([{ invoice }]);
	});

	test('a row with a cell too many is to be corrected', async () => {
		const lines = [COLUMNS, [...rowOf('1'), 'x'], [...rowOf('2'), '']].map((row) => row.join(';'));
		const [first, second] = await readCsv(lines.join('\n'));
		expect(first.remark).toMatch(/more cells/);
		expect(second).toMatchObject({ row: 3, invoice: '2', remark: '' });
	});

	test.each([
		['', /is empty|no column/],
		[COLUMNS.join(';'), /no rows/],
		[`${COLUMNS.slice(1).join(';')}\n1;2;3;4;5;6`, /no column Invoice/],
		[`${COLUMNS.join(';')};Amount\n${rowOf('1').join(';')};7`, /column Amount twice/],
		[`${COLUMNS.join(';')}\n"1;2`, /quotation mark/],
		['I\0n\xff', /characters/],
	])('says why a file cannot be read: %j', async (text, reason) => {
		const found = await readCsv(Buffer.from(text, 'latin1'));
		expect(found).toEqual([{ fileRemark: expect.stringMatching(reason) as string }]);
	});
});

describe('Check Rows', () => {
	const RIGHT = {
		row: 2,
		remark: '',
		invoice: 'I-1',
		supplier: 'eus_1',
		account: 'vac_1',
		country: 'DE',
		amount: '1,50',
		currency: 'EUR',
		method: 'SCT',
	};
	const check = async (...rows: Json[]) =>
		(await runCode(
			'Check Rows',
			rows.map((row) => ({ ...RIGHT, ...row })),
			{ 'Our Account': [{ senderEntity: 'e', senderAccount: 'a', senderCountry: 'DK' }] },
		)) as Array<Json & { advice: string[][] }>;

	test.each([
		['1250', 'EUR', '1250.00'],
		['1250,5', 'EUR', '1250.50'],
		['1250.50', 'EUR', '1250.50'],
		['1.250,00', 'EUR', '1250.00'],
		['1,250.00', 'EUR', '1250.00'],
		['1 250,00', 'EUR', '1250.00'],
		['1’250.00', 'CHF', '1250.00'],
		['1.250.000', 'JPY', '1250000'],
		['0,125', 'KWD', '0.125'],
		['00012,00', 'JPY', '12'],
		['12345678901234567,10', 'EUR', '12345678901234567.10'],
		[91.35, 'EUR', '91.35'],
		[0.1 + 0.2, 'EUR', '0.30'],
		[1250, 'EUR', '1250.00'],
		[1.25, 'KWD', '1.250'],
	])('the amount %j in %s is %s', async (amount, currency, expected) => {
		const [row] = await check({ amount, currency });
		expect([row.amount, row.advice]).toEqual([expected, []]);
	});

	test.each([
		[{ amount: '' }, 'Amount', /^Amount is empty\.$/],
		[{ amount: '12,50', currency: 'JPY' }, 'Amount', /^JPY has no decimals\./],
		[{ amount: '12,345678' }, 'Amount', /^EUR has 2 decimals/],
		[{ amount: '-5,00' }, 'Amount', /^Negative amounts can't be paid\./],
		[{ amount: '5,00-' }, 'Amount', /^Negative amounts can't be paid\./],
		[{ amount: '(5,00)' }, 'Amount', /^Negative amounts can't be paid\./],
		[{ amount: '€ 5,00' }, 'Amount', /Leave out the currency sign\./],
		[{ amount: '5,00 EUR' }, 'Amount', /Leave out the currency sign\./],
		[{ amount: '1.250' }, 'Amount', /can be 1250 or 1\.250/],
		[{ amount: '1,250' }, 'Amount', /can be 1250 or 1\.250/],
		[{ amount: '150,000', currency: 'JPY' }, 'Amount', /Write 150000 or 150\.$/],
		[{ amount: '1.25,00' }, 'Amount', /isn't an amount/],
		[{ amount: '150,-' }, 'Amount', /isn't an amount/],
		[{ amount: '1.250.00' }, 'Amount', /isn't an amount/],
		[{ amount: '0,00' }, 'Amount', /is 0/],
		[{ amount: 1e21 }, 'Amount', /isn't an amount/],
		[{ country: 'Germany' }, 'Country', /two letters/],
		[{ currency: 'EURO' }, 'Currency', /three letters/],
		[{ supplier: '\u200B ' }, 'Supplier', /is empty/],
		[{ supplier: '#N/A' }, 'Supplier', /formula/],
		[{ supplier: 'M\uFFFDller' }, 'Supplier', /lost/],
		[{ remark: 'This row has more cells.' }, '', /more cells/],
	])('says what to write for %j', async (change, column, says) => {
		const [row] = await check(change);
		expect(row.advice).toEqual([[column, expect.stringMatching(says)]]);
		expect(row.eventId).toBe('');
	});

	test('shows everything that is wrong in a row', async () => {
		const [row] = await check({ amount: 'x', supplier: '', country: '', currency: 'EU' });
		expect(row.advice.map(([column]) => column).sort()).toEqual([
			'Amount',
			'Country',
			'Currency',
			'Supplier',
		]);
	});

	test('a payment is the same by supplier, account, invoice, amount, and currency alone', async () => {
		const eventIdOf = async (change: Json) => (await check(change))[0].eventId;
		const first = await eventIdOf({});
		for (const same of [
			{ amount: '1.5' },
			{ amount: 1.5 },
			{ method: 'SEPA' },
			{ country: 'FR' },
			{ supplier: ' eus_1\u00AD ' },
		])
			expect(await eventIdOf(same)).toBe(first);
		for (const other of [
			{ supplier: 'eus_2' },
			{ account: 'vac_2' },
			{ invoice: 'I-2' },
			{ amount: '1,51' },
			{ currency: 'USD' },
		])
			expect(await eventIdOf(other)).not.toBe(first);
		expect(await eventIdOf({ supplier: 'a:b', account: 'c' })).not.toBe(
			await eventIdOf({ supplier: 'a', account: 'b:c' }),
		);
	});

	test('an IBAN is the same with blanks and in lower case, and other accounts stay as they are', async () => {
		const accountOf = async (account: string) => (await check({ account }))[0].account;
		expect(await accountOf('NL91 ABNA 0417 1643 00')).toBe('NL91ABNA0417164300');
		expect(await accountOf('it60x0542811101000000123456')).toBe('IT60X0542811101000000123456');
		for (const account of ['Vac 1 eur', 'gb29 nwbk 6016 1331 9268 91', 'ab12'])
			expect(await accountOf(account)).toBe(account);
	});

	test.each([
		['GB29NWBK60161331926819', /^$/],
		['GB29NWBK60161331926891', /check digits/],
		['AT6119O4300234573201', /check digits/],
		['AB29NWBK60161331926891', /^$/],
		['vac_1', /^$/],
	])('the check digits of %s', async (account, remark) => {
		const [row] = await check({ account });
		expect(row.advice).toEqual([]);
		expect(row.accountRemark).toMatch(remark);
	});

	test('the same payment twice in a file is to be corrected, and equal numbers of two suppliers are not', async () => {
		const rows = await check({}, { row: 3, supplier: 'eus_2' }, { row: 4, amount: '1.5' });
		expect(rows.map(({ advice }) => advice.flat().join(' '))).toEqual([
			'',
			'',
			expect.stringContaining('The same payment is in row 2') as string,
		]);
	});
});

describe('Compare and Summarize', () => {
	const rowOf = (change: Json) => {
		const row = {
			row: 2,
			supplier: 'S',
			account: 'A',
			invoice: 'INV-1',
			amount: '10.00',
			currency: 'EUR',
			advice: [],
			...change,
		} as Json;
		return {
			...row,
			eventId: `payout:${['supplier', 'account', 'invoice', 'amount', 'currency'].map((name) => String(row[name])).join(':')}`,
		};
	};
	const before = (change: Json) => ({
		...rowOf(change),
		id: 1,
		run: '48',
		outcome: 'created',
		recordedAt: '2026-10-01T00:00:00Z',
		...change,
	});
	const compare = async (row: Json, earlier: Json[], others: Json[] = []) =>
		(await runCode('Compare', earlier, { 'Check Rows': [row, ...others].map(rowOf) }))[0];

	test.each([
		['the same payment', {}, {}, 'Accepted before', /payout run 48, 2026-10-01, EUR 10\.00/],
		['the same payment that waits', {}, { outcome: null }, 'Waits already', /payout run 48/],
		[
			'another amount',
			{ amount: '11.00' },
			{},
			'Possibly paid before',
			/payout run 48, 2026-10-01, EUR 10\.00/,
		],
		['another account', { account: 'B' }, {}, 'Possibly paid before', /New account/],
		['another spelling', { invoice: 'inv 0001' }, {}, 'Possibly paid before', /./],
		['O for 0', { invoice: 'INV-O1' }, {}, 'Possibly paid before', /./],
		['l for 1', { invoice: 'INV-l' }, {}, 'Possibly paid before', /./],
		[
			'the digits and the amount',
			{ invoice: 'Invoice 1001' },
			{ invoice: 'INV-1001' },
			'Possibly paid before',
			/./,
		],
		[
			'the digits and another amount',
			{ invoice: 'A 1001', amount: '11.00' },
			{ invoice: 'INV-1001' },
			'To pay',
			/^$/,
		],
		['few digits and the amount', { invoice: 'A 42' }, { invoice: 'B 42' }, 'To pay', /^$/],
		['no digits and the amount', { invoice: 'Rent' }, { invoice: 'Tax' }, 'To pay', /^$/],
		['another currency', { currency: 'USD' }, {}, 'Possibly paid before', /New currency.*USD/],
		[
			'an account with wrong check digits',
			{ invoice: 'X', accountRemark: 'The check digits are wrong.' },
			{},
			'To pay',
			/^The check digits are wrong\.$/,
		],
		[
			'another supplier with the same account',
			{ supplier: 'T' },
			{},
			'Possibly paid before',
			/another supplier: S/,
		],
		[
			'an unknown result before',
			{ amount: '11.00' },
			{ outcome: 'unknown' },
			'Possibly paid before',
			/./,
		],
		['a payment that was rejected', {}, { outcome: 'notApproved' }, 'To pay', /New supplier/],
		[
			'the number of another supplier',
			{ supplier: 'T', account: 'B' },
			{},
			'To pay',
			/New supplier/,
		],
		['ten times the largest', { invoice: 'X', amount: '100.00' }, {}, 'To pay', /Unusual amount/],
		['just below', { invoice: 'X', amount: '99.99' }, {}, 'To pay', /^$/],
	])('%s', async (_, row, earlier, verdict, remarks) => {
		const found = await compare(row, [before(earlier)]);
		expect([found.verdict, found.remarks]).toEqual([verdict, expect.stringMatching(remarks)]);
		expect(found.amountToPay).toBe(
			['To pay', 'Possibly paid before'].includes(verdict) ? found.amount : '',
		);
	});

	test('an account that two suppliers have is noticed once for each of them', async () => {
		const [one, other] = [before({}), before({ id: 2, row: 3, supplier: 'T Inc.', invoice: 'X' })];
		const asked = await compare({ supplier: 'T Inc.', invoice: 'Y' }, [one]);
		expect(asked.remarks).toBe('Account that was paid for another supplier: S. New supplier.');
		expect((await compare({ invoice: 'Y' }, [one, other])).remarks).toBe('');
		const third = await compare({ supplier: 'U', invoice: 'Y' }, [one, other]);
		expect(third.remarks).toBe(
			'Account that was paid for another supplier: S, T Inc. New supplier.',
		);
	});

	test('a row of the file that is left out is no second payment', async () => {
		const row = { row: 2, invoice: 'INV-1', amount: '11.00' };
		const again = await compare(row, [before({})], [{ row: 3 }]);
		expect(again.remarks).toMatch(/^Possibly paid before: payout run 48, [^;]*EUR 10\.00\.$/);
		const twice = await compare(row, [], [{ row: 3 }, { row: 4, amount: '12.00' }]);
		expect(twice.remarks).toContain('in this file: row 3, EUR 10.00; row 4, EUR 12.00.');
	});

	const summarize = async (rows: Json[], checks: Json[]) =>
		(await runCode('Summarize', checks, { Compare: rows }))[0] as Json & {
			form: Array<{ html: string }>;
			rows: Json[];
		};
	const payable = (amount: string, currency = 'EUR') => ({
		...rowOf({ amount, currency }),
		verdict: 'To pay',
		remarks: '',
		amountToPay: amount,
	});

	test('the total of each currency is exact', async () => {
		const cents = fc.bigInt({ min: 1n, max: 10n ** 20n });
		const asAmount = (units: bigint) => {
			const digits = units.toString().padStart(3, '0');
			return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
		};
		const payment = fc.tuple(fc.constantFrom('EUR', 'GBP', 'USD'), cents);
		await fc.assert(
			fc.asyncProperty(fc.array(payment, { minLength: 1, maxLength: 50 }), async (payments) => {
				const rows = payments.map(([currency, units]) => payable(asAmount(units), currency));
				const { totals } = await summarize(
					rows,
					rows.map(() => ({ outcome: 'dryRun' })),
				);
				const expected = ['EUR', 'GBP', 'USD'].flatMap((currency) => {
					const own = payments.filter(([other]) => other === currency);
					const sum = own.reduce((total, [, units]) => total + units, 0n);
					return own.length === 0 ? [] : [`${currency} ${asAmount(sum)} (${own.length})`];
				});
				expect(String(totals).replace(/(?<=\d),(?=\d)/g, '')).toBe(expected.join(', '));
			}),
		);
	});

	test.each([
		["more than 5 EUR, the limit in the option 'Max Amount'", /above the limit for one payment/],
		["the limit in the option 'Max Total per Execution' is 5 EUR", /Split the file/],
		['it is odd', /"10\.00" can't be used/],
	])(
		'what the Payments node says is said for the person with the file: %s',
		async (issue, says) => {
			const checks = [{ outcome: 'invalid', message: `'Amount': ${issue}` }];
			const { rows, payments } = await summarize([payable('10.00')], checks);
			expect(rows[0]).toMatchObject({
				verdict: 'To correct',
				outcome: 'leftOut',
				remarks: expect.stringMatching(says) as string,
			});
			expect(payments).toBe(0);
		},
	);

	test.each([
		['Recipient Country', { country: 'UK' }, /"UK" isn't a country code/],
		['Currency', { currency: 'HRK' }, /"HRK" isn't a currency that is in use/],
	])('what the Payments node says about %s', async (field, change, says) => {
		const checks = [{ outcome: 'invalid', message: `'Amount': x; '${field}' (column "c"): x` }];
		const { rows } = await summarize([{ ...payable('10.00'), ...change }], checks);
		expect(rows[0].remarks).toMatch(says);
	});

	test('what a file says is text on the page, not HTML', async () => {
		const row = {
			...rowOf({ advice: [['Amount', '"<b>&" is odd']] }),
			verdict: 'To correct',
			remarks: '',
			amountToPay: '',
		};
		const { form } = await summarize([row], [{ outcome: 'invalid', message: 'x' }]);
		expect(form[0].html).toContain('<td>Amount</td>');
		expect(form[0].html).not.toMatch(/<b>/);
	});
});

describe('Decision', () => {
	const text = (row: number, verdict: string) => [
		String(row),
		...Array<string>(11).fill('x'),
		verdict,
		'',
	];
	const decide = async (form: Json, uploadedBy = 'lena@x.example') =>
		(
			await runCode('Decision', [], {
				Decide: [form],
				'Choose Run': [{ Run: '51' }],
				'Waiting Runs': [{ run: '51', uploadedBy }],
				Approvers: [{ approvers: 'Amir@x.example, lena@x.example' }],
				Review: [
					{
						content: JSON.stringify([
							'51',
							uploadedBy,
							'',
							[text(2, 'To pay'), text(3, 'Possibly paid before'), text(4, 'Possibly paid before')],
						]),
					},
				],
			})
		)[0];
	const by = (email?: string) => ({ user: email && { email }, Decision: 'Approve' });

	test.each([
		['an approver', by('amir@x.example'), ''],
		['in other case', by('AMIR@X.example'), ''],
		['who uploaded', by('Lena@x.example'), 'Who uploaded'],
		['somebody else', by('eve@x.example'), 'eve@x.example isn'],
		['nobody', by(), 'Who signed in isn'],
	])('%s', async (_, form, reason) => {
		const { reason: found } = await decide(form);
		expect(found).toMatch(reason === '' ? /^$/ : new RegExp(reason));
	});

	test('what is new or unusual is approved unless it is left out', async () => {
		const leftOut = { ...by('amir@x.example'), 'New or unusual': ["Don't pay row 2: row 3, x"] };
		expect(await decide(leftOut)).toMatchObject({ approvedRows: '', decision: 'approved' });
		const other = { ...leftOut, 'New or unusual': ["Don't pay row 12: x"] };
		expect(await decide(other)).toMatchObject({ approvedRows: '2' });
	});

	test('what was possibly paid before is approved only if it is selected', async () => {
		expect(await decide(by('amir@x.example'))).toMatchObject({
			approvedRows: '2',
			decision: 'approved',
		});
		const chosen = { ...by('amir@x.example'), 'Possibly paid before': ['Pay row 4, too: x'] };
		expect(await decide(chosen)).toMatchObject({ approvedRows: '2 4' });
		expect(await decide({ ...chosen, Decision: 'Reject' })).toMatchObject({
			approvedRows: '',
			decision: 'rejected',
		});
	});
});
