import { join } from 'node:path';
import { startProcess, type ManagedProcess } from '../scripts/processes';
import { SandboxClient } from './client';

/** A sandbox that runs in a process of its own. */
export interface Sandbox {
	/** Where it listens, for example `http://127.0.0.1:41234`; both the Auth URL and the Base URL of a credential. */
	url: string;
	client: SandboxClient;
	process: ManagedProcess;
	stop(): Promise<void>;
}

const START_TIMEOUT_MS = 60_000;

/**
 * Starts a sandbox and resolves when it listens. `port`: any free one unless given. `seed`: of the faults' random sequence.
 * `args`: more options of the command (`--help` lists them). `logFile`: everything it prints is written there, too.
 * Rejects with what it printed when it does not come up.
 */
export async function launchSandbox(
	options: { port?: number; seed?: number; args?: string[]; logFile?: string } = {},
): Promise<Sandbox> {
	const { port = 0, seed = 1, args = [], logFile } = options;
	const command = [
		'--require',
		require.resolve('tsx/cjs'),
		join(__dirname, 'cli.ts'),
		'--port',
		String(port),
		'--seed',
		String(seed),
		...args,
	];
	const process_ = startProcess('sandbox', process.execPath, command, {
		cwd: join(__dirname, '..'),
		logFile,
	});
	const [, url] = await process_
		.waitFor(/Payments sandbox: (http:\/\/\S+)\s/, START_TIMEOUT_MS)
		.catch(async (error: Error) => {
			await process_.stop();
			throw error;
		});
	return {
		url,
		client: new SandboxClient(url),
		process: process_,
		stop: async () => await process_.stop(),
	};
}
