import { readFileSync, writeFileSync } from 'node:fs';
import { parse } from 'yaml';
import { validatorOf } from '../contract';
import { warningsOf } from '../http/validation';
import { restoreSnapshot, takeSnapshot } from '../state/snapshot';
import type { SandboxState } from '../state/sandboxState';
import type { Config, State } from '../types';
import { CliError } from './cliError';

/** Reads a JSON or YAML file and holds it against a schema of the contract. Throws a CliError that names the file and the place. */
function readFile<Content>(option: string, file: string, schema: string): Content {
	let content: unknown;
	try {
		// YAML 1.2 takes every JSON as it is.
		content = parse(readFileSync(file, 'utf8')) ?? {};
	} catch (error) {
		const reason =
			(error as NodeJS.ErrnoException).code === 'ENOENT'
				? 'it does not exist'
				: (error as Error).message.split('\n')[0];
		throw new CliError(`The file ${file} of --${option} cannot be read: ${reason}.`);
	}
	const validate = validatorOf(schema);
	if (validate(content)) return content as Content;
	const problems = warningsOf(validate.errors ?? []).map(
		({ position, issue }) => `\n  ${position || 'as a whole'}: ${issue}`,
	);
	throw new CliError(
		`The file ${file} of --${option} does not fit the schema ${schema} in sandbox/openapi.yaml:${problems.join('')}`,
	);
}

/** Sets up what the file of `--config` says. A client without a secret of its own gets one; those are given back, to be shown once. */
export function applyConfig(
	world: SandboxState,
	file: string,
): Array<{ name: string; clientId: string; clientSecret: string }> {
	const {
		clients = [],
		endpoints = [],
		virtualAccounts = [],
		faults,
	} = readFile<Config>('config', file, 'Config');
	if (faults) world.faults.replace(faults);
	for (const endpoint of endpoints) world.endpoints.create(endpoint);
	for (const account of virtualAccounts) world.accounts.create(account);
	return clients
		.map((client) => ({ ...world.clients.create(client), made: client.clientSecret === undefined }))
		.filter(({ made }) => made);
}

export const importFrom = (world: SandboxState, file: string) =>
	restoreSnapshot(world, readFile<State>('import', file, 'State'));

/** Throws a CliError when the file cannot be written. */
export function exportTo(world: SandboxState, file: string): void {
	try {
		writeFileSync(file, `${JSON.stringify(takeSnapshot(world), null, '\t')}\n`, { mode: 0o600 });
	} catch (error) {
		throw new CliError(`The state could not be written to ${file}: ${(error as Error).message}.`);
	}
}
