import { createInterface, type Interface } from 'node:readline/promises';
import { Writable } from 'node:stream';

import { CliError } from '../sandbox/cli/cliError';

/** Asks the person at the terminal. */
export class Prompt {
	private isMuted = false;

	private terminal?: Interface;

	/** @param isInteractive whether somebody can answer */
	constructor(readonly isInteractive = process.stdin.isTTY === true) {}

	/** @param option where the answer comes from if nobody can be asked */
	async ask(question: string, option: string): Promise<string> {
		if (!this.isInteractive)
			throw new CliError(
				`--${option} is missing. "npm run check:service -- --help" lists the options.`,
			);
		return (await this.open().question(question)).trim();
	}

	/** Asks without showing what is typed. */
	async askSecret(question: string): Promise<string> {
		if (!this.isInteractive)
			throw new CliError(
				'A secret is missing. Name the environment variable or the file that it is in, with --secret-env, --secret-file, --webhook-secret-env, or --webhook-secret-file.',
			);
		process.stdout.write(question);
		this.isMuted = true;
		try {
			return (await this.open().question('')).trim();
		} finally {
			this.isMuted = false;
			process.stdout.write('\n');
		}
	}

	close(): void {
		this.terminal?.close();
		this.terminal = undefined;
	}

	private open(): Interface {
		const output = new Writable({
			write: (chunk: Buffer, _encoding, done) => {
				if (!this.isMuted) process.stdout.write(chunk);
				done();
			},
		});
		this.terminal ??= createInterface({ input: process.stdin, output, terminal: true }).on(
			'SIGINT',
			() => process.emit('SIGINT'),
		);
		return this.terminal;
	}
}
