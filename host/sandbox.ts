import { join } from 'node:path';
import { SandboxClient } from '../sandbox/client';
import { startProcess } from './processes';

const SANDBOX = join(__dirname, '../sandbox');
const START_TIMEOUT_MS = 60_000;

export type Sandbox = Awaited<ReturnType<typeof launchSandbox>>;

/**
 * Starts a sandbox in a process of its own and resolves when it listens.
 *
 * @param options.port any free one by default
 * @param options.args more options of the command; `--help` lists them
 * @param options.logFile a file that takes everything the sandbox prints
 * @throws with what it printed when it doesn't start
 */
export async function launchSandbox(
	options: { port?: number; args?: string[]; logFile?: string } = {},
) {
	const { port = 0, args = [], logFile } = options;
	const command = ['bin/n8n-payments-sandbox.js', '--port', String(port), ...args];
	const managed = startProcess('sandbox', process.execPath, command, { cwd: SANDBOX, logFile });
	const [, url] = await managed.waitFor(/Payments sandbox: (http:\/\/\S+)\s/, START_TIMEOUT_MS);
	return {
		/** Both the Auth URL and the Base URL of a credential. */
		url,
		client: new SandboxClient(url),
		process: managed,
		stop: async () => await managed.stop(),
	};
}
