#!/usr/bin/env node
// Installs what a command of package.json needs, as far as it is missing: node host/setup.mjs PART…
// Uses nothing but Node, so it works on a fresh clone.
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { interruptedBy, runCommand } from './command.mjs';
import { CliError } from './cliError.mjs';
import { checkDiskSpace, installPackages, isInstalled, root } from './install.mjs';
import { withLock } from './lock.mjs';
import { installN8n, pinned, runtime } from './n8nInstallation.mjs';
import { PROGRAMS, requireProgram } from './programs.mjs';

/** @typedef {import('./install.mjs').Installation} Installation */

const tools = { folder: root, label: 'development tools', bytes: 1_100_000_000 };
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
const n8nMcp = { folder: join(root, 'scripts/n8n-mcp'), label: 'n8n-mcp', bytes: 170_000_000 };

/** @type {Record<string, { installations: Installation[], install: () => Promise<void> }>} */
const PARTS = {
	// What the tools check and run includes host/ and the sandbox.
	tools: { installations: [tools, host, sandbox], install: installTools },
	host: { installations: [host], install: () => installPackages(host) },
	n8n: { installations: [pinned, runtime], install: () => installN8n(pinned) },
	sandbox: { installations: [sandbox], install: () => installPackages(sandbox) },
	database: { installations: [database], install: () => installPackages(database) },
	scanner: { installations: [scanner], install: () => installPackages(scanner) },
	'n8n-mcp': { installations: [n8nMcp], install: () => installPackages(n8nMcp) },
};

async function installTools() {
	await Promise.all([tools, host, sandbox].map(installPackages));
	if (!hasSandboxTypes()) await withLock('making the types of the sandbox', makeSandboxTypes);
}

const sandboxTypes = join(sandbox.folder, 'types.generated.ts');

/** Only what checks types needs them; the sandbox starts without. */
function hasSandboxTypes() {
	const contract = join(sandbox.folder, 'openapi.yaml');
	return existsSync(sandboxTypes) && statSync(sandboxTypes).mtimeMs >= statSync(contract).mtimeMs;
}

async function makeSandboxTypes() {
	if (hasSandboxTypes()) return;
	const code = await runCommand(['npm', 'run', '--silent', 'types'], { cwd: sandbox.folder });
	if (code === 0) return;
	throw new CliError(`${sandboxTypes} could not be made; the reason is above.`);
}

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
