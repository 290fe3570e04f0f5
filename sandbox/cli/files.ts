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
 */
function readFile(file: string, option: string, schema: string): unknown {
	const name = `The file ${file} of --${option}`;
	let content: unknown;
	try {
		// Every JSON text is YAML 1.2.
		content = load(readFileSync(file, 'utf8')) ?? {};
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = code === 'ENOENT' ? "it doesn't exist" : message.split('\n')[0];
		throw new CliError(`${name} can't be read: ${reason}.`);
	}
	const validate = validatorOf(schema);
	if (validate(content)) return content;
	const lines = warningsOf(validate.errors ?? []).map(
		({ position, issue }) => `\n  ${position || 'whole file'}: ${issue}`,
	);
	throw new CliError(
		`${name} doesn't match the schema ${schema} in sandbox/openapi.yaml:${lines.join('')}`,
	);
}

/** Reads what the sandbox starts with. */
export const readConfig = (file: string) => readFile(file, 'config', 'Config') as Config;

/** Reads what `npm run check:service` wrote about a service. */
export const readLike = (file: string) =>
	readFile(file, 'like', 'CheckedService') as CheckedService;
