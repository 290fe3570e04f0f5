import type { Cluster } from './cluster/cluster';
import { effectsOf } from './effects';
import { allOver } from './executions';
import { forge } from './forgedDeliveries';
import { stopRedis } from './outages';
import { emit, type Listening } from './service';
import { cpuSeconds } from './usage';

/** Each event twice, all in another order; ten minutes between two tries become two seconds. */
const DELIVERIES = { doubled: 1, shuffled: 1, shuffleMs: 5000, concurrency: 30 };
const RETRIES = { attempts: 100, intervalMs: 2000 };
/** On a machine that does other things besides, ten thousand deliveries take long; that alone is no fault. */
export const PATIENCE_MS = 1_140_000;

/** Events and, in the same stream, forged deliveries of the same events: what came of both. */
export async function stormOf(
	cluster: Cluster,
	listening: Listening,
	prefix: string,
	events: number,
	forged: number,
) {
	const { sandbox, postgres, webhooks } = cluster;
	await sandbox.client.reset();
	await sandbox.client.setFaults({ deliveries: DELIVERIES, retries: RETRIES });
	const before = webhooks.map((webhook) => cpuSeconds(webhook.process.child.pid!));
	const started = Date.now();
	const [refusals] = await Promise.all([
		forge(listening, prefix, forged),
		emit(cluster, listening.kind, prefix, events),
	]);
	const patience = () => PATIENCE_MS - (Date.now() - started);
	const { deliveries } = await sandbox.client.idle(patience());
	const executions = await allOver(postgres, listening.workflow, patience());
	return {
		deliveries,
		refusals,
		executions,
		effects: await effectsOf(postgres, prefix),
		seconds: Math.round((Date.now() - started) / 1000),
		/** Seconds of processor time of each webhook process: both must have had their share. */
		webhookCpu: webhooks.map(
			(webhook, index) => cpuSeconds(webhook.process.child.pid!) - before[index],
		),
	};
}

/** Events at a steady rate, while Redis goes away for 10 s and PostgreSQL is restarted. */
export async function stormWithOutages(
	cluster: Cluster,
	{ kind }: Listening,
	prefix: string,
	events: number,
	perSecond: number,
) {
	const { sandbox, postgres } = cluster;
	await sandbox.client.reset();
	await sandbox.client.setFaults({ deliveries: DELIVERIES, retries: RETRIES });
	const emission = emit(cluster, kind, prefix, events, perSecond);
	await stopRedis(cluster, 10);
	await new Promise((resolve) => setTimeout(resolve, 5000));
	await postgres.restart();
	await emission;
	const { deliveries } = await sandbox.client.idle(PATIENCE_MS);
	return { deliveries, effects: await effectsOf(postgres, prefix) };
}
