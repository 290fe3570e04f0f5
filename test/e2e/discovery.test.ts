import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openEditor, openNode, searchNodes } from '../support/pages/browser';
import type { N8nClient } from '../../host/n8n/client';
import { readExample } from '../../host/n8n/credentials';
import type { Sandbox } from '../../host/sandbox';
import { ownService, sharedN8n } from './shared';

/*
 * What somebody sees who does not know the nodes yet: the search, and the fields of a node that
 * never ran.
 */

let n8n: N8nClient;
let sandbox: Sandbox;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	n8n = sharedN8n();
	browser = await launchBrowser();
	page = await openEditor(browser, process.env.E2E_N8N_URL!);
});
afterAll(async () => {
	await browser?.close();
	await sandbox?.stop();
});

const names = () => page.getByTestId('node-creator-item-name');

test.each(['payment', 'transaction', 'SEPA', 'bank transfer', 'webhook'])(
	'"%s" finds the nodes, as a trigger and as an action',
	async (word) => {
		await page.goto('/workflow/new');
		await page.getByTestId('node-creator-plus-button').click();
		await searchNodes(page, word);
		await names().getByText('Payments', { exact: true }).waitFor();

		await searchNodes(page, 'manual');
		await names()
			.filter({ hasText: /manual/i })
			.first()
			.click();
		await page.getByTestId('canvas-node').first().waitFor();
		await page.getByTestId('node-creator-plus-button').click();
		await searchNodes(page, word);
		await names().getByText('Payments', { exact: true }).waitFor();
	},
);

test('the fields of its output can be dragged before the node has run', async () => {
	const service = await ownService(n8n);
	sandbox = service.sandbox;
	const { id } = await n8n.importWorkflow(readExample('rows-with-error-branch'), [
		service.credential,
	]);
	await page.goto(`/workflow/${id}`);
	await openNode(page, 'Recorded');
	const offered = page.getByTestId('ndv-input-panel');
	await offered.getByText('Usually outputs the following fields').waitFor();
	for (const field of ['eventId', 'externalId', 'amount', 'recipient', 'outcome'])
		await offered.getByText(field).first().waitFor();
});
