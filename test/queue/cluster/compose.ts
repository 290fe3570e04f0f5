import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CORE_SCHEMA, load, mergeTag } from 'js-yaml';

/** Folder of the deployment that the tests start. */
export const DEPLOYMENT = join(__dirname, '..', '..', '..', 'deploy', 'queue');

interface Service {
	command?: string | string[];
	environment?: Record<string, string>;
	networks?: string[];
	secrets?: string[];
	volumes?: string[];
}

export const { services, networks } = load(
	readFileSync(join(DEPLOYMENT, 'docker-compose.yaml'), 'utf8'),
	{
		schema: CORE_SCHEMA.withTags(mergeTag),
	},
) as { services: Record<string, Service>; networks: Record<string, unknown> };

/** Replacements for host names and folders that exist only in containers. */
export interface Places {
	databasePort: number;
	redisPort: number;
	/** Folder with one file per secret. */
	secrets: string;
	/** Address of the proxy. */
	url: string;
	/** By which task runners sign in. */
	runnersToken: string;
}

/** Returns the command of a service in the compose file. */
export const commandOf = (name: string): string | string[] => services[name].command ?? [];

/**
 * Returns the environment of a service in the compose file, with the hosts and ports of this
 * machine. So the tests run what a user deploys.
 */
export function environmentOf(name: string, places: Places): Record<string, string> {
	const here: Record<string, string> = {
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(places.databasePort),
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(places.redisPort),
		N8N_WEBHOOK_URL: `${places.url}/`,
		N8N_RUNNERS_AUTH_TOKEN: places.runnersToken,
		N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
	};
	const replaced = Object.entries(services[name].environment ?? {}).map(([key, value]) => [
		key,
		here[key] ?? value.replace('/run/secrets', places.secrets),
	]);
	return Object.fromEntries(replaced) as Record<string, string>;
}
