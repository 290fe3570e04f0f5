import type { Browser, Page } from 'playwright-core';
import {
	launchBrowser,
	openEditor,
	openNode,
	screenshot,
	searchNodes,
} from '../support/pages/browser';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { waitUntil } from '../../host/waitUntil';
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

test('the fields of its output can be dragged before the node has run', async () => {
	const { id } = await n8n.importWorkflow(readExample('rows-to-transactions'), [
		service.credential,
	]);
	await openNodeOf(id, 'Recorded');
	const offered = part('ndv-input-panel');
	await offered.getByText('Usually outputs the following fields').waitFor();
	for (const field of ['eventId', 'externalId', 'amount', 'recipient', 'outcome'])
		await offered.getByText(field).first().waitFor();
});

test('a description of several lines has line breaks, and a quoted value is shown as typed', async () => {
	/** With everything that n8n's editor could take for something else. */
	const amount = '<b>1</b><img src=x> & `code` %%PARAMETER%% &lt;';
	const workflow = readExample('rows-to-transactions');
	const node = workflow.nodes.find(({ name }) => name === 'Create Transactions')!;
	node.onError = 'stopWorkflow';
	Object.assign(node.parameters, { amount, currency: 'EURO' });
	const { id } = await n8n.importWorkflow(workflow, [service.credential]);
	await openNodeOf(id, 'Create Transactions');
	await part('node-execute-button').first().click();
	const description = (await part('node-error-description').innerText()).split('\n');
	expect(description).toEqual([
		'6 of 6 items have something to correct.',
		expect.stringContaining(`[all 6 items] 'Amount': "${amount}"`),
		expect.stringContaining(`[all 6 items] 'Currency': "EURO"`),
	]);
	await screenshot(page, 'editor-description');
});

describe('the trigger listens', () => {
	/** Listens in the editor, delivers a test event, and returns the status that the sender got. */
	async function deliver(event: string, ownSecret = 'the secret of the endpoint') {
		const { client } = service.sandbox;
		const { id, nodes } = await n8n.importWorkflow(readExample('events-by-type'), [
			await createPaymentsWebhookApi(n8n, ownSecret),
		]);
		const { test: url } = await n8n.webhookUrls({ id, nodes }, 'Payments Trigger');
		const endpoint = await client.createEndpoint({
			...{ url, events: ['NONE.OF_THESE'], secret: 'the secret of the endpoint' },
		});
		await openNodeOf(id, 'Payments Trigger');
		await part('node-execute-button').first().click();
		await part('trigger-listening').waitFor();
		const { deliveries } = await client.sendTestEvent(endpoint.id, { event });
		await part('trigger-listening').waitFor({ state: 'hidden' });
		const attemptsOf = async () => (await client.getDelivery(deliveries[0])).attempts;
		await waitUntil('the sender has its response', async () => (await attemptsOf()).length > 0);
		const [{ status }] = await attemptsOf();
		await client.deleteEndpoint(endpoint.id);
		return status;
	}

	test('a delivery with a wrong secret shows the reason', async () => {
		expect(await deliver('PAYMENT.CREATED', 'the secret of another endpoint')).toBe(401);
		const output = part('output-panel');
		await output.getByText("its signature wasn't made with this secret").first().waitFor();
		await output.getByText('Each endpoint has a secret of its own').first().waitFor();
		await screenshot(page, 'editor-trigger-wrong-secret');
	});

	test('a delivery of a type that is not selected shows it, and is acknowledged', async () => {
		expect(await deliver('PAYEE.CREATED')).toBe(200);
		const output = part('output-panel');
		await output.getByText(`'Trigger On' doesn't have "PAYEE.CREATED"`).first().waitFor();
		await output.getByText("Select the event type under 'Trigger On'").first().waitFor();
		await screenshot(page, 'editor-trigger-not-selected');
	});
});

test('the trigger offers the event types, the recommended ones first, and takes the chosen one', async () => {
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
	expect(offered.slice(0, 5)).toEqual([
		'On all events',
		'On payment status updated',
		'On payment created',
		'On virtual account status updated',
		'On payment updated',
	]);
	await page.getByText('On payment status updated').click();
	await part('ndv').waitFor();
	await part('parameter-input-events').getByText('Payment Status Updated').waitFor();
});

test('the trigger marks an empty Trigger On', async () => {
	const example = readExample('events-by-type');
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
	await page.locator('.option-headline').getByText('When Last Node Finishes').click();
	await page.getByText('If the workflow pauses, such as at a Wait node').waitFor();
});
