import { CliError } from '../cli/cliError';
import { runCommand } from './command';

runCommand(process.argv.slice(2)).then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error instanceof CliError ? error.message : error);
		process.exit(1);
	},
);
