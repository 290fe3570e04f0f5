import { APPROVER, CLERK, DEPUTY, Ledger } from '../support/ledger';
import { read } from '../support/sourceTexts';

/* The rules of the payout ledger, in PostgreSQL, with the rights that n8n has there. */

type Row = Record<string, string | number | null>;
type Cell = string | number | null;

let ledger: Ledger;
beforeAll(async () => {
	ledger = await Ledger.start();
}, 120_000);
afterAll(async () => await ledger?.stop());

/** Each test sees an empty ledger. */
beforeEach(async () => void (await ledger.n8n.query('begin')));
afterEach(async () => void (await ledger.n8n.query('rollback')));

async function ask<T = Row>(sql: string, ...values: unknown[]): Promise<T[]> {
	const texts = values.map((one) => (one && typeof one === 'object' ? JSON.stringify(one) : one));
	return (await ledger.n8n.query<T>(sql, texts)).rows;
}

/** The reason why a statement is refused. */
async function reasonOf(sql: string, ...values: unknown[]): Promise<string> {
	await ledger.n8n.query('savepoint before');
	try {
		await ask(sql, ...values);
		return 'not refused';
	} catch (error) {
		await ledger.n8n.query('rollback to before');
		return (error as Error).message;
	}
}

const MUELLER = ['Müller & Co', 'DE89370400440532013000', 'DE'];
const row = (line: number, Invoice: Cell, Amount: Cell, more: Record<string, unknown> = {}) => ({
	...{ line, Invoice, Payee: MUELLER[0], Account: MUELLER[1], Country: MUELLER[2] },
	...{ Amount, Currency: 'EUR' },
	...more,
});
const upload = async (rows: unknown[], person = CLERK, file = 'a.xlsx') =>
	await ask(`select * from upload($1, $2, $3) where result <> 'total'`, person, file, rows);
const waiting = async (person: string, file: number | null = null) =>
	await ask('select * from waiting_for($1, $2)', person, file);

/** Decides about all that a person sees, as the page does, with a tick for everything. */
async function decide(person: string, decision = 'approve', page: Record<string, unknown> = {}) {
	const seen = await waiting(person);
	return await ask('select * from decide($1, $2, $3)', person, decision, {
		shown: seen.map((one) => one.external_id),
		ticked: seen.map((one) => one.tick),
		...page,
	});
}
const claim = async (most = 50, execution = '1') =>
	await ask('select * from claim($1, $2)', most, execution);
const record = async (items: Row[], execution = '1') =>
	await ask('select * from record($1, $2)', execution, items);
async function states(): Promise<Record<string, unknown>> {
	const rows = await ask('select invoice, result from ledger order by created_at, row');
	return Object.fromEntries(rows.map((one) => [String(one.invoice), one.result]));
}

