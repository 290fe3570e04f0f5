import type { Browser } from 'playwright-core';
import {
	addPaymentsNode,
	addTrigger,
	connectN8n,
	createAnotherTransaction,
	createTransaction,
	fillInCredential,
	fillInSecret,
	hearEvent,
	lookAtRuns,
	lookAtTransactions,
	moveToProduction,
	publish,
	registerEndpoint,
	type Tabs,
} from '../support/pages/onboarding';
import { launchBrowser, openEditor, openPage, screenshot } from '../support/pages/browser';
import { launchSandbox, type Sandbox } from '../../host/sandbox';

/*
 * The way of docs/quickstart.md, by hand in Chromium: everything is typed, clicked and read on the
 * two pages.
 */

let browser: Browser;
let service: Sandbox;
let tabs: Tabs;
/** The workflow of the first transaction, with its node open. */
let actionAddress: string;

beforeAll(async () => {
	browser = await launchBrowser();
	service = await launchSandbox();
	tabs = {
		editor: await openEditor(browser, process.env.E2E_N8N_URL!, { width: 1280, height: 800 }),
		sandbox: await openPage(browser, {
			viewport: { width: 1280, height: 800 },
			baseURL: service.url,
		}),
		shot: async (page, name) => await screenshot(page, `onboarding-${name}`),
	};
});
afterAll(async () => {
	await browser?.close();
	await service?.stop();
});

test('from Get started to the first transaction, in less than five minutes', async () => {
	const client = await connectN8n(tabs);
	await addPaymentsNode(tabs);
	expect(await fillInCredential(tabs, client)).toBeUndefined();
	expect(await createTransaction(tabs)).toContain('created');
	actionAddress = tabs.editor.url();
	expect(await lookAtTransactions(tabs)).toContain('2,501.00 EUR');
	expect((await service.client.getCounts()).transactions.created).toBe(1);
}, 300_000);

test('from the trigger to the first event', async () => {
	const secret = await registerEndpoint(tabs, await addTrigger(tabs));
	expect(await fillInSecret(tabs, secret)).toBeUndefined();
	expect(await hearEvent(tabs)).toContain('PAYMENT.STATUS_UPDATED');
	await service.client.idle();
	const { items } = await service.client.listDeliveries();
	expect(items.map(({ event, status }) => [event, status])).toEqual([
		['PAYMENT.STATUS_UPDATED', 'DELIVERED'],
	]);
});

test('for good: the production URL, published; the events of an own payment run the workflow', async () => {
	const triggerAddress = tabs.editor.url().replace(/(\/workflow\/[^/?]+).*/, '$1');
	await moveToProduction(tabs);
	await publish(tabs);
	const before = (await service.client.getCounts()).deliveries.delivered;
	await createAnotherTransaction(tabs, actionAddress);
	const { deliveries } = await service.client.idle();
	expect(deliveries).toMatchObject({ delivered: before + 3, failed: 0 });
	// The three, and the one that was heard at the test URL.
	expect(await lookAtRuns(tabs, triggerAddress, 4)).toHaveLength(4);
});
