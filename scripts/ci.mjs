// Every proof of this repository, one after the other, each whatever came of those before it; the last line counts
// what passed and what failed. Started by .ci/run. Uses nothing but Node.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { interruptedBy, runCommand } from './command.mjs';
import { ensureHost, ensureOlderHost } from './n8n.mjs';
import { root } from './install.mjs';
import { findProgram } from './programs.mjs';
import { TASKS } from './tasks.mjs';

const PROOFS = ['test', 'test:e2e', 'test:queue', 'check:package'];
/** A task that hangs must not keep the others from their turn; on a slow machine a sound one takes half of this. */
const MOST_MINUTES = 50;
const report = join(root, '.cache', 'ci');

/** What the host's one native part is built with. */
const COMPILER = ['python3', 'make', 'g++'].map((name) => ({ names: [name], package: name }));

async function installPrograms() {
	const programs = [...COMPILER, ...PROOFS.flatMap((task) => TASKS[task].programs ?? [])];
	const missing = [
		...new Set(
			programs.filter((program) => !findProgram(program)).map((program) => program.package),
		),
	];
	if (missing.length === 0) return;
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	await runCommand(['apt-get', 'update', '-q'], { env });
	await runCommand(['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...missing], {
		env,
	});
}

/** What one step of a task came to: a Jest run counts its tests, anything else counts as one. */
function countStep({ name, code, results }) {
	if (!results) return { passed: Number(code === 0), failed: Number(code !== 0), tests: [] };
	if (!existsSync(results)) return { passed: 0, failed: 1, tests: [] };
	const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites, testResults } = JSON.parse(
		readFileSync(results, 'utf8'),
	);
	const failed = numFailedTests + numRuntimeErrorTestSuites;
	const tests = testResults.flatMap(({ assertionResults }) =>
		assertionResults.map(({ fullName, duration }) => ({
			name: `${name}: ${fullName}`,
			ms: duration ?? 0,
		})),
	);
	const failures = testResults
		.filter(({ status }) => status === 'failed')
		.map(({ name: file, message }) => `FAIL ${relative(root, file)}\n${message}`);
	return {
		passed: numPassedTests,
		failed: failed === 0 && code !== 0 ? 1 : failed,
		tests,
		failures,
	};
}

function countTask(code) {
	const file = join(report, 'steps.jsonl');
	const steps = existsSync(file)
		? readFileSync(file, 'utf8')
				.trim()
				.split('\n')
				.map((line) => JSON.parse(line))
		: [];
	const counts = steps.map(countStep);
	// A task that failed before or between its steps, for example in an installation, is a failure of its own.
	return code !== 0 && !counts.some(({ failed }) => failed > 0)
		? [...counts, { passed: 0, failed: 1, tests: [] }]
		: counts;
}

/** Both n8n, while the tests run that need none. Whoever needs one waits for it, and says what is wrong if it did not come. */
async function installHosts() {
	await ensureHost();
	await ensureOlderHost();
}

await installPrograms();
void installHosts().catch(() => {});
const counts = [];
for (const task of PROOFS) {
	if (interruptedBy()) break;
	console.log(`\n=== ${task}`);
	rmSync(report, { recursive: true, force: true });
	const started = Date.now();
	const command = [
		'timeout',
		'--kill-after=30',
		`${MOST_MINUTES}m`,
		process.execPath,
		join(root, 'scripts', 'run.mjs'),
		task,
	];
	const code = await runCommand(command, {
		cwd: root,
		env: { ...process.env, PAYMENTS_REPORT: report, FORCE_COLOR: '0' },
	});
	counts.push(...countTask(code));
	console.log(
		`=== ${task}: exit code ${code} after ${Math.round((Date.now() - started) / 1000)} s`,
	);
}

const sum = (member) => counts.reduce((total, count) => total + count[member], 0);
const slowest = counts
	.flatMap(({ tests }) => tests)
	.sort((a, b) => b.ms - a.ms)
	.slice(0, 10);
console.log(
	`\nThe slowest tests:\n${slowest.map(({ name, ms }) => `${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`).join('\n')}\n`,
);
// Once more at the end, because that is where a reader of a long log looks first.
for (const failure of counts.flatMap(({ failures = [] }) => failures)) console.log(failure);
process.exitCode = sum('failed') === 0 && sum('passed') > 0 && !interruptedBy() ? 0 : 1;
console.log(`${sum('passed')} passed, ${sum('failed')} failed`);
