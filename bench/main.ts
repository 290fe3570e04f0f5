import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { n8nInstallation } from '../host/n8n/installation';
import { packPackage } from '../host/pack';
import { stopAll } from '../host/processes';
import type { Connection } from './connection/connections';
import { median } from './numbers';
import { figures, withFigures } from './page';
import { describeMachine, verdicts, type Results } from './results';
import { Rig } from './rig';
import { RATE_PER_SECOND, type Subject } from './subjects';
import { measureTrigger } from './trigger';

const USAGE = `npm run bench [-- --quick]
  Measures the nodes and what people would use in their place. Wants a machine that does nothing else. Takes about 12
  minutes, and writes the figures in docs/performance.md.
  --quick   one round and no memory, in about 4 minutes; only prints the figures`;

const PAGE = join(__dirname, '../docs/performance.md');
const ITEMS = 500;
/** So many, because n8n goes on getting faster. */
const WARM_UP_ROUNDS = 3;
/** For what a run of a node costs in memory. */
const MANY_ITEMS = 50_000;
const RATE_LIMIT = { rateLimit: { perSecond: RATE_PER_SECOND, retryAfter: 1 } };

type Tell = (line: string) => void;

async function measureConnection(rig: Rig, connection: Connection, rounds: number, tell: Tell) {
	const ms = { first: [] as number[], later: [] as number[], http: [] as number[] };
	// They take turns, so that whatever else the machine does meets all alike.
	for (let round = 0; round < rounds; round++) {
		ms.http.push((await rig.measure('http-request', ITEMS, connection)).ms);
		await rig.signUp();
		ms.first.push((await rig.measure('payments', ITEMS, connection)).ms);
		ms.later.push((await rig.measure('payments', ITEMS, connection)).ms);
		tell(`${connection}: ${JSON.stringify(ms)}`);
	}
	const [firstMs, laterMs, httpRequestMs] = [ms.first, ms.later, ms.http].map(median);
	return { connection, firstMs, laterMs, httpRequestMs };
}

async function measureRateLimit(rig: Rig, rounds: number): Promise<Results['rateLimit']> {
	const measure = async (subject: Subject) => {
		const runs: Array<{ ms: number; rejected: number }> = [];
		for (let round = 0; round < rounds; round++)
			runs.push(await rig.measure(subject, ITEMS, 'http', RATE_LIMIT));
		const rejected = Math.max(...runs.map((run) => run.rejected));
		return { ms: median(runs.map(({ ms }) => ms)), rejected };
	};
	const byDefault = await measure('payments');
	const withOption = await measure('payments, with the rate set');
	return {
		perSecond: RATE_PER_SECOND,
		defaultMs: byDefault.ms,
		defaultRejected: byDefault.rejected,
		withOptionMs: withOption.ms,
		withOptionRejected: withOption.rejected,
	};
}

async function measureSending(tarball: string, rounds: number, tell: Tell) {
	const rig = await Rig.start(tarball);
	tell('warming up');
	for (let round = 0; round < WARM_UP_ROUNDS; round++)
		for (const subject of ['payments', 'http-request'] as const) await rig.measure(subject, ITEMS);
	const connections: Results['connections'] = [];
	for (const connection of ['http', 'https', 'https-30ms', 'https-100ms'] as const)
		connections.push(await measureConnection(rig, connection, rounds, tell));
	tell('rate limit');
	const rateLimit = await measureRateLimit(rig, rounds);
	await rig.stop();
	return { connections, rateLimit };
}

async function measureMemory(tarball: string, tell: Tell): Promise<Results['memory']> {
	const memory: Results['memory'] = [];
	for (const subject of ['payments', 'http-request'] as const) {
		tell(`memory of ${subject}`);
		const rig = await Rig.start(tarball);
		const measured = await rig.measureMemory(subject, MANY_ITEMS);
		memory.push({ subject, items: MANY_ITEMS, ...measured });
		await rig.stop();
	}
	return memory;
}

async function main() {
	const { values } = parseArgs({
		options: {
			quick: { type: 'boolean', default: false },
			help: { type: 'boolean', default: false },
		},
	});
	const { quick, help } = values;
	if (help) return console.log(USAGE);
	const started = Date.now();
	const tell: Tell = (line) =>
		console.log(`${String(Math.round((Date.now() - started) / 1000)).padStart(5)} s  ${line}`);
	const rounds = quick ? 1 : 3;
	tell('building and packing the nodes');
	const { file } = await packPackage();
	const results: Results = {
		date: new Date(started).toISOString().slice(0, 10),
		n8n: n8nInstallation().version,
		...describeMachine(),
		rounds,
		items: ITEMS,
		...(await measureSending(file, rounds, tell)),
		// Linux alone tells how much memory a process held at most.
		memory: quick || process.platform !== 'linux' ? [] : await measureMemory(file, tell),
		trigger: await measureTrigger(file, { rounds, seconds: 3 }, tell),
	};
	console.log(`${figures(results)}\n\n${verdicts(results).join('\n')}`);
	if (!quick) writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), results));
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error.message);
	process.exitCode = 1;
});
