import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import { responses } from '../../nodes/PaymentsTrigger/responses';
import type { N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { outputOf } from '../../host/n8n/executions';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import type { Delivery, EndpointWithSecret } from '../../sandbox/types';
import { sharedN8n } from './shared';

let n8n: N8nClient;
let sandbox: Sandbox;
let endpoint: EndpointWithSecret;
let workflow: StoredWorkflow;
let address: string;

beforeAll(async () => {
	n8n = sharedN8n();
	sandbox = await launchSandbox();
	const example = readExample('listen-to-payments');
	address = (await n8n.webhookUrls(example, 'Payments Trigger')).production;
	endpoint = await sandbox.client.createEndpoint({ url: address, events: ['*'] });
	workflow = await n8n.importWorkflow(example, [
		await createPaymentsWebhookApi(n8n, endpoint.secret),
	]);
	await n8n.activate(workflow);
});
afterAll(async () => {
	await n8n.deactivate(workflow);
	await sandbox.stop();
});

/** Lets the service deliver an event to the endpoint and resolves once it is answered. */
async function deliver(event: string, data: Record<string, unknown>): Promise<Delivery> {
	const { deliveries } = await sandbox.client.sendTestEvent(endpoint.id, { event, data });
	await sandbox.client.idle();
	return await sandbox.client.getDelivery(deliveries[0]);
}

/** How many executions there are, once all are over. */
const executionsNow = async (atLeast = 0) => await n8n.ended(workflow, atLeast);

const post = async (body: string, headers: Record<string, string> = {}) =>
	await axios.post(address, body, {
		headers: { 'content-type': 'application/json', ...headers },
		proxy: false,
		validateStatus: null,
	});

test('a signed event that is listened to runs the workflow, as it came', async () => {
	const before = (await executionsNow()).count;
	const data = {
		id: 'pmt_e2e',
		amount: '12.30',
		currency: 'EUR',
		status: 'COMPLETED',
		reference: 'Grüße & <b>',
		metadata: { externalId: 'e2e-1' },
	};
	const delivery = await deliver('PAYMENT.STATUS_UPDATED', data);
	expect(delivery.attempts.map(({ status }) => status)).toEqual([200]);

	const { count, results } = await executionsNow(before + 1);
	expect(count).toBe(before + 1);
	const execution = await n8n.execution(results[0].id);
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Payments Trigger').map(({ json }) => json)).toEqual([
		JSON.parse(delivery.body),
	]);
	expect(outputOf(execution, 'Completed Payments Only').map(({ json }) => json)).toEqual([
		{
			event: 'PAYMENT.STATUS_UPDATED',
			status: 'COMPLETED',
			reference: 'Grüße & <b>',
			amount: '12.30',
			currency: 'EUR',
			externalId: 'e2e-1',
		},
	]);
});

test('the same delivery again, and an event type that is not listened to, are accepted without an execution', async () => {
	const earlier = (await executionsNow()).count;
	const first = await deliver('PAYMENT.CREATED', { id: 'pmt_again' });
	const before = (await executionsNow(earlier + 1)).count;
	const again = await sandbox.client.resendDelivery(first.id);
	const other = await deliver('PAYEE.DELETED', { id: 'pye_1' });
	await sandbox.client.idle();
	const repeated = await sandbox.client.getDelivery(again.id);
	expect(repeated.body).toBe(first.body);
	expect(repeated.attempts.map(({ status }) => status)).toEqual([200]);
	expect(other.attempts.map(({ status }) => status)).toEqual([200]);
	expect((await executionsNow()).count).toBe(before);
});

test('Respond: Immediately, and the workflow fails: a person gets the event through with Deduplicate at 0', async () => {
	const [trigger] = readExample('listen-to-payments').nodes;
	const failing = (options: INodeParameters) => ({
		name: 'Fails',
		nodes: [
			{ ...trigger, parameters: { ...trigger.parameters, options } },
			{
				id: 'fails',
				name: 'Fails',
				type: 'n8n-nodes-base.stopAndError',
				typeVersion: 1,
				position: [220, 0] as [number, number],
				parameters: { errorMessage: 'no' },
			},
		],
		connections: {
			'Payments Trigger': { main: [[{ node: 'Fails', type: 'main' as const, index: 0 }]] },
		},
		settings: { executionOrder: 'v1' as const },
	});
	/** Delivers an event, and once more: what the second delivery is answered, and all executions. */
	async function deliverTwice(options: INodeParameters) {
		const { production } = await n8n.webhookUrls(failing(options), 'Payments Trigger');
		const own = await sandbox.client.createEndpoint({ url: production, events: ['NONE.OF_THESE'] });
		const credential = await createPaymentsWebhookApi(n8n, own.secret);
		const stored = await n8n.importWorkflow(failing(options), [credential]);
		await n8n.activate(stored);
		const { deliveries } = await sandbox.client.sendTestEvent(own.id, { event: 'PAYMENT.CREATED' });
		await sandbox.client.idle();
		await n8n.ended(stored, 1);
		const { id } = await sandbox.client.resendDelivery(deliveries[0]);
		await sandbox.client.idle();
		const { attempts } = await sandbox.client.getDelivery(id);
		const { results } = await n8n.ended(stored, 1);
		await n8n.deactivate(stored);
		return [attempts.map(({ status }) => status), attempts[0].responseBody ?? '', results.length];
	}
	const duplicate = expect.stringContaining(responses.duplicate.message) as string;
	expect(await deliverTwice({})).toEqual([[200], duplicate, 1]);
	expect(await deliverTwice({ deduplicate: 0 })).toEqual([[200], '', 2]);
});

