import { waitUntil } from '../../host/waitUntil';
import type { Cluster } from './cluster/cluster';
import { effectsOf } from './effects';
import { emit, type Listening } from './service';

/**
 * Delivers an event whose first execution n8n can't record: a trigger in the database rejects the
 * end of each execution until the first delivery attempt is answered.
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
			'an attempt is answered',
			async () => (await sandbox.client.getCounts()).deliveries.attempts > 0,
		);
	} finally {
		await postgres.query('n8n', 'DROP FUNCTION take_no_note CASCADE');
	}
	const { deliveries } = await sandbox.client.idle();
	return { deliveries, effects: await effectsOf(postgres, prefix) };
}
