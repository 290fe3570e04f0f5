import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openEditor, openNode, screenshot } from '../support/pages/browser';
import { outputOf } from '../../host/n8n/executions';
import { readExample } from '../../host/n8n/credentials';
import type { WorkflowJson } from '../../host/n8n/client';
import { sharedN8n, useService } from './shared';

/* Map Columns, as n8n's editor shows it, and as n8n executes it. */

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
	'sender.externalEntityId': 'pyr_1',
	'sender.externalPaymentChannelId': 'pyr_1_main',
	'sender.countryCode': 'BE',
	'recipient.externalEntityId': 'eus_1',
	'recipient.externalPaymentChannelId': 'vac_1',
	'recipient.countryCode': 'DK',
	amount: '={{ $json["Total (EUR)"] }}',
	currency: 'EUR',
	reference: 'Invoice',
	paymentScheme: 'SCT',
	externalId: '={{ $json.Invoice }}',
};

/** Selects a value in a list of the open node. */
async function select(list: string, value: string) {
	await part(list).click();
	await page.getByRole('option', { name: value }).filter({ visible: true }).click();
}

/** Types a value into a field of the resource mapper; an expression into its code editor. */
async function enter(name: string, value: string) {
	const field = part(`parameter-input-${name}`);
	if (!value.startsWith('=')) return await field.locator('input').fill(value);
	// As a person does: a value that starts with = is an expression.
	await field.locator('input').pressSequentially('=');
	await part('inline-expression-editor-input').locator('.cm-content').last().fill(value.slice(1));
}

test('in the editor, columns are mapped by expressions, and what is mapped is recorded', async () => {
	const { id } = await n8n.importWorkflow(
		newWorkflow({ Invoice: 'RE-1', 'Total (EUR)': '1250.00' }),
		[service.credential],
	);
	await page.goto(`/workflow/${id}`);
	await openNode(page, 'Create Transactions');
	await select('parameter-input-specifyTransaction', 'Map Columns');
	const container = part('resource-mapper-container');
	await container.getByText('Values to Send').waitFor();
	await part('parameter-input-externalId').waitFor();
	// Rarely used fields wait in a list.
	expect(await container.getByText('Base Amount').count()).toBe(0);
	await screenshot(page, 'editor-columns-empty');

	for (const [name, value] of Object.entries(VALUES)) await enter(name, value);
	await screenshot(page, 'editor-columns-mapped');
	// The editor takes over what is typed a moment later, and shows nothing that tells when.
	await page.waitForTimeout(2000);
	await part('node-execute-button').first().click();
	await part('node-run-status-success').waitFor();
	await part('output-panel').getByText('created').first().waitFor();
	await screenshot(page, 'editor-columns-created');
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

	await select('mapping-mode-select', 'Map Automatically');
	await page.getByText('A column matches a field by its name').waitFor();
	await part('node-execute-button').first().click();
	const output = part('output-panel');
	await output.getByText("'External ID': No column matches this field").first().waitFor();
	await screenshot(page, 'editor-columns-automatically');
	expect(await recorded()).toHaveLength(1);
});
