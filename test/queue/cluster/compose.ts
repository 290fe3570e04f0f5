import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';

/** Where the deployment lies that the tests start. */
export const DEPLOYMENT = join(__dirname, '..', '..', '..', 'deploy', 'queue');

interface Service {
	command?: string | string[];
	environment?: Record<string, string>;
}

const { services } = parse(readFileSync(join(DEPLOYMENT, 'docker-compose.yaml'), 'utf8'), {
	merge: true,
}) as { services: Record<string, Service> };

/** Whom a process talks to, in place of the names and folders that exist in containers only. */
export interface Places {
	databasePort: number;
	redisPort: number;
	/** Folder with a file for each secret. */
	secrets: string;
	/** Address under which the proxy is reached. */
	url: string;
}

function service(name: string): Service {
	if (!services[name]) throw new Error(`deploy/queue/docker-compose.yaml has no service ${name}.`);
	return services[name];
}

/** The command of a service, as the compose file has it. */
export const commandOf = (name: string): string | string[] => service(name).command ?? [];

/**
 * The environment of a service as the compose file has it, its hosts and ports replaced by those on this machine: what the
 * tests prove is what a user deploys.
 */
export function environmentOf(name: string, places: Places): Record<string, string> {
	const here: Record<string, string> = {
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(places.databasePort),
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(places.redisPort),
		WEBHOOK_URL: `${places.url}/`,
	};
	const replaced = Object.entries(service(name).environment ?? {}).map(([key, value]) => [
		key,
		here[key] ?? value.replace('/run/secrets', places.secrets),
	]);
	return Object.fromEntries(replaced) as Record<string, string>;
}
