import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { stopAll } from '../../../host/processes';
import { startCluster, type Cluster } from '../cluster/cluster';
import { effectsOf } from '../effects';
import { allOver } from '../executions';
import { report } from '../report';
import { emit, listen, type Listening } from '../service';
import { memoryMegabytes } from '../usage';

const SAMPLE_MS = 10_000;
/** Minutes until caches and pools are filled. Only what grows afterwards counts. */
const WARM_UP_MINUTES = 5;
const MAX_GROWTH = 0.1;
const PROBE_EVENTS = 1000;

const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)];

/** Measures the events per second that the whole deployment processes on this machine. */
async function measureMaximum(cluster: Cluster, { kind, workflow }: Listening): Promise<number> {
	const started = Date.now();
	await emit(cluster, kind, 'probe_', PROBE_EVENTS);
	await cluster.sandbox.client.idle(600_000);
	await allOver(cluster.postgres, workflow, 600_000);
	return PROBE_EVENTS / ((Date.now() - started) / 1000);
}

/** Samples the megabytes of each n8n process until `running` returns false. */
async function sampleMemory(
	cluster: Cluster,
	running: () => boolean,
): Promise<Record<string, number[]>> {
	const { main, webhooks, workers } = cluster;
	const named = [
		['main', main],
		...webhooks.map((one, index) => [`webhook-${index + 1}`, one]),
		...workers.map((one, index) => [`worker-${index + 1}`, one]),
	] as Array<[string, typeof main]>;
	const samples: Record<string, number[]> = Object.fromEntries(named.map(([name]) => [name, []]));
	while (running()) {
		for (const [name, { process }] of named)
			samples[name].push(memoryMegabytes(process.child.pid!));
		await wait(SAMPLE_MS);
	}
	return samples;
}

/**
 * Returns the growth from the median of the minute after the warm-up to the median of the last
 * minute, as a share.
 */
function growthOf(samples: number[], warmUpMinutes: number) {
	const perMinute = 60_000 / SAMPLE_MS;
	const from = median(samples.slice(warmUpMinutes * perMinute, (warmUpMinutes + 1) * perMinute));
	const to = median(samples.slice(-perMinute));
	return {
		fromMegabytes: Math.round(from),
		toMegabytes: Math.round(to),
		growth: Number(((to - from) / from).toFixed(3)),
	};
}

async function main() {
	const { values } = parseArgs({ options: { minutes: { type: 'string', default: '20' } } });
	const minutes = Number(values.minutes);
	if (!(minutes >= 3))
		throw new Error(
			`--minutes ${values.minutes} is too short to see growth. Give 3 or more; 20 is usual.`,
		);
	const warmUpMinutes = Math.min(WARM_UP_MINUTES, minutes / 4);
	const cluster = await startCluster();
	const { lastNode } = await listen(cluster);
	await cluster.sandbox.client.setFaults({
		deliveries: { concurrency: 30 },
		retries: { attempts: 100, intervalMs: 2000 },
	});
	const maximum = await measureMaximum(cluster, lastNode);
	const perSecond = maximum / 2;
	const events = Math.floor(perSecond * minutes * 60);
	console.log(
		`Measured maximum: ${maximum.toFixed(1)} events per second. Now ${events} events at half of it, for ${minutes} minutes.`,
	);

	let running = true;
	const sampling = sampleMemory(cluster, () => running);
	await emit(cluster, lastNode.kind, 'soak_', events, perSecond);
	running = false;
	const samples = await sampling;
	const { deliveries } = await cluster.sandbox.client.idle(300_000);
	const { rows, ids } = await effectsOf(cluster.postgres, 'soak_');
	const memory = Object.fromEntries(
		Object.entries(samples).map(([name, list]) => [name, growthOf(list, warmUpMinutes)]),
	);
	report('soak', {
		minutes,
		maximum: Number(maximum.toFixed(1)),
		events,
		rows,
		ids,
		deliveries,
		memory,
	});
	for (const [name, { fromMegabytes, toMegabytes, growth }] of Object.entries(memory)) {
		console.log(
			`${name.padEnd(10)} ${fromMegabytes} MB after ${warmUpMinutes} minutes, ${toMegabytes} MB at the end: ${(growth * 100).toFixed(1)} %`,
		);
	}
	await cluster.stop();
	const grown = Object.entries(memory).filter(([, { growth }]) => growth > MAX_GROWTH);
	if (rows !== events || ids !== events)
		throw new Error(`Of ${events} events, ${rows} rows with ${ids} different ids were written.`);
	if (grown.length > 0)
		throw new Error(
			`More than ${MAX_GROWTH * 100} % growth: ${grown.map(([name]) => name).join(', ')}.`,
		);
	console.log(
		`soak: ${events} events in ${minutes} minutes, each with its effect once, and no growth beyond ${MAX_GROWTH * 100} %`,
	);
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error.message);
	process.exitCode = 1;
});
