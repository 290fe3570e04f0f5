import { spawnSync } from 'node:child_process';

/**
 * Programs that don't come from npm: the names of their executables, first the one that Debian's
 * package has, too.
 * @type {Record<string, string[]>}
 */
export const PROGRAMS = {
	chromium: ['chromium', 'chromium-browser', 'google-chrome'],
	ffmpeg: ['ffmpeg'],
	caddy: ['caddy'],
	redis: ['redis-server'],
	'docker-compose': ['docker-compose'],
};

/** Prints the path of the first of its arguments that is a program. */
const FIND = 'for name do command -v "$name" && exit; done';

/**
 * Finds a program: the path that a variable such as REDIS_SERVER names, else the first of its names
 * on PATH.
 * @param {string} name a key of PROGRAMS
 * @returns {string} its path
 * @throws with the command that installs it
 */
export function requireProgram(name) {
	const names = PROGRAMS[name];
	const variable = names[0].toUpperCase().replace('-', '_');
	const search = () => spawnSync('/bin/sh', ['-c', FIND, 'sh', ...names], { encoding: 'utf8' });
	const found = process.env[variable] || search().stdout.trim();
	if (found) return found;
	throw new Error(
		`${names[0]} is missing. Install it (on Debian and Ubuntu: sudo apt-get install -y ${names[0]}), or name its path in the variable ${variable}.`,
	);
}
