import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { n8nInstallation } from '../host/n8n/installation';
import { packPackage } from '../host/pack';
import { plainTable } from '../host/plainTable';
import { stopAll } from '../host/processes';
import { drawChart } from './chart';
import type { Connection } from './connection/connections';
import { median } from './numbers';
import { withFigures } from './page';
import { describeMachine, toRows, type Results } from './results';
import { Rig } from './rig';
import { RATE_PER_SECOND } from './subjects';
import { measureTrigger } from './trigger';

const USAGE = `npm run bench [-- --quick]
  Measures the nodes and what people would use in their place. Wants a machine that does nothing else. Takes about 12
  minutes, and writes docs/images/benchmark.svg and the figures in docs/performance.md.
  --quick   one round and no memory, in about 4 minutes; writes to .artifacts/ instead`;

const root = join(__dirname, '..');
const ITEMS = 500;
/** So many, because n8n goes on getting faster. */
const WARM_UP_ROUNDS = 3;
/** For what a run of a node costs in memory. */
const MANY_ITEMS = 50_000;
const RATE_LIMIT = { rateLimit: { perSecond: RATE_PER_SECOND, retryAfter: 1 } };

type Tell = (line: string) => void;

async function measureConnection(rig: Rig, connection: Connection, rounds: number, tell: Tell) {
	const ms = {
		first: [] as number[],
		later: [] as number[],
		http: [] as number[],
		kept: [] as number[],
	};
	// They take turns, so that whatever else the machine does meets all alike.
	for (let round = 0; round < rounds; round++) {
		ms.http.push((await rig.measure('http-request', ITEMS, connection)).ms);
		await rig.signUp();
		ms.first.push((await rig.measure('payments', ITEMS, connection)).ms);
		ms.later.push((await rig.measure('payments', ITEMS, connection)).ms);
		ms.kept.push(await rig.measureKeptConnections(ITEMS, connection));
		tell(`${connection}: ${JSON.stringify(ms)}`);
	}
	return {
		connection,
		firstMs: median(ms.first),
		laterMs: median(ms.later),
		httpRequestMs: median(ms.http),
		keptConnectionsMs: Math.round(median(ms.kept)),
	};
}

/** Each round has all of them, because n8n is still warming up, and 150 ms are soon 30 % less. */
async function measureRateLimit(rig: Rig, rounds: number): Promise<Results['rateLimit']> {
	const ms = { before: [], byDefault: [], after: [], withOption: [] } as Record<string, number[]>;
	let defaultRejected = 0;
	let withOptionRejected = 0;
	for (let round = 0; round < rounds; round++) {
		ms.before.push((await rig.measure('payments', ITEMS)).ms);
		const byDefault = await rig.measure('payments', ITEMS, 'http', RATE_LIMIT);
		ms.byDefault.push(byDefault.ms);
		ms.after.push((await rig.measure('payments', ITEMS)).ms);
		const subject = 'payments, with the rate set';
		const withOption = await rig.measure(subject, ITEMS, 'http', RATE_LIMIT);
		ms.withOption.push(withOption.ms);
		defaultRejected = Math.max(defaultRejected, byDefault.rejected);
		withOptionRejected = Math.max(withOptionRejected, withOption.rejected);
	}
	return {
		perSecond: RATE_PER_SECOND,
		defaultMs: median(ms.byDefault),
		defaultRejected,
		withOptionMs: median(ms.withOption),
		withOptionRejected,
		beforeMs: median(ms.before),
		afterMs: median(ms.after),
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

function write(file: string, content: string) {
	mkdirSync(dirname(join(root, file)), { recursive: true });
	writeFileSync(join(root, file), content);
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
	const machine = describeMachine();
	const rounds = quick ? 1 : 3;
	tell('building and packing the nodes');
	const { file } = await packPackage();
	const results: Results = {
		date: new Date(started).toISOString().slice(0, 10),
		n8n: n8nInstallation().version,
		machine,
		rounds,
		items: ITEMS,
		...(await measureSending(file, rounds, tell)),
		// Linux alone tells how much memory a process held at most.
		memory: quick || process.platform !== 'linux' ? [] : await measureMemory(file, tell),
		trigger: await measureTrigger(file, { rounds, seconds: 3 }, tell),
	};
	write('.artifacts/benchmark.json', `${JSON.stringify(results, null, '\t')}\n`);
	write(quick ? '.artifacts/benchmark.svg' : 'docs/images/benchmark.svg', drawChart(results));
	const page = 'docs/performance.md';
	if (!quick) write(page, withFigures(readFileSync(join(root, page), 'utf8'), results));
	const table = toRows(results).map(([what, figure, must, isReached]) => [
		what,
		figure,
		must,
		isReached ? '' : 'NOT REACHED',
	]);
	console.log(plainTable(['what', 'figure', 'must', ''], ['left', 'right', 'left', 'left'], table));
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error.message);
	process.exitCode = 1;
});
