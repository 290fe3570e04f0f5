import type { Browser, Page } from 'playwright-core';
import {
	launchBrowser,
	openEditor,
	openNode,
	screenshot,
	searchNodes,
} from '../support/pages/browser';
import {
	createPaymentsApi,
	createPaymentsWebhookApi,
	readExample,
} from '../support/n8n/credentials';
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
	await searchNodes(page, 'payments');
	const found = part('node-creator-item-name').filter({ hasText: /^Payments$/ });
	await found.waitFor();
	await screenshot(page, 'editor-node-panel');
	await found.click();
	await page.getByText('On payment created').waitFor();
	await screenshot(page, 'editor-node-panel-details');
	await part('node-creator-category-item').filter({ hasText: 'Actions' }).click();
	await page.getByText('Create transaction').click();
	await part('ndv')
		.filter({
			hasText:
				/Credential.*Resource.*Operation.*Specify Transaction.*Sender Entity ID.*Amount.*External ID.*Options/s,
		})
		.waitFor();
	await screenshot(page, 'editor-new-node');
});

test('the node runs, and shows what came of each item', async () => {
	const { id } = await n8n.importWorkflow(readExample('rows-to-transactions'), [
		service.credential,
	]);
	await openNodeOf(id, 'Create Transactions');
	await part('node-execute-button').first().click();
	await part('node-run-status-success').waitFor();
	for (const shown of ['4 items', 'INV-2026-0101', 'INV-2026-0104'])
		await part('output-panel').getByText(shown).first().waitFor();
	await screenshot(page, 'editor-action');
	expect((await service.sandbox.client.getCounts()).transactions.created).toBe(4);
});

test('a rejected transaction is a message that says which item and why', async () => {
	const { id } = await n8n.importWorkflow(readExample('rows-to-transactions'), [
		service.credential,
	]);
	await service.sandbox.client.setFaults({
		next: [
			{
				on: 'transactions',
				status: 400,
				body: { errorCode: 'INVALID_REQUEST_DATA', message: 'The channel is closed.' },
			},
		],
	});
	await openNodeOf(id, 'Create Transactions');
	await part('node-execute-button').first().click();
	await part('output-panel').getByText('The channel is closed.').first().waitFor();
	await screenshot(page, 'editor-rejected');
});

test('the trigger shows its address, its fields and the steps to take', async () => {
	const { id, nodes } = await n8n.importWorkflow(readExample('listen-to-payments'), [
		await createPaymentsWebhookApi(n8n, 'any-secret'),
	]);
	await openNodeOf(id, 'Payments Trigger');
	await page.getByText('Webhook URLs').click();
	await page
		.getByText(`/webhook-test/${nodes.find(({ webhookId }) => webhookId)!.webhookId}/webhook`)
		.waitFor();
	await page.getByText('When will this node trigger my flow?').click();
	await page.getByText('register that URL').waitFor();
	await part('ndv')
		.filter({ hasText: /Verify Signature.*Trigger On.*PAYMENT\.CREATED.*Answer.*Options/s })
		.waitFor();
	await screenshot(page, 'editor-trigger');
});

test('the credential says in words what is wrong when it is saved', async () => {
	const { id } = await createPaymentsApi(n8n, {
		url: service.sandbox.url,
		...(await service.sandbox.client.createClient()),
	});
	await page.goto(`/home/credentials/${id}`);
	await page.getByText('Connection tested successfully').waitFor();
	await screenshot(page, 'editor-credential');
	await part('parameter-input-clientSecret').locator('input').fill('not-the-secret');
	await part('credential-save-button').click();
	await page.getByText('More details').click();
	await page.getByText('does not know this Client ID and Client Secret').waitFor();
	await screenshot(page, 'editor-credential-wrong');
});
