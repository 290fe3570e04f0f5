import { readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { n8nInstallation } from '../host/n8n/installation';
import { packPackage } from '../host/pack';
import { stopAll } from '../host/processes';
import { withFigures, type Figures, type Tell } from './figures';
import { measureMemory, measureSending } from './sending';
import { measureTrigger } from './trigger';

const USAGE = `npm run bench [-- --quick]
  Measures the nodes and what people would use in their place. Wants a machine that does nothing else. Takes about 7
  minutes, and writes the figures in bench/README.md.
  --quick   one round and no memory, in about 4 minutes; only prints the figures`;

const PAGE = join(__dirname, 'README.md');

function describeConditions(rounds: number): Figures {
	const today = new Date().toISOString().slice(0, 10);
	const text =
		`Measured on ${today} with n8n ${n8nInstallation().version} on a machine with ${cpus().length} cores, on which the sandbox and n8n ran together. ` +
		`Medians of ${rounds}. The load was ${loadavg()[0].toFixed(2)} when the measurement began.`;
	return { section: 'conditions', text, verdicts: [] };
}

async function main() {
	const flag = { type: 'boolean', default: false } as const;
	const { quick, help } = parseArgs({ options: { quick: flag, help: flag } }).values;
	if (help) return console.log(USAGE);
	const started = performance.now();
	const tell: Tell = (line) => {
		const seconds = Math.round((performance.now() - started) / 1000);
		console.log(`${String(seconds).padStart(5)} s  ${line}`);
	};
	const rounds = quick ? 1 : 3;
	const conditions = describeConditions(rounds);
	tell('building and packing the nodes');
	const { file } = await packPackage();
	const figures: Figures[] = [conditions, ...(await measureSending(file, rounds, tell))];
	// Linux alone tells how much memory a process held at most.
	if (!quick && process.platform === 'linux') figures.push(await measureMemory(file, tell));
	figures.push(await measureTrigger(file, rounds, tell));
	for (const { text } of figures) console.log(`\n${text}`);
	console.log(`\n${figures.flatMap(({ verdicts }) => verdicts).join('\n')}`);
	if (!quick) writeFileSync(PAGE, withFigures(readFileSync(PAGE, 'utf8'), figures));
}

main().catch(async (error: Error) => {
	await stopAll();
	console.error(error.message);
	process.exitCode = 1;
});
