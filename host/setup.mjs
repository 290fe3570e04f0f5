#!/usr/bin/env node
// Installs what a command of package.json needs, where it's missing or older than its lock file:
// node host/setup.mjs PART… Uses nothing but Node and npm, so it works on a fresh clone.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, realpathSync, statSync, utimesSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PROGRAMS, requireProgram } from './programs.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** The n8n that this repository pins. */
export const PINNED = join(root, 'host/installations/current');
/**
 * The Node that n8n runs on, and the sources of its SQLite driver. Apart from n8n, so that the
 * driver is built once for every version of n8n that is installed.
 */
const RUNTIME = join(root, 'host/installations/runtime');

/**
 * Parts by name: the folders whose packages they are.
 * @type {Record<string, string[]>}
 */
const PARTS = {
	tools: ['.', 'host', 'sandbox', 'check', 'scripts/generate'],
	host: ['host'],
	sandbox: ['sandbox'],
	check: ['check'],
	database: ['host/installations/postgres'],
	scanner: ['scripts/scanner'],
	generate: ['scripts/generate'],
	nightly: ['test/nightly'],
};

/**
 * Runs a command to its end, with its output going to ours.
 * @param {string[]} command program and arguments
 * @param {import('node:child_process').SpawnOptions} options
 * @throws when it fails
 */
async function run([program, ...args], options) {
	const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options });
	const [status] = await once(child, 'close');
	if (status !== 0) throw new Error(`${program} ${args.join(' ')} failed; the reason is above.`);
}

/**
 * Installs a folder's packages as its lock file lists them, or, without one, as package.json does.
 * npm writes its own copy of that file at the end, so the copy says whether it has, and when.
 * @param {string} folder
 * @param {string[]} [command] of npm
 */
async function installPackages(folder, command) {
	const lockFile = join(folder, 'package-lock.json');
	const isLocked = existsSync(lockFile);
	const list = isLocked ? lockFile : join(folder, 'package.json');
	const installed = join(folder, 'node_modules/.package-lock.json');
	if (existsSync(installed) && statSync(installed).mtimeMs >= statSync(list).mtimeMs) return;
	console.log(`Installing the packages of ${folder}; this happens only once.`);
	const npm = ['npm', ...(command ?? [isLocked ? 'ci' : 'install'])];
	const options = ['--ignore-scripts', '--loglevel=error', '--prefer-offline'];
	await run([...npm, ...options], { cwd: folder });
	utimesSync(installed, new Date(), new Date());
}

/** Makes the types of the sandbox's contract, which only the compiler and the linter read. */
async function makeTypes() {
	const contract = join(root, 'sandbox/openapi.yaml');
	const types = join(root, 'sandbox/types.generated.ts');
	if (existsSync(types) && statSync(types).mtimeMs >= statSync(contract).mtimeMs) return;
	await run(['npm', 'run', '--silent', 'types'], { cwd: join(root, 'scripts/generate') });
}

/** @param {string} folder */
const driverIn = (folder) => join(folder, 'node_modules/sqlite3/build/Release/node_sqlite3.node');

/**
 * Builds the SQLite driver, the one native part of n8n that npm doesn't deliver ready-made. Install
 * scripts are off for all other packages: n8n's Kafka client would download and compile sources
 * that nothing here uses.
 */
async function buildDriver() {
	if (existsSync(driverIn(RUNTIME))) return;
	const command = join(RUNTIME, 'node_modules/.bin/node');
	if (!existsSync(command)) {
		throw new Error(
			`There is no Node for n8n on ${process.platform}, ${process.arch}; see "optionalDependencies" in ${join(RUNTIME, 'package.json')} for those that there are.`,
		);
	}
	console.log("Building n8n's SQLite driver, with Python 3, make, and a C++ compiler (a minute).");
	const node = realpathSync(command);
	await run(['npm', 'rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error'], {
		cwd: RUNTIME,
		env: {
			...process.env,
			PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
			npm_config_nodedir: dirname(dirname(node)),
		},
	});
}

/**
 * Installs an n8n with its Node and its SQLite driver. Not with `npm ci`, which rejects a lock file
 * without the optional packages of other platforms, and n8n's has none that the registry lacked.
 * @param {string} folder that pins it in package.json and package-lock.json
 */
export async function installN8n(folder) {
	await installPackages(RUNTIME);
	await buildDriver();
	await installPackages(folder, ['install', '--no-save']);
	if (existsSync(driverIn(folder))) return;
	mkdirSync(dirname(driverIn(folder)), { recursive: true });
	copyFileSync(driverIn(RUNTIME), driverIn(folder));
}

/**
 * Installs side by side, because npm uses one processor.
 * @param {string[]} names of parts and programs
 */
export async function setUp(names) {
	const known = [...Object.keys(PARTS), 'n8n', ...Object.keys(PROGRAMS)];
	const unknown = names.filter((name) => !known.includes(name));
	if (names.length === 0 || unknown.length > 0) {
		throw new Error(
			`There is no part "${unknown.join(', ')}". The parts are: ${known.join(', ')}.`,
		);
	}
	// Programs first: nobody wants to hear of a missing one after minutes of downloads.
	for (const name of names) if (name in PROGRAMS) requireProgram(name);
	const folders = new Set(names.flatMap((name) => PARTS[name] ?? []));
	const installations = [...folders].map((folder) => installPackages(join(root, folder)));
	if (names.includes('n8n')) installations.push(installN8n(PINNED));
	await Promise.all(installations);
	if (names.includes('tools')) await makeTypes();
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	try {
		await setUp(process.argv.slice(2));
	} catch (error) {
		console.error(error instanceof Error ? error.message : error);
		process.exitCode = 1;
	}
}
