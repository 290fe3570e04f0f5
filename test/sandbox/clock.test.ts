import type { WebhookEvent } from '../../sandbox/types';
import { Webhook } from 'standardwebhooks';
import { transaction } from '../support/builders/transactions';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

const MINUTE_MS = 60_000;
/** Token expiry and a whole retry schedule take no longer than this by the clock. */
const BUDGET_MS = 5000;

let sandbox: SharedSandbox;
let receiver: WebhookReceiver;
let token: string;

const signIn = async () =>
	(await askToken(sandbox.url, await sandbox.client.createClient())).data.access_token;
const events = () => receiver.received.map(({ body }) => JSON.parse(body) as WebhookEvent);
const wait = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

beforeAll(async () => {
	[sandbox, receiver] = await Promise.all([
		sharedSandbox(),
		// Three events: one is acknowledged by its first attempt, one by its fifth, one never.
		startWebhookReceiver(({ body }) => {
			const { event } = JSON.parse(body) as WebhookEvent;
			const attempts = events().filter((one) => one.event === event).length;
			return { status: event === 'AT.ONCE' || (event === 'LATE.ONE' && attempts > 4) ? 200 : 503 };
		}),
	]);
});
beforeEach(async () => {
	await sandbox.client.reset({ everything: true });
	receiver.received.length = 0;
	token = await signIn();
});
afterAll(async () => await receiver.stop());

/** Emits the three events, and waits until their first attempts are over. */
async function emitThree(): Promise<string[]> {
	await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'] });
	const deliveries: string[] = [];
	for (const event of ['NEVER.DONE', 'AT.ONCE', 'LATE.ONE']) {
		deliveries.push(...(await sandbox.client.emitEvent({ event })).deliveries);
		await sandbox.client.setClock({ advanceMs: 1 });
	}
	return deliveries;
}

