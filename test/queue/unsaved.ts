import type { WorkflowJson } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import type { Cluster } from './cluster/cluster';

/** An event type that no other workflow of these tests listens to. */
const EVENT_TYPE = 'VIRTUAL_ACCOUNT.UPDATED';

/**
 * Delivers events to a workflow that responds when its last node finishes and whose successful
 * executions n8n does not save. The setting of the workflow is what
 * EXECUTIONS_DATA_SAVE_ON_SUCCESS=none sets for all (n8n's toSaveSettings).
 */
export async function withoutSavingSuccess(cluster: Cluster, prefix: string, count: number) {
	const { main, url, sandbox, postgres } = cluster;
	await sandbox.client.reset();
	await sandbox.client.setFaults({ retries: { attempts: 3, intervalMs: 500 } });
	const [trigger] = readExample('listen-to-payments').nodes;
	trigger.parameters = { events: [EVENT_TYPE], responseMode: 'lastNode' };
	// n8n never responds when a worker is done before the process that took the delivery listens for
	// its end (Bull's Job.finished), whatever it saves. A second is longer than that.
	const wait: WorkflowJson['nodes'][number] = {
		id: 'wait',
		name: 'Wait',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		position: [220, 0],
		parameters: { resume: 'timeInterval', amount: 1, unit: 'seconds' },
	};
	const example: WorkflowJson = {
		name: 'Unsaved',
		nodes: [trigger, wait],
		connections: { [trigger.name]: { main: [[{ node: wait.name, type: 'main', index: 0 }]] } },
		settings: { executionOrder: 'v1', saveDataSuccessExecution: 'none' },
	};
	const { production } = await main.client.webhookUrls(example, trigger.name);
	const endpoint = await sandbox.client.createEndpoint({
		url: url + new URL(production).pathname,
		events: [EVENT_TYPE],
	});
	const credential = await createPaymentsWebhookApi(main.client, endpoint.secret);
	const workflow = await main.client.importWorkflow(example, [credential]);
	await main.client.activate(workflow);
	for (let number = 0; number < count; number++) {
		await sandbox.client.emitEvent({ id: prefix + number, event: EVENT_TYPE, data: {} });
	}
	const { deliveries } = await sandbox.client.idle();
	await main.client.deactivate(workflow);
	await sandbox.client.deleteEndpoint(endpoint.id);
	const [{ saved }] = await postgres.query<{ saved: string }>(
		'n8n',
		`SELECT count(*) AS saved FROM execution_entity WHERE "workflowId" = '${workflow.id}' AND "deletedAt" IS NULL`,
	);
	return { deliveries, saved: Number(saved) };
}
