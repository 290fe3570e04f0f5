import axios from 'axios';
import type { N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { outputOf } from '../../host/n8n/executions';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import type { EndpointWithSecret } from '../../sandbox/types';
import { sharedN8n } from './shared';

let n8n: N8nClient;
let sandbox: Sandbox;
let endpoint: EndpointWithSecret;
let workflow: StoredWorkflow;
let address: string;

beforeAll(async () => {
	n8n = sharedN8n();
	sandbox = await launchSandbox();
	const example = readExample('events-by-type');
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

test('a signed event that is listened to runs the workflow, as it came', async () => {
	const data = {
		id: 'pmt_e2e',
		amount: '12.30',
		currency: 'EUR',
		status: 'COMPLETED',
		reference: 'Grüße & <b>',
		metadata: { externalId: 'e2e-1' },
	};
	const previousValues = { status: 'PROCESSING' };
	const event = { event: 'PAYMENT.STATUS_UPDATED', data, previousValues };
	const { deliveries } = await sandbox.client.sendTestEvent(endpoint.id, event);
	await sandbox.client.idle();
	const delivery = await sandbox.client.getDelivery(deliveries[0]);
	expect(delivery.attempts.map(({ status }) => status)).toEqual([200]);

	const results = await n8n.ended(workflow, 1);
	expect(results).toHaveLength(1);
	const execution = await n8n.execution(results[0].id);
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Payments Trigger').map(({ json }) => json)).toEqual([
		JSON.parse(delivery.body),
	]);
	expect(outputOf(execution, 'Payment Status Updated').map(({ json }) => json)).toEqual([
		{ say: 'The payment pmt_e2e is COMPLETED; it was PROCESSING.' },
	]);
});

test('with a Path, another node has the same URL, and two published ones get the message of n8n', async () => {
	const path = `payments-${Date.now()}`;
	const [trigger] = readExample('events-by-type').nodes;
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
