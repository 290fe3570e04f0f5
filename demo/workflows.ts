import { setTimeout as wait } from 'node:timers/promises';
import type { N8nClient, StoredWorkflow } from '../test/support/n8n/client';
import { isOver, outputOf, type Execution } from '../test/support/n8n/executions';
import {
	createPaymentsApi,
	createPaymentsWebhookApi,
	readExample,
} from '../test/support/n8n/credentials';
import type { SandboxClient } from '../sandbox/client';
import type { Counts, Transaction, WebhookEvent } from '../sandbox/types';

const RECOMMENDED = ['PAYMENT.CREATED', 'PAYMENT.STATUS_UPDATED', 'VIRTUAL_ACCOUNT.STATUS_UPDATED'];

/** The two example workflows, connected with a service. */
export interface Workflows {
	rows: StoredWorkflow;
	listening: StoredWorkflow;
}

/** An item that the Payments node gave out. */
type SentTransaction = Transaction & { outcome: string };

/** What went out and what came back: by n8n's own executions, and by the service's own count. */
export interface Outcome {
	sent: SentTransaction[];
	received: WebhookEvent[];
	counts: Counts;
}

/**
 * What a new user does by hand: creates a client and a webhook endpoint in the dashboard of the service, puts their
 * secrets into two credentials, imports both examples and activates the one that listens.
 */
export async function connect(n8n: N8nClient, service: SandboxClient): Promise<Workflows> {
	const client = await service.createClient({ name: 'n8n' });
	const paymentsApi = await createPaymentsApi(n8n, { url: service.url, ...client });
	const listen = readExample('listen-to-payments');
	const { production } = await n8n.webhookUrls(listen, 'Payments Trigger');
	const endpoint = await service.createEndpoint({
		url: production,
		events: RECOMMENDED,
		label: 'n8n',
	});
	const webhookApi = await createPaymentsWebhookApi(n8n, endpoint.secret);
	const listening = await n8n.importWorkflow(listen, [webhookApi]);
	await n8n.activate(listening);
	return {
		rows: await n8n.importWorkflow(readExample('rows-to-transactions'), [paymentsApi]),
		listening,
	};
}

/** Runs the rows through, and waits until every event that the service delivered has become a run that ended. */
export async function run(
	n8n: N8nClient,
	service: SandboxClient,
	{ rows, listening }: Workflows,
): Promise<Outcome> {
	const execution = await n8n.run(rows, 'When You Press Execute');
	if (execution.status !== 'success')
		throw new Error(
			`The rows did not go through: ${execution.data.resultData.error?.message ?? execution.status}`,
		);
	const counts = await service.idle();
	const runs = await runsOf(n8n, listening, counts.deliveries.delivered);
	const sent = outputOf(execution, 'Create Transactions').map(
		({ json }) => json as unknown as SentTransaction,
	);
	return {
		sent: sent.filter(({ outcome }) => outcome === 'created'),
		received: runs.flatMap(eventsOf),
		counts,
	};
}

const eventsOf = (execution: Execution) =>
	outputOf(execution, 'Payments Trigger').map(({ json }) => json as unknown as WebhookEvent);

/** The runs of a workflow, oldest first, once there are as many as expected and all are over, or a minute is up. */
async function runsOf(
	n8n: N8nClient,
	workflow: StoredWorkflow,
	expected: number,
): Promise<Execution[]> {
	for (const deadline = Date.now() + 60_000; ; ) {
		const { results } = await n8n.executions(workflow);
		if ((results.length >= expected && results.every(isOver)) || Date.now() > deadline) {
			const runs: Execution[] = [];
			for (const { id, status } of results.reverse())
				if (status === 'success') runs.push(await n8n.execution(id));
			return runs;
		}
		await wait(200);
	}
}
