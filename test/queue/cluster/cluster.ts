import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, type N8n } from '../../../host/n8n/startN8n';
import { launchSandbox } from '../../../host/sandbox';
import { packPackage } from '../../../host/pack';
import { freePort } from '../../../host/freePort';
import { stopAll } from '../../../host/processes';
import { commandOf, environmentOf } from './compose';
import { startPostgres } from './postgres';
import { startProxy } from './proxy';
import { startRedis } from './redis';
import { startRunner } from './runner';

/** The deployment of the compose file as processes of this machine, with a sandbox. */
export type Cluster = Awaited<ReturnType<typeof startCluster>>;

/** Logs of all processes, kept until the next start. */
const LOGS = join(__dirname, '..', '..', '..', '.artifacts', 'queue-logs');
const logFile = (name: string) => join(LOGS, `${name}.log`);

/** Starts the whole deployment. Takes about a minute on two cores. */
export async function startCluster() {
	const folder = mkdtempSync(join(tmpdir(), 'payments-queue-'));
	rmSync(LOGS, { recursive: true, force: true });
	mkdirSync(LOGS, { recursive: true });
	const secrets = makeSecrets(join(folder, 'secrets'));
	const url = `http://127.0.0.1:${await freePort()}`;
	const { file: tarball } = await packPackage();
	const [postgres, redis, sandbox] = await Promise.all([
		startPostgres(secrets.postgres_password, logFile('postgres')),
		startRedis(join(folder, 'redis'), secrets.redis_password, logFile('redis')),
		launchSandbox({ logFile: logFile('sandbox') }),
	]);
	const places = {
		databasePort: postgres.port,
		redisPort: redis.port,
		secrets: join(folder, 'secrets'),
		url,
		runnersToken: randomBytes(24).toString('hex'),
	};
	const started = async (service: string, name = service, more: Record<string, string> = {}) => {
		const kind = commandOf(service) as 'start' | 'worker' | 'webhook';
		const userFolder = join(folder, name);
		mkdirSync(userFolder);
		return await startN8n({
			kind,
			tarball,
			userFolder,
			env: { ...environmentOf(service, places), ...more },
			logFile: logFile(name),
		});
	};
	/** Starts a process that executes workflows, with its task runner. */
	const executing = async (service: string, name: string) => {
		const brokerPort = String(await freePort());
		const n8n = await started(service, name, { N8N_RUNNERS_BROKER_PORT: brokerPort });
		const broker = `http://127.0.0.1:${brokerPort}`;
		await startRunner(broker, places.runnersToken, logFile(`${name}-runner`));
		return n8n;
	};
	// Only the main process creates the tables; the others wait for it, as in the compose file.
	const main = await executing('main', 'main');
	await main.client.setUpOwner();
	/** Those that run. */
	const workers: N8n[] = [];
	let count = 0;
	const addWorker = async () => {
		workers.push(await executing('worker-1', `worker-${++count}`));
	};
	const [webhooks] = await Promise.all([
		Promise.all([started('webhook-1'), started('webhook-2')]),
		addWorker(),
		addWorker(),
	]);
	await startProxy(
		join(folder, 'proxy'),
		url,
		main.url,
		webhooks.map((webhook) => webhook.url),
		logFile('proxy'),
	);
	return {
		/** Address of the proxy in front of n8n. */
		url,
		...{ main, postgres, redis, sandbox, addWorker },
		/** Ends a worker like a crash. */
		killWorker: async () => await workers.shift()!.kill(),
		/** Ends everything and removes its files. */
		stop: async () => {
			// n8n first: it logs when its database or Redis are gone.
			await Promise.all([main, ...webhooks, ...workers].map(async (one) => await one.stop()));
			await postgres.stop();
			await stopAll();
			rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}

/** Writes new secrets, a file for each, and returns them. */
function makeSecrets(folder: string) {
	const secret = () => randomBytes(24).toString('hex');
	const secrets = {
		n8n_encryption_key: secret(),
		postgres_password: secret(),
		redis_password: secret(),
	};
	mkdirSync(folder, { mode: 0o700 });
	for (const [name, value] of Object.entries(secrets))
		writeFileSync(join(folder, name), value, { mode: 0o600 });
	return secrets;
}
