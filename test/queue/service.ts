import { setTimeout as wait } from 'node:timers/promises';
import type { INode, INodeParameters } from 'n8n-workflow';
import type { Cluster } from './cluster/cluster';
import {
	createPaymentsApi,
	createPaymentsWebhookApi,
	readExample,
} from '../../host/n8n/credentials';
import type { Credential, StoredWorkflow } from '../../host/n8n/client';
import { createEffects, DATABASE, watchEffects } from './effects';

/**
 * When the trigger answers, and the type of the events by which a test has a workflow to itself:
 * none that a transaction causes.
 */
export type Answer = 'onReceived' | 'lastNode';
const KIND: Record<Answer, string> = {
	onReceived: 'VIRTUAL_ACCOUNT.CREATED',
	lastNode: 'VIRTUAL_ACCOUNT.STATUS_UPDATED',
};

/** A workflow with a trigger behind the proxy, to which the service delivers events of a type. */
export interface Listening {
	workflow: StoredWorkflow;
	kind: string;
}

/**
 * Publishes the example "Events once in PostgreSQL" twice, once for each way to respond, and
 * creates its table.
 */
export async function listen(cluster: Cluster): Promise<Record<Answer, Listening>> {
	const { main, postgres } = cluster;
	await createEffects(postgres);
	const database = await main.client.createCredential(
		'Postgres',
		'postgres',
		postgres.access(DATABASE),
	);
	const [onReceived, lastNode] = [
		await listenAt(cluster, 'onReceived', database),
		await listenAt(cluster, 'lastNode', database),
	];
	await main.client.run(lastNode.workflow, 'When clicking ‘Execute workflow’');
	await watchEffects(postgres);
	for (const { workflow } of [onReceived, lastNode]) await main.client.activate(workflow);
	return { onReceived, lastNode };
}

async function listenAt(
	{ main, url, sandbox }: Cluster,
	responseMode: Answer,
	database: Credential,
): Promise<Listening> {
	const kind = KIND[responseMode];
	const example = readExample('events-once-in-postgres');
	// n8n can lose track of an execution in an outage, and never respond. The trigger takes its event
	// again after 30 minutes, and this service retries for three.
	const options = responseMode === 'lastNode' ? { deduplicate: 0 } : {};
	for (const node of example.nodes)
		if (node.name === 'Payments Trigger')
			node.parameters = { ...node.parameters, events: [kind], responseMode, options };
	const { production } = await main.client.webhookUrls(example, 'Payments Trigger');
	const { secret } = await sandbox.client.createEndpoint({
		url: url + new URL(production).pathname,
		events: [kind],
	});
	const credential = await createPaymentsWebhookApi(main.client, secret);
	return { workflow: await main.client.importWorkflow(example, [database, credential]), kind };
}

/** Emits events at the service, at most so many a second. Their IDs are `prefix` and a number. */
export async function emit(
	{ sandbox }: Cluster,
	event: string,
	prefix: string,
	count: number,
	perSecond = Number.POSITIVE_INFINITY,
): Promise<void> {
	const started = Date.now();
	for (let number = 0; number < count; number++) {
		const early = (number / perSecond) * 1000 - (Date.now() - started);
		if (early > 5) await wait(early);
		const data = {
			id: `pmt_${prefix}${number}`,
			direction: 'PAYIN',
			amount: '2501.00',
			currency: 'EUR',
			status: 'CREATED',
		};
		await sandbox.client.emitEvent({ id: prefix + number, event, data });
	}
}

export const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters,
): INode => ({ id: name, name, type, typeVersion, position: [0, 0], parameters });
export const next = (name: string) => ({
	main: [[{ node: name, type: 'main' as const, index: 0 }]],
});

/** Path of the webhook of `takeBatches`. */
const BATCHES = 'batches';

/**
 * A workflow that takes a list of transactions and sends them to the service: one run for each
 * list, answered when it has ended. A run that dies with its worker leaves nothing behind that n8n
 * could run again, so the sender must hear of it.
 */
export async function takeBatches({ main, url, sandbox }: Cluster) {
	const client = await sandbox.client.createClient({ name: 'workers' });
	const credential = await createPaymentsApi(main.client, { url: sandbox.url, ...client });
	const webhook = { httpMethod: 'POST', path: BATCHES, responseMode: 'lastNode' };
	const create = { resource: 'transaction', operation: 'create', specifyTransaction: 'item' };
	const workflow = await main.client.importWorkflow(
		{
			name: 'Batches',
			nodes: [
				{ ...node('Batch', 'n8n-nodes-base.webhook', 2, webhook), webhookId: BATCHES },
				node('Rows', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'body.rows' }),
				{
					...node('Create', 'n8n-nodes-payments.payments', 1, create),
					credentials: { paymentsApi: { id: '', name: '' } },
				},
			],
			connections: { Batch: next('Rows'), Rows: next('Create') },
			settings: { executionOrder: 'v1' },
		},
		[credential],
	);
	await main.client.activate(workflow);
	return { workflow, url: `${url}/webhook/${BATCHES}` };
}
