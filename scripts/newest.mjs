// Tests the packed nodes in the newest n8n, from the pinned major version on: npm run test:newest
// Or in the versions that are named, such as the first one that fails:
// npm run test:newest -- 2.40.6 2.40.7
import {
	copyFileSync,
	existsSync,
	mkdirSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError } from '../host/cliError.mjs';
import { interruptedBy, runCommand } from '../host/command.mjs';
import { checkDiskSpace, root } from '../host/install.mjs';
import { countTests } from './jestResults.mjs';
import { installN8n, pinned, runtime } from '../host/n8nInstallation.mjs';
import { majorOf, stableVersions } from '../host/n8nVersions.mjs';

/** @typedef {import('../host/install.mjs').Installation} Installation */

/** Versions of a line that are tried before it counts as not installable. */
const MAX_ATTEMPTS = 5;
const CACHE = join(root, '.cache', 'n8n');
const RESULTS = join(root, '.cache', 'newest-results.json');

/** Test files of test/e2e. */
const TESTS = [
	'goldenWorkflows',
	'action',
	'columns',
	'credential',
	'credentialLimits',
	'expressions',
	'agent',
	'trigger',
	'triggerAnswers',
	'examples',
	'editor',
];

/** @param {string} file */
const readJson = (file) => JSON.parse(readFileSync(file, 'utf8'));

/** @type {string} */
const PINNED_VERSION = readJson(join(pinned.folder, 'package.json')).dependencies.n8n;

/**
 * Runs a command and returns what it prints.
 * @param {string[]} command
 * @param {Parameters<typeof runCommand>[1]} [options]
 */
async function collectOutput(command, options) {
	/** @type {string[]} */
	const lines = [];
	const code = await runCommand(command, { ...options, onLine: (line) => lines.push(line) });
	return { code, lines };
}

/**
 * Picks npm's reason from what it printed: the first line that is more than a code.
 * @param {string[]} lines
 */
function reasonOf(lines) {
	const errors = lines.flatMap((line) => /^npm error (.+)/.exec(line)?.[1] ?? []);
	return errors.find((line) => !/^(code|errno|syscall) /.test(line)) ?? lines.join(' ');
}

/**
 * Asks the registry that npm is configured with for the stable versions of n8n, the newest first.
 */
async function listStableVersions() {
	const command = ['npm', 'view', 'n8n', 'versions', 'dist-tags', '--json', '--loglevel=error'];
	const { code, lines } = await collectOutput(command, { cwd: root });
	if (code !== 0) throw new CliError(`npm can't list the versions of n8n: ${reasonOf(lines)}`);
	const { versions, 'dist-tags': tags } = JSON.parse(lines.join('\n'));
	return stableVersions(versions, tags);
}

/**
 * Returns the pinned installation of a version, or a folder for it with the extra packages and
 * overrides of the pinned one.
 * @param {string} version
 * @returns {Installation}
 */
function installationOf(version) {
	if (version === PINNED_VERSION) return pinned;
	const { folder: template, bytes } = pinned;
	const folder = join(CACHE, version);
	mkdirSync(folder, { recursive: true });
	const manifest = readJson(join(template, 'package.json'));
	manifest.dependencies.n8n = version;
	writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
	copyFileSync(join(template, '.npmrc'), join(folder, '.npmrc'));
	return { folder, label: `n8n ${version}`, bytes };
}

/** @param {Installation} installation */
async function writeLockFile({ folder, label }) {
	if (existsSync(join(folder, 'package-lock.json'))) return;
	console.log(`Resolving the packages of ${label} (minutes).`);
	const command = ['npm', 'install', '--package-lock-only', '--loglevel=error'];
	const { code, lines } = await collectOutput(command, { cwd: folder });
	if (code !== 0) throw new CliError(reasonOf(lines));
}

/**
 * Lets n8n open a new database. That fails when it rejects our Node, when a module is missing, and
 * when the SQLite driver doesn't fit.
 * @param {Installation} installation
 */
async function checkStart({ folder }) {
	const userFolder = mkdtempSync(join(tmpdir(), 'payments-n8n-'));
	const bin = 'node_modules/.bin';
	const { code, lines } = await collectOutput(
		[join(runtime.folder, bin, 'node'), join(folder, bin, 'n8n'), 'list:workflow'],
		{ cwd: userFolder, env: { PATH: process.env.PATH, N8N_USER_FOLDER: userFolder } },
	);
	rmSync(userFolder, { recursive: true, force: true });
	if (code === 0) return;
	const messages = lines.filter((line) => line.trim() !== '' && !/^\s+at /.test(line));
	throw new CliError(`It doesn't start: ${messages.slice(-5).join(' ')}`);
}

