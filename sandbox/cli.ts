import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { isLoopback } from './http/guard';
import { buildServer } from './http/server';
import { keepState, restoreState } from './state/keptState';
import { SandboxState } from './state/sandboxState';
import type { ClientWithSecret } from './types';

/** An error that the person at the command line can fix. Only its message is printed. */
export class CliError extends Error {}

const DEFAULT_PORT = 8480;

const HELP = `Runs a payments service on this machine: tokens, transactions, signed webhooks, and a page that shows all of it.

  npm run sandbox -- [options]

  --port N        port to listen on (default ${DEFAULT_PORT}); 0 uses any free port
  --host ADDRESS  address to listen on (default 127.0.0.1); any other opens the sandbox to the network
  --records-only  record transactions, and make no payments of them
  --keep FILE     start with what FILE has, if it's there, and save everything to it each 10 s and at the end
  --help          show this text

A new sandbox creates one demo client and prints its secret once.`;

type Options = ReturnType<typeof readOptions>;

function readOptions(args: string[]) {
	const text = { type: 'string' } as const;
	const flag = { type: 'boolean', default: false } as const;
	const options = {
		port: { ...text, default: String(DEFAULT_PORT) },
		host: { ...text, default: '127.0.0.1' },
		'records-only': flag,
		keep: text,
		help: { ...flag, short: 'h' },
	} as const;
	try {
		const { values } = parseArgs({ args, options });
		return { ...values, port: readPort(values.port) };
	} catch (error) {
		const [reason] = (error as Error).message.split(/\.\s/);
		throw new CliError(`${reason}. "npm run sandbox -- --help" lists the options.`);
	}
}

function readPort(text: string): number {
	if (/^\d+$/.test(text) && Number(text) <= 65_535) return Number(text);
	throw new Error(`--port takes a whole number from 0 to 65535, not "${text}"`);
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
function explainListenError(error: NodeJS.ErrnoException, { port, host }: Options): CliError {
	const otherPort = port === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT;
	const reason =
		error.code === 'EADDRINUSE'
			? `Port ${port} is in use by another process`
			: `The sandbox can't listen on ${host}, port ${port}: ${error.message}`;
	return new CliError(
		`${reason}. Choose another port, for example: npm run sandbox -- --port ${otherPort}`,
	);
}

/** Prints what a person needs to use the sandbox. The URL comes last, when it's ready. */
function announce(url: string, { host, keep }: Options, client?: ClientWithSecret) {
	if (!isLoopback(host)) {
		console.log(
			`Warning: the sandbox listens on ${host}. Anyone who can reach this machine can read its secrets and control it. Use it only in a network that you trust.`,
		);
	}
	if (client)
		console.log(
			`${client.name}: client ID ${client.clientId}, client secret ${client.clientSecret}`,
		);
	const data =
		keep === undefined ? 'in memory, and lost when the sandbox stops' : `kept in ${keep}`;
	console.log(`All data is ${data}. Press Ctrl-C to stop.`);
	console.log(`Payments sandbox: ${url}`);
}

const SAVE_INTERVAL_MS = 10_000;

/** Starts the sandbox. `stop` ends it, with what waits for a time. */
async function start(options: Options) {
	const { keep } = options;
	const state = new SandboxState();
	const isRestored = keep !== undefined && restore(state, keep);
	const client = isRestored ? undefined : state.clients.create({ name: 'Demo client' });
	if (options['records-only']) state.faults.change({ recordsOnly: true });
	const app = await buildServer(state, options.host);
	const url = await app.listen(options).catch((error: NodeJS.ErrnoException) => {
		throw explainListenError(error, options);
	});
	announce(url, options, client);
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

/**
 * Runs what the command line asks for.
 *
 * @returns the sandbox, unless it asks for help
 * @throws a CliError with the fix
 */
export async function main(args: string[]) {
	const options = readOptions(args);
	if (!options.help) return await start(options);
	console.log(HELP);
	return undefined;
}

/** Runs the command until a signal ends it. */
export async function run(): Promise<void> {
	const fail = (error: Error) => {
		console.error(error instanceof CliError ? error.message : error);
		process.exit(1);
	};
	const sandbox = await main(process.argv.slice(2)).catch(fail);
	let stopping: Promise<void> | undefined;
	const stop = () => (stopping ??= sandbox!.stop().then(() => process.exit(0), fail));
	if (!sandbox) return;
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => void stop());
}
