import type { Page } from 'playwright-core';
import { openNode } from '../../test/support/pages/browser';
import type { N8nClient } from '../../test/support/n8n/client';
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
export async function openWorkflow(page: Page, workflowId: string, node?: string) {
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
	await openWorkflow(page, id);
	await shot(page, 'canvas');
	await openWorkflow(page, id, 'Create Transactions');
	await execute(page, 'INV-2026-0101');
	await shot(page, 'node');
	await openCredential(page);
	await shot(page, 'credential');

	const table = rows.nodes.find(({ name }) => name === 'Example Invoices')!.parameters;
	table.jsonOutput = (table.jsonOutput as string).replace('"2501.00"', '"2.501,00"');
	await openWorkflow(page, (await n8n.importWorkflow(rows, [api])).id, 'Create Transactions');
	await execute(page, 'is not a plain decimal number');
	await shot(page, 'invalid-item');

	await openWorkflow(
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
