import type { Locator, Page } from 'playwright-core';
import { openNode } from '../support/pages/browser';
import type { N8nClient } from '../../host/n8n/client';
import {
	createPaymentsApi,
	createPaymentsWebhookApi,
	readExample,
	readLiveExample,
} from '../../host/n8n/credentials';
import type { Shot } from './shots';

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

/** Opens the credential dialog of the open node, and returns it. */
async function openCredential(page: Page): Promise<Locator> {
	await page.getByTestId('credential-edit-button').click();
	const content = page.getByTestId('credential-edit-dialog');
	await content.waitFor();
	return page.getByRole('dialog').filter({ has: content }).last();
}

/** The pictures of the editor that docs/*.md show. */
export async function takePictures(page: Page, { n8n, url, client, secret }: Service, shot: Shot) {
	const api = await createPaymentsApi(n8n, { url, ...client });
	const webhookApi = await createPaymentsWebhookApi(n8n, secret);
	const node = page.getByTestId('ndv');

	const rows = readLiveExample('rows-to-transactions');
	const { id } = await n8n.importWorkflow(rows, [api]);
	await openWorkflow(page, id, 'Create Transactions');
	await execute(page, 'INV-2026-0101');
	await shot(page, 'node', node);
	await page.setViewportSize({ width: 1280, height: 1250 });
	await shot(page, 'credential', await openCredential(page));
	await page.setViewportSize({ width: 1280, height: 800 });

	await openWorkflow(
		page,
		(await n8n.importWorkflow(readExample('events-by-type'), [webhookApi])).id,
		'Payments Trigger',
	);
	await page.getByText('Webhook URLs').click();
	await page.getByTestId('trigger-header').waitFor();
	await shot(page, 'trigger', node);
	await shot(page, 'webhook-credential', await openCredential(page));
}