describe('amounts are read if they can be read in one way', () => {
	test.each<[cell: Cell, currency: string, read: string]>([
		['1250', 'EUR', 'EUR 1,250.00'],
		['1250,50', 'EUR', 'EUR 1,250.50'],
		['1250.5', 'EUR', 'EUR 1,250.50'],
		['1.250,50', 'EUR', 'EUR 1,250.50'],
		['1,250.50', 'EUR', 'EUR 1,250.50'],
		["1'250.50", 'EUR', 'EUR 1,250.50'],
		['1’250,50', 'EUR', 'EUR 1,250.50'],
		['1 250,50', 'EUR', 'EUR 1,250.50'],
		['1\u202f250,50', 'EUR', 'EUR 1,250.50'],
		['1 250', 'EUR', 'EUR 1,250.00'],
		['12.345,00', 'EUR', 'EUR 12,345.00'],
		['0,05', 'EUR', 'EUR 0.05'],
		['1250,500', 'EUR', 'EUR 1,250.50'],
		[1250.5, 'EUR', 'EUR 1,250.50'],
		[0.1 + 0.2, 'EUR', 'EUR 0.30'],
		['1.250.000', 'JPY', 'JPY 1,250,000'],
		['125000', 'JPY', 'JPY 125,000'],
		['1250,505', 'KWD', 'KWD 1,250.505'],
		['1.2500', 'KWD', 'KWD 1.250'],
		['0,125', 'KWD', 'KWD 0.125'],
		['0.500', 'EUR', 'EUR 0.50'],
		['00120,00', 'EUR', 'EUR 120.00'],
		['12\u200b50,00\u200f', 'EUR', 'EUR 1,250.00'],
	])('%p %s is %s', async (cell, currency, read) => {
		const [{ amount, result }] = await upload([row(2, 'INV-1', cell, { Currency: currency })]);
		expect([amount, result]).toEqual([read, 'held']);
	});

	test.each<[cell: Cell, currency: string, says: RegExp]>([
		['12.345', 'EUR', /12345.*three decimals.*Write 12345 or 12.35/],
		['12,345', 'EUR', /12345.*three decimals.*Write 12345 or 12.35/],
		['125.000', 'JPY', /Write 125000 or 125\./],
		['1.250', 'KWD', /Write 1250 or 1.2500/],
		['0.125', 'EUR', /0.125 has more decimals/],
		['012.345', 'EUR', /more decimals/],
		['0.125.000', 'EUR', /Amount is "/],
		['1.250,505', 'EUR', /1\.250,505 has more decimals than EUR, which has 2/],
		['125.50', 'JPY', /more decimals than JPY, which has 0/],
		[1250.505, 'EUR', /more decimals than EUR/],
		[0, 'EUR', /without a currency, or leave out/],
		['0,00', 'EUR', /without a currency, or leave out/],
		[-150, 'EUR', /Amount is "-150"/],
		['-150,00', 'EUR', /without a currency, or leave out/],
		['150,00-', 'EUR', /without a currency, or leave out/],
		['(150,00)', 'EUR', /without a currency, or leave out/],
		['-€ 150,00', 'EUR', /without a currency, or leave out/],
		['150.-', 'EUR', /Amount is "150.-"/],
		['-', 'EUR', /Amount is "/],
		['=SUM(A1:A3)', 'EUR', /Amount is "/],
		[1e21, 'EUR', /^Amount is above the limit of a day/],
		['', 'EUR', /Amount is empty/],
		[null, 'EUR', /Amount is empty/],
		['€ 500,00', 'EUR', /Amount is "€ 500,00"/],
		['EUR 99,00', 'EUR', /Amount is "EUR 99,00"/],
		['1,5E+3', 'EUR', /Amount is "/],
		['1,25,000.00', 'EUR', /Amount is "/],
		['1.250,50.00', 'EUR', /Amount is "/],
		['12 34,00', 'EUR', /Amount is "/],
		['see the contract', 'EUR', /Amount is "/],
		...[',99', '99,', '+120,00', '1.2.3', '1 25,00', 'NaN', 'Infinity', '0x10', '１２５０'].map(
			(cell): [Cell, string, RegExp] => [cell, 'EUR', /Amount is "/],
		),
		[33.333333, 'EUR', /more decimals/],
		['١٢٥٠', 'EUR', /Amount is "/],
	])('%p %s: %p', async (cell, currency, says) => {
		const [{ result, why }] = await upload([row(2, 'INV-1', cell, { Currency: currency })]);
		expect([result, why]).toEqual(['to correct', expect.stringMatching(says)]);
	});
});

describe('rows to correct', () => {
	test.each<[cells: Record<string, unknown>, says: RegExp]>([
		[{ Invoice: ' ' }, /Invoice needs 1 to 100 characters/],
		[{ Invoice: 'x'.repeat(101) }, /Invoice needs 1 to 100 characters/],
		[{ Payee: '' }, /Payee is empty/],
		[{ Account: null }, /Account is empty/],
		[{ Account: 'DE88370400440532013000' }, /check digits of DE88370400440532013000/],
		[{ Country: 'Deutschland' }, /Country is "DEUTSCHLAND". It can be AT, BE/],
		[{ Country: 'UK' }, /Country is "UK"/],
		[{ Currency: '€' }, /Currency is "€"/],
		[{ Invoice: '\u200b' }, /Invoice needs/],
		[{ Currency: 'EURO' }, /Currency is "EURO". It can be .*EUR/],
		[{ Amount: '50.000,01' }, /Amount is above the limit of a day, EUR 50,000/],
		[{ more: 'one more' }, /More cells than columns: one more/],
		[{ Payee: '', Amount: '', Country: '' }, /Amount is empty.*Payee is empty.*Country/],
	])('%j', async (cells, says) => {
		const [{ result, why }] = await upload([row(2, 'INV-1', '10,00', cells)]);
		expect([result, why]).toEqual(['to correct', expect.stringMatching(says)]);
		expect(await waiting(APPROVER)).toEqual([]);
	});

	test('the others of the file wait', async () => {
		await upload([row(2, 'INV-1', 'x'), row(3, 'INV-2', '10')]);
		expect(await states()).toEqual({ 'INV-2': 'waiting' });
	});
});

test.each([
	['DE89 3704 0044 0532 0130 00', 'DE89370400440532013000'],
	['pl61 1090 1014 0000 0712 1981 2874', 'PL61109010140000071219812874'],
	['IBAN: NO93 8601 1117 947', 'NO9386011117947'],
	['vac_müller 1', 'vac_müller 1'],
	['vac\u202e_\u200bmüller  1', 'vac_müller 1'],
])('the account %s is %s', async (cell, account) => {
	const [read] = await upload([row(2, 'INV-1', '10', { Account: cell })]);
	expect(read.account).toBe(account);
});

describe('one row for each payment', () => {
	test('a file that is uploaded twice, as .xlsx and CSV, by two people', async () => {
		await upload([row(2, 'INV-1', 1250.5), row(3, 'INV-2', 980)]);
		const again = await upload([row(7, 'INV-1 ', '1.250,50'), row(8, ' INV-2', '980')], APPROVER);
		expect(again.map((one) => one.result)).toEqual(['left out', 'left out']);
		expect(again[0].why).toMatch(/INV-1, EUR 1,250.50, row 2 of file \d+, waiting/);
		expect(Object.keys(await states())).toHaveLength(2);
	});

	test('twice in one file', async () => {
		const rows = await upload([row(2, 'INV-1', 10), row(3, 'INV-1', '10,00')]);
		expect(rows.map((one) => one.result)).toEqual(['left out', 'held']);
	});

	test('another amount or account under the same invoice number', async () => {
		await upload([row(2, 'INV-1', 10)]);
		const [amount, account] = await upload([
			row(2, 'INV-1', 11),
			row(3, 'INV-1', 10, { Account: 'vac_other' }),
		]);
		for (const one of [amount, account]) {
			expect(one.result).toBe('to correct');
			expect(one.why).toMatch(/EUR 10.00.*give it another invoice number/);
		}
	});

	test('the same invoice number of another payee is another payment', async () => {
		const rows = [row(2, 'INV-1', 10), row(3, 'INV-1', 11, { Payee: 'B', Account: 'vac_b' })];
		expect((await upload(rows)).map((one) => one.result)).toEqual(['held', 'held']);
	});
});

describe('what needs a tick says why', () => {
	const approveAccount = async () => {
		await upload([row(2, 'FIRST', 100)]);
		await decide(APPROVER);
		await claim();
		await record([{ externalId: (await idOf('FIRST'))!, outcome: 'created' }]);
	};

	test.each<[why: RegExp, cells: Record<string, unknown>]>([
		[/^New account vac_new of New, DE\.$/, { Payee: 'New', Account: 'vac_new' }],
		[/^New account vac_new .* The payee has DE89370400440532013000\.$/, { Account: 'vac_new' }],
		[/New account DE89370400440532013000 of Müller & Co, AT/, { Country: 'AT' }],
		[/another spelling: FIRST, EUR 100.00, row 2 of file \d+, accepted/, { Invoice: 'first' }],
		[/another spelling: FIRST/, { Invoice: 'FI-RST' }],
		[/another spelling: FIRST/, { Invoice: 'FI–RST' }],
		[/another spelling: FIRST/, { Invoice: 'F i r s t.' }],
		[/the same amount: FIRST/, { Invoice: 'OTHER', Amount: '100,00' }],
		[/Müller & Co has this account/, { Invoice: 'OTHER', Payee: 'Another' }],
		[/Unusual amount, the highest of this payee was EUR 100.00/, { Amount: '300,01' }],
	])('%p', async (why, cells) => {
		await approveAccount();
		const [one] = await upload([row(2, 'INV-1', 250, cells)]);
		expect([one.result, one.why]).toEqual(['held', expect.stringMatching(why)]);
		await decide(APPROVER, 'approve', { ticked: [] });
		expect((await states())[String(one.invoice)]).toBe('waiting');
		await decide(APPROVER);
		expect((await states())[String(one.invoice)]).toBe('approved');
	});

	test('what has no reason waits', async () => {
		await approveAccount();
		const rows = await upload([row(2, 'INV-1', '300,00'), row(3, 'INV-10', '110,00')]);
		expect(rows.map((one) => [one.result, one.why])).toEqual([
			['waits', ''],
			['waits', ''],
		]);
	});

	test('one invoice in four spellings is paid once without ticks', async () => {
		await approveAccount();
		const spellings = ['RE-2026-1001', 're 2026 1001', 'RE20261001', 'RE/2026/01001'];
		await upload(spellings.map((invoice, index) => row(index + 2, invoice, 50 + index)));
		await decide(APPROVER, 'approve', { ticked: [] });
		expect((await claim()).map((one) => one.invoice)).toEqual(['RE-2026-1001']);
	});
});

const idOf = async (invoice: string) =>
	(await ask('select external_id from ledger where invoice = $1', invoice))[0].external_id;

describe('four eyes', () => {
	test.each<[name: string, person: string, uploader: string, decision: string, result: string]>([
		['another approver', APPROVER, CLERK, 'approve', 'approved'],
		['who uploaded, and is an approver', APPROVER, APPROVER, 'approve', 'waiting'],
		['who uploaded declines', APPROVER, APPROVER, 'decline', 'waiting'],
		['another approver declines', DEPUTY, CLERK, 'decline', 'declined'],
		['an address in another case', APPROVER.toUpperCase(), APPROVER, 'approve', 'waiting'],
	])('%s: %s, uploaded by %s, %s', async (_, person, uploader, decision, result) => {
		await upload([row(2, 'INV-1', 10)], uploader);
		const shown = [await idOf('INV-1')];
		const ticked = (await waiting(DEPUTY)).map((one) => one.tick);
		await decide(person, decision, { shown, ticked });
		expect(await states()).toEqual({ 'INV-1': result });
	});

	test('a clerk may not approve', async () => {
		await upload([row(2, 'INV-1', 10)], APPROVER);
		expect(await waiting(CLERK)).toEqual([]);
		const page = { shown: [await idOf('INV-1')] };
		expect(await reasonOf(`select * from decide($1, 'approve', $2)`, CLERK, page)).toMatch(
			/may not approve/,
		);
	});

	test('nobody uploads without the right', async () => {
		const sql = 'select * from upload($1, $2, $3)';
		expect(await reasonOf(sql, DEPUTY, 'a', [row(2, 'A', 1)])).toMatch(/may not upload/);
		expect(await reasonOf(sql, CLERK, 'a', [])).toMatch(/no rows below the columns/);
	});

	test('above a tier, two people: the same one twice, also in two tabs, counts once', async () => {
		await upload([row(2, 'AT', '10.000,00'), row(3, 'ABOVE', '10.000,01')]);
		const first = await decide(APPROVER);
		expect(first.map((one) => one.result)).toEqual([
			'approved',
			'approved by you, and waits for another approver',
		]);
		const shown = [await idOf('ABOVE')];
		expect((await decide(APPROVER, 'approve', { shown }))[0].result).toBe('decided by you before');
		expect(await states()).toEqual({ AT: 'approved', ABOVE: 'waiting' });
		expect((await waiting(DEPUTY))[0].approvals).toBe('1 of 2');
		await decide(DEPUTY);
		expect(await states()).toEqual({ AT: 'approved', ABOVE: 'approved' });
	});

	test('an account is approved by somebody else than who entered it', async () => {
		await upload([row(2, 'INV-1', 10)], APPROVER);
		await decide(DEPUTY, 'decline');
		await upload([row(2, 'INV-2', 11)], CLERK);
		await decide(APPROVER);
		expect(await states()).toMatchObject({ 'INV-2': 'waiting' });
		await decide(DEPUTY);
		expect(await states()).toMatchObject({ 'INV-2': 'approved' });
	});

	test('rows that are left out wait, and what another one decided meanwhile stays', async () => {
		await upload([row(2, 'A', 10), row(3, 'B', 11), row(4, 'C', 12)]);
		const shown = [await idOf('A'), await idOf('B'), await idOf('C')];
		await decide(APPROVER, 'approve', { leave_out: '03, ' });
		expect(await states()).toEqual({ A: 'approved', B: 'waiting', C: 'approved' });
		const late = await decide(DEPUTY, 'decline', { shown });
		expect(late.map((one) => [one.result, one.payments])).toEqual([
			['declined', '1'],
			['no longer waiting', '2'],
		]);
	});

	test.each(['3-5', 'Row 3', '3;5', '3\n5', 'all', '55', '2, 99999999999'])(
		'rows to leave out are not %p',
		async (rows) => {
			await upload([row(2, 'A', 10)]);
			const page = { shown: [await idOf('A')], leave_out: rows };
			expect(await reasonOf(`select decide($1, 'approve', $2)`, APPROVER, page)).toMatch(
				/Leave Out Rows (is|has)/,
			);
		},
	);

	test('what was declined can be asked for again, and is held with its first try', async () => {
		await upload([row(2, 'INV-1', 10)]);
		await decide(APPROVER, 'decline');
		const [again] = await upload([row(2, 'INV-1', 12)]);
		expect([again.result, again.why]).toEqual([
			'held',
			expect.stringMatching(/^Another try of INV-1.*declined/),
		]);
		const rows = await ask('select external_id, result from ledger order by external_id');
		expect(rows.map((one) => one.result)).toEqual(['declined', 'waiting']);
		expect(rows[1].external_id).toBe(`${rows[0].external_id}.2`);
	});
});

describe('paying', () => {
	const approved = async (count: number, amount: Cell = 100, from = 1) => {
		await upload(
			Array.from({ length: count }, (_, index) => row(index + 2, `N-${from + index}`, amount)),
		);
		for (const person of [APPROVER, DEPUTY]) await decide(person);
	};

	test('only what is approved is claimed, once, in the order of the file', async () => {
		await upload([row(2, 'A', 1), row(3, 'B', 2)]);
		expect(await claim()).toEqual([]);
		await decide(APPROVER);
		const [a, b] = await claim(50);
		expect([a.invoice, a.amount, b.invoice]).toEqual(['A', '1.00', 'B']);
		expect(await claim()).toEqual([]);
	});

	test.each([
		[100, 600, 500],
		['333,33', 200, 150],
		[50_000, 3, 1],
	])('of payments of %s, %d times, the day allows %d', async (amount, count, allowed) => {
		await approved(count, amount);
		let claimed = 0;
		for (let left = 1; left > 0; claimed += left) left = (await claim(50)).length;
		expect(claimed).toBe(allowed);
	});

	test('a smaller payment fits after one that does not', async () => {
		await upload([row(2, 'A', 30_000), row(3, 'B', 30_001), row(4, 'C', 20_000)]);
		for (const person of [APPROVER, DEPUTY]) await decide(person);
		expect((await claim()).map((one) => one.invoice)).toEqual(['A', 'C']);
	});

	test.each([
		['created', 'accepted', 0],
		['duplicate', 'accepted', 0],
		['rejected', 'rejected', 0],
		['invalid', 'rejected', 0],
		['notSent', 'approved', 1],
		['unknown', 'sending', 0],
	])('%s: %s, and %d to claim at once', async (outcome, state, again) => {
		await approved(1);
		const [{ external_id: externalId }] = await claim();
		await record([{ externalId, outcome, message: 'Says so.', fix: 'Do so.' }]);
		expect(await states()).toEqual({ 'N-1': state });
		expect(await claim(50, '2')).toHaveLength(again);
	});

	test('what is recorded by another execution, or twice, changes nothing', async () => {
		await approved(1);
		const [{ external_id: externalId }] = await claim(50, '1');
		await record([{ externalId, outcome: 'rejected' }], '2');
		expect(await states()).toEqual({ 'N-1': 'sending' });
		await record([{ externalId, outcome: 'created' }], '1');
		await record([{ externalId, outcome: 'rejected' }], '1');
		expect(await states()).toEqual({ 'N-1': 'accepted' });
	});

	test('the switch ends claims, and lets results in', async () => {
		await approved(3);
		const claimed = await claim(2);
		await ask(`select * from decide($1, 'stop', $2)`, APPROVER, { comment: 'Wrong list' });
		expect(await claim(50, '2')).toEqual([]);
		const results = claimed.map((one) => ({ externalId: one.external_id, outcome: 'created' }));
		await record(results);
		expect(Object.values(await states())).toEqual(['accepted', 'accepted', 'approved']);
		expect((await ask('select what from attention'))[0].what).toBe('All payments are stopped');
		const [open] = await ask(`select * from look_up($1, 'open', '')`, CLERK);
		expect(open.why).toMatch(/stopped by approver@example.com: Wrong list/);
	});
});

describe('events', () => {
	const sent = async () => {
		await upload([row(2, 'INV-1', 100)]);
		await decide(APPROVER);
		const [{ external_id: externalId }] = await claim();
		await record([{ externalId, outcome: 'created' }]);
		return String(externalId);
	};
	let counter = 0;
	const event = async (externalId: string, status: string, at: number, more = {}) =>
		await ask('select * from record_event($1)', {
			...{
				id: `evt_${counter++}`,
				event: 'PAYMENT.STATUS_UPDATED',
				createdAt: counter % 2 ? at : new Date(at),
			},
			data: { status, amount: '100.00', currency: 'EUR', metadata: { externalId }, ...more },
		});

	test.each([
		[['PROCESSING', 'COMPLETED'], 'paid'],
		[['COMPLETED', 'PROCESSING'], 'paid'],
		[['PROCESSING', 'COMPLIANCE_REVIEW'], 'accepted'],
		[['REJECTED'], 'failed'],
		[['FAILED'], 'failed'],
		[['COMPLETED', 'RETURNED'], 'returned'],
	])('%p in any order: %s', async (statuses, state) => {
		for (const order of [statuses.map((_, at) => at), statuses.map((_, at) => at).reverse()]) {
			await ledger.n8n.query('savepoint before');
			const externalId = await sent();
			const final = ['COMPLETED', 'PROCESSING'].join() === statuses.join() ? [1, 0] : [0, 1];
			for (const index of order)
				await event(externalId, statuses[index], 1e12 + (final[index] ?? 0));
			expect(await states()).toEqual({ 'INV-1': state });
			await ledger.n8n.query('rollback to before');
		}
	});

	test('bad news once, with what the service has', async () => {
		const externalId = await sent();
		expect(await event(externalId, 'COMPLETED', 1e12)).toEqual([]);
		const [news] = await event(externalId, 'RETURNED', 2e12);
		expect(news.subject).toMatch(/^EUR 100.00 to Müller & Co: INV-1\./);
		expect(news.message).toBe('Its status is RETURNED.');
		counter--;
		expect(await event(externalId, 'RETURNED', 2e12)).toEqual([]);
	});

	test('another amount, a payment that was not sent, and one that is not ours', async () => {
		const externalId = await sent();
		const [other] = await event(externalId, 'COMPLETED', 1e12, { amount: '1000.00' });
		expect(other.message).toBe('The service has EUR 1000.00.');
		await upload([row(2, 'INV-2', 55)]);
		const [early] = await event(String(await idOf('INV-2')), 'PROCESSING', 1e12, {
			amount: '55.00',
		});
		expect(early.message).toBe('It was waiting here, and the service has it.');
		expect(await states()).toEqual({ 'INV-1': 'paid', 'INV-2': 'accepted' });
		expect(await event('somebody-else', 'RETURNED', 1e12)).toEqual([]);
	});

	test('what failed can be asked for again', async () => {
		const externalId = await sent();
		await event(externalId, 'RETURNED', 1e12);
		const [again] = await upload([row(2, 'INV-1', 100)]);
		expect([again.result, again.why]).toEqual([
			'held',
			expect.stringMatching(/^Another try of INV-1/),
		]);
	});
});

describe("n8n's role calls functions, and reads two views", () => {
	test.each([
		`update payments set amount = 1`,
		`update payments set state = 'approved'`,
		`delete from payments`,
		`insert into approvals values ('a', 'b', 'c', 'approved', '')`,
		`update accounts set approved_by = 'a'`,
		`insert into attempts values ('a', 'b', 'created')`,
		`delete from attempts`,
		`truncate events`,
		`update accounts set account = 'mine'`,
		`update currencies set per_day = 1e9`,
		`update tiers set approvers = 1`,
		`update people set may_approve = true`,
		`insert into people values ('me@payments.example', true, true)`,
		`update settings set stopped = null`,
		`select * from payments`,
		`select * from to_decide`,
		`lock table payments`,
		`copy payments to stdout`,
		`select * from reasons_to_hold(null)`,
		`alter table payments disable trigger all`,
		`alter role payouts_n8n superuser`,
		`create table payouts.mine ()`,
		`create or replace function payouts.money(text, numeric) returns text language sql as 'select null::text'`,
		`set role postgres`,
		`set session authorization postgres`,
		`set session_replication_role = replica`,
	])('%s', async (sql) => {
		expect(await reasonOf(sql)).toMatch(/permission denied|must be (owner|superuser)/);
	});

	test('a table of its own in front of the ledger is not read', async () => {
		await ask(`create temp table people on commit drop as
			select 'nobody@payments.example' as email, true as may_upload, true as may_approve`);
		await ask('set local search_path = pg_temp, payouts');
		const rows = [row(2, 'INV-1', 10)];
		const reason = await reasonOf(
			'select * from payouts.upload($1, $2, $3)',
			...['nobody@payments.example', 'a', rows],
		);
		expect(reason).toMatch(/may not upload/);
	});

	test.each([null, '', ' ', 'nobody@payments.example', `${APPROVER} `, '%', `' or true --`])(
		'%p is nobody',
		async (person) => {
			await upload([row(2, 'INV-1', 10)]);
			const shown = [await idOf('INV-1')];
			expect(await reasonOf('select upload($1, $2, $3)', person, 'a', [])).toMatch(
				/may not upload/,
			);
			for (const decision of ['approve', 'decline', 'stop'])
				expect(await reasonOf('select decide($1, $2, $3)', person, decision, { shown })).toMatch(
					/may not approve/,
				);
			expect(await ask('select * from waiting_for($1)', person)).toEqual([]);
			expect(await ask(`select * from look_up($1, 'open', '')`, person)).toEqual([]);
		},
	);

	test.each([
		['null', /may not approve|A decision is/],
		[`'Approve'`, /A decision is/],
		[`'approved'`, /A decision is/],
	])('the decision %s is none', async (decision, says) => {
		expect(await reasonOf(`select decide($1, ${decision}, '{}')`, APPROVER)).toMatch(says);
	});

	test('invisible characters make no other payee, account, or invoice', async () => {
		await upload([row(2, 'INV-1', 10)]);
		const disguised = { Payee: 'Mül\u00adler\u200d & Co\u202e', Account: `${MUELLER[1]}\u2066` };
		const [again] = await upload([row(2, '\u200fINV-1\u200b', 10, disguised)]);
		expect([again.result, again.payee, again.account]).toEqual([
			'left out',
			MUELLER[0],
			MUELLER[1],
		]);
	});
});

test('the functions only add approvals, attempts, and events', () => {
	const changes = read('examples/payouts/schema.sql').matchAll(
		/^\s*(?:update|delete from|truncate) (\w+)/gm,
	);
	expect([...new Set([...changes].map(([, table]) => table))].sort()).toEqual([
		...['accounts', 'payments', 'settings'],
	]);
});

/* Also without the functions, as the owner of the database. */
test.each([
	[`insert into approvals values ($1, '${APPROVER}', '${APPROVER}', 'approved', '')`, /check con/],
	[`insert into approvals values ($1, '${CLERK}', '${APPROVER}', 'approved', '')`, /foreign key/],
	[
		`insert into approvals values ($1, '${APPROVER}', '${DEPUTY}', 'approved', ''),
		($1, '${APPROVER}', '${DEPUTY}', 'approved', '')`,
		/unique con/,
	],
	[`update accounts set approved_by = entered_by where $1 <> ''`, /check con/],
	[`update payments set external_id = 'other', invoice = 'B' where external_id = $1`, /unique con/],
	[`update payments set amount = 0 where external_id = $1`, /check con/],
	[`delete from people where email = '${APPROVER}' and $1 <> ''`, /foreign key/],
])('the database refuses %s', async (sql, says) => {
	const { owner } = ledger;
	await owner.query('begin');
	try {
		const rows = [row(2, 'A', 10), row(3, 'B', 11)];
		await owner.query('select upload($1, $2, $3)', [APPROVER, 'a', JSON.stringify(rows)]);
		const {
			rows: [one],
		} = await owner.query(`select external_id from payments where invoice = 'A'`);
		await expect(owner.query(sql, [one.external_id])).rejects.toThrow(says);
	} finally {
		await owner.query('rollback');
	}
});
