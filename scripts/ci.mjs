// Runs every check of this repository, each whatever came of the others; the last line counts what
// passed and what failed. Started by .ci/run. Uses nothing but Node. With CI_PROFILE=nightly, tests
// of many events use their full numbers, and n8n-mcp validates the examples.
import { readFileSync, rmSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { interruptedBy, runCommand } from '../host/command.mjs';
import { root } from '../host/install.mjs';
import { countTests } from './jestResults.mjs';
import { PROGRAMS, findProgram } from '../host/programs.mjs';

const isNightly = process.env.CI_PROFILE === 'nightly';

/**
 * A script of package.json. One that is run in parts names each, and the test files that it runs.
 * @typedef {{ script: string, part?: string, files?: string }} Check
 */

/** @type {(part: string, files: string) => Check} */
const e2e = (part, files) => ({ script: 'test:e2e', part, files });
/**
 * In steps. The first step uses all cores, and the second measures, so they run alone. The lanes of
 * the third run side by side, because each of them waits for n8n to start, or for a page; two of
 * them, because an n8n with a Chromium takes most of a core.
 * @type {Check[][][]}
 */
const STEPS = [
	[[{ script: 'test' }]],
	[[e2e('measured', 'test/measured/')]],
	[
		[e2e('pages', 'e2e/(aiBuilder|editor|onboarding|payouts|sandbox)')],
		[
			...(isNightly ? [{ script: 'check:examples' }] : []),
			{ script: 'check:package' },
			e2e('nodes', 'e2e/(?!aiBuilder|editor|onboarding|payouts|sandbox)'),
			{ script: 'test:queue' },
		],
	],
];
const CHECKS = STEPS.flat(2);
/** The shares of the full numbers that are enough for every push. */
const SCALES = isNightly ? {} : { QUEUE_SCALE: '0.1', E2E_SCALE: '0.1' };
/** Each property runs as often as its test says; `npm test` alone runs it at most 100 times. */
const ALL_RUNS = '1000000';
/**
 * A command that hangs must not keep the others from running; on a slow machine one takes half of
 * this.
 */
const TIMEOUT = '50m';
/** What n8n's SQLite driver is built with. */
const COMPILER = ['python3', 'make', 'g++'].map((name) => ({ names: [name], package: name }));

/** @typedef {import('./jestResults.mjs').Count} Count */

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @param {Check} check */
const commandsOf = ({ script }) => scripts[script].split(' && ');

/** @param {Check} check */
const nameOf = ({ script, part }) => (part ? `${script} ${part}` : script);

/** @param {string} command */
const isSetup = (command) => command.startsWith('node host/setup.mjs ');

/** The parts that the checks set up, as host/setup.mjs names them. */
function partsOfAllChecks() {
	const setups = CHECKS.flatMap(commandsOf).filter(isSetup);
	return [...new Set(setups.flatMap((command) => command.split(' ').slice(2)))];
}

/** @param {string[]} parts */
async function installPrograms(parts) {
	const programs = parts.filter((part) => part in PROGRAMS).map((part) => PROGRAMS[part]);
	const missing = [...COMPILER, ...programs].filter((program) => !findProgram(program));
	if (missing.length === 0) return;
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
	const packages = missing.map((program) => program.package);
	await runCommand(['apt-get', 'update', '-q'], { env });
	await runCommand(['apt-get', 'install', '-y', '-q', '--no-install-recommends', ...packages], {
		env,
	});
}

/**
 * Runs one command of a script as npm does. A Jest run counts its tests, any other command counts
 * as one.
 * @param {Check} check
 * @param {string} command
 * @param {string} prefix put before each line of its output
 * @returns {Promise<Count>}
 */
async function runCheckCommand(check, command, prefix) {
	const isJest = /\bjest\b/.test(command);
	const name = nameOf(check);
	const resultsFile = join(root, '.cache', `ci-${name.replace(/\W/g, '-')}.json`);
	rmSync(resultsFile, { force: true });
	const files = check.files ? ` --testPathPatterns '${check.files}'` : '';
	const line = isJest ? `${command}${files} --json --outputFile=${resultsFile}` : command;
	const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
	const code = await runCommand(['timeout', '--kill-after=30', TIMEOUT, 'sh', '-c', line], {
		cwd: root,
		env: {
			...SCALES,
			PROPERTY_RUNS: ALL_RUNS,
			E2E_PART: check.part ?? '',
			...process.env,
			PATH: path,
			FORCE_COLOR: '0',
		},
		prefix,
	});
	if (isJest) return countTests(name, code, resultsFile);
	const passed = code === 0;
	if (isSetup(command) && passed) return { passed: 0, failed: 0, tests: [], failures: [] };
	const failures = passed ? [] : [`FAIL ${name}: ${command} (exit code ${code})`];
	return { passed: Number(passed), failed: Number(!passed), tests: [], failures };
}

/**
 * Installs everything side by side while the first checks run. Each check waits for its own parts,
 * and says what is wrong when one could not be installed.
 * @param {string[]} parts
 */
function installInBackground(parts) {
	void runCommand([process.execPath, join(root, 'host', 'setup.mjs'), ...parts], { cwd: root });
}

/** @param {Count[]} counts */
function printSummary(counts) {
	const tests = counts.flatMap((count) => count.tests);
	const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, 10);
	console.log('\nThe slowest tests:');
	for (const { name, ms } of slowest) {
		console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`);
	}
	console.log(`\n${durations.join('\n')}\n`);
	// Once more at the end, because that is where a reader of a long log looks first.
	for (const failure of counts.flatMap(({ failures }) => failures)) console.log(failure);
	const passed = counts.reduce((sum, count) => sum + count.passed, 0);
	const failed = counts.reduce((sum, count) => sum + count.failed, 0);
	process.exitCode = failed === 0 && passed > 0 && !interruptedBy() ? 0 : 1;
	console.log(`${passed} passed, ${failed} failed`);
}

/**
 * Runs the checks of a lane one after the other.
 * @param {Check[]} checks
 * @param {boolean} isAlone whether no other lane prints at the same time
 * @returns {Promise<Count[]>}
 */
async function runLane(checks, isAlone) {
	/** @type {Count[]} */
	const counts = [];
	for (const check of checks) {
		const name = nameOf(check);
		console.log(`\n=== ${name}`);
		const started = Date.now();
		const prefix = isAlone ? '' : `${name} | `;
		for (const command of commandsOf(check)) {
			if (interruptedBy()) break;
			console.log(`${prefix}> ${command}`);
			counts.push(await runCheckCommand(check, command, prefix));
		}
		durations.push(`${name}: ${Math.round((Date.now() - started) / 1000)} s`);
		console.log(`=== ${durations.at(-1)}`);
	}
	return counts;
}

/** How long each check took. @type {string[]} */
const durations = [];
const started = Date.now();
const parts = partsOfAllChecks();
await installPrograms(parts);
installInBackground(parts);
/** @type {Count[]} */
const counts = [];
for (const lanes of STEPS) {
	const results = await Promise.all(lanes.map((checks) => runLane(checks, lanes.length === 1)));
	counts.push(...results.flat());
}
durations.push(`all checks: ${Math.round((Date.now() - started) / 1000)} s`);
printSummary(counts);
