import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openEditor, openNode, screenshot } from '../support/pages/browser';
import { outputOf } from '../../host/n8n/executions';
import { readExample } from '../../host/n8n/credentials';
import type { WorkflowJson } from '../../host/n8n/client';
import { sharedN8n, useService } from './shared';

/* Both values of Specify Transaction, as n8n's editor shows them, and as n8n executes them. */

const n8n = sharedN8n();
const service = useService(n8n);
let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await launchBrowser();
	page = await openEditor(browser, process.env.E2E_N8N_URL!, { height: 1400 });
});
afterAll(async () => {
	await browser?.close();
});
beforeEach(async () => {
	await service.sandbox.client.reset();
});

const START = 'When clicking ‘Execute workflow’';
const part = (id: string) => page.getByTestId(id);
const recorded = async () =>
	(await service.sandbox.client.listTransactions()).items.map(({ transaction }) => transaction);

test('columns-to-transactions: a CSV file with a decimal comma becomes transactions', async () => {
	const workflow = await n8n.importWorkflow(readExample('columns-to-transactions'), [
		service.credential,
	]);
	const execution = await n8n.run(workflow, START);
	expect(execution.status).toBe('success');
	expect(
		outputOf(execution, 'Create Transactions').map(({ json }) => [json.externalId, json.amount]),
	).toEqual([
		['INV-2026-0401', '1250.00'],
		['INV-2026-0402', '89.90'],
		['INV-2026-0403', '12480.50'],
		['INV-2026-0404', '2000000.00'],
	]);
	expect((await recorded()).map(({ amount }) => amount).sort()).toEqual([
		'12480.50',
		'1250.00',
		'2000000.00',
		'89.90',
	]);
});

/** A workflow with one row and a Payments node as it comes from the nodes panel. */
function newWorkflow(row: object): WorkflowJson {
	const example = readExample('columns-to-transactions');
	const [start, source, , payments] = example.nodes;
	Object.assign(source.parameters, { jsonOutput: JSON.stringify(row) });
	payments.parameters = { resource: 'transaction', operation: 'create' };
	const next = (node: string) => ({ main: [[{ node, type: 'main' as const, index: 0 }]] });
	return {
		...example,
		nodes: [start, source, payments],
		connections: { [start.name]: next(source.name), [source.name]: next(payments.name) },
	};
}

/** What is entered into each field; those that begin with = are expressions. */
const VALUES = {
	amount: '={{ $json["Total (EUR)"] }}',
	currency: 'EUR',
	recipientExternalEntityId: 'eus_1',
	recipientExternalPaymentChannelId: 'vac_1',
	recipientCountryCode: 'DK',
	reference: 'Invoice',
	externalId: '={{ $json.Invoice }}',
	senderExternalEntityId: 'pyr_1',
	senderExternalPaymentChannelId: 'pyr_1_main',
	senderCountryCode: 'BE',
	paymentScheme: 'SCT',
};

/** Selects a value in a list of the open node. */
async function select(list: string, value: string) {
	await part(list).click();
	await page.getByRole('option', { name: value }).filter({ visible: true }).click();
}

/** Types a value into a field; an expression into its code editor. */
async function enter(name: string, value: string) {
	const field = part(`parameter-input-${name}`);
	if (!value.startsWith('=')) return await field.locator('input').fill(value);
	// As a person does: a value that starts with = is an expression.
	await field.locator('input').pressSequentially('=');
	await field.locator('.cm-content').fill(value.slice(1));
}

test('in the editor, the fields of new data are in sight, and what is entered is recorded', async () => {
	const { id } = await n8n.importWorkflow(
		newWorkflow({ Invoice: 'RE-1', 'Total (EUR)': '1250.00' }),
		[service.credential],
	);
	await page.setViewportSize({ width: 1280, height: 800 });
	await page.goto(`/workflow/${id}`);
	await openNode(page, 'Create Transactions');
	const amount = await part('parameter-input-amount').boundingBox();
	expect(amount!.y + amount!.height).toBeLessThan(800);
	await screenshot(page, 'editor-fields-empty');

	await page.setViewportSize({ width: 1280, height: 1600 });
	for (const [name, value] of Object.entries(VALUES)) await enter(name, value);
	await screenshot(page, 'editor-fields-entered');
	// The editor takes over what is typed a moment later, and shows nothing that tells when.
	await page.waitForTimeout(2000);
	await part('node-execute-button').first().click();
	await part('node-run-status-success').waitFor();
	await part('output-panel').getByText('created').first().waitFor();
	await screenshot(page, 'editor-fields-created');
	expect(await recorded()).toMatchObject([
		{
			externalId: 'RE-1',
			amount: '1250.00',
			reference: 'Invoice',
			sender: {
				externalEntityId: 'pyr_1',
				externalPaymentChannelId: 'pyr_1_main',
				countryCode: 'BE',
			},
		},
	]);

	await select('parameter-input-specifyTransaction', 'From Input Item');
	await part('node-execute-button').first().click();
	const output = part('output-panel');
	await output.getByText("'External ID': No column matches this field").first().waitFor();
	await page.setViewportSize({ width: 1280, height: 800 });
	await screenshot(page, 'editor-item-invalid');
	expect(await recorded()).toHaveLength(1);
});
