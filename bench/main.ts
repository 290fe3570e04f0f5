import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { n8nInstallation } from '../host/n8n/installation';
import { packPackage } from '../host/pack';
import { stopAll } from '../host/processes';
import { drawChart } from './chart';
import {
	compareConnections,
	connectionStages,
	runConnectionStage,
	type ConnectionSeries,
} from './connectionSpeed';
import { measureMemory } from './memory';
import { compare, compareSizes, describeMachine, describeVersions, type Results } from './results';
import { Rig } from './rig';
import { runStage, stages, warmUp, type Series } from './speed';
import { PARALLEL } from './subjects';
import { describe } from './table';
import { evaluateTargets } from './targets';
import { measureTokens } from './tokens';
import { compareReceivers, measureTrigger } from './trigger';

const USAGE = `npm run bench [-- --quick]
  Measures the Payments node, the HTTP Request node and two programs outside n8n, each against the same service, and the
  Payments Trigger against n8n's Webhook node, alone and with nodes that verify. Wants a machine that does nothing else.
  Takes about 20 minutes and writes bench/results.json and docs/images/benchmark.svg.
  --quick              fewer items and rounds, no memory; writes to .artifacts/ instead
  --only connections   only what differs between connections: HTTP, HTTPS, and HTTPS over a distance
  --only trigger       only what receives deliveries`;

const PARTS = ['connections', 'trigger'];

const root = join(__dirname, '..');

function write(file: string, content: string) {
	mkdirSync(dirname(join(root, file)), { recursive: true });
	writeFileSync(join(root, file), content);
}

async function main() {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			only: { type: 'string' },
			help: { type: 'boolean', default: false },
		},
	});
	const { quick, help, only } = values;
	if (help) return console.log(USAGE);
	if (only !== undefined && !PARTS.includes(only))
		throw new Error(`--only takes ${PARTS.join(' or ')}, not ${only}.`);
	const started = Date.now();
	const tell = (line: string) =>
		console.log(`${String(Math.round((Date.now() - started) / 1000)).padStart(5)} s  ${line}`);
	const items = quick ? 300 : 1000;
	// A run that leaves something out doesn't replace the results of a full one.
	const toArtifacts = quick || only !== undefined;
	const nodeVersion = execFileSync(n8nInstallation().node, ['--version'], { encoding: 'utf8' })
		.trim()
		.slice(1);
	const about = {
		run: quick ? 'quick' : 'full',
		machine: describeMachine(),
		versions: describeVersions(n8nInstallation().version, nodeVersion),
		date: new Date(started).toISOString().slice(0, 10),
		parallelRequests: PARALLEL,
	};
	const series: Series[] = [];
	const connectionSeries: ConnectionSeries[] = [];
	const measured: Pick<Results, 'tokens' | 'memory' | 'trigger'> = {
		tokens: [],
		memory: [],
		trigger: [],
	};
	/** Writes what is known so far: a run that is broken off leaves what it has measured. */
	const save = (): Results => {
		const [rows, scaling] = [compare(series), compareSizes(series)];
		const connectionRows = compareConnections(connectionSeries);
		const triggerRows = compareReceivers(measured.trigger);
		const results = {
			...about,
			rows,
			connectionRows,
			scaling,
			...measured,
			triggerRows,
			targets: evaluateTargets({
				rows,
				connectionRows,
				connectionSeries,
				scaling,
				...measured,
				triggerRows,
				items,
			}),
			series,
			connectionSeries,
		};
		write(
			toArtifacts ? '.artifacts/benchmark.json' : 'bench/results.json',
			`${JSON.stringify(results, null, '\t')}\n`,
		);
		write(
			toArtifacts ? '.artifacts/benchmark.svg' : 'docs/images/benchmark.svg',
			drawChart(results, items),
		);
		return results;
	};

	tell('building and packing the nodes');
	const { file } = await packPackage();
	// Linux alone tells how much memory a process held at most.
	for (const subject of quick || only || process.platform !== 'linux'
		? []
		: (['item', 'http-template'] as const)) {
		tell(`peak memory of ${subject}`);
		measured.memory.push(await measureMemory(file, subject, 10_000));
	}
	if (only !== 'trigger') {
		const rig = await Rig.start(file);
		tell('warming up');
		await warmUp(rig, items);
		tell('expiring tokens');
		// The HTTP Request node doesn't repeat a POST that was rejected with 401, so it would leave
		// transactions out.
		measured.tokens = [await measureTokens(rig, 'item', items)];
		for (const stage of only ? [] : stages(quick)) {
			series.push(...(await runStage(rig, stage, tell)));
			save();
		}
		for (const stage of connectionStages(quick)) {
			connectionSeries.push(...(await runConnectionStage(rig, stage, tell)));
			save();
		}
		await rig.stop();
	}
	if (only !== 'connections')
		measured.trigger = await measureTrigger(
			file,
			quick ? { rounds: 1, seconds: 2 } : { rounds: 3, seconds: 3 },
			tell,
		);
	console.log(`\n${describe(save())}\n`);
	tell(`done: ${toArtifacts ? '.artifacts/benchmark.json' : 'bench/results.json'}`);
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error.message);
	process.exitCode = 1;
});
