import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';
import type { Browser, Page } from 'playwright-core';

import { createPaymentsApi } from '../../host/n8n/credentials';
import type { WorkflowJson } from '../../host/n8n/client';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { transaction } from '../support/builders/transactions';
import { launchBrowser, openPage } from '../support/pages/browser';
import { askToken, sendTransaction, type Credentials } from '../support/servers/sandboxCalls';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';
import { sharedN8n } from './shared';

let browser: Browser;
let sandbox: Sandbox;
let page: Page;
let receiver: WebhookReceiver;
let credentials: Credentials;
let token: string;
let status = 200;
const pageErrors: string[] = [];

const go = async (section: string) => {
	await page.getByRole('link', { name: section, exact: true }).first().click();
	await page.getByRole('heading', { name: section, level: 1 }).waitFor();
};
const said = async (text: string) =>
	await page.locator('.toast').getByText(text, { exact: true }).waitFor();
const rowWith = (text: string) => page.getByRole('row').filter({ hasText: text });
const clipboard = async () => await page.evaluate<string>('navigator.clipboard.readText()');
const send = async (id: string) => await sendTransaction(sandbox.url, token, transaction(id));

beforeAll(async () => {
	[browser, sandbox, receiver] = await Promise.all([
		launchBrowser(),
		launchSandbox(),
		startWebhookReceiver(() => ({ status })),
	]);
	page = await openPage(browser, {
		viewport: { width: 1280, height: 800 },
		permissions: ['clipboard-read', 'clipboard-write'],
	});
	page.on('pageerror', ({ message }) => pageErrors.push(message));
	await page.goto(sandbox.url);
});
afterAll(async () => {
	await receiver.stop();
	await browser.close();
	await sandbox.stop();
});
afterEach(() => expect(pageErrors).toEqual([]));

/** The name of the element with the focus. */
const NAME_OF_FOCUSED = `(({ ariaLabel, labels, textContent }) =>
	(ariaLabel ?? labels?.[0]?.textContent ?? textContent ?? '').trim())(document.activeElement)`;

/** Presses Tab until an element with this name has the focus, and then Enter. */
async function press(name: string, key = 'Enter') {
	for (let tabs = 0; tabs < 40; tabs++) {
		await page.keyboard.press('Tab');
		if ((await page.evaluate<string>(NAME_OF_FOCUSED)) !== name) continue;
		await page.keyboard.press(key);
		return;
	}
	throw new Error(`Tab doesn't reach ${name}.`);
}

it('starts with what n8n needs, whose values and nodes work there, by keyboard alone', async () => {
	const url = new URL('/webhook-test/start', receiver.url).href;
	await press('Webhook URL', 'End');
	await page.keyboard.type(url);
	await page.keyboard.press('Enter');
	await page.getByText('Payments Webhook API').waitFor();
	await press('Copy Client Secret');
	await said('Client Secret copied.');
	const clientSecret = await clipboard();
	const clients = await sandbox.client.listClients();
	const { clientId } = clients.find(({ name }) => name === 'n8n')!;
	credentials = { clientId, clientSecret };
	token = (await askToken(sandbox.url, credentials)).data.access_token;
	const [endpoint] = await sandbox.client.listEndpoints();
	expect(endpoint).toMatchObject({ url, events: ['*'] });
	await press('Copy Signing Secret');
	await said('Signing Secret copied.');
	expect(await clipboard()).toBe((await sandbox.client.revealSecret(endpoint.id)).secret);
	await press('Copy Nodes');
	await said('Nodes copied.');
	const copied = JSON.parse(await clipboard()) as WorkflowJson;
	copied.nodes[1].credentials = { paymentsApi: { id: '', name: '' } };
	const n8n = sharedN8n();
	const workflow = await n8n.importWorkflow({ ...copied, name: 'Pasted', settings: {} }, [
		await createPaymentsApi(n8n, { url: sandbox.url, ...credentials }),
	]);
	await n8n.run(workflow, 'Execute');
	await go('Overview');
	await rowWith('order-377').getByText('COMPLETED').waitFor();
	await sandbox.client.reset();
	await page.getByText('No payments yet.').waitFor();
	await go('Get started');
	await page.getByText('n8n is connected already.').waitFor();
	await page.getByRole('button', { name: 'Connect another n8n' }).waitFor();
	expect(await page.getByLabel('Webhook URL').count()).toBe(0);
	await press('Webhooks');
	await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor();
	await press('Send');
	await page.locator('.sent').getByText('Delivered.').waitFor();
	await sandbox.client.deleteEndpoint(endpoint.id);
});

