import { setTimeout as wait } from 'node:timers/promises';
import { connectOutbox } from '../../demo/outbox';
import { createPaymentsApi } from '../../host/n8n/credentials';
import type { Sandbox } from '../../host/sandbox';
import { waitUntil } from '../../host/waitUntil';
import { Outbox } from '../support/outbox';
import { compare, endPauses, FAULTS, hurry, Records, Shop } from '../support/outboxShop';
import { startOwnN8n, type OwnN8n } from './ownN8n';
import { ownService, scaled } from './shared';

/*
 * Two n8n share an outbox. Both are killed, PostgreSQL crashes, and the service is gone for a
 * while: each event is recorded once, as it was booked, and in order.
 */

const EVENTS = scaled(5000);
const KILLS = Math.max(2, scaled(6));
const OUTAGE_MS = Math.max(10_000, scaled(60_000));

const both: OwnN8n[] = [];
let sandbox: Sandbox;
let outbox: Outbox;

afterAll(async () => {
	await Promise.all(both.map(async (one) => await one.stop()));
	await sandbox?.stop();
	await outbox?.stop();
	await outbox?.server.stop();
});

const openEvents = async () =>
	(await outbox.ask('select from outbox.events where recorded_at is null')).length;

test(`${EVENTS} events, two n8n, 13 % faults, ${KILLS} kills, two restarts of PostgreSQL, an outage`, async () => {
	both.push(await startOwnN8n('outbox-1'));
	const service = await ownService(both[0].client);
	({ sandbox } = service);
	await sandbox.client.setFaults({ ...FAULTS, latencyMs: [20, 400] });
	both.push(await startOwnN8n('outbox-2'));
	outbox = await Outbox.start();
	for (const { client } of both) {
		const api = { url: sandbox.url, ...service.client };
		const paymentsApi = await createPaymentsApi(client, api);
		const { send } = await connectOutbox(client, sandbox.client, {
			...{ paymentsApi, database: outbox.url },
			change: (workflow) => hurry(workflow),
		});
		await client.activate(send);
	}
	const started = Date.now();
	const records = new Records(sandbox.client);
	const shop = new Shop(outbox, EVENTS);
	const booking = shop.open(EVENTS / (KILLS * 25));
	const isBooked = (share: number) => async () => {
		await endPauses(outbox);
		return shop.booked >= EVENTS * share;
	};
	const long = { timeoutMs: 900_000, intervalMs: 1000 };

	for (let kill = 0; kill < KILLS; kill++) {
		await waitUntil('some are booked', isBooked((kill + 1) / (KILLS + 2)), long);
		if (kill === Math.floor(KILLS / 3)) await outbox.restart(true);
		if (kill === Math.floor((2 * KILLS) / 3)) await outbox.restart(false);
		const victim = both[kill % 2];
		await victim.kill();
		if (kill === KILLS - 1)
			await sandbox.client.changeFaults({ refuseConnections: { ms: OUTAGE_MS } });
		await victim.startAgain();
	}
	await booking;
	await wait(1000);
	const isDone = async () => {
		await endPauses(outbox);
		return (await openEvents()) === 0;
	};
	await waitUntil('all are recorded', isDone, long);

	const { transactions } = await sandbox.client.getCounts();
	const { requests, created, duplicates } = transactions;
	const result = compare(shop.stories, await records.stories());
	const seconds = Math.round((Date.now() - started) / 1000);
	console.log({ events: EVENTS, seconds, requests, created, duplicates, ...result });
	expect(result).toEqual({ lost: 0, doubled: 0, wrong: 0, outOfOrder: 0 });
	expect(created).toBe(EVENTS);
	expect(duplicates).toBeGreaterThan(0);
}, 2_400_000);
