import { randomUUID } from 'node:crypto';
import type { Browser, Page } from 'playwright-core';
import type { N8nClient } from '../../host/n8n/client';
import { paymentsApiData } from '../../host/n8n/credentials';
import { launchBrowser } from '../support/pages/browser';
import {
	CANVAS_CREDENTIALS,
	checkCredential,
	executeWorkflow,
	importFile,
	openEditorAs,
	removeOption,
} from '../support/pages/imports';
import { filesIn } from '../support/sourceTexts';
import { sharedN8n, useService } from './shared';

/*
 * The examples as a newcomer has them: imported into an n8n that has nothing but credentials, and
 * used as their notes say.
 */

const owner = sharedN8n();
const service = useService(owner);
/** How many pixels of the note aren't shown; in the browser. */
const CUT_OFF = `(() => {
	const { scrollHeight, clientHeight } = document.querySelector('[data-test-id="sticky"] div');
	return scrollHeight - clientHeight;
})()`;

let browser: Browser;
beforeAll(async () => {
	browser = await launchBrowser();
});
afterAll(async () => await browser?.close());
afterEach(async () => await service.sandbox.reset());

/** Another user, without workflows and credentials, and the editor in their browser. */
async function newcomer(): Promise<{ n8n: N8nClient; page: Page }> {
	const email = `${randomUUID()}@payments.example`;
	const n8n = await owner.addMember(email, 'New', 'Comer');
	return { n8n, page: await openEditorAs(browser, owner.url, email) };
}

const payments = async (n8n: N8nClient, name: string, url = service.sandbox.url) =>
	await n8n.createCredential(name, 'paymentsApi', paymentsApiData({ ...service.client, url }));
const requests = async () => (await service.sandbox.getCounts()).transactions.requests;

test('with one credential, an imported example runs: first it only checks, then it records', async () => {
	const { n8n, page } = await newcomer();
	await payments(n8n, 'Ours');
	await importFile(page, 'rows-to-transactions.json');
	await executeWorkflow(page, n8n);
	expect(await requests()).toBe(0);
	await removeOption(page, 'Create Transactions', 'Dry Run');
	await executeWorkflow(page, n8n);
	expect(await requests()).toBe(4);
});

test('with two, n8n selects the newest, and the note says where to select another one', async () => {
	const { n8n, page } = await newcomer();
	await payments(n8n, 'Ours');
	await payments(n8n, 'Of another service', 'http://127.0.0.1:9');
	await importFile(page, 'rows-to-transactions.json');
	expect(await checkCredential(page, 'Create Transactions', 'Ours')).toBe('Of another service');
	await removeOption(page, 'Create Transactions', 'Dry Run');
	await executeWorkflow(page, n8n);
	expect(await requests()).toBe(4);
});

describe('whatever is imported, n8n selects a credential in each node that can have one, and shows the whole note', () => {
	/**
	 * HTTP Request and Slack have more than one way to sign in, so n8n selects none for them, and
	 * which sheet it is, nobody but its user knows.
	 */
	const MARKED = ['stripe-to-transactions', 'tell-what-failed', 'sheet-to-transactions'];
	const files = filesIn('examples', '.json').map((path) => path.replace('examples/', ''));
	let page: Page;
	beforeAll(async () => {
		const user = await newcomer();
		for (const [type, data] of Object.entries(CANVAS_CREDENTIALS))
			await user.n8n.createCredential(type, type, data);
		page = user.page;
	});

	test.each(files)('%s', async (file) => {
		await importFile(page, file);
		await page.waitForTimeout(1000); // n8n marks what lacks something
		const marks = await page.getByTestId('node-issues').filter({ visible: true }).count();
		expect(marks > 0).toBe(MARKED.includes(file.replace('.json', '')));
		expect(await page.evaluate(CUT_OFF)).toBe(0);
	});
});
