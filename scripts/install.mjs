import { mkdirSync, readFileSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { interruptedBy, runCommand } from './command.mjs';
import { CliError } from './cliError.mjs';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const gigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;

/** What npm says is in a lock file: package folder → entry. Empty when there is no such file, or only half of one. */
function packagesOf(lockFile) {
	try {
		return JSON.parse(readFileSync(lockFile, 'utf8')).packages;
	} catch {
		return {};
	}
}

/**
 * Whether node_modules holds what package-lock.json says. npm writes node_modules/.package-lock.json only after an
 * installation came to its end, and ours begin by deleting it: so it is the mark of a whole installation.
 * Optional packages of other platforms may be missing.
 */
export function isInstalled(folder) {
	const installed = packagesOf(join(folder, 'node_modules', '.package-lock.json'));
	return Object.entries(packagesOf(join(folder, 'package-lock.json'))).every(
		([path, { version, optional }]) =>
			path === '' || (installed[path] ? installed[path].version === version : optional),
	);
}

function checkSpace(folder, bytes, label) {
	const { bavail, bsize } = statfsSync(folder);
	if (bavail * bsize >= bytes) return;
	throw new CliError(
		`There is not enough disk space to install ${label}: ${gigabytes(bytes)} are needed in ${folder} and ${gigabytes(bavail * bsize)} are free. Free some space and start again.`,
	);
}

/** Holds off a second command that installs into the same folder, until this one is through. */
async function alone(folder, label, install) {
	const lock = join(root, '.cache', `installing-${label.replace(/\W+/g, '-')}`);
	mkdirSync(dirname(lock), { recursive: true });
	for (let told = false; ; ) {
		try {
			writeFileSync(lock, String(process.pid), { flag: 'wx' });
			break;
		} catch {
			if (!isAlive(lock)) rmSync(lock, { force: true });
			else if (!told) console.log(`Another command is installing ${label}; waiting for it.`);
			told = true;
			await wait(1000);
		}
	}
	try {
		await install();
	} finally {
		rmSync(lock, { force: true });
	}
}

function isAlive(lock) {
	try {
		process.kill(Number(readFileSync(lock, 'utf8')), 0);
		return true;
	} catch {
		return false;
	}
}

/**
 * Installs from the lock file into an empty node_modules, as `npm ci` does. That itself refuses a lock file which lacks an optional package
 * of another platform, and where the registry had none of those, the lock file lacks them.
 */
async function npmInstall(folder, label) {
	rmSync(join(folder, 'node_modules'), { recursive: true, force: true });
	const started = Date.now();
	const progress = setInterval(
		() => console.log(`  ${label}: ${Math.round((Date.now() - started) / 1000)} s so far`),
		10_000,
	);
	// When it is interrupted, npm takes back what it did, for a minute or more; the next start deletes it anyway.
	const code = await runCommand(
		['npm', 'install', '--no-save', '--loglevel=error', '--no-audit', '--no-fund'],
		{ cwd: folder, graceMs: 1000 },
	);
	clearInterval(progress);
	if (code === 0 && isInstalled(folder)) return;
	if (interruptedBy())
		throw new CliError(
			`The installation of ${label} was interrupted. The next start begins it anew.`,
		);
	throw new CliError(
		`The installation of ${label} did not succeed (npm ended with code ${code}); what npm said stands above. When that is mended, start again. If it happens again, delete ${join(folder, 'node_modules')} first.`,
	);
}

/**
 * Makes sure that a folder's dependencies are installed as its package-lock.json says; does nothing when they are.
 * @param {string} folder with package.json, package-lock.json and .npmrc
 * @param {string} label how the installation is called in what is printed
 * @param {number} bytes the disk space that it takes
 * @param {{ isReady: () => Promise<boolean>, make: () => Promise<void> }=} rest what is to be done after npm's own part
 * @throws {CliError} with what to do next
 */
export async function ensureInstalled(folder, label, bytes, rest) {
	const isComplete = async () => isInstalled(folder) && (!rest || (await rest.isReady()));
	if (await isComplete()) return;
	await alone(folder, label, async () => {
		if (await isComplete()) return;
		checkSpace(folder, bytes, label);
		if (!isInstalled(folder)) {
			console.log(`Installing ${label} (about ${gigabytes(bytes)}); this happens only once.`);
			await npmInstall(folder, label);
		}
		if (rest && !(await rest.isReady())) await rest.make();
		console.log(`${label}: installed.`);
	});
}
