import { CliError } from './cliError';
import { applyConfig, loadFrom, playLike, saveTo } from './files';
import { COMMANDS, commandList, helpFor, runCommand, unknownCommand } from './commands';
import { DEFAULT_PORT, HELP, readOptions, type CliOptions } from './options';
import { isLoopback } from '../http/guard';
import { buildServer } from '../http/server';
import type { CheckedBehavior } from '../like/CheckedBehavior';
import { version } from '../package.json';
import { SandboxState } from '../state/sandboxState';
import { serializeState } from '../state/snapshot';
import type { ClientWithSecret } from '../types';

/** Fills the state from the options. Returns the clients whose generated secrets must be shown. */
function seedState(state: SandboxState, options: CliOptions): ClientWithSecret[] {
	const clients = options.load ? loadFrom(state, options.load) : [];
	if (options.config) clients.push(...applyConfig(state, options.config));
	if (options.load || options.config) return clients;
	return [state.clients.create({ name: 'Demo client' })];
}

/** Turns the reason why the server can't listen into a message with a fix. */
function explainListenError(error: NodeJS.ErrnoException, { port, host }: CliOptions): Error {
	const otherPort = port === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT;
	const fix = `Choose another port, for example: npm run sandbox -- --port ${otherPort}`;
	switch (error.code) {
		case 'EADDRINUSE':
			return new CliError(`Port ${port} is in use by another process. ${fix}`);
		case 'EACCES':
			return new CliError(`You don't have permission to use port ${port}. ${fix}`);
		case 'EADDRNOTAVAIL':
		case 'ENOTFOUND':
			return new CliError(
				`This machine doesn't have the address ${host}. Set --host to one of its addresses.`,
			);
		default:
			return error;
	}
}

/** Prints what a person needs to use the sandbox. The URL comes last, when it's ready. */
function announce(url: string, clients: ClientWithSecret[], options: CliOptions): void {
	if (!isLoopback(options.host)) {
		console.log(
			`Warning: the sandbox listens on ${options.host}. Anyone who can reach this machine can read its secrets and control it. Use it only in a network that you trust.`,
		);
	}
	for (const { name, clientId, clientSecret } of clients)
		console.log(`${name || 'Client'}: client ID ${clientId}, client secret ${clientSecret}`);
	const kept = options.save
		? `It's saved to ${options.save} when the sandbox stops.`
		: 'It is lost when the sandbox stops.';
	console.log(`All data is in memory. ${kept} Press Ctrl-C to stop.`);
	console.log(`Payments sandbox: ${url}`);
}

/** Says whose answers are played, and which are the sandbox's own. */
function announceLike({ summary: { service, checkedAt, neverSeen } }: CheckedBehavior): void {
	console.log(`The sandbox answers like ${service} did on ${checkedAt}.`);
	if (neverSeen.length > 0)
		console.log(`Never seen there, so the sandbox's own answers: ${neverSeen.join(', ')}.`);
}

const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

/** Prints how a command is used, or the options of the sandbox and the list of its commands. */
function printHelp(name?: string): void {
	if (name === undefined) console.log(`${HELP}\n${commandList()}`);
	else if (Object.hasOwn(COMMANDS, name)) console.log(helpFor(name, DEFAULT_URL));
	else throw unknownCommand(name);
}

interface RunningSandbox {
	/** Such as `http://127.0.0.1:8480`. */
	url: string;
	/** Stops listening, saves the state if an option says so, and ends what waits for a time. */
	stop: () => Promise<void>;
}

async function start(options: CliOptions): Promise<RunningSandbox> {
	const state = new SandboxState(options.seed);
	const clients = seedState(state, options);
	if (options.like) announceLike(playLike(state, options.like));
	const app = await buildServer(state, options);
	const url = await app.listen(options).catch((error: NodeJS.ErrnoException) => {
		throw explainListenError(error, options);
	});
	announce(url, clients, options);
	const stop = async () => {
		await app.close();
		if (options.save) saveTo(options.save, serializeState(state, true));
		state.reset(true);
	};
	return { url, stop };
}

/**
 * Runs what the command line asks for.
 *
 * @returns the sandbox, if it asks for one
 * @throws a CliError with the fix
 */
export async function main(args: string[]): Promise<RunningSandbox | undefined> {
	const [name = '', ...rest] = args;
	if (name === 'help') printHelp(rest[0]);
	else if (Object.hasOwn(COMMANDS, name)) await runCommand(name, rest, DEFAULT_URL);
	else if (name !== '' && !name.startsWith('-')) throw unknownCommand(name);
	else {
		const options = readOptions(args);
		if (options.help) printHelp();
		else if (options.version) console.log(version);
		else return await start(options);
	}
	return undefined;
}
