import type { Browser } from 'playwright-core';
import { COLUMNS, payoutFile, sheetFile, toCsv, toXlsx } from '../support/builders/payoutFile';
import { changeRows, readTable } from '../../host/n8n/dataTables';
import { launchBrowser } from '../support/pages/browser';
import {
	decide,
	decidePayees,
	listRuns,
	openPayees,
	receiveTemplate,
	stop,
	type UploadedFile,
} from '../support/pages/payoutRun';
import { waitUntil } from '../../host/waitUntil';
import { APPROVER, CLERK, DEPUTY, PayoutRunJob, recordedInvoices } from './payoutRun';
import { sharedN8n, useService } from './shared';

/*
 * The jobs of the payout run, from the upload of a file to the evidence, in n8n and in browsers of
 * three users. The second half is what insiders try.
 */

const n8n = sharedN8n();
const service = useService(n8n);
let browser: Browser;
let job: PayoutRunJob;

const MINUTE = 60_000;
const SENT = ['accepted', 'paid'];

beforeAll(async () => {
	browser = await launchBrowser();
	const { sandbox, credential } = service;
	job = await PayoutRunJob.putIntoService(n8n, sandbox.client, credential, browser);
	await job.approvePayees([
		['eus_a', 'vac_a', 'DE'],
		['eus_b', 'vac_b', 'FR'],
		['eus_c', 'vac_c', 'BE'],
	]);
}, 5 * MINUTE);
afterEach(async () => {
	await job.closePages();
	await job.changeSetting('stopped', 'no');
	await service.sandbox.client.setFaults({});
});
afterAll(async () => {
	await browser?.close();
	await job?.stop();
});

type Line = [invoice: string, payee: 'a' | 'b' | 'c' | 'd', amount: string];
/** A file with a row for each payment in EUR. */
const fileOf = (name: string, ...lines: Line[]): UploadedFile => ({
	name,
	mimeType: 'text/csv',
	buffer: Buffer.from(
		[
			'Invoice;Supplier;Supplier Account;Country;Amount;Currency;Method',
			...lines.map(
				([invoice, payee, amount]) =>
					`${invoice};eus_${payee};vac_${payee};${{ a: 'DE', b: 'FR', c: 'BE', d: 'SE' }[payee]};${amount};EUR;SCT`,
			),
		].join('\r\n'),
	),
});
const recorded = async (prefix: string) =>
	(await recordedInvoices(service.sandbox.client)).filter((one) => one.startsWith(prefix)).sort();
const transactions = async () => {
	const { items } = await service.sandbox.client.listTransactions({ limit: 1000 });
	return items.map(({ transaction }) => transaction);
};
/** Writes a version of a row that somebody kept, with its seal. */
async function putBack(table: string, column: string, row: Record<string, unknown>) {
	const { id: _, createdAt: __, updatedAt: ___, ...values } = row as Record<string, string>;
	await changeRows(n8n, table, { column, value: values[column] }, values);
}
/** Approves while nothing is sent, so that a test can do something between approval and payment. */
async function approveWhileStopped(file: UploadedFile, pay: number[] = []) {
	await job.changeSetting('stopped', 'yes');
	const { run } = await job.ask(file);
	await job.decide(run, 'Approve', { pay });
	await job.untilAll(run, ['not sent']);
	return run;
}

test(
	'60 rows, 11 of them wrong: each is found, the others are paid once, and the same list under another name and format asks for nothing',
	async () => {
		const file = payoutFile('INV-X', 60, 11);
		await job.approvePayeesOf(file);
		const uploaded = toXlsx(file, 'payouts.xlsx');
		const { run, found } = await job.ask(uploaded);
		const wrong = file.wrong.filter(({ says }) => !says.test('The same payment is in row 2'));
		expect(found.toCorrect.map(([row]) => row)).toEqual(wrong.map(({ row }) => String(row)));
		wrong.forEach(({ says }, index) => expect(found.toCorrect[index].at(-1)).toMatch(says));
		expect(found.leftOut).toHaveLength(file.wrong.length - wrong.length);
		const { says, seen } = await job.decide(run, 'Approve');
		for (const [currency, payments, total] of file.totals)
			expect(seen.text).toContain(`${currency} ${total} (${payments})`);
		expect(says).toContain(`${file.payable.length} payments are approved`);
		await job.untilAll(run, SENT);
		expect(await recorded('INV-X')).toEqual(file.payable);

		const { page, found: again } = await job.check(toCsv(file, 'another name.csv'));
		expect(again.headline).toBe('Paid after an approval: nothing');
		expect(again.leftOut).toHaveLength(file.payable.length + 1);
		await stop(page);
		await job.untilAll(run, ['paid']);
		const { rows, message, receive } = await job.evidence('A payout run', run);
		expect((await receive('payouts.xlsx')).equals(uploaded.buffer)).toBe(true);
		expect(message).toMatch(/payout run: asked for.*payout run: Approve/s);
		expect(message).not.toMatch(/changed in the table|as the log says|deleted|missing/);
		expect(message).toContain(APPROVER);
		expect(rows.every((row) => row.Result === 'paid' && row['Seal Is Right'] === 'yes')).toBe(true);
		expect(rows.every(({ Amount }) => typeof Amount === 'number')).toBe(true);
		for (const { externalId, reference } of await transactions())
			expect(externalId).toMatch(new RegExp(`^${reference}\\.[0-9a-f]{10}$`));
	},
	10 * MINUTE,
);

