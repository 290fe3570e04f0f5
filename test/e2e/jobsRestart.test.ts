import type { Browser } from 'playwright-core';
import { payoutFile, toCsv } from '../support/builders/payoutFile';
import { readTable } from '../../host/n8n/dataTables';
import { launchBrowser } from '../support/pages/browser';
import { stop, upload } from '../support/pages/payoutRun';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { waitUntil } from '../../host/waitUntil';
import { deleteModelTables } from './modelTables';
import { startOwnN8n, startProxyTo, type OwnN8n, type Proxy } from './ownN8n';
import { letPaymentsHappen, putFollowIntoService, resultsOf, ROUGH } from './followedPayments';
import { PayoutRunJob, recordedInvoices } from './payoutRun';
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

describe('payout-run-4-follow', () => {
	const PAYMENTS = 40;
	let proxy: Proxy;
	let mailServer: MailServer;

	afterAll(async () => {
		await proxy?.stop();
		await mailServer?.stop();
	});

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
		(await readTable(n8n.client, 'payments')).map(({ updatedAt: _, ...row }) => row);

	test('n8n is killed while events arrive, and old events are resent: each payment has its last result', async () => {
		const { client } = service.sandbox;
		proxy = await startProxyTo(n8n, 'restart');
		mailServer = await startMailServer(() => {});
		const workflow = await putFollowIntoService(n8n.client, client, {
			publicUrl: proxy.publicUrl,
			mailPort: mailServer.port,
		});
		await client.setFaults(ROUGH);
		const results = await letPaymentsHappen(n8n.client, client, 'INV-K', PAYMENTS);
		const counts = async () => (await client.getCounts()).deliveries;
		const haveArrived = async () => {
			const { delivered, created } = await counts();
			return delivered >= created / 3;
		};
		const often = { timeoutMs: 120_000, intervalMs: 20 };
		await waitUntil('a third of the deliveries has arrived', haveArrived, often);
		await n8n.kill();
		expect((await counts()).pending).toBeGreaterThan(0);
		await n8n.startAgain();
		await client.idle(300_000);
		const { created, delivered, responses } = await counts();
		expect(delivered).toBe(created);
		// The kill was felt: the proxy met a broken connection.
		expect(responses[502]).toBeGreaterThan(0);
		const rows = await savedRows();
		expect(rows).toHaveLength(PAYMENTS);
		expect(await resultsOf(n8n.client, 'INV-K')).toEqual(results);

		// With other IDs, the trigger doesn't know them as duplicates, so the workflow has to.
		const { count } = await n8n.client.executions(workflow, 1);
		const events = await sentEvents();
		for (const event of events) await client.emitEvent({ ...event, id: `again-${event.id}` });
		await client.idle(300_000);
		const executed = (await n8n.client.executions(workflow, 1)).count - count;
		expect(executed).toBeGreaterThanOrEqual(events.length);
		expect(await savedRows()).toEqual(rows);
		await n8n.client.deactivate(workflow);
		await deleteModelTables(n8n.client);
	}, 900_000);
});

describe('the payout run', () => {
	let browser: Browser;
	let job: PayoutRunJob;

	beforeAll(async () => {
		browser = await launchBrowser();
		const { sandbox, credential } = service;
		job = await PayoutRunJob.putIntoService(n8n.client, sandbox.client, credential, browser);
		await job.changeSetting('unusual factor', '1000000000');
		await job.approvePayeesOf(payoutFile('INV-P', 80, 0));
	}, 240_000);
	afterEach(async () => {
		await job.closePages();
		await service.sandbox.client.setFaults({});
	});
	afterAll(async () => {
		await browser?.close();
		await job?.stop();
	});

	const transactions = async () => (await service.sandbox.client.getCounts()).transactions;
	async function restart(): Promise<void> {
		await n8n.kill();
		await job.closePages();
		await n8n.startAgain();
		await job.untilInService();
	}
	test('killed from the upload to the middle of a batch: nothing is sent before the approval, and afterwards each row is paid once', async () => {
		const { client } = service.sandbox;
		const file = payoutFile('INV-P', 80, 0);
		const uploaded = toCsv(file, 'payouts.csv');
		await upload(await job.open('payout-upload', job.people.clerk), uploaded);
		await restart(); // during the check
		await job.check(uploaded);
		await restart(); // while it asks whether to ask for approval
		const { run } = await job.ask(uploaded);
		await job.review(run);
		await restart(); // while it waits, and the approver reads
		expect((await transactions()).requests).toBe(0);
		await client.setFaults({ latencyMs: [2000, 2000] });
		await job.decide(run, 'Approve');
		await restart(); // right after the approval
		const some = async () => (await transactions()).created > 0;
		await waitUntil('some are recorded', some, { timeoutMs: 120_000, intervalMs: 50 });
		await n8n.kill(); // in the middle of a batch
		expect((await recordedInvoices(client)).length).toBeLessThan(80);
		await restart();
		await client.setFaults({});
		await job.untilAll(run, ['accepted', 'paid'], 240_000);
		expect((await recordedInvoices(client)).sort()).toEqual(file.payable);
		const { page, found } = await job.check(uploaded);
		expect(found.headline).toBe('Paid after an approval: nothing');
		await stop(page);
	}, 900_000);
});
