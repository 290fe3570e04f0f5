import { parseArgs } from 'node:util';
import { CliError } from './cliError';

export const DEFAULT_PORT = 8480;

export const HELP = `Plays the payments service on this machine: tokens, transactions, signed webhook deliveries, and a page to look at all of it.

  npm run sandbox -- [options]

  --port N        port to listen on; 0 takes any free one (default ${DEFAULT_PORT})
  --host ADDRESS  address to listen on (default 127.0.0.1; any other opens the sandbox to the network)
  --seed N        start of the random sequence that faults are drawn from (default 1): same seed, same run
  --config FILE   clients, webhook endpoints, virtual accounts and faults to start with, JSON or YAML
  --import FILE   state to start with, as --export wrote it
  --export FILE   writes the state to this file when the sandbox ends
  --help          this text

State is in memory and ends with the sandbox, unless --export keeps it. Without --config and --import one demo client is
made, and its secret is printed once. What the config file may hold is the schema Config in sandbox/openapi.yaml, for example:

  clients:   [{ name: My client, clientId: my-client, clientSecret: my-client-secret }]
  endpoints: [{ url: 'http://127.0.0.1:5678/webhook/payments', events: ['*'] }]
  faults:    { retries: { attempts: 10, intervalMs: 2000 } }`;

export interface CliOptions {
	port: number;
	host: string;
	seed: number;
	config?: string;
	import?: string;
	export?: string;
	help: boolean;
}

function wholeNumber(name: string, text: string, max: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value <= max) return value;
	throw new CliError(
		`--${name} takes a whole number from 0 to ${max}, not ${JSON.stringify(text)}.`,
	);
}

/** What was typed, as values. Throws a CliError that says what does not fit. */
export function readOptions(args: string[]): CliOptions {
	const text = { type: 'string' } as const;
	try {
		const { values } = parseArgs({
			args,
			options: {
				port: { ...text, default: String(DEFAULT_PORT) },
				host: { ...text, default: '127.0.0.1' },
				seed: { ...text, default: '1' },
				config: text,
				import: text,
				export: text,
				help: { type: 'boolean', default: false },
			},
		});
		return {
			...values,
			port: wholeNumber('port', values.port, 65_535),
			seed: wholeNumber('seed', values.seed, 4_294_967_295),
		};
	} catch (error) {
		if (error instanceof CliError) throw error;
		throw new CliError(
			`${(error as Error).message.split('. ')[0]}. "npm run sandbox -- --help" lists the options.`,
		);
	}
}
