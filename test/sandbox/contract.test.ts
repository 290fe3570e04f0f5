import { eventTypes, recommendedEventTypes } from '../../nodes/PaymentsTrigger/eventTypes';
import { document, newValidator } from '../../sandbox/contract';
import type { State, WebhookEvent } from '../../sandbox/types';
import { transaction } from '../support/builders/transactions';
import { eventIssues } from '../support/eventCatalog';
import { askToken, http, sendTransaction } from '../support/servers/sandboxCalls';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';
import { startWebhookReceiver } from '../support/servers/webhookReceiver';

interface Operation {
	operationId: string;
	responses: Record<string, unknown>;
}
interface Contract {
	paths: Record<string, Record<string, Operation>>;
}
const { paths } = document as unknown as Contract;
const validator = newValidator({ strictSchema: false, validateSchema: false }).addSchema(
	document,
	'contract',
);
const pointer = (...parts: string[]) =>
	parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

const operations = Object.entries(paths).flatMap(([path, methods]) =>
	Object.entries(methods)
		.filter(([, { operationId }]) => operationId)
		.map(([method, { operationId, responses }]) => ({ path, method, operationId, responses })),
);

/** What the contract has against an answer; empty when nothing. */
function problemsOf(operationId: string, status: number, body: unknown): string[] {
	const { path, method, responses } = operations.find((one) => one.operationId === operationId)!;
	const response = responses[status] as { $ref?: string; content?: object } | undefined;
	if (!response) return [`the contract knows no ${status} of ${operationId}`];
	if (!response.$ref && !response.content) return body === '' ? [] : ['the contract knows no body'];
	const at = response.$ref ?? `#${pointer('paths', path, method, 'responses', String(status))}`;
	const validate = validator.getSchema(
		`contract${at}${pointer('content', 'application/json', 'schema')}`,
	)!;
	return validate(body)
		? []
		: (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
}

describe('every answer of the sandbox fits its contract', () => {
	let sandbox: SharedSandbox;
	const seen = new Set<string>();

	/** Calls an operation and holds its answer against the contract. */
	async function call<Answer>(
		operationId: string,
		expected: number,
		options: { id?: string; data?: object; params?: object } = {},
	): Promise<Answer> {
		const { path, method } = operations.find((one) => one.operationId === operationId)!;
		const { id = '', data, params } = options;
		const answer = await http.request<Answer>({
			method,
			url: sandbox.url + path.replace('{id}', id),
			data,
			params,
		});
		expect([
			operationId,
			answer.status,
			problemsOf(operationId, answer.status, answer.data),
		]).toEqual([operationId, expected, []]);
		seen.add(operationId);
		return answer.data;
	}

	beforeAll(async () => (sandbox = await sharedSandbox()));
	beforeEach(async () => await sandbox.client.reset({ everything: true }));
	// Not a test of its own, because tests run in any order.
	afterAll(() => {
		const leftOut = operations.filter(({ operationId }) => !seen.has(operationId));
		expect(leftOut.map(({ operationId }) => operationId)).toEqual([]);
	});

	it('of clients, tokens and transactions', async () => {
		const client = await call<{ clientId: string; clientSecret: string }>('createClient', 201, {
			data: { name: 'One' },
		});
		await call('createClient', 409, { data: { clientId: client.clientId } });
		await call('createClient', 400, { data: { scopes: [] } });
		await call('listClients', 200);
		const token = await askToken(sandbox.url, client);
		expect(problemsOf('createToken', token.status, token.data)).toEqual([]);
		const rejected = await askToken(sandbox.url, { ...client, clientSecret: 'wrong' });
		expect(problemsOf('createToken', rejected.status, rejected.data)).toEqual([]);
		await call('listTokens', 200);
		for (const body of [transaction(1), transaction(1), {}]) {
			const { status, data } = await sendTransaction(sandbox.url, token.data.access_token, body);
			expect([status, problemsOf('createTransaction', status, data)]).toEqual([
				expect.any(Number),
				[],
			]);
		}
		for (const operationId of ['createToken', 'createTransaction']) seen.add(operationId);
		await call('listTransactions', 200);
		const { items } = await call<{ items: Array<{ id: string }> }>('listRequests', 200);
		await call('getRequest', 200, { id: items[0].id });
		await call('getRequest', 404, { id: 'none' });
		await call('getClient', 200, { id: client.clientId });
		await call('deleteClient', 204, { id: client.clientId });
		await call('getClient', 404, { id: client.clientId });
		await call('deleteClient', 404, { id: client.clientId });
	});

	it('of endpoints, events and deliveries, and what is delivered fits the webhooks of the contract', async () => {
		const hook = await startWebhookReceiver((_one, index) => ({ status: index === 0 ? 500 : 200 }));
		const { id } = await call<{ id: string }>('createEndpoint', 201, {
			data: { url: hook.url, events: ['*'], scheme: 'hmacSha256', prefix: 'sha256=' },
		});
		await call('createEndpoint', 400, { data: { url: 'file:///etc', events: [] } });
		await call('listEndpoints', 200);
		await call('getEndpoint', 200, { id });
		await call('getEndpoint', 404, { id: 'none' });
		await call('revealSecret', 200, { id });
		await call('rotateSecret', 200, { id });
		await call('revealSecret', 404, { id: 'none' });
		await call('changeFaults', 200, { data: { retries: { intervalMs: 100 } } });
		await call('sendTestEvent', 202, { id, data: { event: 'PAYMENT.CREATED' } });
		await call('emitEvent', 202, { data: { event: 'PAYMENT.STATUS_UPDATED' } });
		const account = await call<{ id: string }>('createVirtualAccount', 201, { data: {} });
		await call('getVirtualAccount', 200, { id: account.id });
		await call('getVirtualAccount', 404, { id: 'none' });
		await call('assignBankDetails', 200, { id: account.id });
		await call('assignBankDetails', 409, { id: account.id });
		await call('listDeliveries', 200);
		await sandbox.client.idle();
		const { items } = await call<{ items: Array<{ id: string }> }>('listDeliveries', 200, {
			params: { status: 'DELIVERED', limit: 1 },
		});
		await call('getDelivery', 200, { id: items[0].id });
		await call('resendDelivery', 202, { id: items[0].id });
		await call('getDelivery', 404, { id: 'none' });
		const kinds = new Set<string>();
		for (const { body } of hook.received) {
			const event = JSON.parse(body) as WebhookEvent;
			expect([event.event, ...eventIssues(event)]).toEqual([event.event]);
			kinds.add(event.event);
		}
		expect([...kinds].sort()).toEqual([
			'PAYMENT.CREATED',
			'PAYMENT.STATUS_UPDATED',
			'VIRTUAL_ACCOUNT.CREATED',
			'VIRTUAL_ACCOUNT.STATUS_UPDATED',
		]);
		await call('setVirtualAccountStatus', 200, { id: account.id, data: { status: 'BLOCKED' } });
		await call('setVirtualAccountStatus', 409, { id: account.id, data: { status: 'CREATED' } });
		await call('listVirtualAccounts', 200);
		await call('deleteEndpoint', 204, { id });
		await hook.stop();
	});

	it('of payments, faults, counts and the state', async () => {
		const payment = await call<{ id: string }>('createPayment', 201, {
			data: { amount: '10.5', currency: 'EUR' },
		});
		await call('setPaymentStatus', 200, { id: payment.id, data: { status: 'REJECTED' } });
		await call('setPaymentStatus', 409, { id: payment.id, data: { status: 'COMPLETED' } });
		await call('setPaymentStatus', 404, { id: 'none', data: { status: 'COMPLETED' } });
		await call('getPayment', 200, { id: payment.id });
		await call('getPayment', 404, { id: 'none' });
		const { items } = await call<{ items: Array<{ id: string }> }>('listEvents', 200, {
			params: { about: payment.id },
		});
		await call('getEvent', 200, { id: items[0].id });
		await call('getEvent', 404, { id: 'none' });
		await call('search', 200, { params: { id: payment.id } });
		await call('search', 400);
		await call('listPayments', 200, { params: { status: 'REJECTED' } });
		await call('setFaults', 200, {
			data: {
				next: [{ status: 503, times: 3, on: 'token' }],
				token: { status: 500, noRefreshToken: true },
				revokeTokens: { every: 5 },
			},
		});
		await call('setFaults', 400, { data: { next: [{ state: 503 }] } });
		await call('getFaults', 200);
		await call('setClock', 200, { data: { frozen: true, advanceMs: 1000 } });
		await call('setClock', 400, { data: { advanceMs: -1 } });
		await call('getClock', 200);
		await call('getCounts', 200);
		const sequence = { name: 'One', events: [{ event: 'PAYMENT.CREATED' }] };
		const { id } = await call<{ id: string }>('createSequence', 201, { data: sequence });
		await call('createSequence', 409, { data: sequence });
		await call('createSequence', 400, { data: { name: 'Two', events: [] } });
		await call('createSequence', 409, { data: { name: 'Two', about: 'nobody' } });
		await call('listSequences', 200);
		await call('getSequence', 200, { id });
		await call('getSequence', 404, { id: 'none' });
		await call('replaySequence', 202, { id });
		await call('replaySequence', 404, { id: 'none' });
		const state = await call<State>('saveState', 200);
		await call('loadState', 200, { data: state });
		await call('loadState', 400, { data: {} });
		await call('loadState', 409, { data: { ...state, payments: [payment, payment] } });
		await call('deleteSequence', 204, { id });
		await call('deleteSequence', 404, { id });
		await call('reset', 204, { params: { everything: true } });
	});

	it('of the stream, which tells what changed and ends with its reader', async () => {
		const ending = new AbortController();
		const { body } = await fetch(`${sandbox.url}/sandbox/changes`, { signal: ending.signal });
		let text = '';
		const told = async (pattern: RegExp) => {
			for await (const chunk of body!.values({ preventCancel: true })) {
				text += Buffer.from(chunk).toString();
				const [, data] = pattern.exec(text) ?? [];
				if (data) return JSON.parse(data) as unknown;
			}
			return undefined;
		};
		expect(await told(/event: hello\ndata: (.*)\n\n/)).toEqual({
			instance: expect.any(String),
			startedAt: expect.any(Number),
			clock: { now: expect.any(Number), frozen: false, aheadMs: 0 },
			counts: await sandbox.client.getCounts(),
		});
		await sandbox.client.createVirtualAccount();
		expect(await told(/event: changed\ndata: (.*)\n\n/)).toMatchObject({
			areas: ['accounts', 'events'],
			counts: { events: { types: { 'VIRTUAL_ACCOUNT.CREATED': 1 } } },
		});
		ending.abort();
		seen.add('streamChanges');
	});

	it('of the file of scenarios', async () => {
		const { headers } = await http.get(`${sandbox.url}/sandbox/scenarios`);
		const { path, responses } = operations.find(
			({ operationId }) => operationId === 'getScenarioFile',
		)!;
		const { content } = responses[200] as { content: object };
		expect([path, String(headers['content-type']).split(';')]).toEqual([
			'/sandbox/scenarios',
			[...Object.keys(content), ' charset=utf-8'],
		]);
		seen.add('getScenarioFile');
	});

	it('of the vocabulary, which knows the event types that the trigger offers', async () => {
		const { events, recommendedEvents } = await call<{
			events: string[];
			recommendedEvents: string[];
		}>('getVocabulary', 200);
		expect(events).toEqual(eventTypes.map(({ value }) => value));
		expect([...recommendedEvents].sort()).toEqual([...recommendedEventTypes].sort());
	});
});
