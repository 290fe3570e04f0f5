import { spawnSync } from 'node:child_process';

/**
 * @typedef {object} Program A program that does not come from npm.
 * @property {string} variable environment variable that may name its path
 * @property {string[]} names of its executable, first the one that Debian's package has, too
 */

/** @type {Record<string, Program>} */
export const PROGRAMS = {
	chromium: { variable: 'CHROMIUM', names: ['chromium', 'chromium-browser', 'google-chrome'] },
	ffmpeg: { variable: 'FFMPEG', names: ['ffmpeg'] },
	caddy: { variable: 'CADDY', names: ['caddy'] },
	redis: { variable: 'REDIS_SERVER', names: ['redis-server'] },
	'docker-compose': { variable: 'DOCKER_COMPOSE', names: ['docker-compose'] },
};

/** Prints the path of the first of its arguments that is a program. */
const FIND = 'for name do command -v "$name" && exit; done';

/**
 * Finds a program: the path that its variable names, else the first of its names on PATH.
 * @param {string} name a key of PROGRAMS
 * @returns {string} its path
 * @throws with the command that installs it
 */
export function requireProgram(name) {
	const { variable, names } = PROGRAMS[name];
	const search = () => spawnSync('/bin/sh', ['-c', FIND, 'sh', ...names], { encoding: 'utf8' });
	const found = process.env[variable] || search().stdout.trim();
	if (found) return found;
	throw new Error(
		`${names[0]} is missing. Install it (on Debian and Ubuntu: sudo apt-get install -y ${names[0]}), or name its path in the variable ${variable}.`,
	);
}
