import { DEFAULT_SETTINGS } from '../../examples/jobs/source/model';
import { runCode, type Json } from '../support/codeNode';
import { fc } from '../support/properties';

/* The Code nodes of the payout run and of the rules that all jobs share. */

const NOW = '2026-11-24T09:00:00.000Z';
const COLUMNS = [
	...['Invoice', 'Supplier', 'Supplier Account'],
	...['Country', 'Amount', 'Currency', 'Method', 'Supplier Name'],
];
const settingsOf = (...more: Array<[string, string, string]>): Json[] =>
	[
		...more,
		['time zone', '', 'Europe/Copenhagen'],
		['stopped', '', 'no'],
		['sender entity', '', 'eus_us'],
		['sender country', '', 'DK'],
		['sender account', 'EUR', 'vac_us'],
		['1 approver up to', 'EUR', '10000'],
		['2 approvers up to', 'EUR', '50000'],
		...['amir', 'ines'].map((one) => ['approver', '', one]),
	].map(([setting, currency, value]) => ({ setting, currency, value }));

describe('Cells', () => {
	const cellsOf = (rows: unknown[][], fileName = 'a.csv') =>
		runCode(
			'cells',
			rows.map((row) => ({ row })),
			{ 'Upload Payout File': [{}] },
			NOW,
			fileName,
		);
	const latin1 = (text: string, encoding: BufferEncoding) =>
		Buffer.from(text, encoding).toString('latin1');

	test('decodes UTF-8 and Windows-1252, and leaves what is decoded already', () => {
		const [{ cells }] = cellsOf([
			[latin1('Müller – “x”', 'utf8'), 'M\xFCller \x96 \x80', 'Łódź', 5],
		]);
		expect(cells).toEqual(['Müller – “x”', 'Müller – €', 'Łódź', 5]);
	});

	test.each([
		[[], /is empty/],
		[[['Invoice'], ['"I;S\n3;4']], /quotation mark/],
		[[['I\0n']], /characters/],
	])('says why a file cannot be read: %j', (rows, reason) => {
		expect(cellsOf(rows)[0].fileRemark).toMatch(reason);
	});
});

describe('Rows below Header', () => {
	const rowsWith = (settings: Json[], table: unknown[][]) =>
		runCode(
			'rowsBelowHeader',
			table.map((cells) => ({ cells })),
			{ Settings: settings, Columns: [Object.fromEntries(COLUMNS.map((name) => [name, '']))] },
		);
	const rowsOf = (...table: unknown[][]) => rowsWith([], table);
	const CELLS = ['I-1', 'eus_1', 'vac_1', 'DE', '1,50', 'EUR', 'SCT', 'Müller'];

	test('counts rows as the sheet does, with a title above the header and blank rows', () => {
		const found = rowsOf(
			['Payments'],
			[],
			['Due', ...COLUMNS],
			['x', ...CELLS],
			[],
			['y', ...CELLS],
		);
		expect(found.map(({ row, invoice }) => [row, invoice])).toEqual([
			[4, 'I-1'],
			[6, 'I-1'],
		]);
	});

	test('the name can be missing, and so can the method if a setting has it', () => {
		const [named] = rowsOf(COLUMNS.slice(0, 7), CELLS.slice(0, 7));
		expect(named).toMatchObject({ method: 'SCT', name: '' });
		const table = [COLUMNS.slice(0, 6), CELLS.slice(0, 6)];
		expect(rowsOf(...table)[0].fileRemark).toMatch(/no column Method\./);
		const settings = [{ setting: 'method', currency: 'EUR', value: 'SCT' }];
		expect(rowsWith(settings, table)).toMatchObject([{ invoice: 'I-1', method: '' }]);
	});

	test('notices a row with more cells than the header', () => {
		expect(rowsOf(COLUMNS, [...CELLS, 'x'])[0].remark).toMatch(/more cells/);
		expect(rowsOf(COLUMNS, [...CELLS, ''])[0].remark).toBe('');
	});

	test.each([
		[[[]], /no rows/],
		[[COLUMNS], /no rows below/],
		[[COLUMNS.slice(1), ['x']], /no column Invoice/],
		[[[...COLUMNS, 'amount'], ['x']], /column Amount twice/],
	])('says why a file cannot be used: %j', (table, reason) => {
		expect(rowsOf(...table)[0].fileRemark).toMatch(reason);
	});
});

