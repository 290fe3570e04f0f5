import { join } from 'node:path';
import { freePort } from '../../host/freePort';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import type { ManagedProcess } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { startProxy } from '../queue/cluster/proxy';
import { payments, workflowOf } from '../support/builders/workflows';
import { ARTIFACTS } from '../support/pages/browser';
import { newService, scaled } from './shared';

/*
 * A trigger and a transaction for each of its events, with a service that delivers roughly, an n8n
 * that is killed, and transactions that fail: every event becomes one (docs/idempotency.md).
 */

/** Before n8n is killed, and again while it's gone. */
const HALF = scaled(250);
const EVENTS = 2 * HALF;
const EVENT = 'RETURN.CREATED';

/** Responds when the transaction is recorded. Its External ID is the ID of what came back. */
function returnsToTransactions() {
	const [trigger] = readExample('events-by-type').nodes;
	Object.assign(trigger.parameters, { events: [EVENT], responseMode: 'lastNode' });
	const create = payments('Create Transaction', {
		specifyTransaction: 'fields',
		amount: '={{ $json.data.amount }}',
		currency: '={{ $json.data.currency }}',
		reference: '=Return of {{ $json.data.paymentId }}',
		externalId: '={{ $json.data.id }}',
		externalCreatedAt: '={{ $json.createdAt }}',
		paymentScheme: 'SCT',
		senderExternalEntityId: 'north-windmills',
		senderExternalPaymentChannelId: 'north-windmills-account',
		senderCountryCode: 'BE',
		recipientExternalEntityId: 'harbour-bakery',
		recipientExternalPaymentChannelId: 'harbour-bakery-account',
		recipientCountryCode: 'DK',
	});
	return workflowOf(trigger, create);
}

let n8n: N8n;
let again: N8n | undefined;
let proxy: ManagedProcess | undefined;

afterAll(async () => {
	await proxy?.stop();
	await again?.stop();
	await n8n?.stop(); // This removes its folder.
});

test(`n8n is killed amid ${EVENTS} events, and every third transaction fails: ${EVENTS} transactions`, async () => {
	const logFile = join(ARTIFACTS, 'n8n-crash.log');
	n8n = await startN8n({ logFile, tarball: process.env.E2E_TARBALL });
	const { client, userFolder } = n8n;
	await client.setUpOwner();
	const { sandbox, credential } = await newService(client);
	// n8n answers 200 while it starts, before any trigger is there: what keeps deliveries from it
	// then is this proxy.
	const publicUrl = `http://127.0.0.1:${await freePort()}`;
	const proxyLog = join(ARTIFACTS, 'proxy-crash.log');
	proxy = await startProxy(join(userFolder, 'proxy'), publicUrl, n8n.url, [n8n.url], proxyLog);

	const example = returnsToTransactions();
	const { production } = await client.webhookUrls(example, 'Payments Trigger');
	const { secret } = await sandbox.createEndpoint({
		url: new URL(new URL(production).pathname, publicUrl).href,
		events: [EVENT],
	});
	const webhookApi = await createPaymentsWebhookApi(client, secret);
	await client.activate(await client.importWorkflow(example, [credential, webhookApi]));

	await sandbox.setFaults({
		// Each event goes out one to three times, shuffled, and again until success.
		deliveries: { doubled: 1 / 3, tripled: 1 / 3, shuffled: 1, shuffleMs: 2000, concurrency: 20 },
		retries: { attempts: 1000, intervalMs: 500 },
		// When the first transaction is recorded, the executions of others wait for theirs.
		latencyMs: [0, 1000],
		// Half of the failures come after the transaction was recorded: nobody knows that it was, so
		// the next execution retries it.
		statuses: [
			{ status: 500, rate: 1 / 6 },
			{ status: 500, rate: 1 / 6, processed: true },
		],
	});
	const emit = async (from: number, to: number) => {
		for (let index = from; index < to; index++) {
			const ids = { id: `ret_${index}`, paymentId: `pmt_${index}` };
			const data = { ...ids, amount: `${index + 1}.00`, currency: 'EUR' };
			await sandbox.emitEvent({ event: EVENT, data });
		}
	};
	await emit(0, HALF);
	const isBegun = async () => (await sandbox.getCounts()).transactions.created > 0;
	await waitUntil('a transaction is recorded', isBegun, { intervalMs: 20 });
	await n8n.kill();
	await emit(HALF, EVENTS);
	const isFelt = async () => {
		const { responses } = (await sandbox.getCounts()).deliveries;
		return responses[502] ?? responses[503];
	};
	await waitUntil('a connection breaks, or nobody is met', isFelt);
	again = await startN8n({ logFile, userFolder, port: Number(new URL(n8n.url).port) });

	const { transactions, deliveries } = await sandbox.idle(900_000);
	expect(deliveries.created).toBeGreaterThan(EVENTS);
	expect([deliveries.delivered, deliveries.failed]).toEqual([deliveries.created, 0]);
	expect(transactions.created).toBe(EVENTS);
	expect(transactions.duplicates).toBeGreaterThan(0);
	expect(transactions.responses['500']).toBeGreaterThan(0);
}, 1_000_000);
