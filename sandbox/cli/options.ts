import { parse, wholeNumber } from './arguments';
import { CliError } from './cliError';

export const DEFAULT_PORT = 8480;
const DEFAULT_URL = `http://127.0.0.1:${DEFAULT_PORT}`;

export const HELP = `Runs a payments service on this machine: tokens, transactions, signed webhooks, and a page that shows all of it.

  npm run sandbox -- [options]

  --port N        port to listen on (default ${DEFAULT_PORT}); 0 uses any free port
  --host ADDRESS  address to listen on (default 127.0.0.1); any other opens the sandbox to the network
  --config FILE   clients, endpoints, and faults to start with, as JSON or YAML
  --like FILE     answer like the service that npm run check:service wrote to FILE (service.json)
  --records-only  record transactions, and make no payments of them
  --keep FILE     start with what FILE has, if it's there, and save everything to it each 10 s and at the end
  --help          show this text

Without --config, the sandbox creates one demo client and prints its secret once. The config file has the schema Config of
sandbox/openapi.yaml, for example:

  clients:   [{ name: My client, clientId: my-client, clientSecret: my-client-secret }]
  endpoints: [{ url: 'http://127.0.0.1:5678/webhook/payments', events: ['*'] }]
  faults:    { retries: { attempts: 10, intervalMs: 2000 } }

Commands for a running sandbox, the one at --url (default ${DEFAULT_URL}):

  npm run sandbox -- trigger EVENT [--set a.b=c]…
    sends an event with example data to each endpoint that subscribes to its type; --set changes a member of "data"
    npm run sandbox -- trigger PAYMENT.STATUS_UPDATED --set status=FAILED

  npm run sandbox -- listen --forward-to URL [--events A,B] [--secret SECRET]
    forwards deliveries to a URL, with the same body and signature, until you press Ctrl-C
    npm run sandbox -- listen --forward-to http://127.0.0.1:5678/webhook/payments`;

const text = { type: 'string' } as const;
const help = { type: 'boolean', short: 'h', default: false } as const;

export interface CliOptions {
	port: number;
	host: string;
	config?: string;
	like?: string;
	recordsOnly: boolean;
	keep?: string;
	help: boolean;
}

/** Reads the options of the sandbox itself. Throws a CliError that names the option and the fix. */
export function readOptions(args: string[]): CliOptions {
	const { values } = parse({
		args,
		options: {
			port: { ...text, default: String(DEFAULT_PORT) },
			host: { ...text, default: '127.0.0.1' },
			config: text,
			like: text,
			'records-only': { type: 'boolean', default: false },
			keep: text,
			help,
		},
	});
	const { 'records-only': recordsOnly, ...others } = values;
	return { ...others, recordsOnly, port: wholeNumber('port', values.port, 65_535) };
}

/** What a person enters after the name of a command. */
export interface CommandInput {
	positionals: string[];
	/** The sandbox that the command is for, without a slash at its end. */
	url: string;
	/** Assignments of `trigger`, such as `status=FAILED`. */
	set: string[];
	/** The options of `listen`. */
	forwardTo: string;
	events: string[];
	secret?: string;
	help: boolean;
}

/** Reads what follows the name of a command. Throws a CliError that names the fix. */
export function readCommand(name: 'trigger' | 'listen', args: string[]): CommandInput {
	const { values, positionals } = parse({
		args,
		allowPositionals: name === 'trigger',
		options: {
			url: { ...text, default: DEFAULT_URL },
			set: { ...text, multiple: true, default: [] as string[] },
			'forward-to': { ...text, default: '' },
			events: { ...text, default: '*' },
			secret: text,
			help,
		},
	});
	const { url, 'forward-to': forwardTo, events, ...others } = values;
	if (!/^https?:\/\/[^/]/.test(url) || !URL.canParse(url))
		throw new CliError(`--url takes the address of a sandbox, such as ${DEFAULT_URL}, not ${url}.`);
	return {
		...others,
		positionals,
		url: url.replace(/\/+$/, ''),
		forwardTo,
		events: events.split(/[\s,]+/).filter(Boolean),
	};
}
