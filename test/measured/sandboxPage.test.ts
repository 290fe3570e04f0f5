import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { transaction } from '../support/builders/transactions';
import { launchBrowser, openPage } from '../support/pages/browser';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

const TRANSACTIONS = 1000;
const DELIVERIES = 3000;
/** The longest time (ms) until the first view can be seen, or what a click asked for. */
const ANSWER_MS = 200;
/** A page with nothing but a tile shows how fast the machine is. */
const BARE_PAGE = 'data:text/html,<main><p class="tile">1</p></main>';
/** A click counts with its median of so many rounds. */
const ROUNDS = 5;

let browser: Browser;
let sandbox: Sandbox;
let receiver: WebhookReceiver;

beforeAll(async () => {
	[browser, sandbox, receiver] = await Promise.all([
		launchBrowser(),
		launchSandbox(),
		startWebhookReceiver(),
	]);
	await sandbox.client.setFaults({ processingMs: 1, deliveries: { concurrency: 40 } });
	const { access_token: token } = (
		await askToken(sandbox.url, await sandbox.client.createClient({ name: 'n8n' }))
	).data;
	await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'], label: 'n8n' });
	const ids = [...Array(TRANSACTIONS).keys()];
	const sendAll = async () => {
		for (let id = ids.shift(); id !== undefined; id = ids.shift())
			await sendTransaction(sandbox.url, token, transaction(id));
	};
	await Promise.all(Array.from({ length: 20 }, sendAll));
	await sandbox.client.createPayment({ amount: '99', currency: 'GBP' });
	await sandbox.client.idle();
});
afterAll(async () => {
	await receiver.stop();
	await browser.close();
	await sandbox.stop();
});

/**
 * When the browser first painted a part of the overview, in ms since the visit began; of those that
 * it reports as the largest so far (https://www.w3.org/TR/largest-contentful-paint/).
 */
const overviewPainted = `new Promise((resolve) => new PerformanceObserver((list) => {
	const main = document.querySelector('main');
	const found = list.getEntries().find(({ element }) => main?.contains(element));
	if (found) resolve(found.startTime);
}).observe({ type: 'largest-contentful-paint', buffered: true }))`;

/** Measures the first visit of a new profile. */
async function firstVisit(url: string): Promise<number> {
	const page = await openPage(browser, { viewport: { width: 1280, height: 900 } });
	await page.goto(url);
	await page.locator('.tile').first().waitFor();
	const time = await page.evaluate<number>(overviewPainted);
	await page.context().close();
	return time;
}

const median = (all: number[]) =>
	Math.round(all.sort((one, other) => one - other)[all.length >> 1]);

it(`shows the first view within ${ANSWER_MS} ms, or four times that of a bare page, in a new browser profile`, async () => {
	const times: number[] = [];
	const bare: number[] = [];
	while (times.length < 2 * ROUNDS) {
		times.push(await firstVisit(sandbox.url));
		bare.push(await firstVisit(BARE_PAGE));
	}
	console.log(`First view: ${times.map(Math.round).join(', ')} ms; bare page: ${median(bare)} ms`);
	// The shortest: a new profile takes all cores, so whatever else runs makes it longer. On a slow
	// machine, the time follows that of a bare page.
	expect(Math.min(...times)).toBeLessThanOrEqual(Math.max(ANSWER_MS, 4 * median(bare)));
});

/** Clicks in the page itself and measures until `wanted` holds and the browser has painted it. */
const answerTime = async (page: Page, selector: string, wanted: string) =>
	await page.evaluate<number>(`(async () => {
		const start = performance.now();
		document.querySelector(${JSON.stringify(selector)}).click();
		while (!(${wanted})) await new Promise(requestAnimationFrame);
		await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
		return performance.now() - start;
	})()`);

it(`answers a click within ${ANSWER_MS} ms with ${TRANSACTIONS} transactions and ${DELIVERIES} deliveries`, async () => {
	const { transactions, deliveries } = await sandbox.client.getCounts();
	expect([transactions.created, deliveries.delivered >= DELIVERIES]).toEqual([TRANSACTIONS, true]);
	const page = await openPage(browser, { viewport: { width: 1280, height: 900 } });
	await page.goto(sandbox.url);
	await page.locator('.tile').first().waitFor();
	const rows = 'document.querySelectorAll("main .list:last-of-type tbody tr").length === 25';
	const first = 'document.querySelector("main .list:last-of-type tbody tr").textContent';
	const times: Record<string, number[]> = {};
	const measure = async (name: string, selector: string, wanted: string) =>
		(times[name] ??= []).push(await answerTime(page, selector, wanted));
	for (let round = 0; round < ROUNDS; round++) {
		await measure(
			'transactions',
			'a[href="#/transactions"]',
			`document.title.startsWith("Transactions") && ${rows}`,
		);
		const newest = await page.evaluate<string>(first);
		await measure(
			'older transactions',
			'.pager button:last-child',
			`${first} !== ${JSON.stringify(newest)}`,
		);
		await measure('a transaction', 'tbody a', 'document.querySelector("main pre") !== null');
		await measure('back', 'main > a', rows);
		await measure(
			'webhooks',
			'a[href="#/webhooks"]',
			`document.title.startsWith("Webhooks") && ${rows}`,
		);
		await measure('a delivery', 'tbody a', 'document.querySelector("main .attempts") !== null');
		await measure('back again', 'main > a', rows);
		await measure(
			'payments',
			'a[href="#/payments"]',
			`document.title.startsWith("Payments ·") && ${rows}`,
		);
		await measure(
			'overview',
			'a[href="#/overview"]',
			'document.querySelector("main .tile") !== null',
		);
	}
	const slowest = Object.entries(times)
		.map(([name, all]) => [name, median(all)] as const)
		.sort(([, one], [, other]) => other - one);
	console.log(
		`Slowest clicks: ${slowest
			.slice(0, 3)
			.map(([name, ms]) => `${name} ${ms} ms`)
			.join(', ')}`,
	);
	expect(slowest.filter(([, ms]) => ms > ANSWER_MS)).toEqual([]);
});
