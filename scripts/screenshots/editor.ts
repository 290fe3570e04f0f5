import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Page } from 'playwright-core';
import { openNode } from '../../test/support/pages/browser';
import type { Credential, N8nClient } from '../../test/support/n8n/client';
import {
	createPaymentsApi,
	createPaymentsWebhookApi,
	readExample,
} from '../../test/support/n8n/credentials';

export type Shot = (page: Page, name: string) => Promise<void>;

interface Service {
	n8n: N8nClient;
	url: string;
	client: { clientId: string; clientSecret: string };
	secret: string;
}

/** Opens a stored workflow and, if one is named, one of its nodes, as a double click does. */
async function open(page: Page, workflowId: string, node?: string) {
	await page.goto(`/workflow/${workflowId}`);
	await page.getByTestId('canvas-node').first().waitFor();
	if (!node) return;
	await openNode(page, node);
}

/** Runs the open node. `finished`: what the editor shows at the end. */
async function execute(page: Page, finished: string) {
	await page.getByTestId('node-execute-button').first().click();
	await page.getByTestId('output-panel').getByText(finished).first().waitFor();
}

/** The credential dialog of the open node. */
async function openCredential(page: Page) {
	await page.getByTestId('credential-edit-button').click();
	await page.getByTestId('credential-edit-dialog').waitFor();
}

/** The pictures of the editor that docs/*.md show, in one color scheme. */
export async function takePictures(page: Page, { n8n, url, client, secret }: Service, shot: Shot) {
	const api = await createPaymentsApi(n8n, { url, ...client });
	const webhookApi = await createPaymentsWebhookApi(n8n, secret);

	const rows = readExample('rows-to-transactions');
	const { id } = await n8n.importWorkflow(rows, [api]);
	await open(page, id);
	await shot(page, 'canvas');
	await open(page, id, 'Create Transactions');
	await execute(page, 'INV-2026-0101');
	await shot(page, 'node');
	await openCredential(page);
	await shot(page, 'credential');

	const table = rows.nodes.find(({ name }) => name === 'Example Invoices')!.parameters;
	table.jsonOutput = (table.jsonOutput as string).replace('"2501.00"', '"2.501,00"');
	await open(page, (await n8n.importWorkflow(rows, [api])).id, 'Create Transactions');
	await execute(page, 'is not a plain decimal number');
	await shot(page, 'invalid-item');

	await open(
		page,
		(await n8n.importWorkflow(readExample('listen-to-payments'), [webhookApi])).id,
		'Payments Trigger',
	);
	await page.getByText('Webhook URLs').click();
	await page.getByTestId('trigger-header').waitFor();
	await shot(page, 'trigger');
	await openCredential(page);
	await shot(page, 'webhook-credential');
}

const JOBS = join(__dirname, '..', '..', 'examples', 'jobs');

/** Each job of docs/jobs.md as a whole on the canvas, in one color scheme. */
export async function takeJobPictures(page: Page, n8n: N8nClient, shot: Shot) {
	for (const file of readdirSync(JOBS)) {
		const name = basename(file, '.json');
		const job = readExample(`jobs/${name}`);
		// Nothing is executed: the credentials are there so that the nodes don't show that they lack one.
		const types = new Set(job.nodes.flatMap(({ credentials = {} }) => Object.keys(credentials)));
		const credentials: Credential[] = [];
		for (const type of types) credentials.push(await n8n.createCredential(type, type, {}));
		await open(page, (await n8n.importWorkflow(job, credentials)).id);
		await page.getByTestId('zoom-to-fit').click();
		await shot(page, `jobs/${name}`);
	}
}
