import { existsSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { interruptedBy, runCommand } from './command.mjs';
import { CliError } from './cliError.mjs';
import { withLock } from './lock.mjs';

/**
 * @typedef {object} Installation A folder with package.json, package-lock.json, and .npmrc.
 * @property {string} folder
 * @property {string} label how it is called in what is printed
 * @property {number} bytes disk space that it takes
 */

export const root = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Writes bytes as GB, or as MB below one GB.
 * @param {number} bytes
 */
function formatBytes(bytes) {
	return bytes >= 1e9 ? `${(bytes / 1e9).toFixed(1)} GB` : `${Math.round(bytes / 1e6)} MB`;
}

/**
 * Reads the packages of a lock file: folder of the package → entry. Empty without such a file, or
 * with half of one.
 * @param {string} lockFile
 * @returns {Record<string, { version: string, optional?: boolean }>}
 */
function readPackages(lockFile) {
	try {
		return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
	} catch {
		return {};
	}
}

/**
 * Reports whether node_modules holds what package-lock.json lists. npm writes
 * node_modules/.package-lock.json only at the end of an installation, and ours begin by deleting
 * it, so that file marks a complete one. Optional packages of other platforms may be missing.
 * @param {string} folder
 * @returns {boolean}
 */
export function isInstalled(folder) {
	const installed = readPackages(join(folder, 'node_modules', '.package-lock.json'));
	const wanted = Object.entries(readPackages(join(folder, 'package-lock.json')));
	return wanted.every(([path, { version, optional }]) => {
		if (path === '') return true;
		if (!installed[path]) return optional === true;
		return installed[path].version === version && existsSync(join(folder, path));
	});
}

/**
 * @param {Installation[]} installations what is about to be installed
 * @throws {CliError} when there is less free disk space than they take together
 */
export function checkDiskSpace(installations) {
	if (installations.length === 0) return;
	const needed = installations.reduce((sum, { bytes }) => sum + bytes, 0);
	const labels = installations.map(({ label }) => label).join(', ');
	const { bavail, bsize } = statfsSync(root);
	const free = bavail * bsize;
	if (free >= needed) return;
	throw new CliError(
		`There is not enough disk space to install ${labels}: ${formatBytes(needed)} are needed in ${root} and ${formatBytes(free)} are free. Free some space and start again.`,
	);
}

/**
 * Installs from the lock file into an empty node_modules, as `npm ci` does. `npm ci` itself rejects
 * a lock file that lacks an optional package of another platform, and where the registry had none
 * of those, the lock file lacks them.
 * @param {Installation} installation
 */
async function runNpm({ folder, label }) {
	const nodeModules = join(folder, 'node_modules');
	rmSync(nodeModules, { recursive: true, force: true });
	const started = Date.now();
	const progress = setInterval(() => {
		console.log(`  ${label}: ${Math.round((Date.now() - started) / 1000)} s so far`);
	}, 10_000);
	// When it is interrupted, npm rolls back for a minute or more; the next start deletes everything
	// anyway.
	const code = await runCommand(
		[
			'npm',
			'install',
			'--no-save',
			'--loglevel=error',
			'--no-audit',
			'--no-fund',
			'--prefer-offline',
		],
		{ cwd: folder, graceMs: 1000 },
	);
	clearInterval(progress);
	if (code === 0 && isInstalled(folder)) return;
	if (interruptedBy()) {
		throw new CliError(
			`The installation of ${label} was interrupted. The next start begins again.`,
		);
	}
	throw new CliError(
		`${label} could not be installed (npm ended with code ${code}); npm's message is above. Fix that and start again. If it happens again, delete ${nodeModules} first.`,
	);
}

/** @type {Map<string, Promise<void>>} */
const started = new Map();

/**
 * Installs a folder's dependencies as its package-lock.json lists them; does nothing when they are
 * installed.
 * @param {Installation} installation
 * @throws {CliError} with what to do next
 */
export async function installPackages(installation) {
	const { folder } = installation;
	const installing = started.get(folder) ?? install(installation);
	started.set(folder, installing);
	await installing;
}

/** @param {Installation} installation */
async function install(installation) {
	const { folder, label, bytes } = installation;
	if (isInstalled(folder)) return;
	await withLock(`installing ${installation.label}`, async () => {
		if (isInstalled(folder)) return;
		console.log(`Installing ${label} (about ${formatBytes(bytes)}); this happens only once.`);
		await runNpm(installation);
		console.log(`${label}: installed.`);
	});
}
