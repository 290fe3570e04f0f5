import { CliError } from './cli/cliError';
import { applyConfig, exportTo, importFrom } from './cli/files';
import { DEFAULT_PORT, HELP, readOptions, type CliOptions } from './cli/options';
import { isLoopback } from './http/guard';
import { buildServer } from './http/server';
import { SandboxState } from './state/sandboxState';

/** Fills the world and gives the clients whose secrets nobody knows yet. */
function seedState(
	world: SandboxState,
	options: CliOptions,
): Array<{ name: string; clientId: string; clientSecret: string }> {
	if (options.import) importFrom(world, options.import);
	if (options.config) return applyConfig(world, options.config);
	return options.import ? [] : [world.clients.create({ name: 'Demo client' })];
}

function explainListening(error: NodeJS.ErrnoException, { port, host }: CliOptions): Error {
	const another = `Choose another, for example: npm run sandbox -- --port ${port === DEFAULT_PORT ? DEFAULT_PORT + 1 : DEFAULT_PORT}`;
	if (error.code === 'EADDRINUSE')
		return new CliError(`Port ${port} is taken by another process. ${another}`);
	if (error.code === 'EACCES')
		return new CliError(`Port ${port} may not be used by you. ${another}`);
	if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
		return new CliError(`This machine has no address ${host}; --host takes one that it has.`);
	return error;
}

async function main(): Promise<void> {
	const options = readOptions(process.argv.slice(2));
	if (options.help) return console.log(HELP);
	const world = new SandboxState(options.seed);
	const clients = seedState(world, options);
	const app = await buildServer(world, options.host);
	const url = await app.listen(options).catch((error: NodeJS.ErrnoException) => {
		throw explainListening(error, options);
	});
	if (!isLoopback(options.host)) {
		console.log(
			`Warning: it listens on ${options.host}. Whoever reaches this machine can read its secrets and steer it; use it in a network that you trust.`,
		);
	}
	for (const { name, clientId, clientSecret } of clients)
		console.log(`${name || 'Client'}: client id ${clientId}, client secret ${clientSecret}`);
	console.log(
		`State is in memory and ends with the sandbox${options.export ? `; it is written to ${options.export} then` : ''}. Ctrl-C ends it.`,
	);
	console.log(`Payments sandbox: ${url}`);
	let ending = false;
	const end = async () => {
		if (ending) return;
		ending = true;
		await app.close();
		if (options.export) exportTo(world, options.export);
		process.exit(0);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => void end().catch(fail));
}

function fail(error: Error): void {
	console.error(error instanceof CliError ? error.message : error);
	process.exit(1);
}

main().catch(fail);
