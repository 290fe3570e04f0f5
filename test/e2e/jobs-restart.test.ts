import type { Browser } from 'playwright-core';
import { payoutFile, readXlsx, toCsv, type PayoutFile } from '../support/builders/payoutFile';
import { readTable } from '../support/n8n/dataTables';
import { launchBrowser } from '../support/pages/browser';
import { choose, receiveResult } from '../support/pages/payoutRun';
import { waitUntil } from '../support/waitUntil';
import { startOwnN8n, startProxyTo, type OwnN8n, type Proxy } from './ownN8n';
import { askAll, letPaymentsHappen, putIntoService, ROUGH } from './paymentStatus';
import { countOf, PayoutRunJob, recordedInvoices, type ResultRow } from './payoutRun';
import { ownService } from './shared';

/* Two jobs in an n8n that is killed in the middle and started again. */

let n8n: OwnN8n;
let service: Awaited<ReturnType<typeof ownService>>;

beforeAll(async () => {
	n8n = await startOwnN8n('restart');
	service = await ownService(n8n.client);
});
afterAll(async () => {
	await service?.sandbox.stop();
	await n8n?.stop();
});

describe('where-is-my-payment', () => {
	const PAYMENTS = 60;
	/** The shares of the deliveries that have arrived when n8n is killed. */
	const KILLS = [0.25, 0.6];
	let proxy: Proxy;

	afterAll(async () => await proxy?.stop());

	interface Event {
		id: string;
		event: string;
		data: Record<string, unknown>;
		createdAt: number;
	}

	/** Every event that the service has sent, once. */
	async function sentEvents(): Promise<Event[]> {
		const { client } = service.sandbox;
		const { items } = await client.listDeliveries({ limit: 1000 });
		const deliveries = new Map(items.map(({ eventId, id }) => [eventId, id]));
		const events: Event[] = [];
		for (const id of deliveries.values())
			events.push(JSON.parse((await client.getDelivery(id)).body) as Event);
		return events;
	}

	/** The data table, without the time of the last write. */
	const savedRows = async () =>
		(await readTable(n8n.client, 'payment_status')).map(({ updatedAt: _, ...row }) => row);

	test('n8n is killed twice while events arrive, and old events are resent: one row for each payment, with its last status', async () => {
		const { client } = service.sandbox;
		const openAi = await n8n.client.createCredential('OpenAI account', 'openAiApi', {
			apiKey: 'not-a-key',
		});
		proxy = await startProxyTo(n8n, 'restart');
		const { publicUrl } = proxy;
		const workflow = await putIntoService(n8n.client, client, openAi, { publicUrl });
		await client.setFaults(ROUGH);
		const lastStatuses = await letPaymentsHappen(client, 'INV-K', PAYMENTS);
		const counts = async () => (await client.getCounts()).deliveries;
		for (const share of KILLS) {
			const hasArrived = async () => {
				const { delivered, created } = await counts();
				return delivered >= created * share;
			};
			const often = { timeoutMs: 120_000, intervalMs: 20 };
			await waitUntil(`${share * 100}% of the deliveries have arrived`, hasArrived, often);
			await n8n.kill();
			expect((await counts()).pending).toBeGreaterThan(0);
			await n8n.startAgain();
		}
		await client.idle(300_000);
		const { created, delivered, responses } = await counts();
		expect(delivered).toBe(created);
		// The kills were felt: the proxy met a broken connection.
		expect(responses[502]).toBeGreaterThan(0);
		const rows = await savedRows();
		expect(rows).toHaveLength(PAYMENTS);
		expect(new Map(rows.map(({ externalId, status }) => [externalId, status]))).toEqual(
			lastStatuses,
		);
		expect(await askAll(n8n.url, lastStatuses.keys())).toEqual(lastStatuses);

		// With other IDs, the trigger doesn't know them as duplicates, so the workflow has to.
		const { count } = await n8n.client.executions(workflow, 1);
		const events = await sentEvents();
		for (const event of events) await client.emitEvent({ ...event, id: `again-${event.id}` });
		await client.idle(300_000);
		const executed = (await n8n.client.executions(workflow, 1)).count - count;
		expect(executed).toBeGreaterThanOrEqual(events.length);
		expect(await savedRows()).toEqual(rows);
	}, 900_000);
});

