import { setTimeout as wait } from 'node:timers/promises';
import type { Credential, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { waitUntil } from '../../host/waitUntil';
import type { Cluster } from './cluster/cluster';

/* The workflows of the tests, the service that delivers to them, and what they have done. */

/**
 * Publishes a workflow with a trigger, to which the service delivers the events of a type through
 * the proxy.
 */
export async function publish(
	{ main, url, sandbox }: Cluster,
	example: WorkflowJson,
	kind: string,
	credentials: Credential[] = [],
): Promise<StoredWorkflow> {
	const trigger = example.nodes.find(({ name }) => name === 'Payments Trigger')!;
	trigger.parameters.events = [kind];
	const { production } = await main.client.webhookUrls(example, trigger.name);
	const { secret } = await sandbox.client.createEndpoint({
		url: url + new URL(production).pathname,
		events: [kind],
	});
	const webhookApi = await createPaymentsWebhookApi(main.client, secret);
	const workflow = await main.client.importWorkflow(example, [...credentials, webhookApi]);
	await main.client.activate(workflow);
	return workflow;
}

/** Separate from n8n's own database, as users have it. */
const DATABASE = 'effects';

/**
 * The event types by which a test has a workflow to itself: none that a transaction causes. One for
 * each way to respond.
 */
export const KIND = {
	onReceived: 'VIRTUAL_ACCOUNT.CREATED',
	lastNode: 'VIRTUAL_ACCOUNT.STATUS_UPDATED',
};

/**
 * Publishes the example "Events once in PostgreSQL" twice, once for each way to respond, with its
 * table. PostgreSQL also keeps every insertion that an execution attempts: it calls a trigger
 * before INSERT also for a row that ON CONFLICT then drops.
 */
export async function listen(cluster: Cluster): Promise<Record<keyof typeof KIND, StoredWorkflow>> {
	const { main, postgres } = cluster;
	await postgres.query('postgres', `CREATE DATABASE ${DATABASE}`);
	const access = postgres.access(DATABASE);
	const database = await main.client.createCredential('Postgres', 'postgres', access);
	const listenAt = async (responseMode: keyof typeof KIND) => {
		const example = readExample('events-once-in-postgres');
		const trigger = example.nodes.find(({ name }) => name === 'Payments Trigger')!;
		// n8n can lose track of an execution in an outage, and never respond. The trigger takes its
		// event again after 30 minutes, and this service retries for three.
		const options = responseMode === 'lastNode' ? { deduplicate: 0 } : {};
		Object.assign(trigger.parameters, { responseMode, options });
		return await publish(cluster, example, KIND[responseMode], [database]);
	};
	const [onReceived, lastNode] = [await listenAt('onReceived'), await listenAt('lastNode')];
	await main.client.run(lastNode, 'When clicking ‘Execute workflow’');
	await postgres.query(
		DATABASE,
		`CREATE TABLE insertions (id text NOT NULL, at timestamptz NOT NULL DEFAULT clock_timestamp());
		CREATE FUNCTION note_insertion() RETURNS trigger LANGUAGE plpgsql AS $$
			BEGIN INSERT INTO insertions (id) VALUES (NEW.id); RETURN NEW; END $$;
		CREATE TRIGGER insertion BEFORE INSERT ON payment_events FOR EACH ROW EXECUTE FUNCTION note_insertion()`,
	);
	return { onReceived, lastNode };
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
		const data = { id: `pmt_${prefix}${number}`, amount: '2501.00', currency: 'EUR' };
		await sandbox.client.emitEvent({ id: prefix + number, event, data });
	}
}

/**
 * Counts the effects of the events whose IDs start with a prefix: rows and the different IDs in
 * them, and attempted insertions (`runs`) and the different IDs in those.
 */
export async function effectsOf({ postgres }: Cluster, prefix: string) {
	const [effects] = await postgres.query<Record<'rows' | 'ids' | 'runs' | 'idsRun', number>>(
		DATABASE,
		`SELECT *
			FROM (SELECT count(*)::int AS rows, count(DISTINCT id)::int AS ids FROM payment_events WHERE id LIKE '${prefix}%'),
				(SELECT count(*)::int AS runs, count(DISTINCT id)::int AS "idsRun" FROM insertions WHERE id LIKE '${prefix}%')`,
	);
	return effects;
}

/** Counts the executions of a workflow in n8n's database by status, once all are over. */
export async function executionsOf(
	{ postgres }: Cluster,
	{ id }: StoredWorkflow,
	timeoutMs?: number,
): Promise<Record<string, number>> {
	const counted = async () => {
		const rows = await postgres.query<{ status: string; count: number }>(
			'n8n',
			`SELECT status, count(*)::int FROM execution_entity WHERE "workflowId" = '${id}' GROUP BY status`,
		);
		const counts = Object.fromEntries(rows.map(({ status, count }) => [status, count]));
		const { new: fresh = 0, running = 0, ...ended } = counts;
		return fresh + running === 0 && ended;
	};
	return await waitUntil('every execution is over', counted, { timeoutMs, intervalMs: 1000 });
}
