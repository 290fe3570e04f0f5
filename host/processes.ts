import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { setTimeout as wait } from 'node:timers/promises';
import pWaitFor from 'p-wait-for';
import { freePort } from './freePort';

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

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	try {
		process.kill(-child.pid!, signal);
	} catch {
		// The group has ended.
	}
}

/** A process that this one started, with everything that it started itself. */
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

	constructor(
		readonly name: string,
		command: string,
		args: string[],
		{ logFile, ...options }: ProcessOptions,
	) {
		this.child = spawn('sh', [PROCESS_GUARD, command, ...args], {
			...options,
			detached: true,
			stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
		});
		(this.child.stdio[3] as Socket).unref();
		this.log = logFile ? createWriteStream(logFile, { flags: 'a' }) : undefined;
		for (const stream of this.outputStreams()) {
			stream.on('data', (chunk: Buffer) => this.keep(chunk));
		}
		this.exited = this.waitForExit();
		running.add(this);
	}

	/** Returns what the process has printed, the newest 200,000 characters. */
	output(): string {
		return this.printed;
	}

	/**
	 * Waits for a line in the output.
	 * @param timeoutMs milliseconds
	 * @returns the first match
	 * @throws when the process ends before, or when the time is up, with what it printed last
	 */
	async waitFor(pattern: RegExp, timeoutMs: number): Promise<RegExpMatchArray> {
		const isDecided = () => pattern.test(this.printed) || this.exitCode !== undefined;
		await pWaitFor(isDecided, { timeout: { milliseconds: timeoutMs, fallback: () => undefined } });
		const match = this.printed.match(pattern);
		if (match) return match;
		const reason =
			this.exitCode === undefined
				? `was not ready after ${timeoutMs / 1000} s`
				: `ended (exit code ${this.exitCode}) before it was ready`;
		throw new Error(`${this.name} ${reason}. ${this.lastOutput()}`);
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
		signalGroup(this.child, signal);
		const force = setTimeout(() => this.kill(), graceMs);
		await this.exited;
		clearTimeout(force);
	}

	/** Kills the process group at once. */
	kill(): void {
		signalGroup(this.child, 'SIGKILL');
	}

	private outputStreams() {
		return [this.child.stdout!, this.child.stderr!];
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
		const allRead = Promise.allSettled(
			this.outputStreams().map(async (stream) => await finished(stream)),
		);
		await Promise.race([allRead, wait(1000, undefined, { ref: false })]);
		this.exitCode = code;
		running.delete(this);
		this.log?.end();
		return code;
	}
}

/**
 * Starts a command in a process group of its own that ends with this process, however this process
 * ends.
 * @param name for messages
 */
export function startProcess(
	name: string,
	command: string,
	args: string[],
	options: ProcessOptions = {},
): ManagedProcess {
	return new ManagedProcess(name, command, args, options);
}

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
