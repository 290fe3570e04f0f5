import { setTimeout as wait } from 'node:timers/promises';
import type { Cluster } from './cluster/cluster';
import { effectsOf } from './effects';
import { allOver } from './executions';
import { emit, type Listening } from './service';

/** Delivers each event twice, in another order. */
const DELIVERIES = { doubled: 1, shuffled: 1, shuffleMs: 5000, concurrency: 30 };
const RETRIES = { attempts: 100, intervalMs: 2000 };
/** Ten thousand deliveries take long on a busy machine. */
export const TIMEOUT_MS = 1_140_000;

/** Emits events, and returns what became of them. */
export async function stormOf(
	cluster: Cluster,
	listening: Listening,
	prefix: string,
	events: number,
) {
	const { sandbox, postgres } = cluster;
	await sandbox.client.reset();
	await sandbox.client.setFaults({ deliveries: DELIVERIES, retries: RETRIES });
	const started = Date.now();
	await emit(cluster, listening.kind, prefix, events);
	const remainingMs = () => TIMEOUT_MS - (Date.now() - started);
	const { deliveries } = await sandbox.client.idle(remainingMs());
	const executions = await allOver(postgres, listening.workflow, remainingMs());
	return {
		deliveries,
		executions,
		effects: await effectsOf(postgres, prefix),
		seconds: Math.round((Date.now() - started) / 1000),
	};
}

/** From the stop of Redis to the restart of PostgreSQL, with a few seconds on each side. */
const OUTAGES_S = 20;

/** Emits events at a steady rate while Redis stops for 10 s and PostgreSQL restarts. */
export async function stormWithOutages(
	cluster: Cluster,
	{ kind }: Listening,
	prefix: string,
	events: number,
	mostPerSecond: number,
) {
	// A few events are emitted more slowly, so that none of the outages passes without any.
	const perSecond = Math.min(mostPerSecond, events / OUTAGES_S);
	const { sandbox, postgres, redis } = cluster;
	await sandbox.client.reset();
	await sandbox.client.setFaults({ deliveries: DELIVERIES, retries: RETRIES });
	const emission = emit(cluster, kind, prefix, events, perSecond);
	await redis.stop();
	await wait(10_000);
	await redis.start();
	await wait(5000);
	await postgres.restart();
	await emission;
	const { deliveries } = await sandbox.client.idle(TIMEOUT_MS);
	return { deliveries, effects: await effectsOf(postgres, prefix) };
}
