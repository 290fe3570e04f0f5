import { SandboxState } from '../../sandbox/state/sandboxState';
import { restoreSnapshot, serializeState, takeSnapshot } from '../../sandbox/state/snapshot';
import type { State } from '../../sandbox/types';
import { transaction } from '../support/builders/transactions';
import { askToken, http, sendTransaction } from '../support/servers/sandboxCalls';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

const OWN = { clientId: 'my-client', clientSecret: 'my-own-client-secret' };
const OWN_SIGNING_SECRET = 'my-own-signing-secret';

let sandbox: SharedSandbox;
let receiver: WebhookReceiver;

beforeAll(async () => {
	[sandbox, receiver] = await Promise.all([
		sharedSandbox(),
		startWebhookReceiver((_delivery, index) => ({ status: index === 0 ? 503 : 200 })),
	]);
});
afterAll(async () => {
	await receiver.stop();
});
beforeEach(async () => {
	receiver.received.length = 0;
	await sandbox.client.reset({ everything: true });
});

/** Something of everything, with secrets of the user at every place that can have one. */
async function fill(): Promise<void> {
	const { client } = sandbox;
	await client.createClient(OWN);
	const fixed = { scheme: 'hmacSha256', headerName: 'x-own', secret: OWN_SIGNING_SECRET } as const;
	await client.createEndpoint({
		...fixed,
		url: `${receiver.url.replace('//', '//user:my-password@')}?key=my-query-secret`,
		label: 'Forwarded to http://other/?key=my-query-secret',
		events: ['*'],
	});
	const { access_token } = (await askToken(sandbox.url, OWN)).data;
	await http.post(`${sandbox.url}/api/v1/transactions`, transaction(1), {
		headers: { authorization: `Bearer ${access_token}`, 'x-api-key': 'my-header-secret' },
	});
	await http.post(`${sandbox.url}/passport/oauth/token`, { client_secret: OWN.clientSecret });
	const { id } = await client.createVirtualAccount({ label: 'Shop' });
	await client.createPayment({ amount: '1', currency: 'EUR', toId: id });
	await client.createSequence({ name: 'Two', events: [{ event: 'PAYEE.CREATED' }] });
	await client.setFaults({ retries: { attempts: 3, intervalMs: 3_600_000 }, processingMs: 1 });
	await new Promise((resolve) => setTimeout(resolve, 200));
	await client.setClock({ frozen: true, advanceMs: 60_000 });
}

const lists = async (): Promise<object> => {
	const { client } = sandbox;
	return {
		transactions: await client.listTransactions(),
		payments: await client.listPayments(),
		accounts: await client.listVirtualAccounts(),
		events: await client.listEvents(),
		requests: await client.listRequests(),
		sequences: await client.listSequences(),
		faults: await client.getFaults(),
	};
};

