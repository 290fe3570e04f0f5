import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const processGuard = fileURLToPath(new URL('kill-with-parent.sh', import.meta.url));

/**
 * Commands that run, with the milliseconds that each may take to end after a signal.
 * @type {Map<import('node:child_process').ChildProcess, number>}
 */
const running = new Map();

/** @type {NodeJS.Signals | undefined} */
let endedBy;

/** The signal that this process was asked to end with, if it was. */
export const interruptedBy = () => endedBy;

/**
 * Runs a command to its end, its output going to ours, and resolves with its exit code. It runs in
 * a process group of its own: a signal that reaches us is passed on to the group, and nothing of
 * the group outlives the command or us.
 * @param {string[]} command program and arguments
 * @param {object} options
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env]
 * @param {boolean} [options.quiet] drops what the command prints
 * @param {string} [options.prefix] put before each line that the command prints, to tell commands
 *   apart that run side by side
 * @param {(line: string) => void} [options.onLine] gets each line that the command prints, which is
 *   then printed nowhere
 * @param {number} [options.graceMs] how long it may take to end after a signal, before it is killed
 * @returns {Promise<number>}
 */
export async function runCommand(
	[program, ...args],
	{ cwd, env, quiet = false, prefix = '', onLine, graceMs = 15_000 } = {},
) {
	const output = quiet ? 'ignore' : prefix || onLine ? 'pipe' : 'inherit';
	const print = onLine ?? ((line) => console.log(prefix + line));
	const child = spawn('sh', [processGuard, program, ...args], {
		cwd,
		env,
		detached: true,
		stdio: ['ignore', output, output, 'pipe'],
	});
	child.stdio[3].unref();
	running.set(child, graceMs);
	for (const stream of [child.stdout, child.stderr]) {
		if (stream) createInterface({ input: stream }).on('line', print);
	}
	const code = await new Promise((resolve) => {
		child.on('error', () => resolve(127));
		child.on('exit', (exitCode, signal) => resolve(exitCode ?? 128 + constants.signals[signal]));
	});
	running.delete(child);
	signalGroup(child, 'SIGKILL');
	return endedBy ? 128 + constants.signals[endedBy] : code;
}

/**
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} signal
 */
function signalGroup(child, signal) {
	try {
		process.kill(-child.pid, signal);
	} catch {
		// The group has ended.
	}
}

/** @param {NodeJS.Signals} signal */
function end(signal) {
	endedBy ??= signal;
	for (const [child, graceMs] of running) {
		signalGroup(child, signal);
		setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs).unref();
	}
	if (running.size === 0) process.exit(128 + constants.signals[signal]);
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => end(signal));

// npm passes a signal on to the shell between it and us, and the shell ends without passing it on.
if (process.env.npm_lifecycle_event) {
	const parent = process.ppid;
	const watchParent = () => {
		if (process.ppid !== parent && !endedBy) end('SIGTERM');
	};
	setInterval(watchParent, 500).unref();
}
