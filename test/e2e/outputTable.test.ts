import type { INode } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { rows } from '../support/builders/transactions';
import { node, payments, START, workflowOf } from '../support/builders/workflows';
import { launchBrowser, openEditor, openNode, screenshot } from '../support/pages/browser';
import { sharedN8n, useService } from './shared';

/*
 * How many of 14 rows somebody sees at once in n8n's table. It makes a column as wide as its
 * longest word, and breaks words at hyphens: an Event ID takes three or four lines, a payment
 * channel's ID two.
 */

const n8n = sharedN8n();
const service = useService(n8n);
const SCREEN = { width: 1400, height: 900 };

let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await launchBrowser();
	page = await openEditor(browser, process.env.E2E_N8N_URL!, SCREEN);
});
afterAll(async () => {
	await browser?.close();
});

const part = (id: string) => page.getByTestId(id);

/** Rows of a spreadsheet, each with the reference that decides what becomes of it. */
const rowsWith = (references: string[], wrong = true) =>
	rows(14, (index) => ({
		externalId: `INV-2026-${index + 101}`,
		reference: references[index] ?? `Invoice 2026-${index + 101}`,
		...(wrong && index === 4 && { amount: '1.250,00' }),
		...(wrong && index === 9 && { currency: 'EURO' }),
	})).map(({ sender, recipient, ...row }) => ({
		...row,
		externalCreatedAt: '2026-11-02',
		...{
			'Sender Entity ID': 'north-windmills',
			'Sender Payment Channel ID': 'north-windmills-eur',
		},
		...{ 'Sender Country': 'BE', 'Recipient Entity ID': 'harbour-bakery' },
		...{ 'Recipient Payment Channel ID': 'harbour-bakery-eur', 'Recipient Country': 'DK' },
	}));

const list = (items: object[]): INode[] => [
	START,
	node('List', 'set', 3.4, { mode: 'raw', jsonOutput: JSON.stringify({ rows: items }) }),
	node('Rows', 'splitOut', 1, { fieldToSplitOut: 'rows' }),
];

const creating = (onError: INode['onError']) =>
	payments(
		'Create Transactions',
		{ specifyTransaction: 'item', options: { maxConcurrentRequests: 1 } },
		{ onError },
	);

/** Executes the node of a list in the editor, and counts the rows that are wholly in its panel. */
async function showOutput(onError: INode['onError'], items: object[], name: string) {
	const workflow = workflowOf(...list(items), creating(onError));
	const { id } = await n8n.importWorkflow(workflow, [service.credential]);
	await page.goto(`/workflow/${id}`);
	await openNode(page, 'Create Transactions');
	await part('node-execute-button').first().click();
	const output = part('output-panel');
	if (onError === 'continueErrorOutput') await output.getByText('Error Branch').first().click();
	const shown = output.locator('tbody tr');
	await shown.nth(items.length - 1).waitFor();
	await screenshot(page, name);
	const boxes = await Promise.all((await shown.all()).map(async (row) => await row.boundingBox()));
	const panel = (await output.boundingBox())!;
	const visible = boxes.filter((box) => box!.y + box!.height <= panel.y + panel.height);
	return visible.length;
}

test('of an ordinary list', async () => {
	const visible = await showOutput('continueRegularOutput', rowsWith([], false), 'table-ordinary');
	expect(visible).toBe(14);
});

test('of a list with all outcomes', async () => {
	const references = Array<string>(14);
	Object.assign(references, { 2: 'TEST_DUPLICATE', 6: 'TEST_INVALID', 11: 'TEST_UNKNOWN' });
	const visible = await showOutput('continueRegularOutput', rowsWith(references), 'table-outcomes');
	expect(visible).toBeGreaterThanOrEqual(10);
});

test('of a list that went wrong, in the error output', async () => {
	await service.sandbox.setFaults({
		next: [
			{ status: 422, times: 5 },
			{ status: 500, times: 4 },
			{ status: 429, times: 99, retryAfter: 600 },
		],
	});
	const visible = await showOutput('continueErrorOutput', rowsWith([]), 'table-errors');
	expect(visible).toBeGreaterThanOrEqual(6);
});
