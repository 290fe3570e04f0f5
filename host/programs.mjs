import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/**
 * @typedef {object} Program A program that does not come from npm.
 * @property {string} variable environment variable that may name its path
 * @property {string[]} names of its executable, the preferred one first
 * @property {string[]} [folders] where Debian keeps it besides PATH; one `*` may stand for a name
 * @property {string} package Debian's package of it
 */

/** @type {Record<string, Program>} */
export const PROGRAMS = {
	chromium: {
		variable: 'CHROMIUM',
		names: ['chromium', 'chromium-browser', 'google-chrome'],
		package: 'chromium',
	},
	postgres: {
		variable: 'POSTGRES',
		names: ['postgres'],
		folders: ['/usr/lib/postgresql/*/bin'],
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

/** @param {string} path */
function isExecutable(path) {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
}

/**
 * Lists the folders that match a pattern, the highest version first.
 * @param {string} pattern
 */
function matchingFolders(pattern) {
	const [above, below] = pattern.split('*');
	if (below === undefined) return [pattern];
	try {
		const names = readdirSync(above);
		names.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }));
		return names.map((name) => join(above, name, below));
	} catch {
		return [];
	}
}

/**
 * Finds a program: the path that its variable names, else the first of its names on PATH or in the
 * folders of Debian.
 * @param {Pick<Program, 'names'> & Partial<Program>} program
 * @returns {string | undefined}
 */
export function findProgram({ variable = '', names, folders = [] }) {
	const named = process.env[variable];
	if (named) return named;
	const path = process.env.PATH ?? '';
	const places = [...path.split(delimiter), ...folders.flatMap(matchingFolders)];
	const candidates = places.flatMap((folder) => names.map((name) => join(folder, name)));
	return candidates.find(isExecutable);
}

/**
 * Finds a program that must be there.
 * @param {string} name a key of PROGRAMS
 * @returns {string} its path
 * @throws with the command that installs it
 */
export function requireProgram(name) {
	const program = PROGRAMS[name];
	const found = findProgram(program);
	if (found) return found;
	throw new Error(
		`${program.names[0]} is missing. Install it (on Debian and Ubuntu: sudo apt-get install -y ${program.package}), or name its path in the variable ${program.variable}.`,
	);
}
