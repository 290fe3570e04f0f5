import type { Cluster } from './cluster/cluster';
import { DATABASE } from './effects';
import { waitUntil } from '../../host/waitUntil';
import { emit, KIND } from './service';
import { cpuSeconds } from './usage';

const cpuOf = (processes: Array<{ process: { child: { pid?: number } } }>) =>
	processes.reduce((sum, { process }) => sum + cpuSeconds(process.child.pid!), 0);
const round = (value: number, digits = 1) => Number(value.toFixed(digits));

/**
 * Fills the queue while no worker runs, then starts workers and measures how fast they empty it.
 * Only the executions from the 20th to the 95th percent count, so the start of the processes isn't
 * included.
 */
export async function measure(
	cluster: Cluster,
	prefix: string,
	events: number,
	workerCount: number,
) {
	const { sandbox, postgres, webhooks, redis, workers } = cluster;
	for (const worker of [...workers]) await cluster.stopWorker(worker);
	await sandbox.client.reset();
	await sandbox.client.setFaults({
		deliveries: { concurrency: 30 },
		retries: { attempts: 10, intervalMs: 2000 },
	});
	const webhookBefore = cpuOf(webhooks);
	const intakeStarted = Date.now();
	await emit(cluster, KIND.onReceived, prefix, events);
	await sandbox.client.idle(300_000);
	const intakeSeconds = (Date.now() - intakeStarted) / 1000;
	const webhookCpu = cpuOf(webhooks) - webhookBefore;

	const done = async () =>
		Number(
			(
				await postgres.query(DATABASE, `SELECT count(*) FROM insertions WHERE id LIKE '${prefix}%'`)
			)[0][0],
		);
	const cpu = () => ({
		worker: cpuOf(workers),
		postgres: cpuSeconds(postgres.process().child.pid!),
		redis: cpuSeconds(redis.process().child.pid!),
	});
	await Promise.all(Array.from({ length: workerCount }, async () => await cluster.addWorker()));
	const cpuOfEach = () => workers.map((worker) => cpuOf([worker]));
	const [doneBefore, before, eachBefore] = [await done(), cpu(), cpuOfEach()];
	await waitUntil('the queue is empty', async () => (await done()) >= events, {
		timeoutMs: 300_000,
		intervalMs: 500,
	});
	const after = cpu();
	const shares = cpuOfEach().map((seconds, index) => round(seconds - eachBefore[index]));
	const cpuMs = (process: keyof typeof after) =>
		round(((after[process] - before[process]) / (events - doneBefore)) * 1000);
	const [[runs, seconds]] = await postgres.query(
		DATABASE,
		`SELECT count(*) - 1, extract(epoch FROM max(at) - min(at))
		FROM (SELECT at, ntile(20) OVER (ORDER BY at) AS twentieth FROM insertions WHERE id LIKE '${prefix}%') AS runs WHERE twentieth BETWEEN 5 AND 19`,
	);
	return {
		workers: workerCount,
		events,
		eventsPerSecond: round(Number(runs) / Number(seconds)),
		/** Seconds of CPU time of each worker while all of them worked. */
		shares,
		/** Events per second that two webhook processes take in while no worker runs. */
		intakePerSecond: round(events / intakeSeconds),
		/** Milliseconds of CPU time per event in each type of process. */
		cpuMs: {
			webhook: round((webhookCpu / events) * 1000),
			worker: cpuMs('worker'),
			postgres: cpuMs('postgres'),
			redis: cpuMs('redis'),
		},
	};
}
