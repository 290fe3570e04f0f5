import type { StoredWorkflow } from '../../host/n8n/client';
import { waitUntil } from '../../host/waitUntil';
import { transaction } from '../support/builders/transactions';
import { http } from '../support/servers/sandboxCalls';
import type { Cluster } from './cluster/cluster';
import type { Postgres } from './cluster/postgres';
import { takeBatches } from './service';

/** Executions that a worker has in hand at a time, at most: N8N_CONCURRENCY_PRODUCTION_LIMIT. */
const OF_ONE_WORKER = 10;

/** Counts the executions of a workflow in n8n's database by status, once all are over. */
export async function executionsOf(
	postgres: Postgres,
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

/**
 * Posts one list of transactions until n8n responds that its execution succeeded, as a sender does
 * that must not lose it.
 *
 * @returns the statuses of the other responses
 */
async function postUntilTaken(url: string, rows: object[]): Promise<number[]> {
	for (const rejections: number[] = []; ;) {
		const { status } = await http.post(url, { rows });
		if (status === 200) return rejections;
		rejections.push(status);
		if (rejections.length === 5)
			throw new Error(`n8n did not take a batch; it answered ${rejections.join(', ')}.`);
	}
}

/**
 * Sends batches to the workers. When both are in the middle of some, one of them is killed and
 * another one started. After two thirds, the service revokes all tokens.
 */
export async function sendThroughCrash(cluster: Cluster, batches: number, size: number) {
	const { sandbox, postgres } = cluster;
	const { workflow, url } = await takeBatches(cluster);
	// Long, and less than the node waits: when the worker dies, a part of each list is recorded.
	await sandbox.client.setFaults({ latencyMs: [0, 20_000] });
	// Without an id of their own: the node derives it from the content, so a list that is sent again
	// has the same ones.
	const rowsOf = (batch: number) =>
		Array.from({ length: size }, (_, row) => ({
			...transaction(`${batch}-${row}`),
			eventId: undefined,
		}));
	const posting = Promise.all(
		Array.from({ length: batches }, async (_, batch) => await postUntilTaken(url, rowsOf(batch))),
	);
	const isWithBoth = async () => {
		const { requests, created } = (await sandbox.client.getCounts()).transactions;
		return requests > OF_ONE_WORKER * size && created >= (batches * size) / 10;
	};
	await waitUntil('both workers have sent transactions, and a tenth is recorded', isWithBoth);
	await cluster.killWorker();
	await sandbox.client.changeFaults({ latencyMs: [300, 600] });
	await cluster.addWorker();
	const isMost = async () => {
		const { created } = (await sandbox.client.getCounts()).transactions;
		return created >= (batches * size * 2) / 3;
	};
	await waitUntil('two thirds are sent', isMost, { timeoutMs: 240_000 });
	await sandbox.client.changeFaults({ revokeTokens: true });
	/** What the sender was told instead of success: one for each run that died with its worker. */
	const rejections = (await posting).flat();
	const { transactions, tokens } = await sandbox.client.idle();
	return { rejections, transactions, tokens, executions: await executionsOf(postgres, workflow) };
}