describe('the clock', () => {
	it('expires tokens and runs the whole retry schedule in seconds, in the order of its times', async () => {
		const started = Date.now();
		const { now } = await sandbox.client.setClock({ frozen: true });
		const deliveries = await emitThree();
		await sandbox.client.setClock({ advanceMs: 100 * MINUTE_MS });
		expect((await sendTransaction(sandbox.url, token, transaction(1))).status).toBe(401);
		const tookMs = Date.now() - started;
		console.log(`100 minutes of retries and the expiry of a token took ${tookMs} ms.`);
		expect(tookMs).toBeLessThan(BUDGET_MS);
		expect(events().map(({ event }) => event)).toEqual([
			...['NEVER.DONE', 'AT.ONCE', 'LATE.ONE'],
			...Array.from({ length: 4 }, () => ['NEVER.DONE', 'LATE.ONE']).flat(),
			...Array.from({ length: 5 }, () => 'NEVER.DONE'),
		]);
		const { status, attempts } = await sandbox.client.getDelivery(deliveries[0]);
		expect(status).toBe('FAILED');
		expect(attempts.map(({ at }) => Math.floor((at - now) / MINUTE_MS))).toEqual([
			0, 10, 20, 30, 40, 50, 60, 70, 80, 90,
		]);
	});

	it('forgets an Event ID after the time that is set: then it becomes another payment', async () => {
		const HOUR_MS = 60 * MINUTE_MS;
		await sandbox.client.setFaults({ forgetEventIdsAfterMs: 24 * HOUR_MS });
		await sandbox.client.setClock({ frozen: true });
		const statusAfter = async (advanceMs: number, change = {}) => {
			await sandbox.client.setClock({ advanceMs });
			token = await signIn();
			return (await sendTransaction(sandbox.url, token, { ...transaction(1), ...change })).status;
		};
		const later = { amount: '7.00', reference: 'TEST_REJECTED' };
		expect(await statusAfter(0)).toBe(202);
		expect(await statusAfter(24 * HOUR_MS)).toBe(409);
		expect(await statusAfter(1, later)).toBe(202);
		// The time counts from the second recording.
		expect(await statusAfter(24 * HOUR_MS)).toBe(409);
		const { items } = await sandbox.client.listPayments();
		expect(items.map(({ amount, status, metadata }) => [amount, status, metadata.eventId])).toEqual(
			[
				['7.00', 'REJECTED', 'event-1'],
				[transaction(1).amount, 'COMPLETED', 'event-1'],
			],
		);
		const found = await sandbox.client.search('event-1');
		expect(found.items.map(({ kind }) => kind)).toEqual(['transaction', 'payment', 'payment']);
		const { transactions } = await sandbox.client.getCounts();
		expect(transactions).toMatchObject({ created: 2, duplicates: 2, processing: 0 });
	});

	it('takes payments through their statuses at the times of the clock', async () => {
		const [{ id }] = [await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'] })];
		await sandbox.client.setFaults({ processingMs: 60 * MINUTE_MS, retries: { attempts: 1 } });
		const { now } = await sandbox.client.setClock({ frozen: true });
		await sendTransaction(sandbox.url, token, transaction(1));
		await sandbox.client.setClock({ advanceMs: 121 * MINUTE_MS });
		expect(events().map(({ data }) => data.status)).toEqual(['CREATED', 'PROCESSING']);
		await sandbox.client.setClock({ advanceMs: 60 * MINUTE_MS });
		expect(events().map(({ createdAt }) => (createdAt - now) / MINUTE_MS)).toEqual([60, 120, 180]);
		const { items } = await sandbox.client.listDeliveries({ endpointId: id });
		expect(items.map(({ createdAt }) => (createdAt - now) / MINUTE_MS)).toEqual([180, 120, 60]);
	});

	it('stands still while it is frozen, and goes on from there', async () => {
		await sandbox.client.setFaults({ processingMs: 1 });
		const frozen = await sandbox.client.setClock({ frozen: true });
		await sendTransaction(sandbox.url, token, transaction(1));
		await wait(150);
		expect((await sandbox.client.listPayments()).total).toBe(0);
		expect((await sandbox.client.getClock()).now).toBe(frozen.now);
		const going = await sandbox.client.setClock({ frozen: false, advanceMs: 5 * MINUTE_MS });
		expect([going.frozen, Math.round((going.now - frozen.now) / MINUTE_MS)]).toEqual([false, 5]);
		await sandbox.client.idle();
		await wait(20);
		expect((await sandbox.client.getClock()).now).toBeGreaterThan(going.now);
		await sandbox.client.reset();
		expect(await sandbox.client.getClock()).toMatchObject({ frozen: false, aheadMs: 0 });
		expect((await sendTransaction(sandbox.url, token, transaction(2))).status).toBe(202);
	});

	it('signs with the real time, so that receivers accept what is sent hours ahead', async () => {
		const { secret } = await sandbox.client.createEndpoint({
			url: receiver.url,
			events: ['*'],
			scheme: 'standardWebhooks',
		});
		await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'] });
		await sandbox.client.setClock({ frozen: true, advanceMs: 600 * MINUTE_MS });
		await sandbox.client.emitEvent({ event: 'AT.ONCE' });
		await sandbox.client.idle();
		const standard = receiver.received.find(({ headers }) => headers['webhook-id'])!;
		expect(() =>
			new Webhook(secret).verify(standard.body, standard.headers as Record<string, string>),
		).not.toThrow();
		const message = receiver.received.find(({ headers }) => headers['signature-input'])!;
		const [, created] = /created=(\d+)/.exec(String(message.headers['signature-input']))!;
		expect(Math.abs(Number(created) - Date.now() / 1000)).toBeLessThan(30);
	});

	it('ends a change in progress with a reset', async () => {
		await sandbox.client.changeFaults({ retries: { attempts: 1_000_000, intervalMs: 1 } });
		await emitThree();
		const change = sandbox.client.setClock({ advanceMs: 10 * 24 * 60 * MINUTE_MS });
		await wait(100);
		await sandbox.client.reset();
		expect(await change).toMatchObject({ frozen: false, aheadMs: 0 });
	});
});
