import { CliError } from './cli/cliError';
import { main } from './cli/main';

async function run(): Promise<void> {
	const sandbox = await main(process.argv.slice(2));
	if (!sandbox) return;
	let stopping = false;
	const stop = async () => {
		if (stopping) return;
		stopping = true;
		await sandbox.stop();
		process.exit(0);
	};
	for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
		process.on(signal, () => void stop().catch(fail));
}

function fail(error: Error): void {
	console.error(error instanceof CliError ? error.message : error);
	process.exit(1);
}

run().catch(fail);
