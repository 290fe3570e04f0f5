import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startProcess, type ManagedProcess } from '../../../host/processes';
import { DEPLOYMENT } from './compose';
import { requireProgram } from '../../../host/programs.mjs';

/**
 * Starts the reverse proxy of the deployment, with its own configuration file.
 * @param url address that it listens on
 * @param main address of the main process, such as http://127.0.0.1:5678
 * @param webhooks addresses of the webhook processes
 */
export async function startProxy(
	folder: string,
	url: string,
	main: string,
	webhooks: string[],
	logFile: string,
): Promise<ManagedProcess> {
	mkdirSync(folder, { recursive: true });
	const host = (address: string) => new URL(address).host;
	const env = {
		PATH: process.env.PATH,
		HOME: folder,
		SITE_ADDRESS: url,
		MAIN: host(main),
		WEBHOOKS: webhooks.map(host).join(' '),
	};
	const args = ['run', '--adapter', 'caddyfile', '--config', join(DEPLOYMENT, 'Caddyfile')];
	const started = startProcess('proxy', requireProgram('caddy'), args, {
		env,
		cwd: folder,
		logFile,
	});
	await started.waitFor(/serving initial configuration/, 60_000);
	return started;
}
