// Runs the unit tests and those in n8n's engine again and again, in another random order each time
// and with a busy machine beside them, to find tests that depend on their order or on time: npm run
// test:repeat -- 20
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { CliError } from '../host/cliError.mjs';
import { interruptedBy, runCommand } from '../host/command.mjs';
import { root } from '../host/install.mjs';

const USAGE = `npm run test:repeat -- [ROUNDS] [--stress THREADS] [--seed NUMBER] [--files PATTERN]

ROUNDS     how often to run the tests; 3 by default
--stress   how many threads keep the processor busy; by default, half as many as it has cores
--seed     seed of the first round, each next one has the next number; random by default
--files    only test files whose path matches this pattern`;

const RESULTS = join(root, '.cache', 'repeat-results.json');
const MAX_SEED = 2 ** 31 - 1000;

/**
 * @typedef {object} Round
 * @property {number} seed
 * @property {number} passed
 * @property {number} seconds
 * @property {string[]} failed names of tests, and of files that could not be run
 */

/**
 * @param {string} name
 * @param {string} text
 * @param {number} min
 */
function parseInteger(name, text, min) {
	const number = Number(text);
	if (Number.isInteger(number) && number >= min && text.trim() !== '') return number;
	throw new CliError(`${name} must be an integer from ${min} on, not "${text}".\n\n${USAGE}`);
}

function readArguments() {
	const options = {
		stress: { type: 'string', default: String(Math.ceil(availableParallelism() / 2)) },
		seed: { type: 'string', default: String(Math.floor(Math.random() * MAX_SEED)) },
		files: { type: 'string' },
	};
	try {
		const { values, positionals } = parseArgs({ options, allowPositionals: true });
		if (positionals.length > 1) throw new Error(`Unknown argument ${positionals[1]}`);
		return {
			rounds: parseInteger('ROUNDS', positionals[0] ?? '3', 1),
			stress: parseInteger('--stress', values.stress, 0),
			seed: parseInteger('--seed', values.seed, 0),
			files: values.files,
		};
	} catch (error) {
		throw error instanceof CliError ? error : new CliError(`${error.message}\n\n${USAGE}`);
	}
}

/**
 * Keeps the processor busy. Threads rather than processes: they end with this process, however it
 * ends.
 * @param {number} count
 * @returns {() => Promise<unknown>} ends it
 */
function startStress(count) {
	const workers = Array.from({ length: count }, () => new Worker('for (;;);', { eval: true }));
	return async () => await Promise.all(workers.map((worker) => worker.terminate()));
}

/**
 * @param {number} seed
 * @param {string | undefined} files
 */
const commandOf = (seed, files) => [
	join(root, 'node_modules', '.bin', 'jest'),
	'--selectProjects',
	'unit',
	'engine',
	'--randomize',
	`--seed=${seed}`,
	`--testSequencer=${join(root, 'test', 'support', 'shuffledSequencer.js')}`,
	...(files === undefined ? [] : [`--testPathPatterns=${files}`]),
];

/**
 * @param {number} seed
 * @param {string | undefined} files
 * @returns {Promise<Round>}
 */
async function runRound(seed, files) {
	const started = Date.now();
	rmSync(RESULTS, { force: true });
	await runCommand([...commandOf(seed, files), '--silent', '--json', `--outputFile=${RESULTS}`], {
		cwd: root,
		env: { ...process.env, TEST_ORDER_SEED: String(seed), FORCE_COLOR: '0' },
		quiet: true,
	});
	const seconds = Math.round((Date.now() - started) / 1000);
	if (!existsSync(RESULTS)) return { seed, passed: 0, seconds, failed: ['Jest left no results'] };
	const { numPassedTests: passed, testResults } = JSON.parse(readFileSync(RESULTS, 'utf8'));
	const failed = testResults.filter(({ status }) => status === 'failed');
	for (const { name, message } of failed) console.log(`FAIL ${relative(root, name)}\n${message}`);
	return { seed, passed, seconds, failed: failed.flatMap(failuresIn) };
}

/** The failed tests of a file; the file itself when it could not be run. */
function failuresIn({ name, assertionResults }) {
	const file = relative(root, name);
	const failed = assertionResults.filter(({ status }) => status === 'failed');
	return failed.length === 0 ? [file] : failed.map(({ fullName }) => `${file}: ${fullName}`);
}

/**
 * @param {Round[]} rounds
 * @param {number} wanted
 */
function printSummary(rounds, wanted) {
	const failedRounds = rounds.filter(({ failed }) => failed.length > 0);
	/** @type {Map<string, number[]>} */
	const seedsByTest = new Map();
	for (const { seed, failed } of failedRounds) {
		for (const test of failed) seedsByTest.set(test, [...(seedsByTest.get(test) ?? []), seed]);
	}
	console.log('');
	for (const [test, seeds] of seedsByTest) {
		console.log(`${seeds.length} of ${rounds.length} rounds: ${test} (seeds ${seeds.join(', ')})`);
	}
	const passedRounds = rounds.length - failedRounds.length;
	console.log(`${passedRounds} of ${wanted} rounds passed, ${failedRounds.length} failed`);
	process.exitCode = passedRounds === wanted ? 0 : 1;
}

try {
	const { rounds: wanted, stress, seed, files } = readArguments();
	console.log(`Rounds: ${wanted}. Busy threads: ${stress}. First seed: ${seed}`);
	const stopStress = startStress(stress);
	/** @type {Round[]} */
	const rounds = [];
	while (rounds.length < wanted && !interruptedBy()) {
		const round = await runRound(seed + rounds.length, files);
		if (interruptedBy()) break;
		rounds.push(round);
		console.log(
			`Round ${rounds.length} of ${wanted}: seed ${round.seed}, ${round.passed} passed, ${round.failed.length} failed, ${round.seconds} s`,
		);
	}
	await stopStress();
	printSummary(rounds, wanted);
} catch (error) {
	if (!(error instanceof CliError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
