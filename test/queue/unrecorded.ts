import { waitUntil } from '../support/waitUntil';
import type { Cluster } from './cluster/cluster';
import { effectsOf } from './effects';
import { emit, type Listening } from './service';

/**
 * An event whose first run n8n cannot write down, as when its database is away at that moment: here the database itself refuses to take note
 * of any end. Once an attempt was answered, it takes them again.
 */
export async function withoutRecord(
	cluster: Cluster,
	{ kind, workflow }: Listening,
	prefix: string,
) {
	const { sandbox, postgres } = cluster;
	await sandbox.client.reset();
	await sandbox.client.setFaults({ retries: { attempts: 100, intervalMs: 500 } });
	await postgres.query(
		'n8n',
		`CREATE FUNCTION take_no_note() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no note is taken'; END $$;
		CREATE TRIGGER take_no_note BEFORE UPDATE ON execution_entity FOR EACH ROW
			WHEN (NEW."workflowId" = '${workflow.id}' AND NEW.status IN ('success', 'error')) EXECUTE FUNCTION take_no_note()`,
	);
	try {
		await emit(cluster, kind, prefix, 1);
		await waitUntil(
			'an attempt was answered',
			async () => (await sandbox.client.getCounts()).deliveries.attempts > 0,
		);
	} finally {
		await postgres.query('n8n', 'DROP FUNCTION take_no_note CASCADE');
	}
	const { deliveries } = await sandbox.client.idle();
	return { deliveries, effects: await effectsOf(postgres, prefix) };
}