/**
 * Deletes the installations of other versions of a line, because each takes gigabytes.
 * @param {string} version
 */
function deleteOthers(version) {
	if (!existsSync(CACHE)) return;
	for (const other of readdirSync(CACHE)) {
		if (other === version || majorOf(other) !== majorOf(version)) continue;
		rmSync(join(CACHE, other), { recursive: true, force: true });
	}
}

/**
 * Installs the first version that can be installed and starts.
 * @param {string[]} versions in the order in which they are tried
 * @param {string[]} notes gets the versions that were skipped, and why
 */
async function installFirst(versions, notes) {
	for (const version of versions) {
		const installation = installationOf(version);
		if (!existsSync(join(installation.folder, 'node_modules'))) checkDiskSpace([installation]);
		try {
			await writeLockFile(installation);
			await installN8n(installation);
			await checkStart(installation);
			deleteOthers(version);
			return { version, folder: installation.folder };
		} catch (error) {
			if (!(error instanceof CliError) || interruptedBy()) throw error;
			notes.push(`n8n ${version} was skipped: ${error.message}`);
			console.log(notes.at(-1));
		}
	}
	throw new CliError(`none of these could be installed: ${versions.join(', ') || 'no versions'}`);
}

/**
 * @param {{ version: string, folder: string }} n8n
 * @returns {Promise<import('./jestResults.mjs').Count>}
 */
async function runTests({ version, folder }) {
	console.log(`\nTesting n8n ${version}: ${TESTS.join(', ')}`);
	rmSync(RESULTS, { force: true });
	const command = [
		join(root, 'node_modules', '.bin', 'jest'),
		...['--selectProjects', 'e2e', '--runInBand', '--json', `--outputFile=${RESULTS}`],
		`--testPathPatterns=e2e/(${TESTS.join('|')})\\.test`,
	];
	const env = { ...process.env, N8N_FOLDER: folder };
	const code = await runCommand(command, { cwd: root, env });
	return countTests(`n8n ${version}`, code, RESULTS);
}

/**
 * Finds the newest versions of each line, from the pinned one on, and prints them beside the pinned
 * one.
 * @returns {Promise<Array<{ major: number, versions: string[] }>>}
 */
async function findLines() {
	const stable = await listStableVersions();
	const pinnedMajor = majorOf(PINNED_VERSION);
	const later = stable.map(majorOf).filter((major) => major > pinnedMajor);
	return [pinnedMajor, ...new Set(later.reverse())].map((major) => {
		const versions = stable.filter((version) => majorOf(version) === major);
		const [newest = 'none'] = versions;
		const ours = major === pinnedMajor ? PINNED_VERSION : 'none';
		const same = newest === ours ? '; they are the same, so the pinned one is used' : '';
		console.log(`n8n ${major}: newest ${newest}, pinned ${ours}${same}`);
		return { major, versions: versions.slice(0, MAX_ATTEMPTS) };
	});
}

/** @param {string[]} names */
function readVersions(names) {
	const wrong = names.find((name) => !/^[1-9]\d*\.\d+\.\d+$/.test(name));
	if (wrong) throw new CliError(`"${wrong}" is not a version of n8n, such as 2.40.7.`);
	return names.map((name) => ({ major: majorOf(name), versions: [name] }));
}

/**
 * Tests one version of a line.
 * @param {{ major: number, versions: string[] }} line
 * @param {string[]} notes gets what was skipped, and what Jest prints about failures
 * @returns {Promise<string>} the line for the end
 */
async function testLine({ major, versions }, notes) {
	try {
		const n8n = await installFirst(versions, notes);
		const { passed, failed, failures } = await runTests(n8n);
		notes.push(...failures);
		if (failed > 0 || passed === 0) process.exitCode = 1;
		return `newest: n8n ${n8n.version} ${passed} passed, ${failed} failed`;
	} catch (error) {
		if (!(error instanceof CliError)) throw error;
		process.exitCode = 1;
		return `newest: n8n ${major} was not tested: ${error.message}`;
	}
}

try {
	const requested = readVersions(process.argv.slice(2));
	const lines = requested.length > 0 ? requested : await findLines();
	/** @type {string[]} */
	const notes = [];
	/** @type {string[]} */
	const summary = [];
	for (const line of lines) {
		if (!interruptedBy()) summary.push(await testLine(line, notes));
	}
	console.log(['', ...notes, ...summary].join('\n'));
	if (interruptedBy()) process.exitCode = 130;
} catch (error) {
	if (!(error instanceof CliError)) throw error;
	console.error(error.message);
	process.exitCode = 1;
}
