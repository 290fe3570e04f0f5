import axios from 'axios';
import type { Browser } from 'playwright-core';
import {
	payoutFile,
	readXlsx,
	toCsv,
	toXlsx,
	type PayoutFile,
} from '../support/builders/payoutFile';
import { launchBrowser } from '../support/pages/browser';
import { choose, readEnding, receiveResult, type UploadedFile } from '../support/pages/payoutRun';
import { waitUntil } from '../support/waitUntil';
import { countOf, PayoutRunJob, recordedInvoices, UPLOADER, type ResultRow } from './payoutRun';
import { sharedN8n, useService } from './shared';

/* The job payout-run-with-approval, from the upload of a file to the result file, in n8n and in two browsers. */

const n8n = sharedN8n();
const service = useService(n8n);
let browser: Browser;
let job: PayoutRunJob;

beforeAll(async () => {
	browser = await launchBrowser();
	job = await PayoutRunJob.putIntoService(n8n, service.credential, browser);
});
afterEach(async () => {
	await job.closePages();
	await service.sandbox.client.reset();
});
afterAll(async () => {
	await browser?.close();
	if (job) await n8n.deactivate(job.workflow);
});

const transactions = async () => (await service.sandbox.client.getCounts()).transactions;
const recorded = async () => {
	const { created, duplicates } = await transactions();
	return { created, duplicates };
};
function expectProblems(problems: string[][], { wrong }: PayoutFile) {
	expect(problems.map(([row, column]) => [row, column])).toEqual(
		wrong.map(({ row, column }) => [String(row), column]),
	);
	wrong.forEach(({ says }, index) => expect(problems[index][2]).toMatch(says));
}

/** Asserts what the page showed, what the approver saw, and what is in the result file, row by row. */
function expectPaid(
	file: PayoutFile,
	uploaded: UploadedFile,
	run: Awaited<ReturnType<PayoutRunJob['payOut']>>,
) {
	const { found, seenByApprover, name, message, rows } = run;
	expect(found.summary).toBe('970 of 1000 rows can be paid.');
	expectProblems(found.problems, file);
	expect(found.totals).toEqual(file.totals);
	expect(seenByApprover.slice(1)).toEqual([
		UPLOADER,
		uploaded.name,
		'970',
		file.totals.map(([currency, count, total]) => `${currency} ${total} (${count})`).join(', '),
		'30',
	]);

	expect(name).toBe(uploaded.name.replace(/\.\w+$/, ' - result.xlsx'));
	expect(message).toContain('Accepted: 970, To correct: 30.');
	expect(rows).toHaveLength(1000);
	const paid = rows.filter(({ Outcome }) => Outcome === 'created');
	expect(paid.map(({ Invoice }) => Invoice)).toEqual(file.payable);
	expect(paid.every((row) => row['Event ID'] === row.Invoice && !row.Reason)).toBe(true);
	const toCorrect = rows.filter(({ Outcome }) => Outcome === 'invalid');
	expect(toCorrect.map(({ Row }) => Row)).toEqual(file.wrong.map(({ row }) => row));
	file.wrong.forEach(({ says }, index) => expect(toCorrect[index].Reason).toMatch(says));
}

test('1,000 rows of a CSV file, 30 of them wrong: all found at once, the others paid once, also when it is uploaded again', async () => {
	const file = payoutFile('INV-C', 1000, 30);
	const uploaded = toCsv(file, 'payouts.csv');
	expectPaid(file, uploaded, await job.payOut(uploaded));
	expect(await recorded()).toEqual({ created: 970, duplicates: 0 });

	const again = await job.payOut(uploaded);
	expect(again.message).toContain('Accepted before: 970, To correct: 30.');
	expect(countOf(again.rows, 'duplicate')).toBe(970);
	expect(again.rows.find(({ Outcome }) => Outcome === 'duplicate')!.Reason).toContain(
		'It was not paid a second time.',
	);
	expect(await recorded()).toEqual({ created: 970, duplicates: 970 });
});

test('1,000 rows of a spreadsheet, 30 of them wrong: all found at once, the others paid once', async () => {
	const file = payoutFile('INV-X', 1000, 30);
	const uploaded = toXlsx(file, 'payouts.xlsx');
	expectPaid(file, uploaded, await job.payOut(uploaded));
	expect(await recorded()).toEqual({ created: 970, duplicates: 0 });
});

