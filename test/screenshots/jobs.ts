import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { waitUntil } from '../../host/waitUntil';
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

const COLUMNS = 'Invoice;Supplier;Supplier Account;Country;Amount;Currency;Method';
const NORDIC = 'Nordic Paper;DE89370400440532013000;DE';
const THAMES = 'Thames Cycles;GB29NWBK60161331926819;GB';
const GULF = 'Gulf Steel;vac_gulf_steel;AE';
const OCTOBER = [`RE-1001;${NORDIC};1250,00;EUR;SCT`, `T-310;${THAMES};320,00;GBP;FPS`];
/** One is paid already, one has the amount of another, one is unusual, and one can't be read. */
const NOVEMBER = [
	`RE-1001;${NORDIC};1250,00;EUR;SCT`,
	`RE-1019;${NORDIC};1250,00;EUR;SCT`,
	`RE-1020;${NORDIC};2480,90;EUR;SCT`,
	`T-311;${THAMES};345,50;GBP;FPS`,
	`T-312;${THAMES};4800,00;GBP;FPS`,
	`2026-77;${GULF};12,345;EUR;SCT`,
	`2026-78;${GULF};18400,00;EUR;SCT`,
];
const csv = (name: string, rows: string[]) => ({
	name,
	mimeType: 'text/csv',
	buffer: Buffer.from([COLUMNS, ...rows].join('\n')),
});

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
	await job.approvePayees([
		['Nordic Paper', 'DE89370400440532013000', 'DE'],
		['Thames Cycles', 'GB29NWBK60161331926819', 'GB'],
		['Gulf Steel', 'vac_gulf_steel', 'AE'],
	]);
	const { run: october } = await job.ask(csv('payouts-october.csv', OCTOBER));
	await job.decide(october, 'Approve');
	await job.untilAll(october, ['paid']);
	const uploader = await job.open('payout-upload', job.people.clerk);
	await upload(uploader, csv('payouts-november.csv', NOVEMBER));
	await readCheck(uploader);
	await shot(uploader, 'jobs/payout-run-check');
	const run = await askForApproval(uploader);
	const { page: approver } = await job.review(run);
	await shot(approver, 'jobs/payout-run-approval');
	await decide(approver, 'Approve');
	const isOver = ({ result, decision }: Record<string, string>) =>
		['paid', 'to approve'].includes(result) || decision === 'declined';
	const areOver = async () => (await job.rowsOf(run)).every(isOver);
	await waitUntil('what one may approve is paid', areOver, { timeoutMs: 180_000 });
	const evidence = await job.open('payment-evidence', job.people.clerk);
	await receiveEvidence(evidence, 'A payout run', run);
	await shot(evidence, 'jobs/payment-evidence');
	await job.closePages();
	await job.stop();
}
