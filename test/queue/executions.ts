import type { StoredWorkflow } from '../../host/n8n/client';
import { waitUntil } from '../../host/waitUntil';
import type { Postgres } from './cluster/postgres';

/**
 * Waits until every execution of a workflow is over, and returns their counts in n8n's database by
 * status.
 */
export async function allOver(
	postgres: Postgres,
	{ id }: StoredWorkflow,
	timeoutMs: number,
): Promise<Record<string, number>> {
	const count = async () => {
		const rows = await postgres.query<{ status: string; count: string }>(
			'n8n',
			`SELECT status, count(*) FROM execution_entity WHERE "workflowId" = '${id}' GROUP BY status`,
		);
		return Object.fromEntries(rows.map(({ status, count: number }) => [status, Number(number)]));
	};
	const counted = async () => {
		const { new: fresh = 0, running = 0, ...ended } = await count();
		return fresh + running === 0 && ended;
	};
	return await waitUntil('every execution is over', counted, { timeoutMs, intervalMs: 1000 });
}
