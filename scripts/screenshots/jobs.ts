import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { payoutFile, toCsv } from '../../test/support/builders/payoutFile';
import type { Credential, N8nClient } from '../../test/support/n8n/client';
import { createPaymentsApi, readExample } from '../../test/support/n8n/credentials';
import {
	choose,
	decide,
	listRuns,
	openForm,
	readCheck,
	receiveResult,
	upload,
} from '../../test/support/pages/payoutRun';
import { openWorkflow, type Shot } from './editor';

interface Service {
	n8n: N8nClient;
	url: string;
	client: { clientId: string; clientSecret: string };
}

const JOBS = join(__dirname, '..', '..', 'examples', 'jobs');
const FILE = 'payouts-november.csv';
const APPROVER = { username: 'approver', password: 'only-approvers-know' };

/** Each job of docs/jobs.md as a whole on the canvas, in one color scheme. */
export async function takeJobPictures(page: Page, n8n: N8nClient, shot: Shot) {
	for (const file of readdirSync(JOBS)) {
		const name = basename(file, '.json');
		const job = readExample(`jobs/${name}`);
		// Nothing is executed: the credentials are there so that the nodes don't show that they lack one.
		const types = new Set(job.nodes.flatMap(({ credentials = {} }) => Object.keys(credentials)));
		const credentials: Credential[] = [];
		for (const type of types) credentials.push(await n8n.createCredential(type, type, {}));
		await openWorkflow(page, (await n8n.importWorkflow(job, credentials)).id);
		await page.getByTestId('zoom-to-fit').click();
		await shot(page, `jobs/${name}`);
	}
}

/** The pages of the payout run, from the check of the file to the result. */
export async function takePayoutRunPictures(
	browser: Browser,
	{ n8n, url, client }: Service,
	shot: Shot,
) {
	const { username: user, password } = APPROVER;
	const workflow = await n8n.importWorkflow(readExample('jobs/payout-run-with-approval'), [
		await createPaymentsApi(n8n, { url, ...client }),
		await n8n.createCredential('Payout approver', 'httpBasicAuth', { user, password }),
	]);
	await n8n.activate(workflow);
	const formUrl = (trigger: string) =>
		`${n8n.url}/form/${workflow.nodes.find(({ name }) => name === trigger)!.webhookId}`;
	const uploader = await openForm(browser, formUrl('Upload Payout File'));
	await upload(uploader, toCsv(payoutFile('INV-2026', 40, 4), FILE), 'Lena Fischer');
	await readCheck(uploader);
	await shot(uploader, 'jobs/payout-run-check');
	const result = receiveResult(uploader);
	await choose(uploader, 'Ask for approval');
	await uploader.waitForTimeout(2000); // until the payout run waits
	const approver = await openForm(browser, formUrl('Approve Payouts'), APPROVER);
	const runs = await listRuns(approver, 'Amir Khan');
	const [run] = runs.find((cells) => cells.includes(FILE))!;
	await shot(approver, 'jobs/payout-run-approval');
	await decide(approver, run, 'Approve');
	await result;
	await uploader.setViewportSize({ width: 1280, height: 150 }); // the page has two lines
	await shot(uploader, 'jobs/payout-run-result');
	await n8n.deactivate(workflow);
}