describe('payout-run-with-approval', () => {
	let browser: Browser;
	let job: PayoutRunJob;

	beforeAll(async () => {
		browser = await launchBrowser();
		job = await PayoutRunJob.putIntoService(n8n.client, service.credential, browser);
	});
	beforeEach(async () => {
		await service.sandbox.client.reset();
		await service.sandbox.client.setFaults({});
	});
	afterEach(async () => await job.closePages());
	afterAll(async () => await browser?.close());

	const transactions = async () => (await service.sandbox.client.getCounts()).transactions;
	const recorded = async () => (await recordedInvoices(service.sandbox.client)).sort();

	/** Waits until a payout run has a status, and its execution waits for somebody. */
	async function untilRunIs(fileName: string, expected: string): Promise<void> {
		await waitUntil(`the payout run of ${fileName} is ${expected}`, async () => {
			const runs = await readTable(n8n.client, 'payout_runs');
			const run = runs.find((row) => row.fileName === fileName && row.status === expected);
			const { results } = await n8n.client.executions(job.workflow);
			return results.some(({ id, status }) => id === run?.runId && status === 'waiting');
		});
	}

	async function restart(): Promise<void> {
		await n8n.kill();
		await n8n.startAgain();
		await job.untilInService();
	}

	/** Uploads the file again, and asserts that it pays what is missing and nothing else. */
	async function expectRestIsPaid(
		file: PayoutFile,
		fileName: string,
		paidBefore: number,
	): Promise<void> {
		const { rows } = await job.payOut(toCsv(file, fileName));
		expect(countOf(rows, 'duplicate')).toBe(paidBefore);
		expect(countOf(rows, 'created')).toBe(file.payable.length - paidBefore);
		expect(await recorded()).toEqual(file.payable);
	}

	test('n8n is killed while a payout run waits: approved after the restart, each row is paid once, and the same file pays nothing', async () => {
		const file = payoutFile('INV-W', 200, 6);
		const uploaded = toCsv(file, 'waits.csv');
		const { page } = await job.check(uploaded);
		await choose(page, 'Ask for approval');
		await untilRunIs(uploaded.name, 'waiting');
		await restart();
		expect((await transactions()).requests).toBe(0);

		await job.decide(uploaded.name, 'Approve');
		// The page of the uploader has stopped asking since it got no answer. n8n answers a reload when nothing runs any more.
		await untilRunIs(uploaded.name, 'done');
		const receiving = receiveResult(page);
		await page.reload();
		const { name, content, message } = await receiving;
		expect([name, message]).toEqual([
			'waits - result.xlsx',
			expect.stringContaining('Accepted: 194, To correct: 6.'),
		]);
		const rows = readXlsx<ResultRow>(content);
		const paid = rows.filter(({ Outcome }) => Outcome === 'created');
		expect(paid.map(({ Invoice }) => Invoice)).toEqual(file.payable);
		expect(countOf(rows, 'invalid')).toBe(6);
		expect(rows).toHaveLength(200);
		expect(await recorded()).toEqual(file.payable);
		expect((await transactions()).requests).toBe(194);

		await expectRestIsPaid(file, 'waits again.csv', 194);
	}, 600_000);

	test('n8n is killed while it pays: the same file pays the rest once', async () => {
		const file = payoutFile('INV-P', 200, 0);
		const uploaded = toCsv(file, 'pays.csv');
		await service.sandbox.client.setFaults({ latencyMs: [1000, 1000] });
		const { page } = await job.check(uploaded);
		await choose(page, 'Ask for approval');
		await untilRunIs(uploaded.name, 'waiting');
		await job.decide(uploaded.name, 'Approve');
		await waitUntil('some are recorded', async () => (await transactions()).created >= 20);
		await restart();
		await service.sandbox.client.setFaults({});
		const { created } = await transactions();
		expect(created).toBeLessThan(200);

		await expectRestIsPaid(file, 'pays again.csv', created);
	}, 600_000);
});
