import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './freePort';
import { waitUntil } from './waitUntil';

/*
 * Not by execa: it ends only the process that it has started, at most, and n8n, npm, and Chromium
 * start others. A process group with a guard (kill-with-parent.sh) leaves none behind, not even
 * after SIGKILL or in Jest, where signal handlers are not called.
 */

/** For `node --import`: a process of Node that may load TypeScript. */
export const TYPESCRIPT = join(__dirname, 'typescript.mjs');

const PROCESS_GUARD = join(__dirname, 'kill-with-parent.sh');
/** Characters of the output that are kept. */
const KEPT_OUTPUT = 200_000;
/** Characters of the output that a message quotes. */
const QUOTED_OUTPUT = 2000;

interface ProcessOptions {
	env?: NodeJS.ProcessEnv;
	cwd?: string;
	/** File that the output is appended to. */
	logFile?: string;
}

const running = new Set<ManagedProcess>();

/**
 * A command in a process group of its own, with everything that it starts itself, which ends with
 * this process, however this process ends.
 */
export class ManagedProcess {
	readonly child: ChildProcess;

	/**
	 * Resolves with the exit code when the process has ended and its output is read; null after a
	 * signal, -1 when it could not be started.
	 */
	readonly exited: Promise<number | null>;

	private printed = '';

	private exitCode: number | null | undefined;

	private readonly log: WriteStream | undefined;

	/** @param name for messages */
	constructor(
		readonly name: string,
		command: string,
		args: string[],
		{ logFile, ...options }: ProcessOptions = {},
	) {
		this.child = spawn('sh', [PROCESS_GUARD, command, ...args], {
			...options,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
		});
		(this.child.stdio[3] as Socket).unref();
		this.log = logFile ? createWriteStream(logFile, { flags: 'a' }) : undefined;
		for (const stream of [this.child.stdout!, this.child.stderr!])
			stream.on('data', (chunk: Buffer) => this.keep(chunk));
		this.exited = this.waitForExit();
		running.add(this);
	}

	/** Returns what the process has printed, the newest 200,000 characters. */
	output(): string {
		return this.printed;
	}

	/** Waits for a line in the output, and returns the first match. */
	async waitFor(pattern: RegExp, timeoutMs: number): Promise<RegExpMatchArray> {
		return await this.untilReady(() => this.printed.match(pattern), timeoutMs);
	}

	/**
	 * Waits until the process is ready.
	 * @param check is called again and again until it returns something
	 * @returns what it returned
	 * @throws when the process ends before, or when the time is up, with what it printed last
	 */
	async untilReady<T>(check: () => T | Promise<T>, timeoutMs: number) {
		const isReady = async () => {
			const found = await check();
			if (found || this.exitCode === undefined) return found;
			throw new Error(`${this.name} ended (exit code ${this.exitCode}).`);
		};
		const isOver = ({ message }: Error) => {
			throw new Error(`${message} ${this.lastOutput()}`);
		};
		return await waitUntil(`${this.name} is ready`, isReady, { timeoutMs }).catch(isOver);
	}

	/** Quotes the end of the output, for a message. */
	lastOutput(): string {
		return `It printed last:\n${this.printed.slice(-QUOTED_OUTPUT)}`;
	}

	/**
	 * Ends the process group and resolves when it has ended.
	 * @param graceMs milliseconds after which it is killed
	 */
	async stop(signal: NodeJS.Signals = 'SIGTERM', graceMs = 10_000): Promise<void> {
		if (!running.has(this)) return;
		this.kill(signal);
		const force = setTimeout(() => this.kill(), graceMs);
		await this.exited;
		clearTimeout(force);
	}

	/** Sends a signal to the process group, by default one that ends it at once. */
	kill(signal: NodeJS.Signals = 'SIGKILL'): void {
		try {
			process.kill(-this.child.pid!, signal);
		} catch {
			// The group has ended.
		}
	}

	private keep(chunk: Buffer): void {
		this.log?.write(chunk);
		this.printed = (this.printed + chunk.toString()).slice(-KEPT_OUTPUT);
	}

	private async waitForExit(): Promise<number | null> {
		const code = await new Promise<number | null>((resolve) => {
			this.child.on('exit', resolve);
			this.child.on('error', (error) => {
				this.printed += `\n${error.message}`;
				resolve(-1);
			});
		});
		this.kill(); // What the process has left behind, and the guard.
		const allRead = once(this.child, 'close');
		await Promise.race([allRead, wait(1000, undefined, { ref: false })]);
		this.exitCode = code;
		running.delete(this);
		this.log?.end();
		return code;
	}
}

export const startProcess = (...args: ConstructorParameters<typeof ManagedProcess>) =>
	new ManagedProcess(...args);

/** Stops all processes that were started here and still run. */
export async function stopAll(): Promise<void> {
	await Promise.all([...running].map(async (managed) => await managed.stop()));
}

process.on('exit', () => {
	for (const managed of running) managed.kill();
});
let ending: Promise<void> | undefined;
for (const [signal, exitCode] of [
	['SIGINT', 130],
	['SIGTERM', 143],
	['SIGHUP', 129],
] as const)
	// Ctrl-C comes twice: from the terminal, and from npm, which hands it on.
	process.on(signal, () => void (ending ??= stopAll()).finally(() => process.exit(exitCode)));

/**
 * Makes sure that nobody listens on a port of 127.0.0.1.
 * @param program that needs the port, for the message
 * @param advice how to choose another port, for the message
 * @throws when it is taken
 */
export async function checkPort(
	port: number,
	program: string,
	advice = 'Choose another',
): Promise<void> {
	await freePort(port).catch(({ code }: NodeJS.ErrnoException) => {
		const reason =
			code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${code})`;
		throw new Error(
			`Port ${port}, wanted by ${program}, ${reason}. ${advice}, or end that program.`,
		);
	});
}
