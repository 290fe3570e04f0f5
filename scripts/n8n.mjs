import { existsSync, realpathSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { runCommand } from './command.mjs';
import { ensureInstalled, root } from './install.mjs';
import { CliError } from './cliError.mjs';

const nodeOf = (folder) => join(folder, 'node_modules/.bin/node');

const loadsDatabase = async (folder) =>
	(await runCommand([nodeOf(folder), '-e', 'require("sqlite3")'], { cwd: folder, quiet: true })) ===
	0;

/**
 * Builds SQLite's driver, the one native part of n8n that does not come ready made. Install scripts are off for all
 * others: n8n's Kafka client would fetch and compile sources that nothing here uses.
 */
async function buildDatabaseDriver(folder) {
	console.log('  building the SQLite driver for the Node of the host (about a minute)');
	if (!existsSync(nodeOf(folder))) {
		throw new CliError(
			`The host has no Node for ${process.platform} on ${process.arch}; see "optionalDependencies" in ${join(folder, 'package.json')} for those that it has.`,
		);
	}
	const node = realpathSync(nodeOf(folder));
	const code = await runCommand(
		['npm', 'rebuild', 'sqlite3', '--ignore-scripts=false', '--loglevel=error'],
		{
			cwd: folder,
			env: {
				...process.env,
				PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
				npm_config_nodedir: dirname(dirname(node)),
			},
		},
	);
	if (code === 0 && (await loadsDatabase(folder))) return;
	throw new CliError(
		`The SQLite driver of n8n could not be built (code ${code}). It needs Python 3, make and a C++ compiler; on Debian and Ubuntu: sudo apt-get install -y python3 make g++. Then start again.`,
	);
}

/**
 * Makes sure that a host is installed: a real n8n and the Node that it needs, both pinned in the folder's
 * package.json and package-lock.json.
 * @throws {CliError} with what to do next
 */
const installation = (name) => join(root, 'test/support/n8n/installations', name);

export async function ensureHost(folder = installation('current')) {
	await ensureInstalled(folder, 'n8n, to try the nodes in', 2_600_000_000, {
		isReady: async () => await loadsDatabase(folder),
		make: async () => await buildDatabaseDriver(folder),
	});
}

/** The last line of n8n before version 2, which the same package must work in. */
export const ensureOlderHost = async () => await ensureHost(installation('v1'));
