import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';
import { type N8nClient, OWNER } from '../../../host/n8n/client';
import { openNode, openPage } from './browser';

/* What a user does with an example in n8n's editor, by its note. */

/** What the credentials of the examples hold on a canvas, where nothing is executed. */
export const CANVAS_CREDENTIALS: Record<string, ICredentialDataDecryptedObject> = {
	googleSheetsOAuth2Api: { clientId: 'only-for-the-canvas', clientSecret: 'only-for-the-canvas' },
	httpBearerAuth: { token: 'only-for-the-canvas' },
	openAiApi: { apiKey: 'only-for-the-canvas' },
	paymentsApi: { clientId: 'only-for-the-canvas', clientSecret: 'only-for-the-canvas' },
	paymentsWebhookApi: { scheme: 'messageSignature', secret: 'only-for-the-canvas' },
	postgres: { host: '127.0.0.1' },
	slackApi: { accessToken: 'only-for-the-canvas' },
	smtp: { host: '127.0.0.1' },
	stripeApi: { secretKey: 'only-for-the-canvas' },
};

const EXAMPLES = join(__dirname, '..', '..', '..', 'examples');

/** Opens the editor in a fresh browser profile, signed in as this user. */
export async function openEditorAs(browser: Browser, url: string, email: string): Promise<Page> {
	const page = await openPage(browser, { viewport: { width: 1440, height: 900 }, baseURL: url });
	await page.goto('/signin');
	await page.locator('input[type=email]').fill(email);
	await page.locator('input[type=password]').fill(OWNER.password);
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.waitForURL((address) => !address.pathname.startsWith('/signin'));
	return page;
}

/** Imports a file of examples/ into a new workflow: Import > From file. */
export async function importFile(page: Page, file: string): Promise<void> {
	await page.goto('/workflow/new');
	await page.getByTestId('canvas-wrapper').waitFor();
	await page.getByTestId('workflow-menu').click();
	const buffer = readFileSync(join(EXAMPLES, file));
	const input = page.getByTestId('workflow-import-input');
	await input.setInputFiles({ name: 'example.json', mimeType: 'application/json', buffer });
	await page.getByTestId('canvas-node').first().waitFor();
	await page.mouse.click(1000, 30); // the menu stays open
}

/**
 * Executes the workflow by the orange button, and waits until the execution is over. The canvas
 * can't say so: until n8n has begun, it still shows what the execution before said.
 */
export async function executeWorkflow(page: Page, n8n: N8nClient): Promise<void> {
	const started = page.waitForResponse((response) => /\/workflows\/\w+\/run$/.test(response.url()));
	await page.getByTestId('execute-workflow-button').first().click();
	const { data } = (await (await started).json()) as { data: { executionId: string } };
	await n8n.executionEnded(data.executionId);
}

/** The name of the credential that an open node has. */
export const selectedCredential = async (page: Page) =>
	await page.getByTestId('node-credentials-select').locator('input').first().inputValue();

/** Opens a node, and selects this credential in it. Returns which one n8n had selected. */
export async function checkCredential(page: Page, node: string, name: string): Promise<string> {
	await openNode(page, node);
	const selected = await selectedCredential(page);
	await selectCredential(page, name);
	await closeNode(page);
	return selected;
}

/** In an open node. A list that opens before n8n knows all credentials closes again. */
async function selectCredential(page: Page, name: string): Promise<void> {
	const select = page.getByTestId('node-credentials-select').first();
	const item = page.locator('.el-select-dropdown__item').filter({ visible: true, hasText: name });
	const isListed = async () =>
		await item
			.first()
			.waitFor({ timeout: 5000 })
			.then(
				() => true,
				() => false,
			);
	do await select.click();
	while (!(await isListed()));
	await item.first().click();
}

/** Opens a node of Google Sheets, and selects the account, the document, and the sheet. */
export async function selectSheet(page: Page, node: string, account: string): Promise<void> {
	await openNode(page, node);
	await selectCredential(page, account);
	for (const [parameter, name] of [
		['documentId', 'Movements'],
		['sheetName', 'Sheet1'],
	]) {
		await page.getByTestId(`resource-locator-${parameter}`).locator('input').last().click();
		const item = page.getByTestId('rlc-item').filter({ visible: true, hasText: name });
		await item.first().click();
		await item.first().waitFor({ state: 'hidden' });
	}
	await closeNode(page);
}

/** Opens a node, and removes an option that was added. */
export async function removeOption(page: Page, node: string, label: string): Promise<void> {
	await openNode(page, node);
	const option = page.getByTestId('ndv').getByText(label, { exact: true });
	await option.hover();
	const item = page.locator('.parameter-item', { has: page.getByText(label, { exact: true }) });
	await item.last().getByTitle('Delete').click(); // the collection is an item, too
	await option.waitFor({ state: 'hidden' });
	await closeNode(page);
}

async function closeNode(page: Page): Promise<void> {
	const close = page.getByTestId('ndv-close-button').or(page.getByTestId('back-to-canvas'));
	await close.first().click();
	await page.getByTestId('ndv').waitFor({ state: 'hidden' });
}
