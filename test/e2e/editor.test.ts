import type { Browser, Page } from 'playwright-core';
import {
	launchBrowser,
	openEditor,
	openNode,
	screenshot,
	searchNodes,
} from '../support/pages/browser';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { errorDescription, invalidRows } from './errorDescription';
import { sharedN8n, useService } from './shared';

const n8n = sharedN8n();
const service = useService(n8n);
let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await launchBrowser();
	page = await openEditor(browser, process.env.E2E_N8N_URL!);
});
afterAll(async () => {
	await browser?.close();
});

const part = (id: string) => page.getByTestId(id);

async function openNodeOf(workflowId: string, node: string) {
	await page.goto(`/workflow/${workflowId}`);
	await openNode(page, node);
}

test('the node panel offers the trigger and the action', async () => {
	await page.goto('/workflow/new');
	await part('node-creator-plus-button').click();
	await searchNodes(page, 'bank transfer');
	const found = part('node-creator-item-name').filter({ hasText: /^Payments$/ });
	await found.waitFor();
	await screenshot(page, 'editor-node-panel');
	await found.click();
	await page.getByText('On payment created').waitFor();
	await screenshot(page, 'editor-node-panel-details');
	await part('node-creator-category-item').filter({ hasText: 'Actions' }).click();
	await page.getByText('Create transaction', { exact: true }).click();
	await part('ndv')
		.filter({
			hasText:
				/Credential.*Resource.*Operation.*Specify Transaction.*Amount.*External ID.*Sender Entity ID.*Options/s,
		})
		.waitFor();
	await screenshot(page, 'editor-new-node');
});

test('the node runs, and shows what came of each item in ten columns', async () => {
	const { id } = await n8n.importWorkflow(readExample('rows-to-transactions'), [
		service.credential,
	]);
	await openNodeOf(id, 'Create Transactions');
	await part('node-execute-button').first().click();
	await part('node-run-status-success').waitFor();
	for (const text of ['4 items', 'INV-2026-0101', 'INV-2026-0104'])
		await part('output-panel').getByText(text).first().waitFor();
	await screenshot(page, 'editor-action');
	expect((await service.sandbox.client.getCounts()).transactions.created).toBe(4);
	const output = part('output-panel');
	await output.getByText('Table', { exact: true }).click();
	await output.locator('th').first().waitFor();
	const columns = (await output.locator('th').allInnerTexts()).map((text) => text.trim());
	expect(columns.filter((text) => text !== '')).toEqual([
		'outcome',
		'externalId',
		'amount',
		'currency',
		'recipient',
		'message',
		'fix',
		'eventId',
		'statusCode',
		'response',
	]);
	await screenshot(page, 'editor-output');
});

test('the fields of its output can be dragged before the node has run', async () => {
	const { id } = await n8n.importWorkflow(readExample('rows-with-error-branch'), [
		service.credential,
	]);
	await openNodeOf(id, 'Recorded');
	const offered = part('ndv-input-panel');
	await offered.getByText('Usually outputs the following fields').waitFor();
	for (const field of ['eventId', 'externalId', 'amount', 'recipient', 'outcome'])
		await offered.getByText(field).first().waitFor();
});

test('a description of several lines has line breaks, and a quoted value is shown as typed', async () => {
	const { workflow, expectedLines } = invalidRows();
	const { id } = await n8n.importWorkflow(workflow, [service.credential]);
	await openNodeOf(id, 'Create Transactions');
	await part('node-execute-button').first().click();
	expect(await errorDescription(page)).toEqual(expectedLines);
	await screenshot(page, 'editor-description');
});

test('the trigger shows its address, its fields and what to do', async () => {
	const { id, nodes } = await n8n.importWorkflow(readExample('listen-to-payments'), [
		await createPaymentsWebhookApi(n8n, 'any-secret'),
	]);
	await openNodeOf(id, 'Payments Trigger');
	await page.getByText('Webhook URLs').click();
	await page
		.getByText(`/webhook-test/${nodes.find(({ webhookId }) => webhookId)!.webhookId}`)
		.first()
		.waitFor();
	await page.getByText('When will this node trigger my flow?').click();
	await page.getByText('register that URL').waitFor();
	await part('ndv')
		.filter({
			hasText: /Trigger On.*Payment Created.*Respond.*Authentication.*Options/s,
		})
		.waitFor();
	await screenshot(page, 'editor-trigger');
});

test('the trigger listens, and a delivery with a wrong secret shows the reason', async () => {
	const { id, nodes } = await n8n.importWorkflow(readExample('listen-to-payments'), [
		await createPaymentsWebhookApi(n8n, 'the secret of another endpoint'),
	]);
	const { test: url } = await n8n.webhookUrls({ id, nodes }, 'Payments Trigger');
	await openNodeOf(id, 'Payments Trigger');
	await part('node-execute-button').first().click();
	await part('trigger-listening').waitFor();
	const endpoint = await service.sandbox.client.createEndpoint({ url, events: ['NONE.OF_THESE'] });
	await service.sandbox.client.sendTestEvent(endpoint.id, { event: 'PAYMENT.CREATED' });
	const output = part('output-panel');
	await output.getByText("its signature wasn't made with this secret").first().waitFor();
	await output.getByText('Each endpoint has a secret of its own').first().waitFor();
	await part('trigger-listening').waitFor({ state: 'hidden' });
	await screenshot(page, 'editor-trigger-wrong-secret');
	await service.sandbox.client.deleteEndpoint(endpoint.id);
});

test('the trigger offers the event types, those of payments first, and takes the chosen one', async () => {
	await page.goto('/workflow/new');
	await part('node-creator-plus-button').click();
	await searchNodes(page, 'payments');
	await part('node-creator-item-name')
		.filter({ hasText: /^Payments$/ })
		.click();
	await page.getByText('On payment created').waitFor();
	const names = part('node-creator-item-name').filter({ hasText: /^On / });
	await names.nth(38).waitFor(); // n8n shows them one after the other
	const offered = await names.allInnerTexts();
	expect(offered).toHaveLength(39);
	expect(offered.slice(0, 2)).toEqual(['On all events', 'On payment status updated']);
	await page.getByText('On payment status updated').click();
	await part('ndv').waitFor();
	await part('parameter-input-events').getByText('Payment Status Updated').waitFor();
});

test('the trigger marks an empty Trigger On', async () => {
	const example = readExample('listen-to-payments');
	for (const node of example.nodes) {
		if (node.name === 'Payments Trigger') node.parameters.events = [];
	}
	const credential = await createPaymentsWebhookApi(n8n, 'any-secret');
	const { id } = await n8n.importWorkflow(example, [credential]);
	await openNodeOf(id, 'Payments Trigger');
	const issues = part('parameter-issues');
	await issues.first().waitFor();
	expect(await issues.count()).toBe(1);
	await screenshot(page, 'editor-trigger-empty');
	await part('parameter-input-responseMode').click();
	await page.getByText('When Last Node Finishes').first().click();
	await page.getByText('If the workflow pauses, such as at a Wait node').waitFor();
});
