import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Workflows } from './workflows';

/** What the demo has made, and the ports that its credentials and its endpoint name. */
interface Made {
	workflows: Workflows;
	port: number;
	sandboxPort: number;
}

/** The folder of `--keep`. */
export class KeptFolder {
	readonly sandboxFile: string;

	readonly n8nFolder: string;

	private readonly madeFile: string;

	constructor(folder: string) {
		this.sandboxFile = join(folder, 'sandbox.state');
		this.n8nFolder = join(folder, 'n8n');
		this.madeFile = join(folder, 'demo.json');
		mkdirSync(this.n8nFolder, { recursive: true });
	}

	/**
	 * Returns the workflows that an earlier start has made; undefined if there was none.
	 *
	 * @throws if it had other ports
	 */
	workflowsOf(port: number, sandboxPort: number): Workflows | undefined {
		if (!existsSync(this.madeFile)) return undefined;
		const made = JSON.parse(readFileSync(this.madeFile, 'utf8')) as Made;
		if (made.port === port && made.sandboxPort === sandboxPort) return made.workflows;
		throw new Error(
			`The credentials and the endpoint in the folder of --keep have the addresses of other ports. Start it with --port ${made.port} --sandbox-port ${made.sandboxPort}, or name another folder.`,
		);
	}

	add(made: Made): void {
		writeFileSync(this.madeFile, JSON.stringify(made));
	}
}
