import type { StoredWorkflow } from '../../host/n8n/client';
import type { Postgres } from './cluster/postgres';
import { waitUntil } from '../../host/waitUntil';

/** Counts the executions of a workflow in n8n's database by status. */
export async function executionCounts(
	postgres: Postgres,
	{ id }: StoredWorkflow,
): Promise<Record<string, number>> {
	const rows = await postgres.query(
		'n8n',
		`SELECT status, count(*) FROM execution_entity WHERE "workflowId" = '${id}' GROUP BY status`,
	);
	return Object.fromEntries(rows.map(([status, count]) => [status, Number(count)]));
}

/** Waits until every execution of a workflow is over, and returns their counts by status. */
export async function allOver(
	postgres: Postgres,
	workflow: StoredWorkflow,
	timeoutMs: number,
): Promise<Record<string, number>> {
	const isOver = async () => {
		const { new: fresh = 0, running = 0 } = await executionCounts(postgres, workflow);
		return fresh + running === 0;
	};
	await waitUntil('every execution is over', isOver, { timeoutMs, intervalMs: 1000 });
	return await executionCounts(postgres, workflow);
}
