import type { INode } from 'n8n-workflow';

import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
import { document } from '../../sandbox/contract';
import type { Scenario, WebhookEvent } from '../../sandbox/types';
import { eventsOf } from '../support/scenarios';
import { sharedN8n, useService } from './shared';

const n8n = sharedN8n();
const service = useService(n8n);
const scenarios = document['x-scenarios'] as Scenario[];

const node = (name: string, type: string, typeVersion: number, parameters: INode['parameters']) =>
	({ id: name, name, type, typeVersion, position: [0, 0], parameters }) as INode;

/** The file of the scenarios, read and sent as a user does it: all rows in one execution. */
function workflow() {
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		node('Get File', 'n8n-nodes-base.httpRequest', 4.2, {
			url: `${service.sandbox.url}/sandbox/scenarios`,
			options: { response: { response: { responseFormat: 'file' } } },
		}),
		node('Extract from File', 'n8n-nodes-base.extractFromFile', 1, { operation: 'csv' }),
		{
			...node('Payments', 'n8n-nodes-payments.payments', 1, {
				resource: 'transaction',
				operation: 'create',
				specifyTransaction: 'item',
				options: {},
			}),
			onError: 'continueRegularOutput' as const,
			credentials: { paymentsApi: { id: null, name: 'Payments account' } },
		},
	];
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
			]),
	);
	return { name: 'Scenarios', nodes, connections, settings: {} };
}

/** Starts a workflow with every event. Returns what its executions received, oldest first. */
async function listen() {
	const example = readExample('listen-to-payments');
	const [trigger] = example.nodes;
	trigger.parameters = { ...trigger.parameters, events: ['*'] };
	const { production } = await n8n.webhookUrls(example, trigger.name);
	const { secret } = await service.sandbox.client.createEndpoint({
		url: production,
		events: ['*'],
	});
	const credential = await createPaymentsWebhookApi(n8n, secret);
	const stored = await n8n.importWorkflow(example, [credential]);
	await n8n.activate(stored);
	return async (count: number) => {
		const { results } = await n8n.ended(stored, count);
		const received: WebhookEvent[] = [];
		for (const { id } of [...results].reverse()) {
			const items = outputOf(await n8n.execution(id), trigger.name);
			received.push(...items.map(({ json }) => json as unknown as WebhookEvent));
		}
		return received;
	};
}

test('one file with all scenarios: each row ends as its name says, and each event arrives', async () => {
	const { client } = service.sandbox;
	// A copy that arrives while the first one is processed is acknowledged by a retry.
	await client.setFaults({ retries: { intervalMs: 500 } });
	const received = await listen();
	const stored = await n8n.importWorkflow(workflow(), [service.credential]);
	const first = outputOf(await n8n.run(stored, 'Start'), 'Payments').map(({ json }) => json);
	expect(first.map(({ outcome }, index) => [scenarios[index].name, outcome])).toEqual(
		scenarios.map(({ name, outcome }) => [name, outcome]),
	);

	await client.setClock({ advanceMs: 60_000 });
	await client.idle();
	const events = scenarios.flatMap(eventsOf).length;
	const all = await received(events);
	expect(all).toHaveLength(events);
	const { items } = await client.listPayments();
	for (const scenario of scenarios) {
		const { name } = scenario;
		const payment = items.find(({ reference }) => reference === name);
		const own = all
			.filter(({ data }) => [data.id, data.paymentId].includes(payment?.id ?? name))
			// Events of one moment can arrive in any order.
			.sort((one, other) => one.createdAt - other.createdAt || one.event.localeCompare(other.event))
			.map(({ event, data }) => [event, data.status]);
		expect([name, ...own]).toEqual([name, ...eventsOf(scenario)]);
	}
	const deliveries = await client.listDeliveries({ limit: 1000 });
	const copies = deliveries.items.filter(({ copyOf }) => copyOf !== undefined);
	expect(copies).toHaveLength(3);

	const second = outputOf(await n8n.run(stored, 'Start'), 'Payments').map(({ json }) => json);
	expect(second.map(({ outcome }, index) => [scenarios[index].name, outcome])).toEqual(
		scenarios.map(({ name, outcome, response, times }) => [
			name,
			// A response to every request leaves the outcome as it is.
			response && times === undefined ? outcome : 'duplicate',
		]),
	);
});
