import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs `action` when no other command of this repository is doing the same, and returns what it
 * returns.
 * @template T
 * @param {string} activity such as "installing n8n"
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function withLock(activity, action) {
	const lock = join(root, '.cache', activity.replace(/\W+/g, '-'));
	mkdirSync(dirname(lock), { recursive: true });
	let announced = false;
	while (!acquire(lock)) {
		if (!announced) console.log(`Another command is ${activity}; waiting for it.`);
		announced = true;
		await wait(1000);
	}
	try {
		return await action();
	} finally {
		rmSync(lock, { force: true });
	}
}

/** @param {string} lock */
function acquire(lock) {
	if (existsSync(lock) && !ownerIsAlive(lock)) rmSync(lock, { force: true });
	try {
		writeFileSync(lock, String(process.pid), { flag: 'wx' });
		return true;
	} catch {
		return false;
	}
}

/** @param {string} lock */
function ownerIsAlive(lock) {
	try {
		process.kill(Number(readFileSync(lock, 'utf8')), 0);
		return true;
	} catch {
		return false;
	}
}
