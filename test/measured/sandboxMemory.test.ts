import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { waitUntil } from '../../host/waitUntil';
import { MAX_KEPT } from '../../sandbox/state/log';
import { SandboxState } from '../../sandbox/state/sandboxState';
import type { Transaction } from '../../sandbox/types';
import { transaction } from '../support/builders/transactions';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

/** Bytes that a transaction may take as long as it's kept, with its payment and three events. */
const MAX_BYTES_PER_TRANSACTION = 2500;
/** Bytes that a delivery may take while it waits and newer ones have its place in the list. */
const MAX_BYTES_PER_WAITING_DELIVERY = 4000;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const usedBytes = () => {
	collectGarbage();
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
};

/** Parsed anew, as from a request: no two transactions share a text. */
const received = (id: number) => JSON.parse(JSON.stringify(transaction(id))) as Transaction;

let state: SandboxState;
let receiver: WebhookReceiver;
let responds: (index: number) => number;

beforeAll(async () => {
	receiver = await startWebhookReceiver((_delivery, index) => ({ status: responds(index) }));
});
afterAll(async () => await receiver.stop());
beforeEach(() => {
	state = new SandboxState(1);
	receiver.received.length = 0;
	responds = () => 200;
});
afterEach(() => state.reset(true));

const emit = (count: number, from = 0) => {
	for (let id = from; id < count; id++)
		state.emitter.emit({ event: 'PAYMENT.CREATED', data: { ...transaction(id) }, id: `evt_${id}` });
};

describe('the memory of a sandbox', () => {
	it(`grows by at most ${MAX_BYTES_PER_TRANSACTION} bytes for a transaction`, async () => {
		const count = MAX_KEPT;
		state.faults.replace({ processingMs: 0 });
		const before = usedBytes();
		for (let id = 0; id < count; id++) state.transactions.accept(received(id), 'PAYMENTS');
		await waitUntil('all are processed', () => state.counts.transactions.processing === 0);
		expect(state.payments.log.size).toBe(count);
		expect((usedBytes() - before) / count).toBeLessThan(MAX_BYTES_PER_TRANSACTION);
	});

	it('does not grow with transactions that are not kept, apart from their Event IDs', async () => {
		state.faults.replace({ processingMs: 0 });
		const send = async (from: number, to: number) => {
			for (let id = from; id < to; id++) state.transactions.accept(received(id), 'PAYMENTS');
			await waitUntil('all are processed', () => state.counts.transactions.processing === 0);
		};
		const full = MAX_KEPT + 1000;
		await send(0, full);
		const before = usedBytes();
		await send(full, full + 5000);
		expect((usedBytes() - before) / 5000).toBeLessThan(200);
	});

	it(`grows by at most ${MAX_BYTES_PER_WAITING_DELIVERY} bytes for a waiting delivery, and each arrives`, async () => {
		const count = MAX_KEPT + 5000;
		state.endpoints.create({ url: receiver.url, events: ['*'] });
		// The first attempt of some fails, so they wait twice.
		responds = (index) => (index % 100 === 0 && index < count ? 503 : 200);
		state.faults.replace({ retries: { attempts: 3, intervalMs: 20 } });
		emit(MAX_KEPT);
		const before = usedBytes();
		emit(count, MAX_KEPT);
		const growth = (usedBytes() - before) / 5000;
		expect(growth).toBeLessThan(MAX_BYTES_PER_WAITING_DELIVERY);
		expect(state.dispatcher.slowdownMs).toBeGreaterThan(0);
		await waitUntil('all are delivered', () => state.counts.deliveries.pending === 0, {
			timeoutMs: 60_000,
		});
		expect(state.counts.deliveries).toMatchObject({ delivered: count, failed: 0 });
		expect(state.dispatcher.slowdownMs).toBe(0);
		expect(state.dispatcher.log.size).toBeLessThan(MAX_KEPT + 1000);
		const events = receiver.received.map(({ body }) => JSON.parse(body) as { id: string });
		expect(new Set(events.map(({ id }) => id)).size).toBe(count);
		expect(events[1]).toMatchObject({ id: 'evt_1', data: { externalId: 'external-1' } });
	});

	it('forgets a waiting delivery whose endpoint is deleted, also when the list has dropped it', () => {
		const endpoint = state.endpoints.create({ url: receiver.url, events: ['*'] });
		const count = MAX_KEPT + 2000;
		emit(count);
		state.endpoints.delete(endpoint.id);
		state.dispatcher.drop(endpoint.id);
		const { concurrency } = state.faults.current.deliveries;
		expect(state.counts.deliveries).toMatchObject({
			pending: concurrency,
			failed: count - concurrency,
		});
	});
});