test('a rejected run pays nothing, and the uploader reads why', async () => {
	const file = payoutFile('INV-R', 10, 0);
	const { page, found } = await job.check(toCsv(file, 'rejected.csv'));
	expect(found).toEqual({
		summary: '10 of 10 rows can be paid.',
		totals: file.totals,
		problems: [],
	});
	await choose(page, 'Ask for approval');
	await job.decide('rejected.csv', 'Reject', 'Wrong month.');
	expect(await readEnding(page, 'Not approved')).toContain(
		'Amir Khan rejected the payout run. Wrong month. Nothing was paid.',
	);
	expect((await transactions()).requests).toBe(0);
});

test('the uploader cannot approve with the address of the own page', async () => {
	const { page } = await job.check(toCsv(payoutFile('INV-S', 3, 0), 'own.csv'));
	const address = page.waitForRequest(/form-waiting.*signature=/);
	await choose(page, 'Ask for approval');
	const { pathname, search } = new URL((await address).url());
	const resumeUrl = `${process.env.E2E_N8N_URL}${pathname.replace('form-waiting', 'webhook-waiting').replace('/n8n-execution-status', '')}${search}`;
	// Until the execution waits at the node, n8n answers with other statuses or not at all: 415 is from the form page before, which takes no JSON.
	const request = { proxy: false as const, validateStatus: null, timeout: 2000 };
	const answer = await waitUntil('n8n accepts or rejects the decision', async () => {
		const sending = axios.post(resumeUrl, { decision: 'Approve' }, request);
		const received = await sending.catch(() => undefined);
		return received && [200, 401, 403].includes(received.status) && received;
	});
	// n8n also answers with 401 to an address that isn't the execution's, and then without this header.
	expect(answer).toMatchObject({
		status: 401,
		headers: { 'www-authenticate': expect.stringContaining('Basic') as string },
	});
	await job.decide('own.csv', 'Reject');
	expect((await transactions()).requests).toBe(0);
});

test('the service fails in the middle: the result file says for which rows, and the same file pays the rest once', async () => {
	const file = payoutFile('INV-F', 200, 0);
	const uploaded = toCsv(file, 'failing.csv');
	await service.sandbox.client.setFaults({
		seed: 7,
		statuses: [
			{ status: 500, rate: 0.15 },
			{ status: 503, rate: 0.1 },
		],
		dropResponses: 0.15,
		resetConnections: 0.1,
	});
	const { page } = await job.check(uploaded);
	const result = receiveResult(page);
	await choose(page, 'Ask for approval');
	await job.decide(uploaded.name, 'Approve');
	await waitUntil('a quarter is recorded', async () => (await transactions()).created >= 50);
	await service.sandbox.client.changeFaults({ refuseConnections: { ms: 2000 } });
	const { content, message } = await result;
	const first = readXlsx<ResultRow>(content);
	await service.sandbox.client.setFaults({});

	const inDoubt = first.filter(({ Outcome }) => ['unknown', 'notSent'].includes(Outcome));
	expect(inDoubt.length).toBeGreaterThan(0);
	expect(message).toContain('Upload the same file again: nothing is paid a second time.');
	expect(inDoubt.every(({ Reason }) => Reason!.includes('Upload the same file again'))).toBe(true);
	const isRecorded = new Set(await recordedInvoices(service.sandbox.client));
	const claimed = first.filter(({ Outcome }) => ['created', 'duplicate'].includes(Outcome));
	expect(claimed.length + inDoubt.length).toBe(200);
	expect(claimed.filter(({ Invoice }) => !isRecorded.has(Invoice!))).toEqual([]);

	const second = await job.payOut(uploaded);
	expect(countOf(second.rows, 'created') + countOf(second.rows, 'duplicate')).toBe(200);
	expect((await recordedInvoices(service.sandbox.client)).sort()).toEqual(file.payable);
});

const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);

test.each([
	['without a column', 'a.csv', 'Invoice;Supplier\nI;S\n', /no column Supplier Account, Country, /],
	['without rows', 'a.csv', 'Invoice;Supplier\n', /no rows below its header/],
	['with an open quotation mark', 'a.csv', 'Invoice\n"I;S\n', /quotation mark is not closed/],
	['that is an image', 'a.xlsx', PNG, /not a spreadsheet/],
])('a file %s is not used, and the page says why', async (_, name, content, reason) => {
	const buffer = Buffer.from(content);
	const page = await job.upload({ name, mimeType: 'application/octet-stream', buffer });
	expect(await readEnding(page, 'This file cannot be used')).toMatch(reason);
	expect((await transactions()).requests).toBe(0);
});
