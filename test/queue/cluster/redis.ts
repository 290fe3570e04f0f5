import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../../host/freePort';
import { startProcess } from '../../../host/processes';
import { DEPLOYMENT } from './compose';
import { requireProgram } from '../../../host/programs.mjs';

export type Redis = Awaited<ReturnType<typeof startRedis>>;

/** Starts Redis with the settings of the deployment. Everything that it writes is in `folder`. */
export async function startRedis(folder: string, password: string, logFile: string) {
	mkdirSync(folder, { recursive: true });
	const port = await freePort();
	const config = join(folder, 'redis.conf');
	const own = `bind 127.0.0.1\nport ${port}\ndir ${folder}\nrequirepass ${password}\n`;
	writeFileSync(config, readFileSync(join(DEPLOYMENT, 'redis.conf'), 'utf8') + own, {
		mode: 0o600,
	});
	const start = async () => {
		const started = startProcess('Redis', requireProgram('redis'), [config], {
			cwd: folder,
			logFile,
		});
		await started.waitFor(/Ready to accept connections/, 60_000);
		return started;
	};
	let server = await start();
	return {
		port,
		stop: async () => await server.stop(),
		/** Starts it again with its stored data. */
		start: async () => {
			server = await start();
		},
	};
}
