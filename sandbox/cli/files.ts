import { readFileSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { validatorOf } from '../contract';
import { warningsOf } from '../http/validation';
import type { SandboxState } from '../state/sandboxState';
import { restoreSnapshot, takeSnapshot } from '../state/snapshot';
import { CheckedBehavior } from '../like/CheckedBehavior';
import type { CheckedService, ClientWithSecret, Config, State } from '../types';
import { CliError } from './cliError';

/** Parses a JSON or YAML file. Throws a CliError that names the file and the reason. */
function parseFile(option: string, file: string): unknown {
	try {
		// Every JSON text is YAML 1.2.
		return load(readFileSync(file, 'utf8')) ?? {};
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = code === 'ENOENT' ? "it doesn't exist" : message.split('\n')[0];
		throw new CliError(`The file ${file} of --${option} can't be read: ${reason}.`);
	}
}

/**
 * Reads a file that matches a schema of the contract. Throws a CliError that names the file and
 * each invalid field.
 */
function readFile<Content>(option: string, file: string, schema: string): Content {
	const content = parseFile(option, file);
	const validate = validatorOf(schema);
	if (validate(content)) return content as Content;
	const warnings = warningsOf(validate.errors ?? []);
	const lines = warnings.map(({ position, issue }) => `\n  ${position || 'whole file'}: ${issue}`);
	throw new CliError(
		`The file ${file} of --${option} doesn't match the schema ${schema} in sandbox/openapi.yaml:${lines.join('')}`,
	);
}

/**
 * Creates what the file of `--config` lists.
 *
 * @returns the clients that got a generated secret, which is shown only now
 */
export function applyConfig(state: SandboxState, file: string): ClientWithSecret[] {
	const config = readFile<Config>('config', file, 'Config');
	const { clients = [], endpoints = [], virtualAccounts = [], faults } = config;
	if (faults) state.faults.replace(faults);
	for (const endpoint of endpoints) state.endpoints.create(endpoint);
	for (const account of virtualAccounts) state.accounts.create(account);
	const withGeneratedSecret: ClientWithSecret[] = [];
	for (const client of clients) {
		const created = state.clients.create(client);
		if (client.clientSecret === undefined) withGeneratedSecret.push(created);
	}
	return withGeneratedSecret;
}

/** Makes the sandbox answer like the service of a file that `npm run check:service` wrote. */
export function playLike(state: SandboxState, file: string): CheckedBehavior {
	state.like = new CheckedBehavior(readFile<CheckedService>('like', file, 'CheckedService'));
	return state.like;
}

/** Replaces the state with that of a file. */
export const importFrom = (state: SandboxState, file: string) =>
	restoreSnapshot(state, readFile<State>('import', file, 'State'));

/** Writes the state to a file that only its owner can read. Throws a CliError if it can't. */
export function exportTo(state: SandboxState, file: string): void {
	const text = `${JSON.stringify(takeSnapshot(state), null, '\t')}\n`;
	try {
		writeFileSync(file, text, { mode: 0o600 });
	} catch (error) {
		throw new CliError(`The state can't be written to ${file}: ${(error as Error).message}.`);
	}
}
