import { copyFileSync, existsSync, mkdirSync, realpathSync, renameSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runCommand } from './command.mjs';
import { CliError } from './cliError.mjs';
import { installPackages, root } from './install.mjs';

/** @typedef {import('./install.mjs').Installation} Installation */

const installations = join(root, 'host/installations');

/**
 * The Node that n8n runs on, and the sources of its SQLite driver. Apart from n8n, so that the
 * driver is built while n8n's own packages are still being installed, and only once for every
 * version that test:newest installs.
 * @type {Installation}
 */
export const runtime = {
	folder: join(installations, 'runtime'),
	label: 'the Node that n8n runs on',
	bytes: 300_000_000,
};

/**
 * The n8n that this repository pins.
 * @type {Installation}
 */
export const pinned = {
	folder: join(installations, 'current'),
	label: 'n8n',
	bytes: 2_500_000_000,
};

/** @param {string} folder */
const driverOf = (folder) => join(folder, 'node_modules/sqlite3/build/Release/node_sqlite3.node');

/**
 * Reports whether an n8n is ready to start.
 * @param {Installation} installation
 * @returns {boolean}
 */
export const hasDriver = ({ folder }) => existsSync(driverOf(folder));

/**
 * Installs an n8n, pinned in the folder's package.json and package-lock.json, with its Node and its
 * SQLite driver.
 * @param {Installation} installation
 * @throws {CliError} with what to do next
 */
export async function installN8n(installation) {
	await Promise.all([
		installPackages(installation),
		installPackages(runtime).then(() => prepareDriver(installation)),
	]);
	if (hasDriver(installation)) return;
	const target = driverOf(installation.folder);
	mkdirSync(dirname(target), { recursive: true });
	copyFileSync(driverOf(runtime.folder), `${target}.new`);
	renameSync(`${target}.new`, target);
}

/** @param {Installation} installation */
async function prepareDriver(installation) {
	if (hasDriver(installation) || hasDriver(runtime)) return;
	await buildDriver();
}

/**
 * Builds the SQLite driver, the one native part of n8n that npm doesn't deliver ready-made. Install
 * scripts are off for all other packages: n8n's Kafka client would download and compile sources
 * that nothing here uses.
 */
async function buildDriver() {
	const command = join(runtime.folder, 'node_modules/.bin/node');
	if (!existsSync(command)) {
		throw new CliError(
			`There is no Node for n8n on ${process.platform}, ${process.arch}; see "optionalDependencies" in ${join(runtime.folder, 'package.json')} for those that there are.`,
		);
	}
	console.log("  building n8n's SQLite driver (about a minute)");
	const node = realpathSync(command);
	const code = await runCommand(
		['npm', 'rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error'],
		{
			cwd: runtime.folder,
			env: {
				...process.env,
				PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
				npm_config_nodedir: dirname(dirname(node)),
			},
		},
	);
	if (code === 0 && (await loads(command))) return;
	throw new CliError(
		`n8n's SQLite driver could not be built (code ${code}). It needs Python 3, make, and a C++ compiler; on Debian and Ubuntu: sudo apt-get install -y python3 make g++. Then start again.`,
	);
}

/** @param {string} node */
async function loads(node) {
	const code = await runCommand([node, '-e', 'require("sqlite3")'], {
		cwd: runtime.folder,
		quiet: true,
	});
	return code === 0;
}
