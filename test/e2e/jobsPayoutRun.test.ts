import axios from 'axios';
import type { Browser } from 'playwright-core';
import {
	clerkFiles,
	COLUMNS,
	payoutFile,
	sheetFile,
	toCsv,
	toXlsx,
	type ClerkRow,
	type PayoutFile,
} from '../support/builders/payoutFile';
import { changeRows, readTable } from '../../host/n8n/dataTables';
import { launchBrowser } from '../support/pages/browser';
import { decide, stop, type UploadedFile } from '../support/pages/payoutRun';
import { waitUntil } from '../../host/waitUntil';
import { APPROVER, CLERK, countOf, PayoutRunJob, recordedInvoices } from './payoutRun';
import { sharedN8n, useService } from './shared';

/*
 * The job payout-run-with-approval, from the upload of a file to the result file, in n8n and in
 * browsers of two users.
 */

const n8n = sharedN8n();
const service = useService(n8n);
let browser: Browser;
let job: PayoutRunJob;

beforeAll(async () => {
	browser = await launchBrowser();
	const { sandbox, credential } = service;
	job = await PayoutRunJob.putIntoService(n8n, sandbox.client, credential, browser);
});
afterEach(async () => {
	await job.closePages();
	await service.sandbox.client.setFaults({});
});
afterAll(async () => {
	await browser?.close();
	if (job) await n8n.deactivate(job.workflow);
});

const transactions = async () => (await service.sandbox.client.getCounts()).transactions;
/** How many requests the service gets while something happens. */
async function requestsDuring(action: () => Promise<unknown>): Promise<number> {
	const before = (await transactions()).requests;
	await action();
	return (await transactions()).requests - before;
}
const runOf = async (run: string) =>
	(await readTable(n8n, 'payout_runs')).find((row) => row.run === run)!;
const expectToCorrect = (found: string[][], { wrong }: PayoutFile) => {
	expect(found.map(([row, column]) => [row, column])).toEqual(
		wrong.map(({ row, column }) => [String(row), column]),
	);
	wrong.forEach(({ says }, index) => expect(found[index][2]).toMatch(says));
};

test('300 rows of a spreadsheet, 30 of them wrong: all found at once, the others paid once; the same file again asks for nothing', async () => {
	const file = payoutFile('INV-X', 300, 30);
	const uploaded = toXlsx(file, 'payouts.xlsx');
	const { run, found, seen, name, message, rows } = await job.payOut(uploaded);
	expect(found).toMatchObject({ summary: '270 of 300 rows can be paid.', totals: file.totals });
	expectToCorrect(found.toCorrect, file);
	expect(seen.summary).toContain(`Run ${run}: 270 payments`);
	expect(seen.payments).toHaveLength(50);
	expect(seen.leftOut).toHaveLength(30);
	expect(name).toBe('payouts - result.xlsx');
	expect(message).toContain(`uploaded by ${CLERK}. It was approved by ${APPROVER}`);
	expect(rows.map(({ Row }) => Row)).toHaveLength(300);
	const paid = rows.filter(({ Outcome }) => Outcome === 'created');
	expect(paid.map(({ Invoice }) => Invoice)).toEqual(file.payable);
	expect((await recordedInvoices(service.sandbox.client)).sort()).toEqual(file.payable);

	const { page, found: again } = await job.check(uploaded);
	expect(again).toMatchObject({ summary: '0 of 300 rows can be paid.', totals: [] });
	expect(again.notAskedFor).toHaveLength(270);
	expect(again.notAskedFor[0].at(-1)).toContain(`Accepted in payout run ${run}`);
	await stop(page);
}, 600_000);

