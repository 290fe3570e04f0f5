import { connectOutbox } from '../../demo/outbox';
import { createPaymentsApi } from '../../host/n8n/credentials';
import { stopAll } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { Outbox } from '../support/outbox';
import { compare, endPauses, FAULTS, hurry, Records, Shop } from '../support/outboxShop';
import { startCluster, type Cluster } from './cluster/cluster';

/* The outbox in queue mode: both workers are killed at the same moment, twice. */

const EVENTS = Math.ceil(5000 * Number(process.env.QUEUE_SCALE ?? 1));
const MINUTES = 60_000;

let cluster: Cluster;
let outbox: Outbox;

beforeAll(async () => {
	cluster = await startCluster();
	outbox = await Outbox.start();
}, 15 * MINUTES);
afterAll(async () => {
	await outbox?.stop();
	await outbox?.server.stop();
	// A start that broke off half-way has left processes, too.
	await (cluster ? cluster.stop() : stopAll());
}, MINUTES);

test(
	`${EVENTS} events over two workers: each is recorded once, as it was booked, and in order`,
	async () => {
		const { main, sandbox, url } = cluster;
		const client = await sandbox.client.createClient({ name: 'workers' });
		const { send } = await connectOutbox(main.client, sandbox.client, {
			paymentsApi: await createPaymentsApi(main.client, { url: sandbox.url, ...client }),
			database: outbox.url,
			addressOf: (production) => url + new URL(production).pathname,
			change: (workflow) => hurry(workflow),
		});
		await sandbox.client.setFaults({ ...FAULTS, latencyMs: [50, 1000] });
		await main.client.activate(send);
		const records = new Records(sandbox.client);
		const shop = new Shop(outbox, EVENTS);
		const booking = shop.open(EVENTS / 120);
		const long = { timeoutMs: 20 * MINUTES, intervalMs: 1000 };
		const isSending = (share: number) => async () => {
			await endPauses(outbox);
			const [{ sent }] = await outbox.ask<{ sent: number }>(
				`select count(*)::int as sent from outbox.events where outcome = 'sent' and due_at > now()`,
			);
			return shop.booked >= EVENTS * share && sent > 0;
		};
		for (const share of [1 / 3, 2 / 3]) {
			await waitUntil('events are being sent', isSending(share), long);
			await Promise.all([cluster.killWorker(), cluster.killWorker()]);
			await outbox.restart(share < 0.5);
			await cluster.addWorker();
			await cluster.addWorker();
		}
		await booking;
		const isDone = async () => {
			await endPauses(outbox);
			return (await outbox.ask('select from outbox.events where recorded_at is null')).length === 0;
		};
		await waitUntil('all are recorded', isDone, long).catch(async (error: Error) => {
			const open = 'select outcome, count(*)::int from outbox.events group by outcome';
			throw new Error(`${error.message} ${JSON.stringify(await outbox.ask(open))}`);
		});
		const { transactions } = await sandbox.client.getCounts();
		const result = compare(shop.stories, await records.stories());
		const { requests, created, duplicates } = transactions;
		process.stdout.write(
			`outbox: ${JSON.stringify({ events: EVENTS, requests, created, duplicates, ...result })}\n`,
		);
		expect(result).toEqual({ lost: 0, doubled: 0, wrong: 0, outOfOrder: 0 });
		expect(created).toBe(EVENTS);
		expect(duplicates).toBeGreaterThan(0);
	},
	40 * MINUTES,
);
