import { paymentRow, type TextRow } from '../support/builders/paymentRows';
import { runCode, type Json } from '../support/codeNode';
import { fc } from '../support/properties';

/* The Code nodes of the jobs ask-for-payments, agent-with-approval, and recurring-payments. */

const NOW = '2026-11-24T12:00:00.000Z';
const setting = (name: string, value: string, currency = '') => ({
	...{ setting: name, currency, value },
});
const SETTINGS = [
	setting('time zone', 'Europe/Copenhagen'),
	setting('agent up to', '150', 'EUR'),
	setting('agent per day', '400', 'EUR'),
];
const checked = (values: Json): Json => ({
	...{ invoice: 'INV-1', supplier: 'Harbour Bakery', account: 'A', country: 'DK', row: 1 },
	...{ amount: '10.00', currency: 'EUR', method: 'SCT', externalId: 'INV-1.0123456789' },
	...{ verdict: 'to approve', held: [], obstacles: [], job: 'agent', requestedBy: 'agent' },
	...values,
});

describe('the run and its payments', () => {
	const ask = (rows: Json[]) => {
		const asked = { job: 'agent', requestedBy: 'Agent', rows: JSON.stringify(rows) };
		const outputs: Record<string, Json[]> = { 'Payout Run Asked For': [asked] };
		const run = runCode('run', [], outputs, NOW);
		return { run: run[0], payments: runCode('rowsToSave', [], { ...outputs, Run: run }, NOW) };
	};

	test('have everything that can be asked for, and exact totals for each currency', () => {
		const { run, payments } = ask([
			checked({ amount: '90071992547409.93', externalId: 'B' }),
			checked({ amount: '0.07', externalId: 'A', held: ['Unusual.'], obstacles: ['New.'] }),
			checked({ amount: '1500', currency: 'JPY', externalId: 'C' }),
			checked({ verdict: 'left out', externalId: 'D' }),
		]);
		expect(run).toMatchObject({
			...{ run: '51', job: 'agent', payments: '3', leftOut: '1', digest: 'A\nB\nC' },
			totals: 'EUR 90,071,992,547,410.00 (2), JPY 1,500 (1)',
		});
		expect(payments.map(({ externalId, reasons }) => [externalId, reasons])).toEqual([
			['B', ''],
			['A', 'New.\nUnusual.'],
			['C', ''],
		]);
		expect(payments.every(({ result, run: of }) => result === 'to approve' && of === '51')).toBe(
			true,
		);
		expect(payments[0]).not.toHaveProperty('verdict');
	});
});