it('counts a duplicate as a duplicate, and shows each transaction with its status', async () => {
	for (const id of ['a', 'b', 'b']) await send(id);
	await sendTransaction(sandbox.url, token, { ...transaction('c'), currency: 'euro' });
	await go('Overview');
	const numbers = page.locator('.tile dd');
	await expect(numbers.nth(2).getByText('1').waitFor()).resolves.toBeUndefined();
	expect((await numbers.allInnerTexts()).slice(0, 3)).toEqual(['2', '1', '1']);
	await page.getByRole('link', { name: 'Failed requests' }).click();
	await rowWith('currency').waitFor();
	expect(await page.getByRole('row').count()).toBe(2);
	await go('Transactions');
	await rowWith('external-a').getByText('COMPLETED').waitFor();
	await rowWith('external-b').getByText('duplicate ×1').waitFor();
	await page.getByLabel('Only those sent again').check();
	await rowWith('external-a').waitFor({ state: 'detached' });
	await rowWith('external-b').getByRole('link', { name: 'external-b' }).click();
	await page.getByRole('heading', { name: 'Transaction', level: 1 }).waitFor();
	await page.getByRole('link', { name: 'POST /api/v1/transactions' }).first().click();
	await page.getByText('authorization: Bearer …').waitFor();
	await page.goBack();
	await page.getByRole('link', { name: /^pmt_/ }).click();
	await page.getByRole('heading', { name: 'Payment', level: 1 }).waitFor();
});

it('finds a record by any ID, or lists what has it with amount, status, and time', async () => {
	const find = async (id: string) => {
		await page.getByLabel('Find by any ID').fill(id);
		await page.keyboard.press('Enter');
	};
	await find('external-a');
	await page.waitForURL('**/#/transactions/event-a');
	await find(transaction('a').sender.externalEntityId);
	const found = page.getByRole('listitem').filter({ hasText: 'external-a' });
	await found.getByText('COMPLETED').waitFor();
	expect(await found.locator('time').count()).toBe(1);
	expect(await found.innerText()).toContain(`${transaction('a').amount} EUR`);
	await find('nowhere');
	await page.getByText('Nothing here has the ID').waitFor();
});

it('adds an endpoint with its secret, and says what a test event got', async () => {
	await go('Webhooks');
	await page.getByLabel('URL', { exact: true }).fill(new URL('/webhook-test/x', receiver.url).href);
	await page.getByLabel('Label').fill('My trigger');
	await page.getByLabel('Event types').fill('PAYMENT.CREATED, PAYEE.CREATED');
	await page.getByRole('button', { name: 'Add endpoint' }).click();
	await page.getByText('My trigger').waitFor();
	const [{ id, events }] = await sandbox.client.listEndpoints();
	expect(events).toEqual(['PAYMENT.CREATED', 'PAYEE.CREATED']);
	await page.getByText((await sandbox.client.revealSecret(id)).secret).waitFor();
	for (const [answer, words] of [
		[404, 'Nobody listens. In n8n, select Execute step'],
		[401, 'The receiver rejects the signature.'],
		[200, 'Delivered.'],
	] as const) {
		status = answer;
		await page.getByRole('button', { name: 'Send', exact: true }).click();
		await page.locator('.sent').getByText(words).waitFor();
		// Nothing green stands beside a response that isn't a 2xx.
		expect(await page.locator('.toast').count()).toBe(0);
	}
	await page.getByRole('link', { name: 'Show the delivery' }).click();
	await page.getByText('Request headers').click();
	await page.getByText('signature-input: fr1=("digest")').waitFor();
	await page.getByRole('button', { name: 'Resend' }).click();
	await page.getByText('Copy of').waitFor();
	await go('Webhooks');
	page.once('dialog', (dialog) => void dialog.accept());
	await page.getByRole('button', { name: 'Delete My trigger' }).click();
	await said('The endpoint is deleted.');
});

it('simulates an incoming payment, and moves it', async () => {
	await go('Payments');
	await page.getByLabel('Reference').fill('Order 77');
	await page.getByRole('button', { name: 'Simulate' }).click();
	await rowWith('Order 77').getByLabel('Action').selectOption('Process');
	await rowWith('Order 77').getByRole('button', { name: 'Do it' }).click();
	await rowWith('Order 77').getByText('PROCESSING').waitFor();
});

