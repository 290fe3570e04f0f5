import { load } from 'js-yaml';
import { readFileSync } from 'node:fs';
import { validatorOf } from '../contract';
import { warningsOf } from '../http/validation';
import type { CheckedService, Config } from '../types';
import { CliError } from './cliError';

/**
 * Reads a JSON or YAML file that matches a schema of the contract. Throws a CliError that names the
 * file, and each invalid field.
 *
 * @param option the option that names the file, without its dashes
 * @param fix a sentence about where such a file comes from
 */
function readFile(file: string, option: string, schema: string, fix: string): unknown {
	const name = `The file ${file} of --${option}`;
	let content: unknown;
	try {
		// Every JSON text is YAML 1.2.
		content = load(readFileSync(file, 'utf8')) ?? {};
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = code === 'ENOENT' ? "it doesn't exist" : message.split('\n')[0];
		throw new CliError(`${name} can't be read: ${reason}. ${fix}`);
	}
	const validate = validatorOf(schema);
	if (validate(content)) return content;
	const lines = warningsOf(validate.errors ?? []).map(
		({ position, issue }) => `\n  ${position || 'whole file'}: ${issue}`,
	);
	throw new CliError(
		`${name} doesn't match the schema ${schema} in sandbox/openapi.yaml:${lines.join('')}\n${fix}`,
	);
}

/** Reads what the sandbox starts with. */
export const readConfig = (file: string) =>
	readFile(file, 'config', 'Config', '"npm run sandbox -- --help" has an example.') as Config;

const CHECK_AGAIN = 'Run "npm run check:service" again, until it has created a transaction.';

/** Reads what `npm run check:service` wrote about a service. */
export function readLike(file: string): CheckedService {
	const checked = readFile(file, 'like', 'CheckedService', CHECK_AGAIN) as CheckedService;
	if (Object.keys(checked.behavior.answers).length > 0) return checked;
	throw new CliError(`The file ${file} of --like has no answers to play. ${CHECK_AGAIN}`);
}