describe('the limits of the agent', () => {
	const row = (values: TextRow): TextRow => ({
		...paymentRow({
			...{ job: 'agent', decision: '', result: 'to approve', amount: '100.00' },
			...{ explanation: 'The limits of the agent are checked.', ...values },
		}),
		createdAt: values.createdAt ?? NOW,
	});
	const alone = (values: TextRow = {}): TextRow =>
		row({
			decision: 'approved',
			decidedBy: 'agent',
			result: 'accepted',
			explanation: '',
			...values,
		});
	const decide = (own: TextRow, others: TextRow[] = [], settings = SETTINGS) =>
		runCode(
			'agentDecisions',
			runCode(
				'agentLimits',
				[own, ...others],
				{ Settings: settings, 'Save Payout Run': [own] },
				NOW,
			),
			{},
			NOW,
		)[0];

	test.each<[string, TextRow, TextRow[], string]>([
		['at the limit', { amount: '150.00' }, [], 'approved'],
		['above the limit', { amount: '150.01' }, [], ''],
		['in another currency', { currency: 'USD' }, [], ''],
		['held for a reason', { reasons: 'Possible duplicate.' }, [], ''],
		['at the limit of the day', {}, [alone(), alone(), alone()], 'approved'],
		['above the limit of the day', { amount: '100.01' }, [alone(), alone(), alone()], ''],
		[
			'of a new day',
			{},
			Array<TextRow>(4).fill(alone({ createdAt: '2026-11-23T22:00:00Z' })),
			'approved',
		],
		[
			'of the same day here',
			{},
			Array<TextRow>(4).fill(alone({ createdAt: '2026-11-23T23:30:00Z' })),
			'',
		],
		[
			'after one that was rejected',
			{},
			Array<TextRow>(4).fill(alone({ result: 'rejected' })),
			'approved',
		],
		[
			'after some that a person approved',
			{},
			Array<TextRow>(4).fill(alone({ decidedBy: 'amir@x.example' })),
			'approved',
		],
		['while others are checked', {}, Array<TextRow>(4).fill(row({})), ''],
	])('a payment %s', (_, values, others, decision) => {
		const own = row(values);
		const decided = decide(own, others);
		expect(decided.decision).toBe(decision);
		expect(decided.result).toBe(decision ? 'not sent' : 'to approve');
		expect(decided.previous).toBe(own.seal);
	});

	test('without a setting, every payment waits for a person', () => {
		expect(decide(row({}), [], []).explanation).toMatch(/Waits for an approval/);
	});

	test('of any conversations at once, those approved stay within the limit of the day', () => {
		const cents = fc.array(fc.integer({ min: 1, max: 15_000 }), { minLength: 1, maxLength: 20 });
		fc.assert(
			fc.property(cents, fc.array(fc.nat(), { maxLength: 20 }), (amounts, moments) => {
				const rows = amounts.map((amount, index) =>
					row({ invoice: `INV-${index}`, amount: (amount / 100).toFixed(2) }),
				);
				// Each sees what was saved before its own turn to look, which can be any time after it.
				const known: TextRow[] = [];
				const waiting: TextRow[] = [];
				let approved = 0n;
				const look = (own: TextRow) => {
					const decided = decide(
						own,
						known.filter((one) => one !== own),
					) as TextRow;
					known[known.indexOf(own)] = decided;
					if (decided.decision === 'approved') approved += BigInt(decided.amount.replace('.', ''));
				};
				for (const [index, own] of rows.entries()) {
					known.push(own);
					waiting.push(own);
					for (let i = (moments[index] ?? 0) % 3; i > 0 && waiting.length; i--)
						look(waiting.shift()!);
				}
				waiting.forEach(look);
				expect(approved <= 40_000n).toBe(true);
			}),
		);
	});
});

test.each<[string, Json, Json[], RegExp]>([
	[
		'can not be asked for',
		checked({ verdict: 'left out', held: ['The same.'] }),
		[],
		/Nothing was asked for.*The same\./,
	],
	[
		'waits',
		checked({}),
		[{ externalId: 'INV-1.0123456789', explanation: 'Waits. New.' }],
		/Nothing is paid yet.*New\./,
	],
	[
		'is approved',
		checked({}),
		[{ externalId: 'INV-1.0123456789', decision: 'approved' }],
		/sent within a few minutes. It is not paid yet/,
	],
])('the answer about a payment that %s', (_, row, saved, says) => {
	const outputs = { 'Check Payments': [row], 'Save Payout Run': saved, 'Save Decisions': saved };
	expect(runCode('askedAnswers', [], outputs)).toMatchObject([
		{ answer: expect.stringMatching(says) },
	]);
});

describe('what the agent asks for', () => {
	const INVOICE = {
		...{ id: 1, supplier: 'S', invoice: 'I', amount: '120.00', currency: 'EUR', method: 'SCT' },
		...{ account: 'A', country: 'DK' },
	};
	const ASKED = { supplier: 'S', invoice: 'I', amount: '120', currency: 'EUR' };
	const check = (rows: Json[], changes: Json = {}) =>
		runCode('agentCheck', rows, { 'When the Agent Asks': [{ ...ASKED, ...changes }] })[0];

	test('comes from the row of the list, never from the model', () => {
		const { id: _, ...values } = INVOICE;
		expect(check([INVOICE], { account: 'B' })).toEqual({
			...{ ...values, row: '1', job: 'agent', requestedBy: 'agent' },
		});
	});

	test.each([
		[[{}], {}, /The list has no invoice I of supplier S/],
		[[INVOICE, { ...INVOICE, id: 2 }], {}, /more than once/],
		...['120.01', '1e2', '-120.00', '0x78', '120,00', ''].map((amount): [Json[], Json, RegExp] => [
			[INVOICE],
			{ amount },
			/another amount or currency/,
		]),
		[[INVOICE], { currency: 'eur' }, /another amount or currency/],
		[[{ ...INVOICE, amount: 'x' }], { amount: 'x' }, /another amount or currency/],
	] as Array<[Json[], Json, RegExp]>)('%j, asked for with %j', (rows, changes, says) => {
		expect(check(rows, changes).answer).toMatch(says);
	});
});