test(
	'what the bank rejects, fails, or returns has a result of its own, sends an alert, and is paid again only with a tick beside the first try',
	async () => {
		const file = fileOf(
			'bank.csv',
			['B1 TEST_REJECTED', 'a', '11,00'],
			['B2 TEST_FAILED', 'b', '12,00'],
			['B3 TEST_RETURNED', 'c', '13,00'],
			['B4', 'a', '14,00'],
		);
		const { run } = await job.ask(file);
		await job.decide(run, 'Approve');
		const results = async (of: string) =>
			Object.fromEntries(
				(await job.rowsOf(of)).map(({ invoice, result }) => [invoice.slice(0, 2), result]),
			);
		// What comes back was paid before.
		await waitUntil('B3 is returned', async () => (await results(run)).B3 === 'returned', {
			timeoutMs: 2 * MINUTE,
		});
		await job.untilAll(run, ['rejected', 'failed', 'returned', 'paid']);
		expect(await results(run)).toEqual({
			B1: 'rejected',
			B2: 'failed',
			B3: 'returned',
			B4: 'paid',
		});
		const alerts = () =>
			['rejected', 'failed', 'returned'].filter((result) =>
				job.mails.some(({ text }) => text.includes(`Payment ${result}`)),
			);
		await waitUntil('each has its alert', async () => alerts().length === 3, {
			timeoutMs: MINUTE,
		});

		const again = await job.ask(file);
		expect(again.found.held.map(([row]) => row)).toEqual(['2', '3', '4']);
		expect(again.found.held[0].at(-1)).toMatch(/Second try.*rejected/);
		expect(again.found.leftOut.map(([row]) => row)).toEqual(['5']);
		const { seen } = await job.decide(again.run, 'Approve', { pay: [2] });
		expect(seen.held[0]).toMatch(/^Pay row 2: .*Second try/);
		await waitUntil(
			'the second try is rejected, too',
			async () => (await results(again.run)).B1 === 'rejected',
			{ timeoutMs: 2 * MINUTE },
		);
		expect(await recorded('B')).toEqual([
			'B1 TEST_REJECTED',
			'B1 TEST_REJECTED',
			'B2 TEST_FAILED',
			'B3 TEST_RETURNED',
			'B4',
		]);
		const ids = (await transactions()).filter(({ reference }) => reference.startsWith('B1'));
		expect(ids.map(({ externalId }) => externalId).sort()[1]).toMatch(/\.2$/);
	},
	10 * MINUTE,
);

test(
	'the same amount to the same account under another invoice is held, and what was declined is shown with who declined it',
	async () => {
		const first = await job.ask(fileOf('first.csv', ['D-1001', 'a', '118,60']));
		await job.decide(first.run, 'Approve');
		await job.untilAll(first.run, SENT);
		const second = await job.ask(
			fileOf(
				'second.csv',
				['RE-77', 'a', '118,60'],
				['Nov 26', 'b', '15,00'],
				['D-1002', 'c', '5'],
			),
		);
		expect(second.found.held.map(([row, , , , , why]) => [row, why])).toEqual([
			['2', expect.stringContaining('Possible duplicate: EUR 118.60, invoice D-1001')],
			['3', expect.stringContaining('looks like a date')],
		]);
		await job.decide(second.run, 'Approve', { comment: 'Wrong invoices.' });
		await job.untilAll(second.run, [...SENT, 'not sent']);
		expect((await recorded('')).filter((one) => ['RE-77', 'Nov 26'].includes(one))).toEqual([]);
		const { page, found } = await job.check(fileOf('third.csv', ['RE-77', 'a', '118,60']));
		expect(found.held[0].at(-1)).toMatch(/Declined .*amir\.khan.*Wrong invoices/);
		await stop(page);
	},
	8 * MINUTE,
);

