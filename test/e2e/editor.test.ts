import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openEditor, openNode, searchNodes } from '../support/pages/browser';
import { createPaymentsWebhookApi, readExample, readLiveExample } from '../../host/n8n/credentials';
import { SECRET, signed } from '../support/signed';
import { sharedN8n, useService } from './shared';

/* What n8n's editor makes of the descriptions, messages, and schemas of the nodes. */

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

test('the fields of its output can be dragged before the node has run; its message has line breaks, and quotes a value as typed', async () => {
	/** With everything that n8n's editor could take for something else. */
	const amount = '<b>1</b><img src=x> & `code` %%PARAMETER%% &lt;';
	const workflow = readLiveExample('rows-to-transactions');
	const node = workflow.nodes.find(({ name }) => name === 'Create Transactions')!;
	node.onError = 'stopWorkflow';
	Object.assign(node.parameters, { amount, currency: 'EURO' });
	const { id } = await n8n.importWorkflow(workflow, [service.credential]);
	await openNodeOf(id, 'Right Rows');
	const offered = part('ndv-input-panel');
	await offered.getByText('Usually outputs the following fields').waitFor();
	for (const field of [
		'sentEventId',
		'externalId',
		'amount',
		'recipientPaymentChannelId',
		'outcome',
	])
		await offered.getByText(field).first().waitFor();
	await page.keyboard.press('Escape');

	await openNode(page, 'Create Transactions');
	await part('node-execute-button').first().click();
	const output = part('output-panel');
	await output.getByText('6 of 6 items to correct. Nothing was sent').first().waitFor();
	const description = (await part('node-error-description').innerText()).split('\n');
	expect(description).toEqual([
		expect.stringContaining(`'Amount' [all 6 items]: "${amount}"`),
		expect.stringContaining(`'Currency' [all 6 items]: "EURO"`),
	]);
});

test.each([
	[
		'with a wrong secret',
		'PAYMENT.CREATED',
		'the secret of another endpoint',
		401,
		["its signature wasn't made with a secret", 'Each endpoint has a secret of its own'],
	],
	[
		'whose event type is not selected',
		'PAYEE.CREATED',
		undefined,
		200,
		[`'Trigger On' doesn't have "PAYEE.CREATED"`, "enter it under 'Additional Event Types'"],
	],
])(
	'the trigger listens: a delivery %s shows the reason',
	async (_, event, wrongSecret, status, texts) => {
		const example = readExample('events-by-type');
		const credential = await createPaymentsWebhookApi(n8n, wrongSecret ?? SECRET);
		const { id } = await n8n.importWorkflow(example, [credential]);
		const { test: url } = await n8n.webhookUrls({ ...example, id }, 'Payments Trigger');
		await openNodeOf(id, 'Payments Trigger');
		await part('node-execute-button').first().click();
		await part('trigger-listening').waitFor();
		const body = JSON.stringify({ event });
		const response = await fetch(url, { method: 'POST', body, headers: signed(body) });
		expect(response.status).toBe(status);
		for (const text of texts) await part('output-panel').getByText(text).first().waitFor();
	},
);

test('the trigger offers the event types, the recommended ones first, and takes the chosen one', async () => {
	await page.goto('/workflow/new');
	await part('node-creator-plus-button').click();
	await (await searchNodes(page, 'payments', /^Payments$/)).click();
	const names = part('node-creator-item-name').filter({ hasText: /^On / });
	await names.nth(38).waitFor(); // n8n shows them one after the other
	const offered = await names.allInnerTexts();
	expect(offered).toHaveLength(39);
	expect(offered.slice(0, 3)).toEqual([
		'On all events',
		'On payment status updated',
		'On payment created',
	]);
	await page.getByText('On payment status updated').click();
	await part('ndv').waitFor();
	await part('parameter-input-events').getByText('Payment Status Updated').waitFor();
});

test('the trigger marks an empty Trigger On, and says what a pause means', async () => {
	const example = readExample('events-by-type');
	example.nodes[0].parameters.events = [];
	const credential = await createPaymentsWebhookApi(n8n, 'any-secret');
	const { id } = await n8n.importWorkflow(example, [credential]);
	await openNodeOf(id, 'Payments Trigger');
	await part('parameter-issues').first().waitFor();
	expect(await part('parameter-issues').count()).toBe(1);
	await part('parameter-input-responseMode').click();
	await page.locator('.option-headline').getByText('When Last Node Finishes').click();
	await page.getByText('If the workflow pauses, such as at a Wait node').waitFor();
});
