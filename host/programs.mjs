import { spawnSync } from 'node:child_process';

/**
 * Programs that don't come from npm: the variable that may name the path of one, the names of its
 * executable, the preferred one first, and Debian's package.
 * @type {Record<string, { variable: string, names: string[], package: string }>}
 */
export const PROGRAMS = {
	chromium: {
		variable: 'CHROMIUM',
		names: ['chromium', 'chromium-browser', 'google-chrome'],
		package: 'chromium',
	},
	postgres: {
		variable: 'POSTGRES',
		// Debian keeps it beside PATH, in a folder for each version.
		names: ['postgres', '/usr/lib/postgresql/*/bin/postgres'],
		package: 'postgresql',
	},
	caddy: { variable: 'CADDY', names: ['caddy'], package: 'caddy' },
	redis: { variable: 'REDIS_SERVER', names: ['redis-server'], package: 'redis-server' },
	'docker-compose': {
		variable: 'DOCKER_COMPOSE',
		names: ['docker-compose'],
		package: 'docker-compose',
	},
};

/** Prints the first of its arguments that is a program. Without quotes, the shell expands a `*`. */
const FIND = 'for name do for path in $name; do command -v "$path" && exit; done; done';

/**
 * Finds a program: the path that its variable names, else the first of its names that is there.
 * @param {string} name a key of PROGRAMS
 * @returns {string} its path
 * @throws with the command that installs it
 */
export function requireProgram(name) {
	const { variable, names, package: debianPackage } = PROGRAMS[name];
	const search = () => spawnSync('/bin/sh', ['-c', FIND, 'sh', ...names], { encoding: 'utf8' });
	const found = process.env[variable] || search().stdout.trim();
	if (found) return found;
	throw new Error(
		`${names[0]} is missing. Install it (on Debian and Ubuntu: sudo apt-get install -y ${debianPackage}), or name its path in the variable ${variable}.`,
	);
}