test(
	'an account that is new waits until somebody else approves it, and who entered it cannot',
	async () => {
		const file = fileOf('new.csv', ['N-1', 'd', '20,00'], ['N-2', 'b', '21,00']);
		const { run, found } = await job.ask(file);
		expect(found.held[0].at(-1)).toMatch(/New supplier with the account vac_d/);
		const { seen } = await job.decide(run, 'Approve');
		expect(seen.others.map(([row]) => row)).toEqual(['2']);
		expect(seen.toPay.map(([row]) => row)).toEqual(['3']);
		await waitUntil('the other one is paid', async () => (await recorded('N-')).length === 1, {
			timeoutMs: MINUTE,
		});
		await job.enter({
			Supplier: 'eus_d',
			'Supplier Account': 'vac_d',
			Country: 'SE',
			'Supplier Name': 'Delta AB',
			Evidence: 'Call-back to a known number',
		});
		const own = await openPayees(await job.open('payees-approval', job.people.clerk));
		expect(own).toMatch(/No account waits for you/);
		const page = await job.open('payees-approval', job.people.approver);
		expect(await openPayees(page)).toContain('vac_d');
		await decidePayees(page, [/^1\. eus_d/]);
		const later = await job.decide(run, 'Approve', { pay: [2] });
		expect(later.seen.held[0]).toMatch(/approved less than 5 days ago/);
		expect(later.says).toContain('somebody else must approve');
		await job.decide(run, 'Approve', { user: job.people.deputy, pay: [2] });
		await job.untilAll(run, SENT);
		expect(await recorded('N-')).toEqual(['N-1', 'N-2']);

		const named = fileOf('named.csv', ['N-3', 'd', '22,00']);
		const [header, row] = String(named.buffer).split('\r\n');
		named.buffer = Buffer.from(`${header};Supplier Name\n${row};Gamma AB`);
		const renamed = await job.review((await job.ask(named)).run);
		expect(renamed.seen.held[0]).toMatch(
			/^Pay row 2: eus_d, Delta AB, .*now Gamma AB, until now Delta/,
		);
		expect(await decide(renamed.page, 'Approve')).toContain('1 payment is declined');
	},
	8 * MINUTE,
);

test(
	'above the first limit, two different people must approve, not one in two tabs; who uploaded can only withdraw; others see that they can decide nothing',
	async () => {
		const { run } = await job.ask(fileOf('large.csv', ['L-1', 'a', '25000']));
		const own = await job.review(run, job.people.clerk);
		expect(own.seen.decisions).toEqual(['Withdraw all']);
		const list = await listRuns(await job.open('payout-approval', n8n));
		expect(list).toMatch(/isn't an approver/);
		const tabs = [await job.review(run), await job.review(run)];
		expect(tabs[0].seen.held[0]).toMatch(/Unusual amount/);
		const says = await Promise.all(
			tabs.map(async ({ page }) => await decide(page, 'Approve', { pay: [2] })),
		);
		expect(says.filter((text) => text.includes('1 payment is approved'))).toHaveLength(1);
		expect(says.join()).toContain('1 payment is approved, and somebody else must approve');
		expect((await job.rowsOf(run))[0].decidedBy).toBe(APPROVER);
		const twice = await job.review(run);
		expect(twice.seen.decisions).toEqual(['Decline all']);
		expect(twice.seen.others[0].at(-1)).toMatch(/You approved it/);
		expect(await recorded('L-')).toEqual([]);
		await job.decide(run, 'Approve', { user: job.people.deputy, pay: [2] });
		await job.untilAll(run, SENT);
		expect((await job.rowsOf(run))[0].decidedBy).toBe(`${APPROVER} ${DEPUTY}`);

		const withdrawn = await job.ask(fileOf('withdrawn.csv', ['L-2', 'a', '26,00']));
		await job.decide(withdrawn.run, 'Withdraw all', { user: job.people.clerk });
		expect(await job.resultsOf(withdrawn.run)).toEqual({ 'not sent': 1 });
		const above = await job.check(fileOf('above.csv', ['L-3', 'a', '1000000,01']));
		expect(above.found.held[0].at(-1)).toMatch(/Above the limit/);
		await stop(above.page);
		const entries = (await job.log()).map(({ who, what }) => `${who} ${what}`);
		expect(entries).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/ opened Approve payouts, and may not approve$/),
				`${CLERK} payout run: Withdraw all`,
				`${CLERK} upload stopped`,
			]),
		);
	},
	8 * MINUTE,
);

