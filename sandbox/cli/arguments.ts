import { parseArgs, type ParseArgsConfig } from 'node:util';
import { CliError } from './cliError';

/** Parses arguments. Throws a CliError that names the option. */
export function parse<Config extends ParseArgsConfig>(config: Config) {
	try {
		return parseArgs(config);
	} catch (error) {
		const [reason] = (error as Error).message.split(/\.\s/);
		throw new CliError(`${reason}. "npm run sandbox -- --help" lists the options.`);
	}
}

export function wholeNumber(name: string, value: string, max: number): number {
	if (/^\d+$/.test(value) && Number(value) <= max) return Number(value);
	throw new CliError(`--${name} takes a whole number from 0 to ${max}, not "${value}".`);
}
