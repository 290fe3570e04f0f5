import { parseArgs } from 'node:util';
import { CliError } from './cliError';

export const DEFAULT_PORT = 8480;

export const HELP = `Runs a payments service on this machine: tokens, transactions, signed webhooks, and a page that shows all of it.

  npm run sandbox -- [options]

  --port N        port to listen on (default ${DEFAULT_PORT}); 0 uses any free port
  --host ADDRESS  address to listen on (default 127.0.0.1); any other opens the sandbox to the network
  --allow-host N  a name that the sandbox may be called by, besides its addresses; repeat it for more names
  --seed N        seed of the random sequence that decides which requests get a fault (default 1)
  --config FILE   clients, webhook endpoints, virtual accounts, and faults to start with, as JSON or YAML
  --import FILE   state to start with, as --export wrote it
  --export FILE   file that the state is written to when the sandbox stops
  --like FILE     answer like the service that npm run check:service wrote to FILE (service.json)
  --help          show this text

All data is in memory and is lost when the sandbox stops, unless you set --export. Without --config and --import, the sandbox
creates one demo client and prints its secret once. The config file has the schema Config of sandbox/openapi.yaml, for example:

  clients:   [{ name: My client, clientId: my-client, clientSecret: my-client-secret }]
  endpoints: [{ url: 'http://127.0.0.1:5678/webhook/payments', events: ['*'] }]
  faults:    { retries: { attempts: 10, intervalMs: 2000 } }

Commands, which talk to the sandbox at --url (default http://127.0.0.1:${DEFAULT_PORT}):
`;

export interface CliOptions {
	port: number;
	host: string;
	allowHosts: string[];
	seed: number;
	config?: string;
	import?: string;
	export?: string;
	like?: string;
	help: boolean;
}

function wholeNumber(name: string, text: string, max: number): number {
	const value = Number(text);
	if (/^\d+$/.test(text) && value <= max) return value;
	throw new CliError(
		`--${name} takes a whole number from 0 to ${max}, not ${JSON.stringify(text)}.`,
	);
}

/** Reads the command line. Throws a CliError that names the option and the fix. */
export function readOptions(args: string[]): CliOptions {
	const text = { type: 'string' } as const;
	try {
		const { values } = parseArgs({
			args,
			options: {
				port: { ...text, default: String(DEFAULT_PORT) },
				host: { ...text, default: '127.0.0.1' },
				'allow-host': { ...text, multiple: true, default: [] as string[] },
				seed: { ...text, default: '1' },
				config: text,
				import: text,
				export: text,
				like: text,
				help: { type: 'boolean', default: false },
			},
		});
		return {
			...values,
			allowHosts: values['allow-host'],
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
