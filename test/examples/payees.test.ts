import { runCode, type Json } from '../support/codeNode';

/* The Code nodes of the job payees. */

const FORM = { user: { email: 'Lena@payments.example' } };
const HEADER = {
	cells: [
		...['Supplier', 'Supplier Account', 'Country', 'Evidence', 'Supplier Name'],
		'Equal Payment Every (Days)',
	],
};
const KNOWN = { supplier: 'S', account: 'vac_1', state: 'approved', name: 'M', equalEvery: '14' };
const enter = (rows: string[][], known: Json[] = [], form: Json = {}) =>
	runCode('payeesToEnter', known, {
		'Enter Payees': [{ ...FORM, ...form }],
		Cells: [HEADER, ...rows.map((cells) => ({ cells }))],
	});

describe('what is entered', () => {
	test.each<[string, string[], Json[], string | undefined]>([
		['an account', ['S', 'vac_1', 'de', 'Call'], [], 'vac_1'],
		['an IBAN', ['S', 'nl91 ABNA 0417 1643 00', 'NL', 'Call'], [], 'NL91ABNA0417164300'],
		['no evidence', ['S', 'vac_1', 'DE', ''], [], undefined],
		['days that are no number', ['S', 'vac_1', 'DE', 'Call', 'N', 'week'], [], undefined],
		['another name', ['S', 'vac_1', 'DE', 'Call', 'N', ''], [KNOWN], 'vac_1'],
		['other days', ['S', 'vac_1', 'DE', 'Call', 'M', '7'], [KNOWN], 'vac_1'],
		['the same name, and no days', ['S', 'vac_1', 'DE', 'Call', 'M', ''], [KNOWN], undefined],
		[
			'one that waits',
			['S', 'vac_1', 'DE', 'Call'],
			[{ supplier: 'S', account: 'vac_1', state: 'to approve' }],
			undefined,
		],
		[
			'one that has ended',
			['S', 'vac_1', 'DE', 'Call'],
			[{ supplier: 'S', account: 'vac_1', state: 'ended' }],
			'vac_1',
		],
	])('%s', (_, row, known, account) => {
		const [found] = enter([row], known);
		expect(found.account).toBe(account);
		expect(found.says).toMatch(account ? /^1 wait/ : /^0 wait/);
	});

	test('an IBAN with wrong check digits is counted, and the account of the form is entered', () => {
		const wrong = ['S', 'GB29NWBK60161331926891', 'GB', 'Call'];
		expect(enter([wrong])[0].says).toMatch(/1 have an empty cell, a wrong IBAN/);
		const form = { Supplier: 'T', 'Supplier Account': 'vac_2', Country: 'SE', Evidence: 'Call' };
		expect(enter([wrong], [], form)).toMatchObject([
			{ supplier: 'T', state: 'to approve', enteredBy: 'lena@payments.example' },
		]);
	});
});

test('the approver sees doubts beside an account, and decides only about what others entered', () => {
	const payee = (change: Json): Json => ({
		...{ supplier: 'S', account: 'vac_1', country: 'DE', state: 'to approve', evidence: 'Call' },
		...{ enteredBy: 'lena', approvedBy: 'ines', approvedAt: '2026-01-02T00:00:00Z' },
		...{ seal: 's', check: 's', history: 'h', ...change },
	});
	const [list] = runCode('payeeList', [], {
		Settings: [{ setting: 'approver', value: 'Amir' }],
		'Approve Payees': [{ user: { email: 'amir' } }],
		'Seals of Payees': [
			payee({ account: 'GB29NWBK60161331926891' }),
			payee({ account: 'vac_2', enteredBy: 'amir' }),
			payee({ account: 'vac_3', check: 'x' }),
			payee({ account: 'vac_4', state: 'approved' }),
		],
	});
	expect(list).toMatchObject({
		waiting: [{ account: 'GB29NWBK60161331926891' }],
		known: [['vac_4 (since 2026-01-02, by ines)', expect.stringMatching(/check digits/)]],
		changed: [{ account: 'vac_3' }],
	});
	expect(runCode('payeeTables', [list])).toMatchObject([
		{
			top: [expect.stringMatching(/vac_3: changed in the table/)],
			fields: [
				{ fieldLabel: 'Approve' },
				{ fieldLabel: 'End' },
				{ fieldLabel: 'What you checked' },
			],
		},
	]);
	const decided = runCode('payeeDecision', [], {
		'Payee List': [list],
		'Decide Payees': [{ user: { email: 'amir' }, Approve: ['1. x'], End: ['1. x'] }],
	});
	expect(decided.map(({ account, state }) => [account, state])).toEqual([
		['GB29NWBK60161331926891', 'approved'],
		['vac_4', 'ended'],
	]);
});

test.each([
	['vac_1', {}, ['S vac_1']],
	['S', {}, ['S vac_1', 'S vac_2']],
	['vac_9', {}, []],
	['vac_1', { user: { email: 'lena' } }, []],
])('to end %s, an approver sees what is approved, and nothing that waits', (wanted, who, old) => {
	const payee = (account: string, state: string): Json => ({
		...{ supplier: 'S', account, state, enteredBy: 'lena', history: 'h', seal: 's', check: 's' },
	});
	const [list] = runCode('payeeList', [], {
		Settings: [{ setting: 'approver', value: 'amir' }],
		'Approve Payees': [{ user: { email: 'amir' }, 'End an Account': ` ${wanted} `, ...who }],
		'Seals of Payees': [
			payee('vac_1', 'approved'),
			payee('vac_2', 'approved'),
			payee('vac_3', 'to approve'),
		],
	});
	const [{ fields, top }] = runCode('payeeTables', [list]) as Array<{
		fields: Json[];
		top: string[];
	}>;
	const labels = fields.map(({ fieldLabel }) => fieldLabel);
	expect(labels).toEqual(old.length > 0 ? ['End', 'What you checked'] : []);
	expect(top).toHaveLength(old.length > 0 ? 0 : 1);
	const decided = runCode('payeeDecision', [], {
		'Payee List': [list],
		'Decide Payees': [{ ...{ user: { email: 'amir' } }, ...who, End: ['1. x', '2. x'] }],
	});
	expect(decided.map(({ supplier, account }) => [supplier, account].join(' '))).toEqual(old);
	expect(decided.filter(({ state }) => state !== 'ended')).toEqual([]);
});

test('what changes of an account stands beside what was approved, and takes its place', () => {
	const old = {
		...{ supplier: 'S', account: 'A', name: 'M', equalEvery: '', history: 'h', seal: 's' },
		...{ approvedAt: '2026-01-02', approvedBy: 'ines', state: 'approved', check: 's' },
	};
	const changed = { ...old, name: 'N', equalEvery: '7', state: 'to approve', enteredBy: 'lena' };
	const [list] = runCode('payeeList', [], {
		Settings: [{ setting: 'approver', value: 'amir' }],
		'Approve Payees': [{ user: { email: 'amir' } }],
		'Seals of Payees': [old, changed],
	});
	const [{ tables }] = runCode('payeeTables', [list]) as Array<{ tables: Array<{ rows: Json[] }> }>;
	expect(tables[0].rows).toEqual([
		expect.arrayContaining(['N', '7 days', 'A (M, since 2026-01-02, by ines)']),
	]);
	const decided = runCode('payeeDecision', [], {
		'Payee List': [list],
		'Decide Payees': [{ user: { email: 'amir' }, Approve: ['1. x'] }],
	});
	expect(decided.map(({ name, state }) => [name, state])).toEqual([
		['N', 'approved'],
		['M', 'ended'],
	]);
});
