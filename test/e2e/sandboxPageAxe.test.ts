import { readFileSync } from 'node:fs';
import type { AxeResults } from 'axe-core';

import { launchBrowser, openPage, screenshot } from '../support/pages/browser';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { transaction } from '../support/builders/transactions';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

/** More than a list shows at once. */
const TRANSACTIONS = 40;

let browser: Browser;
let sandbox: Sandbox;
let receiver: WebhookReceiver;

/** A sandbox in which something of everything happened. */
async function fill(): Promise<void> {
	await sandbox.client.setFaults({ processingMs: 1 });
	const token = (await askToken(sandbox.url, await sandbox.client.createClient({ name: 'My n8n' })))
		.data.access_token;
	await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'], label: 'n8n' });
	for (let id = 0; id < TRANSACTIONS; id++)
		await sendTransaction(sandbox.url, token, transaction(id));
	await sendTransaction(sandbox.url, token, transaction(TRANSACTIONS - 1));
	const { id } = await sandbox.client.createVirtualAccount({ label: 'Web shop' });
	await sandbox.client.assignBankDetails(id);
	await sandbox.client.createVirtualAccount({ label: 'New shop' });
	await sandbox.client.createPayment({ amount: '99', currency: 'GBP' });
	await sandbox.client.idle();
	await sandbox.client.createSequence({ name: 'The last two', last: 2 });
	await sandbox.client.changeFaults({ next: [{ status: 503 }] });
}

beforeAll(async () => {
	[browser, sandbox, receiver] = await Promise.all([
		launchBrowser(),
		launchSandbox(),
		startWebhookReceiver(),
	]);
	await fill();
});
afterAll(async () => {
	await receiver.stop();
	await browser.close();
	await sandbox.stop();
});

const sections = [
	'overview',
	'developers',
	'webhooks',
	'accounts',
	'payments',
	'transactions',
	'requests',
	'scenarios',
	'sequences',
	'faults',
];
/** When a section shows what it has. */
const ready: Record<string, string> = {
	overview: '.tile',
	developers: 'tbody tr',
	webhooks: 'tbody tr',
	accounts: 'tbody tr',
	payments: 'tbody tr',
	transactions: 'tbody tr',
	requests: 'tbody tr',
	scenarios: '.scenarios li',
	sequences: '.sequence li',
	faults: '[data-variant=warning]',
};

/** The ID of one record for each path that has a view of its own. */
async function oneOfEach(): Promise<Record<string, string>> {
	const { client } = sandbox;
	const { eventId, id: deliveries } = (await client.listDeliveries({ limit: 1 })).items[0];
	return {
		transactions: `event-${TRANSACTIONS - 1}`,
		payments: (await client.listPayments({ limit: 1 })).items[0].id,
		accounts: transaction(0).recipient.externalPaymentChannelId,
		events: eventId,
		deliveries,
		endpoints: (await client.listEndpoints())[0].id,
		requests: (await client.listRequests({ limit: 1 })).items[0].id,
		clients: (await client.listClients()).at(-1)!.clientId,
		sequences: (await client.listSequences())[0].id,
	};
}

/** The fonts of a page, apart from that of code. */
const fonts = `[...new Set([...document.querySelectorAll('body *:not(code, pre, code *, pre *)')]
	.filter((one) => one.checkVisibility())
	.flatMap((one) => [getComputedStyle(one), getComputedStyle(one, '::file-selector-button')])
	.map(({ fontFamily }) => fontFamily))]`;

/** The buttons of forms that aren't at the height of the field beside them. */
const crooked = `[...document.querySelectorAll('.fields > button')].flatMap((button) => {
	const { top, bottom } = button.getBoundingClientRect();
	const fields = [...button.parentElement.querySelectorAll('[data-field] > :is(input, select)')]
		.map((one) => one.getBoundingClientRect())
		.filter((one) => one.top < bottom && one.bottom > top);
	const isAligned = fields.every((one) => Math.abs(one.top - top) <= 2 && Math.abs(one.bottom - bottom) <= 2);
	return isAligned ? [] : [button.textContent];
})`;

describe('axe-core finds no serious or critical fault', () => {
	const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
	const faultsOf = async (page: Page) => {
		// Evaluated, not injected: the page's own policy lets no foreign script in.
		await page.evaluate(axe);
		const { violations } = await page.evaluate<AxeResults>('axe.run()');
		return violations
			.filter(({ impact }) => impact === 'serious' || impact === 'critical')
			.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
	};

	it.each([
		['light', { width: 1280, height: 900 }],
		['dark', { width: 1280, height: 900 }],
		['light', { width: 768, height: 1024 }],
		['light', { width: 390, height: 844 }],
	] as const)('%s, %j', async (colorScheme, viewport) => {
		const page = await openPage(browser, { viewport, colorScheme });
		const found: string[] = [];
		for (const section of sections) {
			await page.goto(`${sandbox.url}/#/${section}`);
			await page.locator(`nav a[href="#/${section}"][aria-current]`).waitFor();
			await page.locator(ready[section]).first().waitFor();
			for (const fault of await faultsOf(page)) found.push(`${section}: ${fault}`);
			const tooWide = `[document.documentElement, ...document.querySelectorAll('.list')]
				.map((one) => one.scrollWidth - one.clientWidth)`;
			const excess = await page.evaluate<number[]>(tooWide);
			expect([section, ...excess]).toEqual([section, ...excess.map(() => 0)]);
			expect([section, await page.evaluate<string[]>(fonts)]).toEqual([
				section,
				[expect.stringContaining('system-ui')],
			]);
			expect([section, await page.evaluate<string[]>(crooked)]).toEqual([section, []]);
			await screenshot(page, `sandbox-${section}-${colorScheme}-${viewport.width}`);
		}
		for (const [kind, id] of Object.entries(await oneOfEach())) {
			await page.goto(`${sandbox.url}/#/${kind}/${id}`);
			const dialog = page.getByRole('dialog');
			await dialog.getByText(id).first().waitFor();
			await dialog.locator('tbody, ol li, pre').first().waitFor();
			for (const fault of await faultsOf(page)) found.push(`${kind}: ${fault}`);
			const excess = await page.evaluate<number>(
				"((one) => one.scrollWidth - one.clientWidth)(document.querySelector('dialog'))",
			);
			expect([kind, excess]).toEqual([kind, 0]);
			await screenshot(page, `sandbox-${kind}-dialog-${colorScheme}-${viewport.width}`);
		}
		await page.context().close();
		expect(found).toEqual([]);
	});
});