describe('Check Cells and Read Amounts', () => {
	const RIGHT = {
		...{ row: 2, remark: '', invoice: 'I-1', supplier: 'eus_1', account: 'vac_1' },
		...{ country: 'DE', amount: '1,50', currency: 'EUR', method: 'SCT' },
	};
	const check = (change: Json) =>
		['cellTexts', 'checkCells', 'amountTexts', 'readAmounts'].reduce<Json[]>(
			(rows, file) => runCode(file, rows),
			[{ ...RIGHT, ...change }],
		)[0] as Json & {
			advice: string[][];
			cellReasons: string[];
		};

	test.each([
		['1250', 'EUR', '1250.00'],
		['1250,5', 'EUR', '1250.50'],
		['1.250,00', 'EUR', '1250.00'],
		['1,250.00', 'EUR', '1250.00'],
		['1 250,00', 'EUR', '1250.00'],
		['1’250.00', 'CHF', '1250.00'],
		['1.250.000', 'JPY', '1250000'],
		['0,125', 'KWD', '0.125'],
		['12.3450', 'KWD', '12.345'],
		['12345678901234567,10', 'EUR', '12345678901234567.10'],
		[91.35, 'EUR', '91.35'],
		[0.1 + 0.2, 'EUR', '0.30'],
		[12.345, 'KWD', '12.345'],
	])('the amount %j in %s is %s', (amount, currency, expected) => {
		const row = check({ amount, currency });
		expect([row.amount, row.advice]).toEqual([expected, []]);
	});

	test.each([
		[{ amount: '' }, /empty/],
		[{ amount: '12,50', currency: 'JPY' }, /JPY has 0 decimals/],
		[{ amount: '-5,00' }, /Negative/],
		[{ amount: '(5,00)' }, /Negative/],
		[{ amount: '€ 5,00' }, /currency sign/],
		[{ amount: '5,00 EUR' }, /currency sign/],
		[{ amount: 'Jan 25' }, /isn't an amount/],
		[{ amount: '1.25,00' }, /isn't an amount/],
		[{ amount: '0,00' }, /is 0/],
		[{ amount: '=SUM(A1)' }, /formula/],
		[{ invoice: '=HYPERLINK("x")' }, /formula/],
		[{ supplier: '#N/A' }, /formula/],
		[{ country: 'Deutschland' }, /^Country "Deutschland" isn't a country\. Write two letters/],
		[{ country: 'XX' }, /^Country "XX" isn't a country/],
		[
			{ currency: 'Euro', amount: '10,10' },
			/^Currency "Euro" isn't a currency\. Write three letters, such as EUR\.$/,
		],
		[{ supplier: '\u200B ' }, /empty/],
		[{ supplier: 'M\uFFFDller' }, /lost/],
	])('says what to write for %j', (change, says) => {
		expect(check(change).advice.flat().join(' ')).toMatch(says);
	});

	test('advice about an amount that can be read in two ways works when it is followed', () => {
		const amounts = fc.tuple(
			fc.integer({ min: 1, max: 999 }),
			fc.integer({ min: 0, max: 999 }),
			fc.constantFrom('.', ','),
		);
		fc.assert(
			fc.property(amounts, ([thousands, rest, separator]) => {
				const text = `${thousands}${separator}${String(rest).padStart(3, '0')}`;
				for (const currency of ['EUR', 'KWD']) {
					const [[, says]] = check({ amount: text, currency }).advice;
					expect(says).toContain(
						`${thousands} thousand ${rest}, or ${thousands} and ${rest} thousandths`,
					);
					const [, digits] = /only digits: (\d+)/.exec(says)!;
					expect(Number(check({ amount: digits, currency }).amount)).toBe(thousands * 1000 + rest);
				}
				const [[, says]] = check({ amount: text, currency: 'KWD' }).advice;
				const [, longer] = /at its end: (\S+)\.$/.exec(says)!;
				expect(check({ amount: longer, currency: 'KWD' }).amount).toBe(
					`${thousands}.${String(rest).padStart(3, '0')}`,
				);
			}),
		);
	});

	test('a date where an invoice or an amount should be is a reason to hold the payment', () => {
		const today = Math.floor(Date.now() / 86_400_000) + 25_569;
		for (const invoice of [today, 'Nov 26', '24.11.2026', '2026-11-24'])
			expect(check({ invoice }).cellReasons.join()).toMatch(/invoice looks like a date/);
		expect(check({ amount: today }).cellReasons.join()).toMatch(/amount looks like a date/);
		for (const invoice of ['INV 2026', 'March-Ltd 7', 1042, '2026/0042'])
			expect(check({ invoice }).cellReasons).toEqual([]);
	});

	test('an IBAN is the same with blanks and in lower case, and other accounts stay as they are', () => {
		expect(check({ account: 'nl91 ABNA 0417 1643 00' }).account).toBe('NL91ABNA0417164300');
		for (const account of ['Vac 1 eur', 'ab12']) expect(check({ account }).account).toBe(account);
	});
});

const ROW = {
	...{ row: 2, invoice: 'INV-1', supplier: 'S', account: 'A', country: 'DE' },
	...{ amount: '10.00', currency: 'EUR', method: 'SCT', advice: [] },
};

describe('Account Reasons and Approvals Needed', () => {
	const PAYEE = {
		...{ supplier: 'S', account: 'A', state: 'approved', approvedBy: 'amir' },
		...{ approvedAt: '2020-01-01T00:00:00Z', evidence: 'Contract', seal: 'x', check: 'x' },
	};
	const reasons = (row: Json, payees: Json[] = [PAYEE], settings = settingsOf()) => {
		const nodes = {
			Settings: settings,
			'Seals of Payees': payees,
			'Read Amounts': [{ ...ROW, ...row }],
		};
		const codes = [
			...['methods', 'accountReasons', 'supplierNames', 'accountNumbers', 'approvalsNeeded'],
		];
		return codes.reduce<Json[]>((rows, file) => runCode(file, rows, nodes, NOW), [])[0] as Json & {
			held: string[];
			obstacles: string[];
			needs: number;
		};
	};
	const IBAN = 'GB29NWBK60161331926819';

	test.each([
		['an approved account', {}, [PAYEE], /^$/, /^$/],
		['a new supplier', { supplier: 'T', account: 'B' }, [PAYEE], /^$/, /New supplier.*B/],
		[
			'a changed account, old beside new',
			{ account: 'B' },
			[PAYEE],
			/^$/,
			/now B, until now A \(entered by.*; approved/,
		],
		['a seal that is wrong', {}, [{ ...PAYEE, check: 'y' }], /^$/, /New supplier/],
		['one that has ended', {}, [{ ...PAYEE, state: 'ended' }], /^$/, /New supplier/],
		[
			"another supplier's account",
			{},
			[PAYEE, { ...PAYEE, supplier: 'T' }],
			/another supplier, too: T/,
			/^$/,
		],
		['our own account', { account: 'vac_us' }, [{ ...PAYEE, account: 'vac_us' }], /Our own/, /^$/],
		[
			'wrong check digits',
			{ account: 'GB29NWBK60161331926891', country: 'GB' },
			[{ ...PAYEE, account: 'GB29NWBK60161331926891' }],
			/check digits/,
			/^$/,
		],
		[
			'another country',
			{ account: IBAN, country: 'RU' },
			[{ ...PAYEE, account: IBAN }],
			/from GB.*RU/,
			/^$/,
		],
		['the right one', { account: IBAN, country: 'GB' }, [{ ...PAYEE, account: IBAN }], /^$/, /^$/],
		['the same name', { name: 'MÜLLER gmbh.' }, [{ ...PAYEE, name: 'Müller GmbH' }], /^$/, /^$/],
		[
			'another name, old beside new',
			{ name: 'Müller AG' },
			[{ ...PAYEE, name: 'Müller GmbH' }],
			/now Müller AG, until now Müller GmbH\./,
			/^$/,
		],
		['a name that nobody approved', { name: 'Müller AG' }, [PAYEE], /^$/, /^$/],
		[
			'a changed account, with both names',
			{ account: 'B', name: 'Müller AG' },
			[{ ...PAYEE, name: 'Müller GmbH' }],
			/Another name/,
			/now B \(Müller AG\), until now A \(Müller GmbH\) \(entered by/,
		],
		['no account of ours', { currency: 'USD' }, [PAYEE], /^$/, /no account that pays USD/],
	])('%s', (_, row, payees, held, obstacles) => {
		const found = reasons(row, payees);
		expect(found.held.join(' ')).toMatch(held);
		expect(found.obstacles.join(' ')).toMatch(obstacles);
	});

	test('wrong check digits that nobody approved are to correct', () => {
		const { advice } = reasons({ account: 'GB29NWBK60161331926891', country: 'GB' }, []);
		expect(advice).toEqual([['Supplier Account', 'The check digits of this IBAN are wrong.']]);
	});

	test('a payment without a method has that of the settings for its currency, or is to correct', () => {
		const settings = settingsOf(['method', 'EUR', 'SCT'], ['method', 'GBP', 'FPS']);
		expect(reasons({ method: '' }, [PAYEE], settings).method).toBe('SCT');
		expect(reasons({ method: 'INST' }, [PAYEE], settings).method).toBe('INST');
		expect(reasons({ method: '' }).advice).toEqual([['Method', 'Method is empty.']]);
	});

	test.each([
		['10000.00', 1],
		['10000.01', 2],
		['50000.00', 2],
	])('%s needs %i approvers', (amount, needs) => {
		expect(reasons({ amount }).needs).toBe(needs);
	});

	test('above the largest limit, nothing can be paid; a third tier is one setting more', () => {
		expect(reasons({ amount: '50000.01' }).obstacles.join()).toMatch(/Above the limit/);
		const third = settingsOf(['3 approvers up to', 'EUR', '90000']);
		const large = { amount: '50000.01' };
		expect(reasons(large, [PAYEE], third)).toMatchObject({
			needs: 3,
			obstacles: ['It needs 3 approvers, and the settings have 2.'],
		});
		const enough = [...third, { setting: 'approver', currency: '', value: 'eve' }];
		expect(reasons(large, [PAYEE], enough)).toMatchObject({ needs: 3, obstacles: [] });
	});

	test.each([
		['1 approver up to', 'EUR', '10,000'],
		['per day', 'EUR', ''],
		['agent up to', 'GBP', '1e3'],
	])('the limit %s %s %j stops each payment, and says what to write', (...limit) => {
		const { obstacles } = reasons({}, [PAYEE], settingsOf(limit));
		expect(obstacles).toEqual([
			`The setting ${limit.join(' ').replace(/ (\S*)$/, ' is "$1"')}. Write such as 250000.`,
		]);
	});

	test('an account that was approved lately needs two approvers, unless it was paid before', () => {
		const approvedAt = new Date(Date.now() - 86_400_000).toISOString();
		expect(reasons({}, [{ ...PAYEE, approvedAt }])).toMatchObject({ needs: 2 });
		expect(reasons({}, [{ ...PAYEE, approvedAt }]).held.join()).toMatch(/less than 5 days/);
		const old = { ...PAYEE, approvedAt, evidence: 'Paid before' };
		expect(reasons({}, [old])).toMatchObject({ needs: 1, held: [] });
	});
});

describe('what was paid or asked for before', () => {
	const before = (change: Json): Json => ({
		...{ ...ROW, id: 1, externalId: 'x', run: '48', result: 'paid', decision: 'approved' },
		...{ decidedAt: '2026-11-01T00:00:00Z', decidedBy: 'amir', createdAt: '2026-11-01T00:00:00Z' },
		...{ explanation: '', ...change },
	});
	const WAITS = { result: 'to approve', decision: '' };
	const compare = (row: Json, earlier: Json[], others: Json[] = [], settings = settingsOf()) =>
		['samePayments', 'possibleDuplicates', 'unusualPayments'].reduce(
			(rows, file) => runCode(file, rows, { Settings: settings, 'Earlier Payments': earlier }, NOW),
			[row, ...others].map((one): Json => ({ ...ROW, held: [], obstacles: [], ...one })),
		) as Array<Json & { held: string[] }>;

	test.each([
		['the same payment', {}, {}, 'left out', /isn't paid a second time/],
		['one that waits', {}, { ...WAITS, createdAt: '2026-11-22T00:00:00Z' }, 'left out', /run 48/],
		['one that nobody decided in time', {}, WAITS, 'to approve', /^$/],
		['one that needs attention', {}, { result: 'needs attention' }, 'left out', /needs attention/],
		['rejected', {}, { result: 'rejected' }, 'to approve', /^Second try.*rejected/],
		['returned', {}, { result: 'returned' }, 'to approve', /^Second try.*returned/],
		[
			'declined',
			{},
			{ result: 'not sent', decision: 'declined', explanation: 'Wrong month' },
			'to approve',
			/^Wrong month \(2026-11-01\)$/,
		],
		['withdrawn', {}, { result: 'not sent', decision: 'withdrawn' }, 'to approve', /^$/],
		['another amount', { amount: '11.00' }, {}, 'to approve', /Possible duplicate/],
		['another account', { account: 'B' }, {}, 'to approve', /Possible duplicate/],
		['another spelling', { invoice: 'inv 0001' }, {}, 'to approve', /Possible duplicate/],
		['another invoice, the same amount', { invoice: 'X' }, {}, 'to approve', /Possible duplicate/],
		[
			'another invoice, long ago',
			{ invoice: 'X' },
			{ createdAt: '2026-01-01T00:00:00Z' },
			'to approve',
			/^$/,
		],
		['another supplier', { supplier: 'T', account: 'B' }, {}, 'to approve', /^$/],
		[
			'ten times the largest',
			{ invoice: 'X', amount: '100.00' },
			{},
			'to approve',
			/Unusual amount.*10\.00/,
		],
		['just below', { invoice: 'X', amount: '99.99' }, {}, 'to approve', /^$/],
	])('%s', (_, row, earlier, verdict, held) => {
		const [found] = compare(row, [before(earlier)]);
		expect(found.verdict).toBe(verdict);
		expect(found.held.join(' ')).toMatch(held);
	});

	test.each([
		[{}, '2026-10-30', /^$/],
		[{}, '2026-10-31', /Possible duplicate/],
		[{ invoice: 'inv 0001', amount: '11.00' }, '2025-01-01', /Possible duplicate/],
	])('%j, and a payment of %s, with the setting of 25 days', (row, createdAt, held) => {
		const [found] = compare({ invoice: 'X', ...row }, [before({ createdAt })]);
		expect(found.held.join(' ')).toMatch(held);
	});

	test('amounts in reasons have their thousands grouped, however large, and sums are exact', () => {
		const [found] = compare({ invoice: 'X', amount: '1234567.89' }, [
			before({ amount: '1234567.89' }),
		]);
		expect(found.held.join(' ')).toMatch(/^Possible duplicate: EUR 1,234,567\.89, invoice INV-1,/);
		const asked = ['90071992547409.93', '0.07', '1000'].map((amount, index) => ({
			...{ ...ROW, amount, currency: index < 2 ? 'EUR' : 'JPY', held: [], obstacles: [] },
			verdict: 'to approve',
		}));
		expect(runCode('checkTotals', [], { 'Check Payments': asked })).toEqual([
			{
				paid: 'EUR 90,071,992,547,410.00 (2), JPY 1,000 (1)',
				held: 'nothing',
				waits: 'nothing',
			},
		]);
		const others = [
			{ ...asked[0], held: ['Unusual'] },
			{ ...asked[1], held: ['New supplier'], obstacles: ['Approve the account first.'] },
		];
		expect(runCode('checkTotals', [], { 'Check Payments': others })).toEqual([
			{ paid: 'nothing', held: 'EUR 90,071,992,547,409.93 (1)', waits: 'EUR 0.07 (1)' },
		]);
	});

	test.each<[string, Json, Json, RegExp]>([
		['after a week', { equalEvery: '7' }, { createdAt: '2026-11-17T22:00:00Z' }, /^$/],
		['a day too early', { equalEvery: '7' }, { createdAt: '2026-11-18T00:30:00Z' }, /duplicate/],
		['never expected', { equalEvery: '0' }, { createdAt: '2026-11-17' }, /duplicate/],
		['nothing said', { equalEvery: '' }, { createdAt: '2026-11-17' }, /duplicate/],
		['the same invoice', { equalEvery: '7', invoice: 'inv 1' }, { createdAt: '2026-11-01' }, /dup/],
		['another supplier', { equalEvery: '7' }, { createdAt: '2026-11-17', supplier: 'T' }, /dup/],
		[
			'saved a week after, and approved today',
			{ equalEvery: '7', createdAt: '2026-11-22T09:00:00Z', run: '51' },
			{ createdAt: '2026-11-16T09:00:00Z' },
			/duplicate/,
		],
	])('an equal payment that the payee expects: %s', (_, row, earlier, held) => {
		const [found] = compare({ invoice: 'X', ...row }, [before(earlier)]);
		expect(found.held.join(' ')).toMatch(held);
		expect(found).not.toHaveProperty('equalEvery');
	});

	test('the days of a possible duplicate are a setting', () => {
		const settings = settingsOf(['duplicate days', '', '90']);
		const [found] = compare({ invoice: 'X' }, [before({ createdAt: '2026-09-01' })], [], settings);
		expect(found.held.join(' ')).toMatch(/Possible duplicate/);
	});

	test('a second try has the next number, and a declined one does not', () => {
		expect(compare({}, [before({ result: 'rejected' })])[0].attempt).toBe(2);
		const declined = before({ result: 'not sent', decision: 'declined' });
		expect(compare({}, [declined])[0].attempt).toBe(1);
	});

	test('the same payment twice in a file counts once, and a twin is held in both rows', () => {
		const [first, second] = compare({}, [], [{ row: 3 }]);
		expect([first.verdict, second.verdict]).toEqual(['to approve', 'left out']);
		const twins = compare({}, [], [{ row: 3, invoice: 'X' }]);
		expect(twins.map(({ held }) => held.length)).toEqual([1, 1]);
	});

	test('what only the cell of the file showed still holds the saved row when somebody approves it', () => {
		const reason = '"Nov 26" as invoice looks like a date.';
		const uploaded = compare({ cellReasons: [reason] }, [])[0];
		expect(uploaded.held).toEqual([reason]);
		const saved = compare({ reasons: `Possible duplicate: gone by now.\n${reason}` }, [])[0];
		expect(saved.held).toEqual([reason]);
	});

	test('of two saved rows for one payment, only the second one is left out', () => {
		const twin = before({
			...{ id: 7, run: '49', result: 'to approve' },
			createdAt: '2026-11-23T00:00:00Z',
		});
		expect(compare({ id: 3, run: '48' }, [twin])[0]).toMatchObject({
			verdict: 'to approve',
			held: [],
			attempt: 1,
		});
		expect(compare({ id: 9, run: '50' }, [twin])[0].verdict).toBe('left out');
	});
});

describe('Review and Decision', () => {
	const DECIDED = {
		...{ ...ROW, row: '2', run: '51', externalId: 'e2', verdict: 'to approve', held: [] },
		...{ obstacles: [], needs: 1, decidedBy: '', history: 'h', seal: 's', check: 's' },
		result: 'to approve',
	};
	const RUN = {
		...{ run: '51', requestedBy: 'lena', requestedAt: NOW, digest: 'e2' },
		...{ seal: 'r', check: 'r' },
	};
	const LOGGED = { what: 'payout run: asked for', run: '51', to: 'r', isLast: true };
	const toDecide = (rows: Json[], run: Json, log: Json[]) =>
		runCode(
			'rowsToDecide',
			rows,
			{
				...{ Settings: settingsOf(), 'Choose Run': [{ Run: '51' }], Log: log },
				'Run Seals': [{ ...RUN, ...run }],
			},
			NOW,
		);
	const review = (
		rows: Json[],
		{
			me = 'amir',
			isApprover = true,
			run = {} as Json,
			log = [LOGGED] as Json[],
			settings = settingsOf(),
		} = {},
	) =>
		runCode(
			'reviewLists',
			rows,
			{
				Settings: settings,
				'Run List': [{ me, isApprover }],
				'Choose Run': [{ Run: '51' }],
				'Run Seals': [{ ...RUN, ...run }],
				'Payments to Decide': toDecide(rows, run, log),
			},
			NOW,
		)[0] as Json & { decisions: string[]; warnings: string[]; held: Json[]; clean: Json[] };
	const decide = (rows: Json[], form: Json, seen: Parameters<typeof review>[1] = {}) => {
		const nodes = {
			Decide: [{ user: { email: seen.me ?? 'amir' }, Comment: 'c', ...form }],
			Review: [review(rows, seen)],
		};
		const approved = runCode('approvedRows', [], nodes, NOW);
		return runCode('decision', [], { ...nodes, 'Approved Rows': approved }, NOW);
	};

	test.each([
		['an approver', {}, ['Approve', 'Decline all']],
		['who uploaded, also as an approver', { me: 'lena' }, ['Withdraw all']],
		['somebody else', { me: 'eve', isApprover: false }, []],
		['a run with a wrong seal', { run: { check: 'x' } }, ['Decline all']],
		['a run with another list', { run: { digest: 'e2\ne3' } }, ['Decline all']],
		[
			'a run that the log has with another seal',
			{ log: [{ ...LOGGED, to: 'q' }] },
			['Decline all'],
		],
		['a run that the log does not have', { log: [] as Json[] }, ['Decline all']],
		['a run that waited too long', { run: { requestedAt: '2026-11-20' } }, ['Decline all']],
	])('%s', (_, seen, decisions) => {
		expect(review([DECIDED], seen).decisions).toEqual(decisions);
	});

	test('while sending is stopped, the page says so, and a decision can be made', () => {
		const settings = settingsOf().map((one) =>
			one.setting === 'stopped' ? { ...one, value: 'yes' } : one,
		);
		const { warnings, decisions } = review([DECIDED], { settings });
		expect(warnings).toEqual([expect.stringMatching(/^Sending is stopped/)]);
		expect(decisions).toEqual(['Approve', 'Decline all']);
		expect(review([DECIDED]).warnings).toEqual([]);
	});

	test('a row with a wrong seal stops the approval of the payout run', () => {
		expect(review([{ ...DECIDED, check: 'x' }]).warnings.join()).toMatch(/Row 2/);
	});

	test('what is held is approved only with its tick, and declined without', () => {
		const rows = [DECIDED, { ...DECIDED, row: '3', held: ['Odd.'] }];
		const run = { digest: 'e2\ne2' };
		const without = decide(rows, { Decision: 'Approve' }, { run });
		expect(without.map(({ decision }) => decision)).toEqual(['approved', 'declined']);
		expect(without[1].explanation).toBe('Declined by amir, who wrote: "c".');
		const ticked = { Decision: 'Approve', Held: ['Pay row 3: x. Odd.'] };
		const [, second] = decide(rows, ticked, { run });
		expect(second).toMatchObject({ decision: 'approved', result: 'not sent', reasons: 'Odd.' });
	});

	test.each([
		['3', ['approved', 'declined', 'declined'], ['2', '3', '4']],
		[' 2, 4;', ['approved', 'declined', 'declined'], ['2', '3', '4']],
		['5', [], []],
		['2 and 3', [], []],
	])(
		'rows %j are not paid, and a row that is not there decides nothing',
		(text, decisions, all) => {
			const rows = ['2', '3', '4'].map((row) => ({
				...DECIDED,
				row,
				held: row === '2' ? [] : ['Odd.'],
			}));
			const form = { Decision: 'Approve', 'Leave Out Rows': text, Held: ['Pay row 3: x.'] };
			const decided = decide(rows, form, { run: { digest: 'e2\ne2\ne2' } });
			expect(decided.map(({ decision }) => decision)).toEqual(decisions);
			expect(decided.map(({ row }) => row).sort()).toEqual(all);
		},
	);

	test('two approvers have to be two people', () => {
		const row = { ...DECIDED, needs: 2 };
		const [first] = decide([row], { Decision: 'Approve' });
		expect(first).toMatchObject({
			decidedBy: 'amir',
			explanation: expect.stringMatching(/1 more/),
		});
		expect(first.decision ?? '').toBe('');
		const half = { ...row, decidedBy: 'amir' };
		expect(review([half]).decisions).toEqual(['Decline all']);
		const [second] = decide([half], { Decision: 'Approve' }, { me: 'ines' });
		expect(second).toMatchObject({ decision: 'approved', decidedBy: 'amir ines' });
	});

	test('a page that somebody else posts decides nothing, and neither does a decision that was not offered', () => {
		expect(decide([DECIDED], { Decision: 'Approve', user: { email: 'eve' } })).toEqual([]);
		expect(decide([DECIDED], { Decision: 'Approve' }, { me: 'lena' })).toEqual([]);
	});

	test('an account that is not approved cannot be approved along with its payment', () => {
		const found = review([{ ...DECIDED, obstacles: ['New supplier.'] }]);
		expect(found.decisions).toEqual(['Decline all']);
	});

	test('what a file says is text on the page, not HTML', () => {
		const [{ form }] = runCode('reviewPage', [review([{ ...DECIDED, supplier: '<b>&' }])]);
		expect(JSON.stringify(form)).not.toContain('<b>');
	});
});

describe('Pay', () => {
	const APPROVED = {
		...{ ...ROW, externalId: 'e', result: 'not sent', decision: 'approved', decidedBy: 'amir' },
		...{ decidedAt: '2026-11-24T08:00:00.000Z', verdict: 'to approve', held: [], obstacles: [] },
		...{ needs: 1, history: 'h', seal: 's', check: 's' },
	};
	const batch = (
		rows: Json[],
		settings = settingsOf(),
		others: Record<string, Json[]> = {},
		now = NOW,
	) => {
		const nodes: Record<string, Json[]> = {
			...{ Settings: settings, 'Lost Answers': [{}], 'Payments of the Day': [] },
			'Take Lock': [{ value: '2026-11-24T09:15:00.000Z' }],
			'Still Approved': runCode(
				'stillApproved',
				rows,
				{ Settings: settings, 'Payments to Pay': [APPROVED] },
				NOW,
			),
			...others,
		};
		nodes['Within Limits'] = runCode('withinLimits', [], nodes, now);
		return runCode('nextBatch', [], nodes, now);
	};

	test('sends what is approved, and counts it in the day of the time zone', () => {
		const late = '2026-11-24T23:30:00.000Z';
		const lock = { 'Take Lock': [{ value: '2026-11-24T23:45:00.000Z' }] };
		const rows = [{ ...APPROVED, decidedAt: late }];
		const [row] = batch(rows, settingsOf(), lock, late);
		expect(row).toMatchObject({ result: 'sent', day: '2026-11-25', previous: 's' });
		expect(row).not.toHaveProperty('check');
	});

	test.each([
		['an obstacle', { obstacles: ['Changed account.'] }, 'to approve', ''],
		['a rule that says no now', { verdict: 'to correct', advice: [['', 'x']] }, 'to approve', ''],
		['more approvers are needed now', { needs: 2 }, 'to approve', ''],
		['another account pays now', { senderAccount: 'vac_other' }, 'to approve', ''],
		['an old approval', { decidedAt: '2026-11-20T00:00:00Z' }, 'not sent', 'expired'],
		['the same payment elsewhere', { verdict: 'left out' }, 'not sent', 'withdrawn'],
	])('does not send: %s', (_, change, result, decision) => {
		expect(batch([{ ...APPROVED, ...change }])).toEqual([
			expect.objectContaining({ result, decision }),
		]);
	});

	const ENTRY = { run: '48', what: 'payout run: Approve', who: 'amir', at: NOW, to: 's' };
	test.each<[string, Json, Json[], string]>([
		['its whole approval is saved', {}, [ENTRY], 'sent'],
		['it is being saved', {}, [], ''],
		['an earlier one is saved', {}, [{ ...ENTRY, at: '2026-11-24T07:59:59.000Z' }], ''],
		['another person decided meanwhile', {}, [{ ...ENTRY, who: 'ines' }], ''],
		['another run was decided', {}, [{ ...ENTRY, run: '49' }], ''],
		['the entry was changed', {}, [{ ...ENTRY, remark: 'Changed.' }], ''],
		[
			'n8n stopped before it was saved',
			{ decidedAt: '2026-11-24T07:59:59.000Z' },
			[],
			'to approve',
		],
		['the agent approved it', { decidedBy: 'agent' }, [], 'sent'],
	])('%s', (_, change, log, result) => {
		const row = { ...APPROVED, run: '48', decidedAt: '2026-11-24T08:30:00.000Z', ...change };
		const rows = runCode('sentBefore', [row], { Log: log }, NOW);
		expect(batch(rows).map((one) => one.result)).toEqual(result ? [result] : []);
	});

	test('sends nothing when it is stopped, whatever is written there, or when the lock ends soon', () => {
		for (const value of ['yes', '', 'No'])
			expect(batch([APPROVED], settingsOf(['stopped', '', value]))).toEqual([]);
		const soon = { 'Take Lock': [{ value: '2026-11-24T09:06:00.000Z' }] };
		expect(batch([APPROVED], settingsOf(), soon)).toEqual([]);
	});

	test('the sums of a day never exceed their limits, whatever is approved', () => {
		const amount = fc.integer({ min: 1, max: 9_999 });
		const payment = fc.record({ amount, supplier: fc.constantFrom('S', 'T', 'U') });
		fc.assert(
			fc.property(fc.array(payment, { maxLength: 40 }), fc.array(payment), (day, approved) => {
				const asAmount = (one: { amount: number; supplier: string }) => ({
					supplier: one.supplier,
					amount: `${Math.floor(one.amount / 100)}.${String(one.amount % 100).padStart(2, '0')}`,
				});
				const earlier = day.map((one) => ({ ...ROW, ...asAmount(one), day: '2026-11-24' }));
				const rows = approved.map((one, index) => ({ ...APPROVED, ...asAmount(one), row: index }));
				const settings = settingsOf(['per day', 'EUR', '500'], ['per day and payee', 'EUR', '200']);
				const sent = batch(rows, settings, { 'Payments of the Day': earlier }).filter(
					({ result }) => result === 'sent',
				);
				const cents = (some: Json[]) =>
					some.reduce((sum, one) => sum + Number(String(one.amount).replace('.', '')), 0);
				const of = (some: Json[], name: string) => some.filter(({ supplier }) => supplier === name);
				if (sent.length > 0) expect(cents([...earlier, ...sent])).toBeLessThanOrEqual(50_000);
				for (const name of ['S', 'T', 'U'])
					if (of(sent, name).length > 0)
						expect(cents(of([...earlier, ...sent], name))).toBeLessThanOrEqual(20_000);
			}),
		);
	});

	test('what is above a limit waits, says so once, and sends no alarm again', () => {
		const settings = settingsOf(['per day', 'EUR', '9']);
		const [row] = batch([APPROVED], settings);
		expect(row).toMatchObject({ result: 'not sent', decision: 'approved' });
		expect(row.explanation).toMatch(/limit per day/);
		expect(batch([{ ...APPROVED, explanation: row.explanation }], settings)).toEqual([]);
	});

	const RETRY_HOURS = DEFAULT_SETTINGS.find(([setting]) => setting === 'retry hours')![2];
	const lost = (change: Json, hours: string) =>
		runCode(
			'lostAnswers',
			[],
			{
				Settings: settingsOf(['retry hours', '', hours]),
				Seals: [
					{
						...{ ...APPROVED, result: 'in doubt', firstSentAt: '2026-11-24T08:00:00.000Z' },
						...{ sentAt: '2026-11-24T08:50:00.000Z', ...change },
					},
				],
			},
			NOW,
		);

	test.each([
		['in doubt, a while ago', {}, RETRY_HOURS, ['sent']],
		['in doubt, just now', { sentAt: '2026-11-24T08:59:00.000Z' }, RETRY_HOURS, []],
		[
			'left as sent by an execution that stopped',
			{ result: 'sent', sentAt: '2026-11-24T08:59:59.000Z' },
			RETRY_HOURS,
			['sent'],
		],
		['at the end of its time', {}, '1', ['sent']],
		['after more than that', { firstSentAt: '2026-11-24T07:59:59.000Z' }, '1', ['needs attention']],
		[
			'by default, an hour before a service that keeps Event IDs for 24 forgets it',
			{ firstSentAt: '2026-11-23T09:59:59.000Z' },
			RETRY_HOURS,
			['needs attention'],
		],
		['with a wrong seal', { check: 'x' }, RETRY_HOURS, []],
	])('%s', (_, change, hours, results) => {
		expect(lost(change, hours).map(({ result }) => result)).toEqual(results);
	});

	const FIRST = { firstSentAt: NOW, sentAt: NOW, day: '2026-11-24' };
	const AGAIN = { ...FIRST, firstSentAt: '2026-11-24T08:00:00.000Z' };
	test.each([
		[FIRST, 'created', 'accepted', '2026-11-24'],
		[FIRST, 'duplicate', 'accepted', '2026-11-24'],
		[FIRST, 'rejected', 'rejected', ''],
		[FIRST, 'invalid', 'rejected', ''],
		[FIRST, 'notSent', 'not sent', ''],
		[FIRST, 'unknown', 'in doubt', '2026-11-24'],
		[FIRST, undefined, 'in doubt', '2026-11-24'],
		[AGAIN, 'rejected', 'needs attention', '2026-11-24'],
		[AGAIN, 'notSent', 'in doubt', '2026-11-24'],
		[AGAIN, 'duplicate', 'accepted', '2026-11-24'],
	])('%j and %s: %s', (times, outcome, result, day) => {
		const sent = { 'To Send': [{ ...APPROVED, ...times, result: 'sent' }] };
		const [row] = runCode('outcomes', [{ outcome, message: 'm', fix: 'f' }], sent, NOW);
		expect(row).toMatchObject({ result, day, decision: 'approved', previous: 's' });
	});
});

describe('What the Events Change', () => {
	const SENT = {
		...{ ...ROW, id: 1, externalId: 'e', result: 'accepted', firstSentAt: NOW, day: 'd' },
		...{ status: 'PROCESSING', statusAt: '1000', history: 'h', seal: 's' },
	};
	const changed = (row: Json, status: string, createdAt: unknown = 2000) =>
		runCode('eventResult', [{ ...SENT, ...row }], {
			'Payments Trigger': [
				{ data: { id: 'pmt', status, metadata: { externalId: 'e' } }, createdAt },
			],
		});

	test.each([
		['COMPLETED', {}, 'paid', 'd'],
		['REJECTED', {}, 'rejected', ''],
		['FAILED', {}, 'failed', ''],
		['RETURNED', { result: 'paid' }, 'returned', 'd'],
		['PROCESSING', { result: 'in doubt' }, 'accepted', 'd'],
		['COMPLIANCE_REVIEW', {}, 'accepted', 'd'],
		['COMPLETED', { result: 'needs attention' }, 'paid', 'd'],
	])('%s after %j: %s', (status, row, result, day) => {
		expect(changed(row, status)).toEqual([expect.objectContaining({ result, day, status })]);
	});

	test('an older event, a second delivery, and one about another payment change nothing', () => {
		expect(changed({}, 'COMPLETED', 999)).toEqual([]);
		expect(changed({}, 'PROCESSING', 1000)).toEqual([]);
		expect(changed({ firstSentAt: '' }, 'COMPLETED')).toEqual([]);
		expect(changed({}, 'COMPLETED', 1000)).toHaveLength(1);
	});

	test.each([
		['in ISO 8601', '2026-11-24T10:00:00Z', '2026-11-24T10:00:00.000Z'],
		['missing: its arrival', null, expect.stringMatching(/^20/)],
	])('the time of an event is %s', (_, createdAt, acceptedAt) => {
		const [{ statusAt, ...row }] = changed({ acceptedAt: '' }, 'COMPLETED', createdAt);
		expect(row).toMatchObject({ result: 'paid', acceptedAt });
		expect(new Date(Number(statusAt)).toISOString()).toEqual(acceptedAt);
	});

	test('the events of one delivery, in any order, leave the last status of each payment', () => {
		const event = (externalId: string, status: string, createdAt: number) => ({
			...{ data: { id: 'pmt', status, metadata: { externalId } }, createdAt },
		});
		const found = runCode('eventResult', [SENT, { ...SENT, externalId: 'f', seal: 't' }], {
			'Payments Trigger': [
				event('e', 'RETURNED', 4000),
				event('f', 'FAILED', 3000),
				event('e', 'COMPLETED', 2000),
				event('g', 'COMPLETED', 2000),
			],
		});
		expect(found).toEqual([
			expect.objectContaining({ externalId: 'e', result: 'returned', previous: 's' }),
			expect.objectContaining({ externalId: 'f', result: 'failed', previous: 't' }),
		]);
	});
});
