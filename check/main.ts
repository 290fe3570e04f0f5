#!/usr/bin/env node
import { runCommand } from './command';
import { CliError } from './options';

runCommand(process.argv.slice(2)).then(
	(code) => process.exit(code),
	(error: unknown) => {
		console.error(error instanceof CliError ? error.message : error);
		process.exit(1);
	},
);
