import type { N8nClient, StoredWorkflow, WorkflowJson } from '../host/n8n/client';
import { outputOf, type Execution } from '../host/n8n/executions';
import {
	createPaymentsApi,
	createPaymentsWebhookApi,
	readExample,
	readLiveExample,
} from '../host/n8n/credentials';
import { recommendedEventTypes } from '../nodes/PaymentsTrigger/description';
import type { SandboxClient } from '../sandbox/client';
import type { Counts, WebhookEvent } from '../sandbox/types';

/** The two example workflows. */
export interface Workflows {
	rows: StoredWorkflow;
	listening: StoredWorkflow;
}

/**
 * What the demo shows of a transaction: the output of the Payments node, and the row that it was
 * made of.
 */
interface SentTransaction {
	outcome: string;
	externalId: string;
	amount: string;
	currency: string;
	row: { scheme: string; senderCountry: string; recipientCountry: string };
}

/** What was sent and received, as n8n's executions and as the counts of the sandbox show it. */
export interface Outcome {
	sent: SentTransaction[];
	received: WebhookEvent[];
	counts: Counts;
}

/** Its *Dry Run* is off, so its note doesn't say that it's on, and how to remove it. */
export function readRowsExample(): WorkflowJson {
	const example = readLiveExample('rows-to-transactions');
	const { parameters } = example.nodes.find(({ name }) => name === 'Note')!;
	const ofDryRun = / (Remove )?\*\*Dry Run\*\*[^.]*\./g;
	parameters.content = (parameters.content as string).replace(ofDryRun, '');
	return example;
}

/**
 * Does what a new user does by hand: creates a client and a webhook endpoint in the sandbox, enters
 * their secrets in two credentials, imports both examples, and publishes the one with the trigger.
 */
export async function connect(n8n: N8nClient, service: SandboxClient): Promise<Workflows> {
	const client = await service.createClient({ name: 'n8n' });
	const paymentsApi = await createPaymentsApi(n8n, { url: service.url, ...client });
	const listen = readExample('events-by-type');
	const { production } = await n8n.webhookUrls(listen, 'Payments Trigger');
	const endpoint = await service.createEndpoint({
		url: production,
		events: recommendedEventTypes,
		label: 'n8n',
	});
	const webhookApi = await createPaymentsWebhookApi(n8n, endpoint.secret);
	const listening = await n8n.importWorkflow(listen, [webhookApi]);
	await n8n.activate(listening);
	return {
		rows: await n8n.importWorkflow(readRowsExample(), [paymentsApi]),
		listening,
	};
}

/**
 * Runs the first workflow and waits until every event that the sandbox delivered has been
 * processed.
 */
export async function run(
	n8n: N8nClient,
	service: SandboxClient,
	{ rows, listening }: Workflows,
): Promise<Outcome> {
	const execution = await n8n.run(rows, 'When clicking ‘Execute workflow’');
	if (execution.status !== 'success')
		throw new Error(
			`The workflow didn't succeed: ${execution.data.resultData.error?.message ?? execution.status}`,
		);
	const counts = await service.idle();
	const executions = await executionsOf(n8n, listening, counts.deliveries.delivered);
	const sourceRows = outputOf(execution, 'Split Out Rows');
	const sent = outputOf(execution, 'Create Transactions').map(
		({ json }, item) => ({ ...json, row: sourceRows[item].json }) as unknown as SentTransaction,
	);
	return {
		sent: sent.filter(({ outcome }) => outcome === 'created'),
		received: executions.flatMap(eventsOf),
		counts,
	};
}

const eventsOf = (execution: Execution) =>
	outputOf(execution, 'Payments Trigger').map(({ json }) => json as unknown as WebhookEvent);

/**
 * Waits until a workflow has so many executions and all are over. Returns those that succeeded,
 * oldest first.
 */
async function executionsOf(
	n8n: N8nClient,
	workflow: StoredWorkflow,
	expected: number,
): Promise<Execution[]> {
	const results = await n8n.ended(workflow, expected);
	const succeeded = results.filter(({ status }) => status === 'success').reverse();
	const executions: Execution[] = [];
	for (const { id } of succeeded) executions.push(await n8n.execution(id));
	return executions;
}