it('has requests, faults, tokens, and clock under one heading', async () => {
	const links = page.getByRole('list', { name: 'For developers' }).getByRole('link');
	expect(await links.allInnerTexts()).toEqual(['Requests', 'Faults', 'Clock']);
	await go('Requests');
	await page.getByLabel('Only transactions that failed').check();
	await rowWith('400').getByText('currency').waitFor();
	await go('Faults');
	await page
		.getByLabel('Faults, as JSON')
		.fill('{ "statuses": [{ "status": 429, "rate": 0.07 }] }');
	await page.getByRole('button', { name: 'Apply' }).click();
	await said('These faults are now in effect.');
	expect((await sandbox.client.getFaults()).statuses).toEqual([{ status: 429, rate: 0.07 }]);
	await page.getByRole('button', { name: 'Switch off all faults' }).click();
	await said('All faults are off.');
	await go('Clock');
	await page.getByRole('button', { name: 'Freeze the clock' }).click();
	await page.getByText('stands still at').waitFor();
	await page.getByRole('button', { name: 'Let the clock go on' }).click();
	await go('Faults');
	await page.getByRole('button', { name: 'Revoke all tokens' }).click();
	await said('All tokens are revoked.');
	expect((await send('revoked')).status).toBe(401);
});

it('says when the sandbox is gone, and when another one came, that its data is gone', async () => {
	await go('Overview');
	const { port } = new URL(sandbox.url);
	await sandbox.stop();
	await page.locator('#notices').getByText('The sandbox doesn’t respond.').waitFor();
	sandbox = await launchSandbox({ port: Number(port) });
	await page.getByText('The sandbox was restarted').waitFor();
	await page.getByRole('button', { name: 'Dismiss' }).click();
	await page.getByText('No payments yet.').waitFor();
});

/** Colors change for a moment when the scheme does. */
const COLORS_SETTLED = 'Promise.allSettled(document.getAnimations().map((one) => one.finished))';

/** The parts of a page that scroll on their own, and the page if it's wider than the screen. */
const SCROLLING = `[...document.querySelectorAll('html, body *')].filter((one) => {
	const { overflowX, overflowY } = getComputedStyle(one);
	const isWide = one.scrollWidth > one.clientWidth + 1;
	const isTall = one.scrollHeight > one.clientHeight + 1;
	if (one === document.documentElement) return isWide;
	return (isWide && /auto|scroll/.test(overflowX)) || (isTall && /auto|scroll/.test(overflowY));
}).map(({ tagName, className }) => tagName + ' ' + className)`;

describe('each view', () => {
	const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
	let views: string[];

	beforeAll(async () => {
		status = 200;
		await sandbox.client.setFaults({ processingMs: 1, next: [{ status: 503, times: 1 }] });
		credentials = await sandbox.client.createClient({ name: 'My n8n' });
		token = (await askToken(sandbox.url, credentials)).data.access_token;
		await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'], label: 'n8n' });
		for (let id = 0; id < 40; id++) await send(String(id));
		await sandbox.client.createPayment({ amount: '99', currency: 'GBP' });
		const { deliveries } = await sandbox.client.idle();
		expect(deliveries.failed).toBe(0);
		const [{ id }] = (await sandbox.client.listDeliveries({ limit: 1 })).items;
		views = [
			...['start', 'overview', 'transactions', 'payments', 'webhooks', 'scenarios'],
			...['clients', 'requests', 'faults', 'clock', 'transactions/event-39'],
			`payments/${(await sandbox.client.listPayments({ limit: 1 })).items[0].id}`,
			`deliveries/${id}`,
			`requests/${(await sandbox.client.listRequests({ limit: 1 })).items[0].id}`,
			`search/${transaction(0).sender.externalEntityId}`,
		];
	});

	it('is accessible in light and dark, and only the page scrolls, also if it is narrow', async () => {
		const shown = await openPage(browser, { viewport: { width: 1400, height: 850 } });
		const found: string[] = [];
		for (const view of views) {
			await shown.goto(`${sandbox.url}/#/${view}`);
			await shown.locator('main :is(.card, .tile)').first().waitFor();
			// Evaluated, not injected: the page's own policy lets no foreign script in.
			await shown.evaluate(axe);
			// Between light and dark, only colors differ.
			for (const [scheme, width, rules] of [
				['light', 1400, {}],
				['dark', 1400, { runOnly: ['color-contrast'] }],
				['light', 400, {}],
			] as const) {
				const shownAs = `${view}, ${scheme}, ${width}`;
				await shown.setViewportSize({ width, height: 850 });
				await shown.emulateMedia({ colorScheme: scheme });
				await shown.evaluate(COLORS_SETTLED);
				const { violations } = await shown.evaluate<AxeResults>(
					`axe.run(${JSON.stringify(rules)})`,
				);
				for (const { id, nodes } of violations)
					found.push(`${shownAs}: ${id}: ${nodes.map(({ html }) => html).join(' ')}`);
				for (const one of await shown.evaluate<string[]>(SCROLLING))
					found.push(`${shownAs} scrolls: ${one}`);
			}
		}
		await shown.context().close();
		expect(found).toEqual([]);
	});
});
