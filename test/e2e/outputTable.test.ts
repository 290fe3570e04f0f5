import type { INode } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { rows } from '../support/builders/transactions';
import { node, payments, START, workflowOf } from '../support/builders/workflows';
import { launchBrowser, openEditor, openNode, screenshot } from '../support/pages/browser';
import { sharedN8n, useService } from './shared';

/* How much of a list somebody sees at once in n8n's table. */

const n8n = sharedN8n();
const service = useService(n8n);
let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await launchBrowser();
	page = await openEditor(browser, process.env.E2E_N8N_URL!, { width: 1400, height: 900 });
});
afterAll(async () => {
	await browser?.close();
});

const part = (id: string) => page.getByTestId(id);

/** Rows of a spreadsheet, each with the reference that decides what becomes of it. */
const rowsWith = (references: string[]) =>
	rows(14, (index) => ({
		externalId: `INV-2026-${index + 101}`,
		reference: references[index] ?? `Invoice 2026-${index + 101}`,
		...(index === 4 && { amount: '1.250,00' }),
		...(index === 9 && { currency: 'EURO' }),
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

/** Executes the node of a list in the editor, and shows its output. */
async function showOutput(onError: INode['onError'], items: object[]): Promise<void> {
	const workflow = workflowOf(...list(items), creating(onError));
	const { id } = await n8n.importWorkflow(workflow, [service.credential]);
	await page.goto(`/workflow/${id}`);
	await openNode(page, 'Create Transactions');
	await part('node-execute-button').first().click();
	if (onError === 'continueErrorOutput')
		await part('output-panel').getByText('Error Branch').first().click();
	await part('output-panel').locator('tbody tr').nth(1).waitFor();
}

/** Counts the rows that are on the screen as a whole. */
const visibleRows = async () => {
	console.log(
		await part('output-panel')
			.locator('thead th')
			.evaluateAll((all) =>
				all
					.map((th) => `${th.textContent} ${Math.round(th.getBoundingClientRect().width)}`)
					.join(', '),
			),
	);
	const boxes = await part('output-panel')
		.locator('tbody tr')
		.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().toJSON() as DOMRect));
	console.log(boxes.map(({ top, height }) => `${Math.round(top)}+${Math.round(height)}`).join(' '));
	return boxes.filter(({ top, height }) => height > 0 && top + height <= 900).length;
};

test('ten rows and more of a list with all outcomes', async () => {
	const references = Array<string>(14);
	Object.assign(references, { 2: 'TEST_DUPLICATE', 6: 'TEST_INVALID', 11: 'TEST_UNKNOWN' });
	await showOutput('continueRegularOutput', rowsWith(references));
	await screenshot(page, 'table-success');
	console.log(await visibleRows());
	await page.evaluate(() => {
		for (const td of document.querySelectorAll('[data-test-id=output-panel] tbody td span')) {
			const text = td.textContent ?? '';
			if (text.length > 45)
				td.textContent = text.slice(0, 45).replaceAll(' ', '\u00a0') + text.slice(45);
		}
	});
	console.log('glued', await visibleRows());
	await screenshot(page, 'glued-' + Math.random());
});

test('ten rows and more of a list that went wrong, in the error output', async () => {
	await service.sandbox.setFaults({
		next: [
			{ status: 422, times: 5 },
			{ status: 500, times: 4 },
			{ status: 429, times: 99, retryAfter: 600 },
		],
	});
	await showOutput('continueErrorOutput', rowsWith([]));
	await screenshot(page, 'table-error');
	console.log(await visibleRows());
	await page.evaluate(() => {
		for (const td of document.querySelectorAll('[data-test-id=output-panel] tbody td span')) {
			const text = td.textContent ?? '';
			if (text.length > 45)
				td.textContent = text.slice(0, 45).replaceAll(' ', '\u00a0') + text.slice(45);
		}
	});
	console.log('glued', await visibleRows());
	await screenshot(page, 'glued-' + Math.random());
});