test(
	'a row that is edited in the table is neither approved nor sent, and the evidence says so',
	async () => {
		const { run } = await job.ask(
			fileOf('edited.csv', ['E-1', 'a', '31,00'], ['E-2', 'b', '32,00']),
		);
		const [first] = await job.rowsOf(run);
		const thief = { account: 'vac_c', amount: '3100.00' };
		const where = { column: 'externalId', value: first.externalId };
		await changeRows(n8n, 'payments', where, thief);
		const { seen } = await job.review(run);
		expect(seen.decisions).toEqual(['Decline all']);
		expect(seen.text).toMatch(/Row 2 .*was changed in the table/);

		const later = await approveWhileStopped(fileOf('edited later.csv', ['E-3', 'a', '33,00']));
		const [row] = await job.rowsOf(later);
		await changeRows(n8n, 'payments', { column: 'externalId', value: row.externalId }, thief);
		const forged = { column: 'externalId', value: (await job.rowsOf(run))[1].externalId };
		await changeRows(n8n, 'payments', forged, {
			decision: 'approved',
			decidedBy: APPROVER,
			decidedAt: new Date().toISOString(),
			result: 'not sent',
		});
		await job.changeSetting('stopped', 'no');
		const other = await job.ask(fileOf('other.csv', ['E-4', 'c', '34,00']));
		await job.decide(other.run, 'Approve');
		await job.untilAll(other.run, SENT);
		expect(await recorded('E-')).toEqual(['E-4']);
		const unclear = [
			await job.evidence('A payout run', '999999'),
			await job.evidence('A day', '24.11.2026'),
		].map((one) => one.message);
		expect(unclear).toEqual([
			expect.stringMatching(/There is no payout run "999999"/),
			expect.stringMatching(/"24\.11\.2026" is no day\. Enter it in Which, such as 2026-11-24/),
		]);
		const { message } = await job.evidence('A payout run', later);
		expect(message).toMatch(/was changed in the table, not by a job/);

		const runRow = async () => (await readTable(n8n, 'runs')).find((one) => one.run === last.run)!;
		const last = await job.ask(fileOf('put back.csv', ['E-5', 'a', '35,00']));
		const before = await runRow();
		await job.decide(last.run, 'Decline all');
		const after = await runRow();
		await putBack('runs', 'run', before);
		expect((await job.evidence('A payout run', last.run)).message).toMatch(/isn't as the log says/);
		await putBack('runs', 'run', after);
		expect((await job.evidence('A payout run', last.run)).message).not.toMatch(
			/isn't as the log says/,
		);

		const entry = (await job.log()).find(({ run: of }) => of === last.run)!;
		const ofEntry = { column: 'seal', value: entry.seal };
		await changeRows(n8n, 'log', ofEntry, { who: 'nobody' });
		expect((await job.evidence('A payout run', last.run)).message).toMatch(
			/This entry was changed/,
		);
		await changeRows(n8n, 'log', ofEntry, { who: entry.who });
	},
	8 * MINUTE,
);

test(
	'a payment whose row is put back to the version before it was sent is not sent a second time',
	async () => {
		const run = await approveWhileStopped(fileOf('again.csv', ['H-1', 'a', '71,00']));
		const [approved] = await job.rowsOf(run);
		await job.changeSetting('stopped', 'no');
		await job.untilAll(run, ['paid']);
		await putBack('payments', 'externalId', approved);
		await job.untilAll(run, ['to approve']);
		const [{ explanation }] = await job.rowsOf(run);
		expect(explanation).toMatch(/The log says that it was sent at .*Look up the External ID/);
		expect(await recorded('H-')).toEqual(['H-1']);
	},
	5 * MINUTE,
);

test(
	'between approval and payment: an account that ends is asked about again, and an approval that is too old expires; what nobody decided in time can be asked for again',
	async () => {
		const run = await approveWhileStopped(fileOf('ended.csv', ['C-1', 'b', '41,00']));
		const page = await job.open('payees-approval', job.people.approver);
		await openPayees(page, 'vac_b');
		expect(await decidePayees(page, [/^1\. eus_b, vac_b/])).toContain('1 ended');
		await job.changeSetting('stopped', 'no');
		await job.untilAll(run, ['to approve']);
		expect((await job.rowsOf(run))[0].explanation).toMatch(/Asked again.*vac_b/);
		await job.approvePayees([['eus_b', 'vac_b', 'FR']]);

		const old = await approveWhileStopped(fileOf('old.csv', ['C-2', 'a', '42,00']));
		await job.changeSetting('approve within days', '0');
		await job.changeSetting('stopped', 'no');
		await waitUntil(
			'it has expired',
			async () => (await job.rowsOf(old))[0].decision === 'expired',
			{ timeoutMs: MINUTE },
		);
		await job.changeSetting('approve within days', '3');
		expect(await recorded('C-')).toEqual([]);

		const late = (name: string) => fileOf(name, ['C-3', 'a', '43,00'], ['C-4', 'c', '44,00']);
		const first = await job.ask(late('late.csv'));
		expect((await job.check(late('at once.csv'))).found.leftOut).toHaveLength(2);
		await job.changeSetting('approve within days', '0');
		const second = await job.ask(late('after days.csv'));
		expect(second.found.leftOut).toEqual([]);
		await job.changeSetting('approve within days', '3');
		expect((await job.review(second.run)).seen.decisions).toEqual(['Decline all']);
		const { says } = await job.decide(first.run, 'Approve', { leaveOut: '9' });
		expect(says).toMatch(/Leave Out Rows has a number that is none of these payments/);
		await job.decide(first.run, 'Approve', { leaveOut: '3' });
		await job.untilAll(first.run, [...SENT, 'not sent']);
		expect((await job.rowsOf(first.run)).map(({ decision }) => decision)).toEqual([
			'approved',
			'declined',
		]);
		await waitUntil('the other one is paid', async () => (await recorded('C-')).length === 1, {
			timeoutMs: MINUTE,
		});
		expect(await recorded('C-')).toEqual(['C-3']);
	},
	8 * MINUTE,
);

test(
	'an answer that is lost is asked for again with the same Event ID, but not when the service may have forgotten it',
	async () => {
		await service.sandbox.client.setFaults({ dropResponses: 1 });
		const { run } = await job.ask(fileOf('lost.csv', ['U-1', 'a', '51,00']));
		await job.decide(run, 'Approve');
		await job.untilAll(run, ['in doubt', ...SENT]);
		await service.sandbox.client.setFaults({});
		await job.untilAll(run, SENT);
		expect(await recorded('U-')).toEqual(['U-1']);

		await job.changeSetting('retry hours', '0');
		await service.sandbox.client.setFaults({ statuses: [{ status: 500, rate: 1 }] });
		const late = await job.ask(fileOf('late.csv', ['U-2', 'a', '52,00']));
		await job.decide(late.run, 'Approve');
		await job.untilAll(late.run, ['needs attention']);
		await job.changeSetting('retry hours', '23');
		const [row] = await job.rowsOf(late.run);
		expect(row.explanation).toContain(`Look up ${row.externalId} at the service`);
		expect(row.explanation).not.toMatch(/correct/i);
	},
	8 * MINUTE,
);

test('what the decision page of somebody else posts is ignored', async () => {
	const { run } = await job.ask(fileOf('page.csv', ['G-1', 'a', '61,00']));
	const { page } = await job.review(run);
	await job.decide(run, 'Decline all', { user: job.people.deputy });
	expect(await decide(page, 'Approve')).toMatch(/somebody else decided or changed/);
	expect((await job.rowsOf(run))[0]).toMatchObject({ decision: 'declined', decidedBy: DEPUTY });
}, 240_000);

const HEADER = COLUMNS.slice(0, 7);
const ROWS = [
	[...HEADER],
	['F-1', 'Müller & Söhne', 'vac_1', 'DE', '1.250,00', 'EUR', 'SCT'],
	['F-2', 'Zürich – “Ltd”', 'vac_2', 'CH', '91.35', 'CHF', 'SCT'],
];
const csv = (separator: string, encoding: 'utf8' | 'latin1' = 'utf8', start = '') => {
	const text = ROWS.map((row) => row.map((cell) => `"${cell}"`).join(separator)).join('\r\n');
	// What Windows-1252 has at other places than Latin-1.
	const bytes =
		encoding === 'latin1'
			? text.replace('–', '\x96').replace('“', '\x93').replace('”', '\x94')
			: text;
	return { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.from(start + bytes, encoding) };
};
const spreadsheet = sheetFile(
	[
		['Payments of November', '', '', '', '', '', '', '', ''],
		[],
		['Due', ...HEADER, 'Secret'],
		[new Date(2026, 10, 30), ...ROWS[1].slice(0, 4), 1250, 'EUR', 'SCT', 1],
		[],
		[new Date(2026, 10, 30), ...ROWS[2].slice(0, 4), 0, 'CHF', 'SCT', 2],
	],
	'a.xlsx',
	(sheet) => {
		sheet.F6 = { t: 'n', v: 91.350_000_000_000_01, f: '90+1.35' };
		sheet['!cols'] = [undefined, ...HEADER.map(() => undefined), { hidden: true }];
	},
);
const payment = (id: string, name: string, account: string, country: string, amount: string) =>
	`<CdtTrfTxInf><PmtId><EndToEndId>${id}</EndToEndId></PmtId><Amt><InstdAmt Ccy="${country === 'CH' ? 'CHF' : 'EUR'}">${amount}</InstdAmt></Amt><Cdtr><Nm>${name}</Nm><PstlAdr><Ctry>${country}</Ctry></PstlAdr></Cdtr><CdtrAcct><Id><Othr><Id>${account}</Id></Othr></Id></CdtrAcct></CdtTrfTxInf>`;
const pain001 = (sum: string): UploadedFile => ({
	name: 'a.xml',
	mimeType: 'text/xml',
	buffer: Buffer.from(
		`<?xml version="1.0" encoding="UTF-8"?><Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><GrpHdr><MsgId>M</MsgId><NbOfTxs>2</NbOfTxs><CtrlSum>${sum}</CtrlSum></GrpHdr><PmtInf><PmtTpInf><SvcLvl><Cd>SEPA</Cd></SvcLvl></PmtTpInf>${payment('F-1', 'Müller &amp; Söhne', 'vac_1', 'DE', '1250')}${payment('F-2', 'Zürich – “Ltd”', 'vac_2', 'CH', '91.350')}</PmtInf></CstmrCdtTrfInitn></Document>`,
	),
});

test(
	'every format gives the same payments',
	async () => {
		const files = [
			csv(';'),
			csv(','),
			csv(';', 'utf8', '\uFEFF'),
			csv(';', 'latin1'),
			spreadsheet,
			pain001('1341.35'),
		];
		for (const file of files) {
			const { page, found } = await job.check(file);
			expect(found.toCorrect).toEqual([]);
			// Without the number of the row, which depends on the format.
			expect(found.held.map(([, ...cells]) => cells.slice(0, 4))).toEqual([
				['Müller & Söhne', 'vac_1', 'F-1', 'EUR 1,250.00'],
				['Zürich – “Ltd”', 'vac_2', 'F-2', 'CHF 91.35'],
			]);
			await stop(page);
		}
	},
	8 * MINUTE,
);

test('without a file, or with one that has no bytes, the form gives its template and says so', async () => {
	const empty = { name: 'a.csv', mimeType: 'text/csv', buffer: Buffer.alloc(0) };
	for (const file of [undefined, empty]) {
		const page = await job.open('payout-upload', job.people.clerk);
		const { text, content } = await receiveTemplate(page, file);
		expect(text).toMatch(/no file, or one that is empty/);
		const name = 'template.xlsx';
		const { page: check, found } = await job.check({ ...empty, name, buffer: content });
		expect(found.headline).toMatch(/no rows below its header/);
		await stop(check);
	}
}, 120_000);

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

test.each([
	['that is an image', 'a.xlsx', PNG, /can't be (read|used)/],
	['that is other XML', 'a.xml', '<a/>', /isn't a pain\.001/],
	['with another control sum', 'a.xml', pain001('1.00').buffer, /amounts come to/],
])(
	'a file %s is not used, and the page says why',
	async (_, name, content, reason) => {
		const buffer = Buffer.from(content);
		const file = { name, mimeType: 'application/octet-stream', buffer };
		const { page, found } = await job.check(file);
		expect(found.headline).toMatch(reason);
		await stop(page);
	},
	120_000,
);