test('the file of a clerk: every right row is paid once, every suspicious one is seen, and nothing is paid that was not approved', async () => {
	const { history, payout, rows } = clerkFiles();
	const rowsOf = (...expected: Array<ClerkRow['expected']>) =>
		rows.filter((row) => expected.includes(row.expected));
	const numbersOf = (some: ClerkRow[]) => some.map(({ row }) => row);
	await job.payOut(history);
	const { run, found } = await job.ask(payout);
	expect(found.summary).toBe(
		`${rowsOf('paid', 'asked').length} of ${rows.length} rows can be paid.`,
	);
	const toCorrect = rowsOf('to correct').map(({ row, page }) => {
		const advice = found.toCorrect.filter(([number]) => number === String(row));
		return { row, page, missing: page.filter((text) => !advice.flat().join(' ').includes(text)) };
	});
	expect(toCorrect.filter(({ missing }) => missing.length > 0)).toEqual([]);
	expect([...new Set(found.toCorrect.map(([row]) => Number(row)))]).toEqual(
		numbersOf(rowsOf('to correct')),
	);
	expect(found.notAskedFor.map(([row]) => Number(row))).toEqual(
		numbersOf(rowsOf('accepted before')),
	);

	const { page, seen } = await job.review(run);
	const remarks = new Map(seen.lookFirst.map((cells) => [Number(cells[0]), cells.at(-1)!]));
	const asked = rowsOf('asked');
	expect([...remarks.keys()].sort((a, b) => a - b)).toEqual(numbersOf(asked));
	const unsaid = asked.map(({ row, page: says }) => ({
		row,
		missing: says.filter((text) => !remarks.get(row)!.includes(text)),
	}));
	expect(unsaid.filter(({ missing }) => missing.length > 0)).toEqual([]);
	const isRepeat = ({ row }: ClerkRow) => remarks.get(row)!.startsWith('Possibly');
	const options = {
		comment: 'Checked with purchasing.',
		payToo: numbersOf(asked.filter((one) => isRepeat(one) && one.pays)),
		leaveOut: numbersOf(asked.filter((one) => !isRepeat(one) && !one.pays)),
	};
	const payments = rows.filter(({ pays }) => pays);
	expect(await decide(page, 'Approve', options)).toContain(`${payments.length} payments are sent`);
	await job.untilOver(run);

	const { items } = await service.sandbox.client.listTransactions({ limit: 1000 });
	const recorded = items.map(({ transaction: { externalId, amount } }) => [externalId, amount]);
	expect(recorded.filter(([id]) => id.startsWith(`payout:${run}:`)).sort()).toEqual(
		payments.map(({ row, pays }) => [`payout:${run}:${row}`, pays]).sort(),
	);
	expect(await runOf(run)).toMatchObject({
		comment: 'Checked with purchasing.',
		decidedBy: APPROVER,
		uploadedBy: CLERK,
	});
}, 600_000);

test('a rejected payout run pays nothing, keeps the comment, and can be uploaded again', async () => {
	const uploaded = toCsv(payoutFile('INV-R', 5, 0), 'rejected.csv');
	const requests = await requestsDuring(async () => {
		const { run } = await job.ask(uploaded);
		const waiting = await job.check(uploaded);
		expect(waiting.found.summary).toBe('0 of 5 rows can be paid.');
		expect(waiting.found.notAskedFor[0].at(-1)).toContain(`payout run ${run}`);
		await job.decide(run, 'Reject', { comment: 'Wrong month.' });
		await job.untilOver(run);
		const { rows, message } = await job.result(run);
		expect(message).toContain(`rejected by ${APPROVER}`);
		expect(message).toContain('Wrong month.');
		expect(countOf(rows, 'Not approved')).toBe(5);
		expect((await job.check(uploaded)).found.summary).toBe('5 of 5 rows can be paid.');
	});
	expect(requests).toBe(0);
}, 240_000);

