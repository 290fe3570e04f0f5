import { accessSync, constants, readdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { CliError } from './cliError.mjs';

const isExecutable = (path) => {
	try {
		accessSync(path, constants.X_OK);
		return statSync(path).isFile();
	} catch {
		return false;
	}
};

/** The folders that a pattern stands for: it may have one `*` in the place of a name, and the last name in order comes first. */
function foldersLike(pattern) {
	const [above, below] = pattern.split('*');
	if (below === undefined) return [pattern];
	try {
		return readdirSync(above)
			.sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
			.map((name) => join(above, name, below));
	} catch {
		return [];
	}
}

/**
 * The path of a program of tasks.mjs: what its variable says, else the first of its names on PATH or in the folders where
 * Debian keeps it; undefined if there is none.
 */
export function findProgram({ variable, names, folders = [] }) {
	const places = [...process.env.PATH.split(delimiter), ...folders.flatMap(foldersLike)];
	return (
		process.env[variable] ??
		places.flatMap((folder) => names.map((name) => join(folder, name))).find(isExecutable)
	);
}

/**
 * As findProgram, but a program must be there.
 * @throws {CliError} with the command that installs it
 */
export function needProgram(program) {
	const found = findProgram(program);
	if (found) return found;
	throw new CliError(
		`${program.names[0]} is missing. Install it (on Debian and Ubuntu: sudo apt-get install -y ${program.package}), or name its path in the variable ${program.variable}.`,
	);
}
