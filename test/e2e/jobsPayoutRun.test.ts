import type { Browser } from 'playwright-core';
import { payoutFile, toXlsx } from '../support/builders/payoutFile';
import { launchBrowser } from '../support/pages/browser';
import { stop } from '../support/pages/payoutRun';
import { PayoutRunJob, recordedInvoices } from './payoutRun';
import { sharedN8n, useService } from './shared';

/*
 * The jobs of the payout run, from the upload of a file to the evidence, in n8n and in browsers of
 * three users.
 */

const n8n = sharedN8n();
const service = useService(n8n);
let browser: Browser;
let job: PayoutRunJob;

beforeAll(async () => {
	browser = await launchBrowser();
	const { sandbox, credential } = service;
	job = await PayoutRunJob.putIntoService(n8n, sandbox.client, credential, browser);
}, 240_000);
afterEach(async () => {
	await job.closePages();
	await service.sandbox.client.setFaults({});
});
afterAll(async () => {
	await browser?.close();
	await job?.stop();
});

test('60 rows of a spreadsheet, 11 of them wrong: all found at once, the others paid once; the same file again asks for nothing', async () => {
	const file = payoutFile('INV-X', 60, 11);
	await job.approvePayeesOf(file);
	const { run, found } = await job.ask(toXlsx(file, 'payouts.xlsx'));
	expect(found).toMatchObject({});
	console.log(found);
	const decided = await job.decide(run, 'Approve');
	console.log(JSON.stringify(decided, null, 1).slice(0, 3000));
	await job.untilAll(run, ['accepted', 'paid']);
	console.log(await job.resultsOf(run));
	expect((await recordedInvoices(service.sandbox.client)).sort()).toEqual(file.payable);
	const { page, found: again } = await job.check(toXlsx(file, 'other name.xlsx'));
	expect(again.leftOut).toHaveLength(49);
	await stop(page);
	console.log(await job.evidence('A run', run));
}, 600_000);