test('who uploaded cannot approve, nor can somebody who is not an approver, nor somebody without a sign-in', async () => {
	const requests = await requestsDuring(async () => {
		const { run } = await job.ask(toCsv(payoutFile('INV-S', 3, 0), 'own.csv'));
		// The one who uploaded is among the approvers here.
		const own = await job.review(run, job.people.clerk);
		expect(await decide(own.page, 'Approve')).toMatch(/Nothing was changed[\s\S]*Who uploaded/);
		const other = await job.review(run, n8n);
		expect(await decide(other.page, 'Approve')).toMatch(/isn't one of the approvers/);

		const { page } = await job.review(run);
		const forged = await axios.postForm(
			page.url(),
			{ 'field-1': 'Approve' },
			{
				proxy: false,
				validateStatus: null,
			},
		);
		expect(forged.status).toBe(401);
		expect((await runOf(run)).decision ?? '').toBe('');
		await job.decide(run, 'Reject');
	});
	expect(requests).toBe(0);
}, 240_000);

test('an approval that somebody wrote into the table pays nothing, and neither does one from another payout run', async () => {
	const requests = await requestsDuring(async () => {
		const { run } = await job.ask(toCsv(payoutFile('INV-F', 3, 0), 'forged.csv'));
		const genuine = (await readTable(n8n, 'payout_runs')).find(
			({ decision }) => decision === 'approved',
		);
		await changeRows(
			n8n,
			'payout_runs',
			{ column: 'run', value: run },
			{
				decision: 'approved',
				decidedBy: APPROVER,
				decidedAt: new Date(0).toISOString(),
				approvedRows: '2 3 4',
				approval: (genuine?.approval as string | undefined) ?? 'f'.repeat(64),
			},
		);
		await job.untilOver(run);
		const { rows } = await job.result(run);
		expect(countOf(rows, 'Not approved')).toBe(3);
		expect(rows[0].Reason).toMatch(/approval doesn't match/);
	});
	expect(requests).toBe(0);
}, 240_000);

test('a row that was changed after the upload cannot be approved, and one that was changed after the approval is not paid', async () => {
	const { run } = await job.ask(toCsv(payoutFile('INV-T', 3, 0), 'changed.csv'));
	const [first] = await job.rowsOf(run);
	const where = { column: 'eventId', value: first.eventId as string };
	await changeRows(n8n, 'payout_payments', where, { account: 'vac_of_a_thief' });
	const { page } = await job.review(run);
	expect(await decide(page, 'Approve')).toMatch(/Nothing was changed/);
	const changed = await job.ask(toCsv(payoutFile('INV-U', 3, 0), 'changed and rejected.csv'));
	const [row] = await job.rowsOf(changed.run);
	await changeRows(
		n8n,
		'payout_payments',
		{ column: 'eventId', value: row.eventId as string },
		{ amount: '9.99' },
	);
	await job.decide(changed.run, 'Reject');
	await changeRows(n8n, 'payout_payments', where, { account: first.account });

	await service.sandbox.client.setFaults({ statuses: [{ status: 503, rate: 1 }] });
	const before = (await transactions()).requests;
	await job.decide(run, 'Approve');
	await waitUntil(
		'the first attempt has ended',
		async () => {
			const { results } = await n8n.executions(job.workflow);
			const attempts = results.filter(({ mode }) => mode === 'integrated');
			const { requests } = await transactions();
			return requests > before && attempts.every(({ status }) => status === 'success');
		},
		{ timeoutMs: 120_000, intervalMs: 200 },
	);
	await changeRows(n8n, 'payout_payments', where, { account: 'vac_of_a_thief' });
	await job.untilOver(run, 240_000);
	await service.sandbox.client.setFaults({});
	expect((await job.rowsOf(run)).map(({ outcome }) => outcome)).toEqual(
		Array(3).fill('notApproved'),
	);
	expect(
		(await recordedInvoices(service.sandbox.client)).filter((one) => one.startsWith('INV-T')),
	).toEqual([]);
}, 600_000);

test('the service fails in the middle: what is approved is paid all the same, each row once', async () => {
	const file = payoutFile('INV-M', 60, 0);
	const { run } = await job.ask(toCsv(file, 'failing.csv'));
	await service.sandbox.client.setFaults({
		seed: 7,
		statuses: [
			{ status: 500, rate: 0.15 },
			{ status: 503, rate: 0.1 },
		],
		dropResponses: 0.15,
		resetConnections: 0.1,
	});
	await job.decide(run, 'Approve');
	await job.untilOver(run, 240_000);
	await service.sandbox.client.setFaults({});
	const recorded = (await recordedInvoices(service.sandbox.client)).filter((one) =>
		one.startsWith('INV-M'),
	);
	expect(recorded.sort()).toEqual(file.payable);
	const { rows } = await job.result(run);
	expect(countOf(rows, 'Accepted') + countOf(rows, 'Paid')).toBe(60);
}, 600_000);

test('a payment is accepted until its event says COMPLETED, and then paid', async () => {
	const uploaded = toCsv(payoutFile('INV-E', 2, 0), 'events.csv');
	const { run, rows } = await job.payOut(uploaded);
	expect(rows.every(({ Result }) => ['Accepted', 'Paid'].includes(Result))).toBe(true);
	await waitUntil(
		'the events have arrived',
		async () => {
			const { rows: later } = await job.result(run);
			return later.every((row) => row.Result === 'Paid' && row['Final Status'] === 'COMPLETED');
		},
		{ timeoutMs: 60_000, intervalMs: 2000 },
	);
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

test('every format gives the same payments', async () => {
	const contents: unknown[] = [];
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
		expect(found).toMatchObject({
			summary: '2 of 2 rows can be paid.',
			totals: [
				['CHF', '1', '91.35'],
				['EUR', '1', '1,250.00'],
			],
		});
		await page.getByText('Ask for approval', { exact: true }).click();
		await page.getByRole('button', { name: 'Continue' }).click();
		const heading = page.getByRole('heading', { name: /waits for approval/ });
		await heading.waitFor();
		const run = /\d+/.exec(await heading.innerText())![0];
		contents.push((await job.rowsOf(run)).map(({ eventId, method }) => [eventId, method]));
		await job.decide(run, 'Reject');
		await job.untilOver(run);
	}
	for (const content of contents) expect(content).toEqual(contents[0]);
}, 600_000);

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

test.each([
	['without a column', 'a.csv', 'Invoice;Supplier\nI;S\n', /no column Supplier Account, Country, /],
	['without rows', 'a.csv', `${HEADER.join(';')}\n`, /no rows below its header/],
	['with an open quotation mark', 'a.csv', 'Invoice\n"I;S\n', /quotation mark is not closed/],
	['that is an image', 'a.xlsx', PNG, /cannot be read|cannot be used/],
	['that is other XML', 'a.xml', '<a/>', /not a pain\.001/],
	['with another control sum', 'a.xml', pain001('1.00').buffer, /amounts come to/],
])(
	'a file %s is not used, and the page says why',
	async (_, name, content, reason) => {
		const buffer = Buffer.from(content);
		const file = { name, mimeType: 'application/octet-stream', buffer };
		const requests = await requestsDuring(async () => {
			const { page, found } = await job.check(file);
			expect(found.summary).toMatch(reason);
			await stop(page);
		});
		expect(requests).toBe(0);
	},
	120_000,
);
