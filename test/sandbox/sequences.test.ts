import type { WebhookEvent } from '../../sandbox/types';
import { useEventReceiver } from '../support/servers/eventReceiver';
import { startWebhookReceiver } from '../support/servers/webhookReceiver';
import type { SharedSandbox } from '../support/servers/sharedSandbox';
import { waitUntil } from '../../host/waitUntil';

let sandbox: SharedSandbox;
let received: () => WebhookEvent[];
useEventReceiver((...both) => ([sandbox, received] = both));

const replayed = async (id: string, count: number) => {
	const already = received().length;
	const { events } = await sandbox.client.replaySequence(id);
	await waitUntil('all events arrive', () => received().length === already + count);
	return { events, arrived: received().slice(already) };
};

describe('an event sequence', () => {
	it('saves what was sent about a payment, and sends it again in this order with new IDs', async () => {
		const { client } = sandbox;
		const payment = await client.createPayment({ amount: '1', currency: 'EUR' });
		for (const status of ['PROCESSING', 'COMPLETED', 'RETURNED'] as const)
			await client.setPaymentStatus(payment.id, status);
		await client.createVirtualAccount();
		await client.idle();
		const first = received().filter(({ data }) => [data.id, data.paymentId].includes(payment.id));
		const { id, events: saved } = await client.createSequence({
			name: 'Returned',
			about: payment.id,
		});
		expect(saved.map(({ event, data }) => [event, data?.status])).toEqual([
			['PAYMENT.CREATED', 'CREATED'],
			['PAYMENT.STATUS_UPDATED', 'PROCESSING'],
			['PAYMENT.STATUS_UPDATED', 'COMPLETED'],
			['PAYMENT.STATUS_UPDATED', 'RETURNED'],
			['RETURN.CREATED', expect.any(String)],
		]);
		const { events, arrived } = await replayed(id, saved.length);
		expect(arrived.map((one) => one.id)).toEqual(events);
		expect(
			arrived.map(({ event, data, previousValues }) => ({ event, data, previousValues })),
		).toEqual(saved);
		expect(arrived.some((one) => first.some((other) => other.id === one.id))).toBe(false);
	});

	it('waits for the response to an event before it sends the next one', async () => {
		const { client } = sandbox;
		const slow = await startWebhookReceiver(() => ({ status: 200, afterMs: 50 }));
		await client.createEndpoint({ url: slow.url, events: ['PAYEE.CREATED'] });
		const events = Array.from({ length: 4 }, () => ({ event: 'PAYEE.CREATED' }));
		const { id } = await client.createSequence({ name: 'Four', events });
		const { events: ids } = await client.replaySequence(id);
		await waitUntil('all events arrive', () => slow.received.length === 4);
		const arrived = slow.received.map(({ body }) => (JSON.parse(body) as WebhookEvent).id);
		expect([slow.maxOpen(), arrived]).toEqual([1, ids]);
		await slow.stop();
	});

	it('follows the clock between two events, and ends with a reset', async () => {
		const { client } = sandbox;
		await client.setClock({ frozen: true });
		const events = [{ event: 'PAYEE.CREATED' }, { event: 'PAYEE.DELETED', afterMs: 3_600_000 }];
		const { id } = await client.createSequence({ name: 'An hour', events });
		await replayed(id, 1);
		await waitUntil(
			'the first one is acknowledged',
			async () => (await client.getCounts()).deliveries.pending === 0,
		);
		await new Promise((resolve) => setTimeout(resolve, 100));
		await client.setClock({ advanceMs: 3_600_000 });
		await waitUntil('the second one arrives', () => received().length === 2);
		await replayed(id, 1);
		await client.reset();
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect((await client.getCounts()).events.emitted).toBe(0);
		expect(await client.listSequences()).toHaveLength(1);
	});

	it('is rejected without events, with a name that is in use, and if the content of an event is not kept', async () => {
		const { client } = sandbox;
		await expect(client.createSequence({ name: 'None' })).rejects.toThrow('No events were sent');
		await expect(client.createSequence({ name: 'None', about: 'pmt_1' })).rejects.toThrow('pmt_1');
		const events = [{ event: 'PAYEE.CREATED' }];
		await client.createSequence({ name: 'Same', events });
		await expect(client.createSequence({ name: 'Same', events })).rejects.toThrow(
			'Same already exists',
		);
		for (const { id } of await client.listEndpoints()) await client.deleteEndpoint(id);
		const { id } = await client.emitEvent({ event: 'PAYEE.CREATED' });
		await expect(client.createSequence({ name: 'Lost' })).rejects.toThrow(id);
	});
});
