import { join } from 'node:path';
import { freePort } from '../../host/freePort';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import type { WorkflowJson } from '../../host/n8n/client';
import type { ManagedProcess } from '../../host/processes';
import type { Sandbox } from '../../host/sandbox';
import { waitUntil } from '../../host/waitUntil';
import { startProxy } from '../queue/cluster/proxy';
import { ARTIFACTS } from '../support/pages/browser';
import { startOwnN8n, type OwnN8n } from './ownN8n';
import { ownService, scaled } from './shared';

/*
 * A trigger and a transaction for each of its events, with a service that delivers roughly, an n8n
 * that is killed, and transactions that fail: every event becomes one (docs/idempotency.md).
 */

/** Before n8n is killed, and again while it's gone. */
const HALF = scaled(250);
const EVENTS = 2 * HALF;
const EVENT = 'RETURN.CREATED';

/** Responds when the transaction is recorded. Its External ID is the ID of what came back. */
function returnsToTransactions(): WorkflowJson {
	const [trigger] = readExample('events-by-type').nodes;
	Object.assign(trigger.parameters, { events: [EVENT], responseMode: 'lastNode' });
	const rows = readExample('rows-to-transactions').nodes;
	const payments = rows.find(({ name }) => name === 'Create Transactions')!;
	const party = (name: 'sender' | 'recipient', entity: string, country: string) => ({
		[`${name}ExternalEntityId`]: entity,
		[`${name}ExternalPaymentChannelId`]: `${entity}-account`,
		[`${name}CountryCode`]: country,
	});
	Object.assign(payments, { name: 'Create Transaction', onError: 'stopWorkflow' });
	Object.assign(payments.parameters, {
		amount: '={{ $json.data.amount }}',
		currency: '={{ $json.data.currency }}',
		reference: '=Return of {{ $json.data.paymentId }}',
		externalId: '={{ $json.data.id }}',
		externalCreatedAt: '={{ $json.createdAt }}',
		paymentScheme: 'SCT',
		additionalFields: {},
		...party('sender', 'north-windmills', 'BE'),
		...party('recipient', 'harbour-bakery', 'DK'),
	});
	return {
		name: 'Returns to transactions',
		nodes: [trigger, payments],
		connections: { [trigger.name]: { main: [[{ node: payments.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1' },
	};
}

let n8n: OwnN8n;
let sandbox: Sandbox;
let proxy: ManagedProcess;

afterAll(async () => {
	await sandbox?.stop();
	await proxy?.stop();
	await n8n?.stop();
});

test(`n8n is killed amid ${EVENTS} events, and every third transaction fails: ${EVENTS} transactions`, async () => {
	n8n = await startOwnN8n('crash');
	const service = await ownService(n8n.client);
	({ sandbox } = service);
	// n8n answers 200 while it starts, before any trigger is there: what keeps deliveries from it
	// then is this proxy.
	const publicUrl = `http://127.0.0.1:${await freePort()}`;
	const logFile = join(ARTIFACTS, 'proxy-crash.log');
	proxy = await startProxy(join(n8n.userFolder, 'proxy'), publicUrl, n8n.url, [n8n.url], logFile);

	const example = returnsToTransactions();
	const { production } = await n8n.client.webhookUrls(example, 'Payments Trigger');
	const { secret } = await sandbox.client.createEndpoint({
		url: new URL(new URL(production).pathname, publicUrl).href,
		events: [EVENT],
	});
	const credential = await createPaymentsWebhookApi(n8n.client, secret);
	const workflow = await n8n.client.importWorkflow(example, [service.credential, credential]);
	await n8n.client.activate(workflow);

	await sandbox.client.setFaults({
		// Each event goes out one to three times, shuffled, and again until success.
		deliveries: { doubled: 1 / 3, tripled: 1 / 3, shuffled: 1, shuffleMs: 2000, concurrency: 20 },
		retries: { attempts: 300, intervalMs: 2000 },
		// When the first transaction is recorded, the executions of others wait for theirs.
		latencyMs: [0, 2000],
		// Half of the failures come after the transaction was recorded: nobody knows that it was, so
		// the next execution retries it.
		statuses: [
			{ status: 500, rate: 1 / 6 },
			{ status: 500, rate: 1 / 6, processed: true },
		],
	});
	const emit = async (from: number, to: number) => {
		for (let index = from; index < to; index++)
			await sandbox.client.emitEvent({
				event: EVENT,
				data: {
					id: `ret_${index}`,
					paymentId: `pmt_${index}`,
					amount: `${index + 1}.00`,
					currency: 'EUR',
				},
			});
	};
	await emit(0, HALF);
	const isBegun = async () => (await sandbox.client.getCounts()).transactions.created > 0;
	await waitUntil('a transaction is recorded', isBegun, { intervalMs: 20 });
	await n8n.kill();
	await emit(HALF, EVENTS);
	const isFelt = async () => {
		const { responses } = (await sandbox.client.getCounts()).deliveries;
		return responses[502] ?? responses[503];
	};
	await waitUntil('a connection breaks, or nobody is met', isFelt);
	await n8n.startAgain();

	const { transactions, deliveries } = await sandbox.client.idle(900_000);
	expect(deliveries.created).toBeGreaterThan(EVENTS);
	expect([deliveries.delivered, deliveries.failed]).toEqual([deliveries.created, 0]);
	expect(transactions.created).toBe(EVENTS);
	expect(transactions.duplicates).toBeGreaterThan(0);
	expect(transactions.responses['500']).toBeGreaterThan(0);
}, 1_000_000);
