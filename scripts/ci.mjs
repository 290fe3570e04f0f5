// Runs every check of this repository, each whatever came of those before it; the last line counts what passed and what
// failed. Started by .ci/run. Uses nothing but Node.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { interruptedBy, runCommand } from './command.mjs';
import { root } from './install.mjs';
import { PROGRAMS, findProgram } from './programs.mjs';

/** Scripts of package.json. */
const CHECKS = ['test', 'test:e2e', 'test:queue', 'check:package'];
/** A command that hangs must not keep the others from running; on a slow machine one takes half of this. */
const TIMEOUT = '50m';
/** What n8n's SQLite driver is built with. */
const COMPILER = ['python3', 'make', 'g++'].map((name) => ({ names: [name], package: name }));
const RESULTS = join(root, '.cache', 'ci-results.json');

/**
 * @typedef {object} Count
 * @property {number} passed
 * @property {number} failed
 * @property {Array<{ name: string, ms: number }>} tests
 * @property {string[]} failures what Jest prints about each file with a failed test
 */

/** @type {{ scripts: Record<string, string> }} */
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** @param {string} check */
const commandsOf = (check) => scripts[check].split(' && ');

/** @param {string} command */
const isSetup = (command) => command.startsWith('node scripts/setup.mjs ');

/** The parts that the checks set up, as scripts/setup.mjs names them. */
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
 * Runs one command of a script as npm does. A Jest run counts its tests, any other command counts as one.
 * @param {string} check
 * @param {string} command
 * @returns {Promise<Count>}
 */
async function runCheckCommand(check, command) {
	const isJest = /\bjest\b/.test(command);
	rmSync(RESULTS, { force: true });
	const line = isJest ? `${command} --json --outputFile=${RESULTS}` : command;
	const path = [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter);
	const code = await runCommand(['timeout', '--kill-after=30', TIMEOUT, 'sh', '-c', line], {
		cwd: root,
		env: { ...process.env, PATH: path, FORCE_COLOR: '0' },
	});
	if (isJest) return countTests(check, code);
	const passed = code === 0;
	if (isSetup(command) && passed) return { passed: 0, failed: 0, tests: [], failures: [] };
	const failures = passed ? [] : [`FAIL ${check}: ${command} (exit code ${code})`];
	return { passed: Number(passed), failed: Number(!passed), tests: [], failures };
}

/**
 * Counts the tests of the Jest run that has just ended.
 * @param {string} check
 * @param {number} code
 * @returns {Count}
 */
function countTests(check, code) {
	if (!existsSync(RESULTS)) {
		return { passed: 0, failed: 1, tests: [], failures: [`FAIL ${check}: Jest left no results`] };
	}
	const results = JSON.parse(readFileSync(RESULTS, 'utf8'));
	const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
	const tests = [];
	const failures = [];
	for (const { name, status, message, assertionResults } of results.testResults) {
		if (status === 'failed') failures.push(`FAIL ${relative(root, name)}\n${message}`);
		for (const { fullName, duration } of assertionResults) {
			tests.push({ name: `${check}: ${fullName}`, ms: duration ?? 0 });
		}
	}
	const failedOtherwise = failed === 0 && code !== 0;
	return {
		passed: results.numPassedTests,
		failed: failedOtherwise ? 1 : failed,
		tests,
		failures,
	};
}

/**
 * Installs everything side by side while the first checks run. Each check waits for its own parts, and says what is wrong
 * when one could not be installed.
 * @param {string[]} parts
 */
function installInBackground(parts) {
	void runCommand([process.execPath, join(root, 'scripts', 'setup.mjs'), ...parts], { cwd: root });
}

/** @param {Count[]} counts */
function printSummary(counts) {
	const tests = counts.flatMap((count) => count.tests);
	const slowest = tests.sort((a, b) => b.ms - a.ms).slice(0, 10);
	console.log('\nThe slowest tests:');
	for (const { name, ms } of slowest) {
		console.log(`${(ms / 1000).toFixed(1).padStart(8)} s  ${name}`);
	}
	console.log('');
	// Once more at the end, because that is where a reader of a long log looks first.
	for (const failure of counts.flatMap(({ failures }) => failures)) console.log(failure);
	const passed = counts.reduce((sum, count) => sum + count.passed, 0);
	const failed = counts.reduce((sum, count) => sum + count.failed, 0);
	process.exitCode = failed === 0 && passed > 0 && !interruptedBy() ? 0 : 1;
	console.log(`${passed} passed, ${failed} failed`);
}

const parts = partsOfAllChecks();
await installPrograms(parts);
installInBackground(parts);
/** @type {Count[]} */
const counts = [];
for (const check of CHECKS) {
	console.log(`\n=== ${check}`);
	const started = Date.now();
	for (const command of commandsOf(check)) {
		if (interruptedBy()) break;
		console.log(`> ${command}`);
		counts.push(await runCheckCommand(check, command));
	}
	console.log(`=== ${check}: ${Math.round((Date.now() - started) / 1000)} s`);
}
printSummary(counts);
