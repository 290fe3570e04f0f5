import { eventTypes } from '../../nodes/PaymentsTrigger/description';
import type { WebhookEvent } from '../../sandbox/types';
import { transaction } from '../support/builders/transactions';
import { eventIssues, eventCatalog } from '../support/eventCatalog';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import type { SharedSandbox } from '../support/servers/sharedSandbox';
import { useEventReceiver } from '../support/servers/eventReceiver';

const events = Object.keys(eventCatalog);

let sandbox: SharedSandbox;
let received: () => WebhookEvent[];
useEventReceiver((...both) => ([sandbox, received] = both));

describe('the event catalog of the contract', () => {
	it.each(events)('%s has an example that fits its schema', (event) => {
		expect(eventCatalog[event].example.event).toBe(event);
		expect(eventIssues(eventCatalog[event].example)).toEqual([]);
	});

	it('has the event types that the trigger offers', () =>
		expect(eventTypes.map(({ value }) => value).sort()).toEqual([...events].sort()));
});

describe('what the sandbox sends', () => {
	it('fits the catalog for a test event of each type, with its own ID and time', async () => {
		const before = Date.now();
		for (const event of events) await sandbox.client.emitEvent({ event });
		await sandbox.client.idle();
		const sent = received();
		expect(sent.map(({ event }) => event).sort()).toEqual([...events].sort());
		for (const one of sent) {
			expect([one.event, ...eventIssues(one)]).toEqual([one.event]);
			const { example } = eventCatalog[one.event];
			expect(one.previousValues).toEqual(example.previousValues);
			expect(one.data.id).not.toBe(example.data.id);
			expect(one.data.updatedAt as number).toBeGreaterThanOrEqual(before);
		}
	});

	it('fits the catalog for transactions and payments', async () => {
		await sandbox.client.setFaults({ processingMs: 1 });
		const { data } = await askToken(sandbox.url, await sandbox.client.createClient());
		await sendTransaction(sandbox.url, data.access_token, transaction(1));
		const payment = await sandbox.client.createPayment({ amount: '1', currency: 'EUR' });
		await sandbox.client.setPaymentStatus(payment.id, 'COMPLIANCE_REVIEW');
		await sandbox.client.idle();
		expect(received()).toHaveLength(5);
		expect(received().flatMap(eventIssues)).toEqual([]);
	});

	it('has the data of its family for a type that the catalog does not have', async () => {
		for (const event of ['PAYEE.RENAMED', 'constructor', 'NEW.KIND'])
			await sandbox.client.emitEvent({ event });
		await sandbox.client.idle();
		const data = Object.fromEntries(received().map((one) => [one.event, one.data]));
		expect(Object.keys(data['PAYEE.RENAMED'])).toContain('name');
		expect(Object.keys(data['NEW.KIND'])).toEqual(['id']);
		expect(Object.keys(data.constructor as object)).toEqual(['id']);
	});
});
