import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { payoutFile, toCsv } from '../support/builders/payoutFile';
import type { Credential, N8nClient } from '../../host/n8n/client';
import { SandboxClient } from '../../sandbox/client';
import { createPaymentsApi, readExample } from '../../host/n8n/credentials';
import { PayoutRunJob } from '../e2e/payoutRun';
import {
	askForApproval,
	decide,
	readCheck,
	receiveEvidence,
	upload,
} from '../support/pages/payoutRun';
import { openWorkflow } from './editor';
import { canvasPart, type Shot } from './shots';

interface Service {
	n8n: N8nClient;
	url: string;
	client: { clientId: string; clientSecret: string };
}

const JOBS = join(__dirname, '..', '..', 'examples', 'jobs');
const FILE = 'payouts-november.csv';

/** The jobs of docs/jobs.md on the canvas, each as a whole. */
export async function takeJobPictures(page: Page, n8n: N8nClient, shot: Shot) {
	for (const file of readdirSync(JOBS).filter((name) => name.endsWith('.json'))) {
		const name = basename(file, '.json');
		const job = readExample(`jobs/${name}`);
		// Nothing is executed: the credentials are there so that the nodes don't show that they lack
		// one.
		const types = new Set(job.nodes.flatMap(({ credentials = {} }) => Object.keys(credentials)));
		const credentials: Credential[] = [];
		for (const type of types)
			credentials.push(await n8n.createCredential(type, type, { secret: 'only-for-the-canvas' }));
		await openWorkflow(page, (await n8n.importWorkflow(job, credentials)).id);
		await shot(page, `jobs/${name}-canvas`, await canvasPart(page));
	}
}

/** The pages of the payout run, from the check of the file to the evidence. */
export async function takePayoutRunPictures(
	browser: Browser,
	{ n8n, url, client }: Service,
	shot: Shot,
) {
	const credential = await createPaymentsApi(n8n, { url, ...client });
	const job = await PayoutRunJob.putIntoService(n8n, new SandboxClient(url), credential, browser);
	const file = payoutFile('INV-2026', 40, 4);
	await job.approvePayeesOf(file);
	const uploader = await job.open('payout-upload', job.people.clerk);
	await upload(uploader, toCsv(file, FILE));
	await readCheck(uploader);
	await shot(uploader, 'jobs/payout-run-check');
	const run = await askForApproval(uploader);
	const { page: approver } = await job.review(run);
	await shot(approver, 'jobs/payout-run-approval');
	await decide(approver, 'Approve');
	await job.untilAll(run, ['paid']);
	const evidence = await job.open('payment-evidence', job.people.clerk);
	await receiveEvidence(evidence, 'A run', run);
	await shot(evidence, 'jobs/payment-evidence');
	await job.closePages();
	await job.stop();
}
