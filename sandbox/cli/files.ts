import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { validatorOf } from '../contract';
import { warningsOf } from '../http/validation';
import type { SandboxState } from '../state/sandboxState';
import { MAX_STATE_BYTES, restoreSnapshot, stateWarnings } from '../state/snapshot';
import { CheckedBehavior } from '../like/CheckedBehavior';
import type { CheckedService, ClientWithSecret, Config, State } from '../types';
import { CliError } from './cliError';

/** The name of a file, as a message begins with it: of an option, or alone. */
const nameOf = (file: string, option?: string) =>
	option === undefined ? `The file ${file}` : `The file ${file} of --${option}`;

/** Parses a JSON or YAML file. Throws a CliError that names the file and the reason. */
function parseFile(file: string, option?: string): unknown {
	try {
		const { size } = statSync(file);
		if (size > MAX_STATE_BYTES)
			throw new Error(`it's larger than ${MAX_STATE_BYTES / 2 ** 20} MB, so it wasn't saved here`);
		const text = readFileSync(file, 'utf8');
		// Every JSON text is YAML 1.2, but a large one is parsed faster as what it is.
		return (/^\s*[{[]/.test(text) ? parseJson(text) : load(text)) ?? {};
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = code === 'ENOENT' ? "it doesn't exist" : message.split('\n')[0];
		throw new CliError(`${nameOf(file, option)} can't be read: ${reason}.`);
	}
}

/** Parses JSON, or YAML that begins like it. */
function parseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return load(text);
	}
}

/** Throws a CliError that names the file and what is wrong in it. */
function reject(
	file: string,
	option: string | undefined,
	reason: string,
	warnings: Array<{ position: string; issue: string }>,
): never {
	const lines = warnings.map(({ position, issue }) => `\n  ${position || 'whole file'}: ${issue}`);
	throw new CliError(`${nameOf(file, option)} ${reason}:${lines.join('')}`);
}

/**
 * Reads a file that matches a schema of the contract. Throws a CliError that names the file and
 * each invalid field.
 */
function readFile<Content>(file: string, schema: string, option?: string): Content {
	const content = parseFile(file, option);
	const validate = validatorOf(schema);
	if (validate(content)) return content as Content;
	const reason = `doesn't match the schema ${schema} in sandbox/openapi.yaml`;
	return reject(file, option, reason, warningsOf(validate.errors ?? []));
}

/** Reads a saved state. Throws a CliError that names the file and all that is wrong in it. */
export function readState(file: string, option?: string): State {
	const content = readFile<State>(file, 'State', option);
	const warnings = stateWarnings(content);
	if (warnings.length > 0) reject(file, option, 'has parts that contradict each other', warnings);
	return content;
}

/**
 * Creates what the file of `--config` lists.
 *
 * @returns the clients that got a generated secret, which is shown only now
 */
export function applyConfig(state: SandboxState, file: string): ClientWithSecret[] {
	const config = readFile<Config>(file, 'Config', 'config');
	const { clients = [], endpoints = [], virtualAccounts = [], sequences = [], faults } = config;
	if (faults) state.faults.replace(faults);
	for (const endpoint of endpoints) state.endpoints.create(endpoint);
	for (const account of virtualAccounts) state.accounts.create(account);
	for (const sequence of sequences) state.sequences.create(sequence);
	const withGeneratedSecret: ClientWithSecret[] = [];
	for (const client of clients) {
		const created = state.clients.create(client);
		if (client.clientSecret === undefined) withGeneratedSecret.push(created);
	}
	return withGeneratedSecret;
}

/** Makes the sandbox answer like the service of a file that `npm run check:service` wrote. */
export function playLike(state: SandboxState, file: string): CheckedBehavior {
	state.like = new CheckedBehavior(readFile<CheckedService>(file, 'CheckedService', 'like'));
	return state.like;
}

/**
 * Replaces the state with that of a file.
 *
 * @returns the clients that got a new secret, because the file has none
 */
export const loadFrom = (state: SandboxState, file: string) =>
	restoreSnapshot(state, readState(file, 'load')).clients;

/** Writes a state to a file that only its owner can read. Throws a CliError if it can't. */
export function saveTo(file: string, text: string): void {
	try {
		writeFileSync(file, text, { mode: 0o600 });
	} catch (error) {
		throw new CliError(`The state can't be saved to ${file}: ${(error as Error).message}.`);
	}
}