describe('recurring payments', () => {
	const RENT = {
		...{ order: 'RENT', every: 'month', firstDue: '2026-10-31', lastDue: '', amount: '1850.00' },
		...{ supplier: 'S', account: 'A', country: 'DK', currency: 'EUR', method: 'SCT' },
	};
	const due = (orders: Json[], today: string, soFar: Json[] = []) =>
		runCode('duePayments', [], {
			Today: [{ today }],
			'Standing Orders': orders,
			'Payments So Far': soFar,
		}).map(({ invoice, due }) => [invoice, due]);

	test('each period is due once, on the last day of a short month, and until the end', () => {
		expect(due([RENT], '2026-10-30')).toEqual([]);
		expect(due([RENT], '2026-12-31')).toEqual([
			['RENT-2026-10', '2026-10-31'],
			['RENT-2026-11', '2026-11-30'],
			['RENT-2026-12', '2026-12-31'],
		]);
		expect(due([{ ...RENT, lastDue: '2026-11-30' }], '2027-06-30')).toHaveLength(2);
	});

	test.each([
		['week', '2026-W44'],
		['quarter', '2026-Q4'],
		['year', '2026'],
	])('every %s', (every, period) => {
		expect(due([{ ...RENT, every }], '2026-10-31')).toEqual([[`RENT-${period}`, '2026-10-31']]);
	});

	test('each payment that is asked for has a row of its own, also if two are due on one day', () => {
		const orders = [RENT, { ...RENT, order: 'TAX' }];
		const nodes = { Today: [{ today: '2026-10-31' }], 'Standing Orders': orders };
		const asked = runCode('duePayments', [], { ...nodes, 'Payments So Far': [] });
		expect(asked.map(({ invoice, row }) => [invoice, row])).toEqual([
			['RENT-2026-10', '1'],
			['TAX-2026-10', '2'],
		]);
	});

	const WAITS = { result: 'to approve', decision: '' };

	test('what was asked for is not asked for again, unless nobody decided in time', () => {
		const soFar = [
			{ invoice: 'RENT-2026-10', decision: 'declined' },
			{ invoice: 'RENT-2026-11', decision: 'expired' },
			{ invoice: 'RENT-2026-12', ...WAITS, createdAt: '2026-11-29T00:00:00Z' },
			{ invoice: 'RENT-2027-01', ...WAITS, createdAt: '2026-11-27T00:00:00Z' },
		];
		expect(due([RENT], '2027-01-31', soFar)).toEqual([
			['RENT-2026-11', '2026-11-30'],
			['RENT-2027-01', '2027-01-31'],
		]);
	});

	test.each([
		[[RENT, { ...RENT, amount: '2.00' }], /RENT.*twice/],
		[[{ ...RENT, every: 'day' }], /'every' must be/],
		[[{ ...RENT, firstDue: '31.10.2026' }], /dates such as 2026-11-30/],
		...['31.12.2026', '20261231', '2026-12', '2026-02-30'].map((lastDue): [Json[], RegExp] => [
			[{ ...RENT, lastDue }],
			/dates such as 2026-11-30/,
		]),
		[[{ ...RENT, firstDue: '2016-10-31' }], /more than 12 periods since 2016-10-31/],
	])('nothing is asked for: %j', (orders, says) => {
		expect(() => due(orders, '2026-11-30')).toThrow(says);
		expect(() => due(orders, '2026-11-30')).toThrow(/Nothing was asked for/);
	});
});