describe('what the service did not sign is rejected and runs nothing', () => {
	const body = JSON.stringify({
		id: 'evt_forged',
		event: 'PAYMENT.CREATED',
		data: {},
		previousValues: {},
		createdAt: Date.now(),
	});
	let signed: Record<string, string>;
	beforeAll(async () => {
		const { count } = await executionsNow();
		const { attempts } = await deliver('PAYMENT.CREATED', { id: 'pmt_signed' });
		await executionsNow(count + 1);
		signed = Object.fromEntries(
			Object.entries(attempts[0].requestHeaders).filter(([name]) =>
				/^(digest|signature)/i.test(name),
			),
		);
		expect(Object.keys(signed)).toHaveLength(3);
	});

	const forged: Array<[string, () => Record<string, string>]> = [
		['no signature', () => ({})],
		['the signature of another body', () => signed],
		['an invented signature', () => ({ ...signed, signature: `fr1=:${'0'.repeat(64)}:` })],
	];
	test.each(forged)('%s: 401', async (_, headers) => {
		const before = (await executionsNow()).count;
		expect((await post(body, headers())).status).toBe(401);
		expect((await executionsNow()).count).toBe(before);
	});
});

test('at the test URL, the editor shows the next event while it listens', async () => {
	const example = readExample('listen-to-payments');
	const { test: testAddress } = await n8n.webhookUrls(example, 'Payments Trigger');
	const own = await sandbox.client.createEndpoint({ url: testAddress, events: ['*'] });
	const trial = await n8n.importWorkflow(example, [
		await createPaymentsWebhookApi(n8n, own.secret),
	]);
	expect(await n8n.start(trial, 'Payments Trigger')).toBeUndefined();
	await sandbox.client.sendTestEvent(own.id, {
		event: 'PAYMENT.CREATED',
		data: { id: 'pmt_test' },
	});
	await sandbox.client.idle();
	expect((await n8n.ended(trial, 1)).results).toMatchObject([
		{ mode: 'manual', status: 'success' },
	]);
});

test('at the test URL, a delivery with a wrong secret ends the listening with the reason', async () => {
	const example = readExample('listen-to-payments');
	const { test: testAddress } = await n8n.webhookUrls(example, 'Payments Trigger');
	const credential = await createPaymentsWebhookApi(n8n, 'another secret of 16');
	const trial = await n8n.importWorkflow(example, [credential]);
	await n8n.start(trial, 'Payments Trigger');
	const own = await sandbox.client.createEndpoint({ url: testAddress, events: ['NONE.OF_THESE'] });
	const { deliveries } = await sandbox.client.sendTestEvent(own.id, { event: 'PAYMENT.CREATED' });
	const { results } = await n8n.ended(trial, 1);
	const execution = await n8n.execution(results[0].id);
	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error?.message).toMatch(/secret/);
	const { attempts } = await sandbox.client.getDelivery(deliveries[0]);
	expect(attempts[0].status).toBe(401);
	expect(attempts[0].responseBody).toMatch(/secret/);
	await sandbox.client.deleteEndpoint(own.id);
});

test('a trigger that could let nobody in says so when the workflow is published', async () => {
	for (const [secret, words] of [
		['short', /secret is shorter/],
		['', /secret is empty/],
	] as const) {
		const workflow = await n8n.importWorkflow(readExample('listen-to-payments'), [
			await createPaymentsWebhookApi(n8n, secret),
		]);
		await expect(n8n.activate(workflow)).rejects.toThrow(words);
	}
});

test('with a Path, another node has the same URL, and two published ones get the message of n8n', async () => {
	const path = `payments-${Date.now()}`;
	const [trigger] = readExample('listen-to-payments').nodes;
	const withPath = () => ({
		name: 'With a path',
		nodes: [
			{
				...trigger,
				id: crypto.randomUUID(),
				webhookId: crypto.randomUUID(),
				parameters: { ...trigger.parameters, authentication: 'none', options: { path } },
				credentials: {},
			},
		],
		connections: {},
		settings: { executionOrder: 'v1' as const },
	});
	const [first, second] = [
		await n8n.importWorkflow(withPath()),
		await n8n.importWorkflow(withPath()),
	];
	const send = async () =>
		(
			await axios.post(
				`${n8n.url}/webhook/${path}`,
				{ event: 'PAYMENT.CREATED' },
				{ proxy: false, validateStatus: null },
			)
		).status;
	await n8n.activate(first);
	expect(await send()).toBe(200);
	// The other node would have the same URL.
	await expect(n8n.activate(second)).rejects.toThrow(/conflict/i);
	await n8n.deactivate(first);
});
