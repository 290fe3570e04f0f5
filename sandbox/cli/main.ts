import { SandboxClient } from '../client';
import { isLoopback } from '../http/guard';
import { buildServer } from '../http/server';
import { existsSync } from 'node:fs';
import { CheckedBehavior } from '../state/checkedBehavior';
import { keepState, restoreState } from '../state/keptState';
import { SandboxState } from '../state/sandboxState';
import type { ClientWithSecret } from '../types';
import { CliError } from './cliError';
import { readConfig, readLike } from './files';
import { listen } from './listen';
import { DEFAULT_PORT, HELP, readCommand, readOptions, type CliOptions } from './options';
import { trigger } from './trigger';

const COMMANDS = { trigger, listen };
const SAVE_INTERVAL_MS = 10_000;

/** Fills the state from the options. Returns the clients whose generated secrets must be shown. */
function seedState(state: SandboxState, options: CliOptions): ClientWithSecret[] {
	if (options.recordsOnly) state.faults.change({ recordsOnly: true });
	if (options.like) state.like = new CheckedBehavior(readLike(options.like));
	if (options.keep !== undefined && restore(state, options.keep)) return [];
	if (!options.config) return [state.clients.create({ name: 'Demo client' })];
	const { clients = [], endpoints = [], faults } = readConfig(options.config);
	if (faults) state.faults.replace(faults);
	for (const endpoint of endpoints) state.endpoints.create(endpoint);
	const created = clients.map((client) => state.clients.create(client));
	return created.filter((_, index) => clients[index].clientSecret === undefined);
}

/** Fills the state from a file, if it's there, and makes sure that it can be written. */
function restore(state: SandboxState, file: string): boolean {
	const isThere = existsSync(file);
	try {
		if (isThere) restoreState(state, file);
		keepState(state, file);
	} catch (error) {
		const { message } = error as Error;
		throw new CliError(
			`The file ${file} of --keep can't be used: ${message}. Name another one, or delete it to start with nothing.`,
		);
	}
	return isThere;
}

/** Turns the reason why the server can't listen into a message with a fix. */
function explainListenError(error: NodeJS.ErrnoException, { port, host }: CliOptions): Error {
	const otherPort = port === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT;
	const fix = `Choose another port, for example: npm run sandbox -- --port ${otherPort}`;
	if (error.code === 'EADDRINUSE')
		return new CliError(`Port ${port} is in use by another process. ${fix}`);
	return new CliError(
		`The sandbox can't listen on ${host}, port ${port}: ${error.message}. ${fix}`,
	);
}

/** Prints what a person needs to use the sandbox. The URL comes last, when it's ready. */
function announce(
	url: string,
	state: SandboxState,
	clients: ClientWithSecret[],
	{ host, keep }: CliOptions,
) {
	if (!isLoopback(host)) {
		console.log(
			`Warning: the sandbox listens on ${host}. Anyone who can reach this machine can read its secrets and control it. Use it only in a network that you trust.`,
		);
	}
	if (state.like) {
		const { service, checkedAt, played, notPlayed } = state.like.summary;
		console.log(`The sandbox answers like ${service} did on ${checkedAt}: ${played.join(', ')}.`);
		console.log(`Its own are the answers to: ${notPlayed.join(', ')}.`);
	}
	for (const { name, clientId, clientSecret } of clients)
		console.log(`${name || 'Client'}: client ID ${clientId}, client secret ${clientSecret}`);
	const data =
		keep === undefined ? 'in memory, and lost when the sandbox stops' : `kept in ${keep}`;
	console.log(`All data is ${data}. Press Ctrl-C to stop.`);
	console.log(`Payments sandbox: ${url}`);
}

interface RunningSandbox {
	/** Such as `http://127.0.0.1:8480`. */
	url: string;
	/** Stops listening, and ends what waits for a time. */
	stop: () => Promise<void>;
}

async function start(options: CliOptions): Promise<RunningSandbox> {
	const state = new SandboxState();
	const clients = seedState(state, options);
	const app = await buildServer(state, options.host);
	const url = await app.listen(options).catch((error: NodeJS.ErrnoException) => {
		throw explainListenError(error, options);
	});
	announce(url, state, clients, options);
	const { keep } = options;
	const save = () => void (keep !== undefined && keepState(state, keep));
	const saving = setInterval(save, SAVE_INTERVAL_MS).unref();
	const stop = async () => {
		await app.close();
		clearInterval(saving);
		save();
		state.reset(true);
	};
	return { url, stop };
}

/** Runs a command for the sandbox at `--url`. Throws a CliError that names the fix. */
async function runCommand(name: keyof typeof COMMANDS, args: string[]): Promise<void> {
	const input = readCommand(name, args);
	if (input.help) return console.log(HELP);
	try {
		await COMMANDS[name](input, new SandboxClient(input.url));
	} catch (error) {
		const { message, cause } = error as Error;
		throw new CliError(
			cause === undefined
				? message
				: `No sandbox responds at ${input.url}. Start it with "npm run sandbox", or name another with --url.`,
		);
	}
}

/**
 * Runs what the command line asks for.
 *
 * @returns the sandbox, if it asks for one
 * @throws a CliError with the fix
 */
export async function main(args: string[]): Promise<RunningSandbox | undefined> {
	const [name = '', ...rest] = args;
	if (name === 'trigger' || name === 'listen') {
		await runCommand(name, rest);
		return undefined;
	}
	const options = readOptions(args);
	if (options.help) console.log(HELP);
	else return await start(options);
	return undefined;
}
