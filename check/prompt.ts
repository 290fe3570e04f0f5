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

	/**
	 * Asks without showing what is typed.
	 *
	 * @param option where the secret comes from if nobody can be asked, without `-env` or `-file`
	 */
	async askSecret(label: string, option: string): Promise<string> {
		if (!this.isInteractive)
			throw new CliError(
				`The ${label} is missing. Name the environment variable or the file that it is in, with --${option}-env or --${option}-file.`,
			);
		process.stdout.write(`${label[0].toUpperCase()}${label.slice(1)}: `);
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
		// The terminal gives Ctrl-C to whoever reads it, and ends nobody by itself.
		this.terminal ??= createInterface({ input: process.stdin, output, terminal: true }).on(
			'SIGINT',
			() => process.emit('SIGINT') || process.exit(130),
		);
		return this.terminal;
	}
}
