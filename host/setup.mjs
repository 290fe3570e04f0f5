#!/usr/bin/env node
// Installs what a command of package.json needs, as far as it is missing: node host/setup.mjs PART…
// Uses nothing but Node, so it works on a fresh clone.
import { join } from 'node:path';
import { interruptedBy } from './command.mjs';
import { CliError } from './cliError.mjs';
import { checkDiskSpace, installPackages, isInstalled, root } from './install.mjs';
import { installN8n, pinned, runtime } from './n8nInstallation.mjs';
import { PROGRAMS, requireProgram } from './programs.mjs';

/** @typedef {import('./install.mjs').Installation} Installation */

const tools = { folder: root, label: 'development tools', bytes: 550_000_000 };
const host = {
	folder: join(root, 'host'),
	label: 'what builds and starts the nodes',
	bytes: 55_000_000,
};
const sandbox = { folder: join(root, 'sandbox'), label: 'the sandbox', bytes: 50_000_000 };
const database = {
	folder: join(root, 'host/installations/postgres'),
	label: 'PostgreSQL',
	bytes: 65_000_000,
};
const scanner = {
	folder: join(root, 'scripts/scanner'),
	label: "n8n's package scanner",
	bytes: 250_000_000,
};
const generate = {
	folder: join(root, 'scripts/generate'),
	label: 'what makes the generated sources',
	bytes: 60_000_000,
};
const nightly = {
	folder: join(root, 'test/nightly'),
	label: 'the tools of the nightly tests',
	bytes: 450_000_000,
};

/** @type {Record<string, { installations: Installation[], install: () => Promise<void> }>} */
const PARTS = {
	// What the tools check and run includes host/ and the sandbox.
	tools: {
		installations: [tools, host, sandbox],
		install: async () => void (await Promise.all([tools, host, sandbox].map(installPackages))),
	},
	host: { installations: [host], install: () => installPackages(host) },
	n8n: { installations: [pinned, runtime], install: () => installN8n(pinned) },
	sandbox: { installations: [sandbox], install: () => installPackages(sandbox) },
	database: { installations: [database], install: () => installPackages(database) },
	scanner: { installations: [scanner], install: () => installPackages(scanner) },
	generate: { installations: [generate], install: () => installPackages(generate) },
	nightly: { installations: [nightly], install: () => installPackages(nightly) },
};

function checkNodeVersion() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major > 20 || (major === 20 && minor >= 6)) return;
	throw new CliError(
		`This needs Node 20.6 or newer; this is Node ${process.versions.node}. Install a newer one and start again.`,
	);
}

/** @param {string[]} names */
function checkNames(names) {
	const known = [...Object.keys(PARTS), ...Object.keys(PROGRAMS)];
	const unknown = names.filter((name) => !known.includes(name));
	if (names.length > 0 && unknown.length === 0) return;
	const reason = names.length === 0 ? 'Name a part.' : `There is no part ${unknown.join(', ')}.`;
	throw new CliError(`${reason} The parts are: ${known.join(', ')}.`);
}

/**
 * Installs parts side by side. Those that could be installed stay installed when another one could
 * not.
 * @param {string[]} names
 */
async function installParts(names) {
	const parts = names.filter((name) => name in PARTS).map((name) => PARTS[name]);
	const involved = new Set(parts.flatMap((part) => part.installations));
	checkDiskSpace([...involved].filter(({ folder }) => !isInstalled(folder)));
	await Promise.all(parts.map(({ install }) => install().catch(report)));
}

/** @param {unknown} error */
function report(error) {
	if (!(error instanceof CliError)) throw error;
	console.error(error.message);
	process.exitCode = interruptedBy() ? 130 : 1;
}

try {
	checkNodeVersion();
	const names = process.argv.slice(2);
	checkNames(names);
	// Programs first: nobody wants to hear of a missing one after minutes of downloads.
	for (const name of names) if (name in PROGRAMS) requireProgram(name);
	await installParts(names);
} catch (error) {
	report(error);
}