describe('a saved state', () => {
	it('has no secret of the user, unless that is asked for', async () => {
		await fill();
		const text = JSON.stringify(await sandbox.client.saveState());
		for (const secret of ['my-password', 'my-query-secret', 'my-header-secret', OWN_SIGNING_SECRET])
			expect([secret, text.includes(secret)]).toEqual([secret, false]);
		expect(text).not.toContain(OWN.clientSecret);
		expect(text).not.toContain('secretDigest');
		expect(text).toContain(transaction(1).externalId);

		const whole = await sandbox.client.saveState({ secrets: true });
		expect(whole.endpoints).toMatchObject([{ secret: OWN_SIGNING_SECRET }]);
		expect(whole.clients).toMatchObject([
			{ clientId: OWN.clientId, secretDigest: expect.any(String) },
		]);
		expect(JSON.stringify(whole)).not.toContain(OWN.clientSecret);
	});

	it('is loaded as it was, but sends nothing', async () => {
		await fill();
		const state = await sandbox.client.saveState({ secrets: true });
		const before = await lists();
		const received = receiver.received.length;
		await sandbox.client.reset({ everything: true });
		expect(await sandbox.client.loadState(state)).toEqual({ clients: [], endpoints: [] });

		expect(await lists()).toEqual(before);
		const { frozen, now } = await sandbox.client.getClock();
		expect([frozen, now]).toEqual([true, state.clock!.now]);
		const pending = state.deliveries!.filter(({ status }) => status === 'RETRYING');
		expect(pending.length).toBeGreaterThan(0);
		const { items } = await sandbox.client.listDeliveries();
		expect(items.filter(({ status }) => status === 'FAILED')).toHaveLength(pending.length);
		const { transactions, deliveries } = await sandbox.client.getCounts();
		expect(transactions).toMatchObject({ created: 1, processing: 0 });
		expect(deliveries).toMatchObject({ pending: 0, created: state.counts!.deliveries.created });
		await sandbox.client.setClock({ advanceMs: 7_200_000 });
		expect(receiver.received).toHaveLength(received);

		const { access_token } = (await askToken(sandbox.url, OWN)).data;
		expect((await sendTransaction(sandbox.url, access_token, transaction(1))).status).toBe(409);
		await sandbox.client.resendDelivery(pending[0].id);
		await sandbox.client.idle();
		expect(receiver.received).toHaveLength(received + 1);
		expect(receiver.received.at(-1)!.headers['x-own']).toMatch(/^[0-9a-f]{64}$/);
	});

	it('without secrets gets new ones, which work', async () => {
		await fill();
		const state = await sandbox.client.saveState();
		const { clients, endpoints } = await sandbox.client.loadState(state);
		expect(clients).toMatchObject([{ clientId: OWN.clientId }]);
		expect(endpoints).toEqual((await sandbox.client.listEndpoints()).map(({ id }) => id));
		expect((await askToken(sandbox.url, OWN)).status).toBe(401);
		expect((await askToken(sandbox.url, clients[0])).status).toBe(200);
		const { secret } = await sandbox.client.revealSecret(endpoints[0]);
		expect(secret).not.toBe(OWN_SIGNING_SECRET);
	});

	it.each<[string, (state: State) => unknown, string]>([
		['of another version', (state) => ({ ...state, sandbox: 2 }), 'sandbox: Must be 1'],
		[
			'with an unknown member',
			(state) => ({ ...state, secrets: [] }),
			'secrets: Field is not known',
		],
		[
			'with a wrong status',
			({ payments, ...state }) => ({ ...state, payments: [{ ...payments![0], status: 'PAID' }] }),
			'payments.0.status: Must be one of CREATED',
		],
		[
			'with a time that no date has',
			({ payments, ...state }) => ({ ...state, payments: [{ ...payments![0], createdAt: 1e300 }] }),
			'payments.0.createdAt',
		],
		[
			'with an endpoint that has no URL',
			({ endpoints, ...state }) => ({
				...state,
				endpoints: [{ ...endpoints![0], url: 'file:///x' }],
			}),
			'endpoints.0.url',
		],
		[
			'with the same payment twice',
			({ payments, ...state }) => ({ ...state, payments: [payments![0], payments![0]] }),
			'payments.1.id: Is that of payments.0',
		],
		[
			'with the transaction of another Event ID',
			({ transactions, ...state }) => ({
				...state,
				transactions: [{ ...transactions![0], eventId: 'other' }],
			}),
			'transactions.0.eventId',
		],
		[
			'with a body that is no JSON',
			({ deliveries, ...state }) => ({ ...state, deliveries: [{ ...deliveries![0], body: 'x' }] }),
			'deliveries.0.body',
		],
	])('%s changes nothing, and the message says where', async (_what, change, place) => {
		await fill();
		const changed = change(await sandbox.client.saveState()) as State;
		const before = await lists();
		await expect(sandbox.client.loadState(changed)).rejects.toThrow(place);
		expect(await lists()).toEqual(before);
		expect((await askToken(sandbox.url, OWN)).status).toBe(200);
	});

	it('knows the Event IDs of transactions that are not kept anymore', () => {
		const state = new SandboxState(1);
		for (let id = 0; id < 4500; id++) state.transactions.accept(transaction(id), 'PAYMENTS', false);
		const text = serializeState(state, false);
		state.reset(true);
		const other = new SandboxState(1);
		restoreSnapshot(other, JSON.parse(text) as State);
		expect(other.transactions.log.get('event-0')).toBeUndefined();
		expect(other.transactions.accept(transaction(0), 'PAYMENTS', false)).toBe('eventExists');
		expect(other.transactions.accept(transaction(4500), 'PAYMENTS', false)).toBe('created');
		other.reset(true);
	});

	it('goes on where a scenario was', () => {
		const state = new SandboxState(1);
		const scenario = {
			name: 'TEST_X',
			summary: '',
			outcome: 'created',
			response: { status: 503 },
			times: 1,
		} as const;
		expect(state.scenarioRequests.next(scenario, 'event-1')).toEqual({ status: 503 });
		const other = new SandboxState(1);
		restoreSnapshot(other, takeSnapshot(state, false));
		expect(other.scenarioRequests.next(scenario, 'event-1')).toBeUndefined();
		expect(other.scenarioRequests.next(scenario, 'event-2')).toEqual({ status: 503 });
	});

	it('is not saved if it is larger than what can be loaded', () => {
		const state = new SandboxState(1);
		const text = 'x'.repeat(1_000_000);
		for (let index = 0; index < 70; index++) state.accounts.create({ metadata: { text } });
		expect(() => serializeState(state, false)).toThrow('64 MB');
		state.reset(true);
	});
});
