import { parseArgs } from 'node:util';
import { CliError } from './cliError';

export const DEFAULT_PORT = 8480;

export const HELP = `Runs a payments service on this machine: tokens, transactions, signed webhooks, and a page that shows all of it.

  npm run sandbox -- [options]

  --port N        port to listen on (default ${DEFAULT_PORT}); 0 uses any free port
  --host ADDRESS  address to listen on (default 127.0.0.1); any other opens the sandbox to the network
  --allow-host N  a name that the sandbox may be called by, besides its addresses; repeat it for more names
  --seed N        seed of the random sequence that decides which requests get a fault (default 1)
  --config FILE   clients, endpoints, virtual accounts, event sequences, and faults to start with, as JSON or YAML
  --load FILE     state to start with, as --save, the command "save", or the page saved it
  --save FILE     file that the state is saved to when the sandbox stops, with its secrets
  --like FILE     answer like the service that npm run check:service wrote to FILE (service.json)
  --version       show the version
  --help          show this text

All data is in memory and is lost when the sandbox stops, unless you set --save. Without --config and --load, the sandbox
creates one demo client and prints its secret once. The config file has the schema Config of sandbox/openapi.yaml, for example:

  clients:   [{ name: My client, clientId: my-client, clientSecret: my-client-secret }]
  endpoints: [{ url: 'http://127.0.0.1:5678/webhook/payments', events: ['*'] }]
  faults:    { retries: { attempts: 10, intervalMs: 2000 } }

Commands for a running sandbox, the one at --url (default http://127.0.0.1:${DEFAULT_PORT}). "npm run sandbox -- help NAME" explains each:
`;

export interface CliOptions {
	port: number;
	host: string;
	allowHosts: string[];
	seed: number;
	config?: string;
	load?: string;
	save?: string;
	like?: string;
	help: boolean;
	version: boolean;
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
				load: text,
				save: text,
				like: text,
				help: { type: 'boolean', short: 'h', default: false },
				version: { type: 'boolean', default: false },
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
