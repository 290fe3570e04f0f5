import { Webhook } from 'standardwebhooks';

import { newSecretFor } from '../../sandbox/deliveries/sign';
import type { WebhookEvent } from '../../sandbox/types';
import { waitUntil } from '../../host/waitUntil';
import type { ReceivedRequest } from '../support/servers/httpServer';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

let sandbox: SharedSandbox;
const receivers: WebhookReceiver[] = [];

const receiver = async (...how: Parameters<typeof startWebhookReceiver>) => {
	receivers.push(await startWebhookReceiver(...how));
	return receivers.at(-1)!;
};
const eventOf = ({ body }: ReceivedRequest) => JSON.parse(body) as WebhookEvent;

beforeAll(async () => (sandbox = await sharedSandbox()));
beforeEach(async () => await sandbox.client.reset({ everything: true }));
afterEach(async () => {
	for (const one of receivers.splice(0)) await one.stop();
});

describe('a delivery', () => {
	it('goes to those who subscribed to its event type, with the five members of docs/interface.md', async () => {
		const [payments, all, others] = [await receiver(), await receiver(), await receiver()];
		await sandbox.client.createEndpoint({ url: payments.url, events: ['PAYMENT.CREATED'] });
		await sandbox.client.createEndpoint({ url: all.url, events: ['*'] });
		await sandbox.client.createEndpoint({
			url: others.url,
			events: ['VIRTUAL_ACCOUNT.STATUS_UPDATED'],
		});
		const { id } = await sandbox.client.createPayment({ amount: '10', currency: 'EUR' });
		await sandbox.client.setPaymentStatus(id, 'PROCESSING');
		await sandbox.client.idle();
		expect([payments.received.length, all.received.length, others.received.length]).toEqual([
			1, 2, 0,
		]);
		const created = eventOf(payments.received[0]);
		expect(created).toEqual({
			id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
			event: 'PAYMENT.CREATED',
			data: expect.objectContaining({ id, status: 'CREATED', amount: '10.00' }),
			previousValues: {},
			createdAt: expect.any(Number),
		});
		const updated = all.received
			.map(eventOf)
			.find(({ event }) => event === 'PAYMENT.STATUS_UPDATED');
		expect(updated).toMatchObject({
			data: { id, status: 'PROCESSING' },
			previousValues: { status: 'CREATED' },
		});
	});

	it('is about the latest payment, if it is a test event about one', async () => {
		const hook = await receiver();
		const { id: endpoint } = await sandbox.client.createEndpoint({ url: hook.url, events: ['*'] });
		const test = async (event: string) => {
			await sandbox.client.sendTestEvent(endpoint, { event });
			await sandbox.client.idle();
			return eventOf(hook.received.at(-1)!).data;
		};
		expect((await test('PAYMENT.STATUS_UPDATED')).id).toMatch(/^pmt_/);
		await sandbox.client.createPayment({ amount: '9', currency: 'EUR' });
		const { id } = await sandbox.client.createPayment({ amount: '10', currency: 'EUR' });
		expect(await test('PAYMENT.STATUS_UPDATED')).toMatchObject({ id, amount: '10.00' });
		expect((await test('PAYEE.CREATED')).id).not.toBe(id);
	});

	it('says why a payment was rejected, failed, or came back', async () => {
		const hook = await receiver();
		await sandbox.client.createEndpoint({ url: hook.url, events: ['PAYMENT.STATUS_UPDATED'] });
		const { id } = await sandbox.client.createPayment({ amount: '10', currency: 'EUR' });
		for (const status of ['PROCESSING', 'COMPLETED', 'RETURNED'] as const)
			await sandbox.client.setPaymentStatus(id, status);
		await sandbox.client.idle();
		// One can overtake the other.
		const reasons = hook.received
			.map((one) => eventOf(one).data)
			.map(({ status, statusReason }) => [status, statusReason]);
		expect(Object.fromEntries(reasons)).toEqual({
			PROCESSING: undefined,
			COMPLETED: undefined,
			RETURNED: 'AC04: Closed account number',
		});
	});

	it('is signed as its endpoint wants', async () => {
		const hook = await receiver();
		const { id, secret } = await sandbox.client.createEndpoint({
			url: hook.url,
			events: ['*'],
			scheme: 'standardWebhooks',
		});
		const verifies = (index: number, key: string) => {
			const { body, headers } = hook.received[index];
			return () => new Webhook(key).verify(body, headers as Record<string, string>);
		};
		await sandbox.client.sendTestEvent(id, { event: 'NEW.KIND', data: { text: 'Käse €' } });
		await sandbox.client.idle();
		expect(verifies(0, secret)()).toMatchObject({ event: 'NEW.KIND', data: { text: 'Käse €' } });
		expect(verifies(0, newSecretFor('standardWebhooks'))).toThrow();
		expect(await sandbox.client.revealSecret(id)).toEqual({ secret });
	});

	it('is repeated until it is answered 2xx, each attempt on record', async () => {
		await sandbox.client.setFaults({ retries: { attempts: 10, intervalMs: 30 } });
		const hook = await receiver((_one, index) => ({ status: [500, 302, 204][index] ?? 200 }));
		await sandbox.client.createEndpoint({ url: hook.url, events: ['*'] });
		const sent = await sandbox.client.emitEvent({ event: 'PAYMENT.CREATED' });
		const { deliveries } = await sandbox.client.idle();
		expect(deliveries).toEqual({
			created: 1,
			attempts: 3,
			delivered: 1,
			failed: 0,
			pending: 0,
			responses: { 500: 1, 302: 1, 204: 1 },
		});
		const delivery = await sandbox.client.getDelivery(sent.deliveries[0]);
		expect(delivery).toMatchObject({
			status: 'DELIVERED',
			eventId: sent.id,
			body: hook.received[0].body,
		});
		expect(delivery.attempts.map(({ status }) => status)).toEqual([500, 302, 204]);
		expect(delivery.attempts[0]).toMatchObject({
			responseBody: 'answer 1',
			requestHeaders: { signature: hook.received[0].headers.signature },
		});
		for (const [index, { at }] of delivery.attempts.entries()) {
			if (index > 0) expect(at - delivery.attempts[index - 1].at).toBeGreaterThanOrEqual(29);
		}
		expect(new Set(hook.received.map(({ body }) => body)).size).toBe(1);
	});

	it('is given up after the last attempt; nobody listening is said in words', async () => {
		await sandbox.client.setFaults({ retries: { attempts: 3, intervalMs: 10 } });
		await sandbox.client.createEndpoint({ url: 'http://127.0.0.1:9/', events: ['*'] });
		const sent = await sandbox.client.emitEvent({ event: 'PAYMENT.CREATED' });
		const { deliveries } = await sandbox.client.idle();
		expect(deliveries).toMatchObject({
			attempts: 3,
			delivered: 0,
			failed: 1,
			responses: { none: 3 },
		});
		const { attempts, status } = await sandbox.client.getDelivery(sent.deliveries[0]);
		expect([status, attempts[0].status, attempts[0].error]).toEqual([
			'FAILED',
			null,
			expect.stringContaining('ECONNREFUSED'),
		]);
	});

	it('waits ten minutes unless told otherwise, and takes a shorter time at once', async () => {
		const hook = await receiver((_one, index) => ({ status: index === 0 ? 503 : 200 }));
		await sandbox.client.createEndpoint({ url: hook.url, events: ['*'] });
		const sent = await sandbox.client.emitEvent({ event: 'PAYMENT.CREATED' });
		const { nextAttemptAt, attempts } = await waitUntil(
			'the first attempt has failed',
			async () => {
				const delivery = await sandbox.client.getDelivery(sent.deliveries[0]);
				return delivery.status === 'RETRYING' && delivery;
			},
		);
		await expect(sandbox.client.idle(50)).rejects.toThrow('1 deliveries pending');
		expect(Math.round((nextAttemptAt! - attempts[0].at) / 60_000)).toBe(10);
		await sandbox.client.changeFaults({ retries: { intervalMs: 10 } });
		expect((await sandbox.client.idle()).deliveries.delivered).toBe(1);
	});

	it('can be repeated by hand, and ends with its endpoint', async () => {
		const hook = await receiver((_one, index) => ({ status: index === 0 ? 200 : 500 }));
		const { id } = await sandbox.client.createEndpoint({ url: hook.url, events: ['*'] });
		const sent = await sandbox.client.emitEvent({ event: 'PAYMENT.CREATED' });
		await sandbox.client.idle();
		const again = await sandbox.client.resendDelivery(sent.deliveries[0]);
		expect(again).toMatchObject({ copyOf: sent.deliveries[0], eventId: sent.id });
		await waitUntil('the repetition has come', () => hook.received.length === 2);
		expect(hook.received[1].body).toBe(hook.received[0].body);
		await sandbox.client.deleteEndpoint(id);
		expect((await sandbox.client.idle()).deliveries).toMatchObject({ delivered: 1, failed: 1 });
	});
});

describe('faults of deliveries', () => {
	it('doubles, triples and shuffles, so many at a time', async () => {
		await sandbox.client.setFaults({
			deliveries: { doubled: 0.5, tripled: 0.2, shuffled: 1, shuffleMs: 200, concurrency: 7 },
		});
		// The first seven stay open until all seven are there.
		const hook = await receiver((_one, index) => ({ status: 200, afterMs: index < 7 ? 1000 : 5 }));
		await sandbox.client.createEndpoint({ url: hook.url, events: ['*'] });
		for (let index = 0; index < 200; index++)
			await sandbox.client.emitEvent({ event: 'PAYMENT.CREATED', data: { index } });
		const { deliveries } = await sandbox.client.idle();
		const order = hook.received.map((one) => eventOf(one).data.index as number);
		expect(new Set(order).size).toBe(200);
		expect(deliveries.delivered).toBe(order.length);
		expect(Math.abs(order.length - 200 * 1.9)).toBeLessThan(40);
		expect(order).not.toEqual([...order].sort((a, b) => a - b));
		expect(hook.maxOpen()).toBe(7);
	});
});
