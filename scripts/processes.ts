import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';

/** A process that this one started, with everything that it started itself. */
export interface ManagedProcess {
	name: string;
	child: ChildProcess;
	/** Everything printed so far, the newest 200,000 characters. */
	output(): string;
	/** Resolves with the first match in what is printed; rejects when the process ends first or the time (ms) is up. */
	waitFor(pattern: RegExp, timeoutMs: number): Promise<RegExpMatchArray>;
	/** Ends the whole process group: SIGTERM, after 10 s (`graceMs`) SIGKILL. Resolves when it is gone. */
	stop(signal?: NodeJS.Signals, graceMs?: number): Promise<void>;
	/** Resolves with the exit code when it has ended and what it printed is read. */
	exited: Promise<number | null>;
}

const running = new Set<ManagedProcess>();
let endingBySignal = false;

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals) => {
	try {
		process.kill(-child.pid!, signal);
	} catch {
		// The group is gone already.
	}
};

/**
 * Starts a command in a process group of its own and on a leash (kill-with-parent.sh), so that neither it nor anything it starts
 * outlives this process, even when this one is killed or runs where signal handlers are not heard, as in a Jest test.
 */
export function startProcess(
	name: string,
	command: string,
	args: string[],
	options: {
		env?: NodeJS.ProcessEnv;
		cwd?: string;
		logFile?: string;
		uid?: number;
		gid?: number;
	} = {},
): ManagedProcess {
	installSignalHandlers();
	const { logFile, ...spawnOptions } = options;
	const child = spawn('sh', [join(__dirname, 'kill-with-parent.sh'), command, ...args], {
		...spawnOptions,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
	});
	(child.stdio[3] as Socket).unref();
	let printed = '';
	const log = logFile ? createWriteStream(logFile, { flags: 'a' }) : undefined;
	const listeners = new Set<() => void>();
	for (const stream of [child.stdout!, child.stderr!]) {
		stream.on('data', (chunk: Buffer) => {
			log?.write(chunk);
			printed = (printed + chunk.toString()).slice(-200_000);
			for (const listener of listeners) listener();
		});
	}
	const exited = new Promise<number | null>((resolve) => {
		child.on('error', (error) => {
			printed += `\n${error.message}`;
			resolve(-1);
		});
		child.on('exit', (code) => {
			signalGroup(child, 'SIGKILL'); // what the command left behind, and the leash
			const allRead = Promise.allSettled([finished(child.stdout!), finished(child.stderr!)]);
			void Promise.race([allRead, wait(1000, undefined, { ref: false })]).then(() => resolve(code));
		});
	});
	const managed: ManagedProcess = {
		name,
		child,
		output: () => printed,
		exited,
		waitFor: async (pattern, timeoutMs) =>
			await new Promise((resolve, reject) => {
				const finish = (act: () => void) => {
					clearTimeout(timer);
					listeners.delete(look);
					act();
				};
				const look = () => {
					const match = printed.match(pattern);
					if (match) finish(() => resolve(match));
				};
				const timer = setTimeout(
					() =>
						finish(() =>
							reject(
								new Error(
									`${name} was not ready after ${timeoutMs / 1000} s. It printed last:\n${printed.slice(-2000)}`,
								),
							),
						),
					timeoutMs,
				);
				listeners.add(look);
				void exited.then((code) => {
					look();
					finish(() =>
						reject(
							new Error(
								`${name} ended (exit code ${code}) before it was ready. It printed last:\n${printed.slice(-2000)}`,
							),
						),
					);
				});
				look();
			}),
		stop: async (signal = 'SIGTERM', graceMs = 10_000) => {
			if (!running.has(managed)) return;
			signalGroup(child, signal);
			const force = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs);
			await exited;
			clearTimeout(force);
		},
	};
	running.add(managed);
	void exited.then(() => {
		running.delete(managed);
		log?.end();
	});
	return managed;
}

/** Stops everything that was started and still runs, the newest first. */
export async function stopAll(): Promise<void> {
	await Promise.all([...running].reverse().map(async (one) => await one.stop()));
}

let installed = false;
function installSignalHandlers() {
	if (installed) return;
	installed = true;
	process.on('exit', () => {
		for (const { child } of running) signalGroup(child, 'SIGKILL');
	});
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
		process.on(signal, () => {
			if (endingBySignal) return;
			endingBySignal = true;
			void stopAll().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
		});
	}
}

/** A port on 127.0.0.1 that is free now. */
export async function freePort(): Promise<number> {
	return await new Promise((resolve, reject) => {
		const server = createServer()
			.once('error', reject)
			.listen(0, '127.0.0.1', () => {
				const { port } = server.address() as AddressInfo;
				server.close(() => resolve(port));
			});
	});
}

/**
 * Makes sure that nobody listens on a port of 127.0.0.1.
 * @param who the program that wants the port, for the message
 * @param another how to choose another port, for the message
 * @throws when it is taken
 */
export async function checkPort(
	port: number,
	who: string,
	another = 'Choose another',
): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const server = createServer()
			.once('error', (error: NodeJS.ErrnoException) => {
				const why =
					error.code === 'EADDRINUSE'
						? 'is taken by another program'
						: `cannot be used (${error.code})`;
				reject(
					new Error(`Port ${port}, wanted by ${who}, ${why}. ${another}, or end that program.`),
				);
			})
			.listen(port, '127.0.0.1', () => server.close(() => resolve()));
	});
}
