import { parseArgs } from 'node:util';
import { SandboxClient } from '../client';
import { CliError } from './cliError';
import type { Command, Input } from './command';
import { events } from './events';
import { find } from './find';
import { listen } from './listen';
import { resend } from './resend';
import { record, replay, sequences } from './sequences';
import { load, save } from './state';
import { trigger } from './trigger';
import { verify } from './verify';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** The commands for a running sandbox, by name. */
export const COMMANDS: Record<string, Command> = {
	trigger: {
		usage: 'EVENT [--set a.b=c]…',
		summary: 'sends an event with example data to each endpoint that subscribes to its type',
		details: 'Prints the ID of the event, and what each of its deliveries got.',
		options: {
			set: {
				...text,
				multiple: true,
				help: ['--set a.b=c', 'changes a member of "data"; repeat it for more members'],
			},
		},
		example: 'PAYMENT.STATUS_UPDATED --set status=FAILED',
		run: trigger,
	},
	events: {
		usage: '[--follow]',
		summary: 'lists the latest events with their IDs, and what each of their deliveries got',
		options: {
			follow: { ...flag, help: ['--follow', 'goes on with what comes, until you press Ctrl-C'] },
		},
		example: '--follow',
		run: events,
	},
	resend: {
		usage: '[ID…] [--failed-since TIME] [--retrying]',
		summary: 'resends deliveries: one, those of an event, those that failed or wait for a retry',
		details:
			'An ID is that of a delivery or an event. Each is resent as a new delivery with the same body. A delivery that waits for a retry ends, and the new one is retried in its place.',
		options: {
			'failed-since': {
				...text,
				help: [
					'--failed-since TIME',
					'resends what failed since a time, such as 2h or 2026-01-31T08:00:00Z, unless it was delivered since',
				],
			},
			retrying: { ...flag, help: ['--retrying', 'resends what waits for its next attempt'] },
		},
		example: '--failed-since 2h --retrying',
		run: resend,
	},
	find: {
		usage: 'ID',
		summary: 'finds the records with an ID that the sandbox has printed or sent',
		example: 'evt_9n5ev10g6ozjnn681y4azjdkl2',
		run: find,
	},
	record: {
		usage: 'NAME [--about ID] [--last N]',
		summary: 'saves events that were sent as an event sequence, to replay them',
		options: {
			about: { ...text, help: ['--about ID', 'only those about an object, such as a payment'] },
			last: { ...text, help: ['--last N', 'at most this many, the latest ones (default 20)'] },
		},
		example: 'returned-payment --about pmt_9n5ev10g6ozjnn681y4a',
		run: record,
	},
	sequences: {
		usage: '[--delete NAME]',
		summary: 'lists the event sequences with their events',
		options: {
			delete: { ...text, help: ['--delete NAME', 'deletes one, by its name or ID'] },
		},
		example: '--delete returned-payment',
		run: sequences,
	},
	replay: {
		usage: 'NAME',
		summary: 'sends the events of a sequence in their order, and prints what each delivery got',
		details:
			'The name or the ID. Each event is sent when the one before has a response. It gets an ID of its own, so that a receiver takes it for a new one.',
		example: 'returned-payment',
		run: replay,
	},
	save: {
		usage: 'FILE [--secrets]',
		summary: 'saves the whole state of the sandbox to a JSON file, without secrets',
		details:
			'The file has all that the page shows, so a bug report can carry it. Client and signing secrets, credentials in URLs, and headers that can contain them are left out. Bodies stay as they were sent: read the file before you share it.',
		options: {
			secrets: {
				...flag,
				help: ['--secrets', 'saves client secrets (as digests) and signing secrets, too'],
			},
		},
		example: 'sandbox-state.json',
		run: save,
	},
	load: {
		usage: 'FILE',
		summary: 'replaces the state of the sandbox with that of a file',
		details:
			'If anything in the file is invalid, nothing changes. Nothing is sent: a delivery that was pending is FAILED. Tokens are revoked. A client without a secret in the file gets a new one, which is printed.',
		example: 'sandbox-state.json',
		run: load,
	},
	verify: {
		usage: '--secret SECRET FILE',
		summary: 'explains why a receiver accepts a delivery or rejects it with 401',
		details:
			'FILE has header lines, an empty line, and the exact body, or JSON with "headers" and "body". The ID of a delivery works, too. The exit code is 0 if the signature is valid.',
		options: {
			secret: { ...text, help: ['--secret SECRET', 'the signing secret of the endpoint'] },
		},
		example: '--secret whsec_… delivery.txt',
		run: verify,
	},
	listen: {
		usage: '--forward-to URL [--events A,B] [--secret SECRET]',
		summary: 'forwards deliveries to a URL, with the same body and signature',
		details:
			'It adds an endpoint, prints its signing secret, and deletes it when you press Ctrl-C.',
		options: {
			'forward-to': { ...text, help: ['--forward-to URL', 'where the deliveries go'] },
			events: { ...text, help: ['--events A,B', 'only these event types'] },
			secret: { ...text, help: ['--secret SECRET', 'signs with this secret; generated otherwise'] },
		},
		example: '--forward-to http://127.0.0.1:5678/webhook/payments',
		run: listen,
	},
};

/** The message about a name that is no command. */
export const unknownCommand = (name: string) =>
	new CliError(
		`There is no command "${name}". The commands are ${Object.keys(COMMANDS).join(', ')}, and help.`,
	);

/** Two columns of a help text. */
const columns = (rows: string[][]) => {
	const width = Math.max(...rows.map(([name]) => name.length));
	return rows.map(([name, words]) => `  ${name.padEnd(width)}  ${words}`).join('\n');
};

/** The list of all commands. */
export const commandList = () =>
	columns(Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary]));

/** What `help NAME` and `NAME --help` print. */
export function helpFor(name: string, defaultUrl: string): string {
	const { usage, summary, details, options = {}, example } = COMMANDS[name];
	const rows = [
		...Object.values(options).map(({ help }) => help),
		['--url URL', `the sandbox that the command is for (default ${defaultUrl})`],
		['--help', 'shows this text'],
	];
	return [
		`npm run sandbox -- ${name} ${usage}`,
		`${name} ${summary}.${details ? `\n${details}` : ''}`,
		columns(rows),
		`For example: npm run sandbox -- ${name} ${example}`,
	].join('\n\n');
}

/** Reads what follows the name of a command. Throws a CliError that names the fix. */
function parse(name: string, args: string[]) {
	const options = COMMANDS[name].options ?? {};
	try {
		return parseArgs({
			args,
			allowPositionals: true,
			options: { ...options, url: text, help: { ...flag, short: 'h' } },
		});
	} catch (error) {
		const [reason] = (error as Error).message.split('. ');
		throw new CliError(
			`${reason}. Usage: ${name} ${COMMANDS[name].usage} [--url URL]. "help ${name}" explains it.`,
		);
	}
}

/** Runs a command for the sandbox at `--url`. Throws a CliError that names the fix. */
export async function runCommand(name: string, args: string[], defaultUrl: string): Promise<void> {
	const { values, positionals } = parse(name, args) as Omit<Input, 'sandbox'>;
	if (values.help) return console.log(helpFor(name, defaultUrl));
	const given = String(values.url ?? defaultUrl);
	if (!/^https?:\/\/[^/]/.test(given) || !URL.canParse(given))
		throw new CliError(
			`--url takes the address of a sandbox, such as ${defaultUrl}, not ${given}.`,
		);
	const url = given.replace(/\/+$/, '');
	try {
		await COMMANDS[name].run({ values, positionals, sandbox: new SandboxClient(url) });
	} catch (error) {
		if (error instanceof CliError) throw error;
		const { message, cause } = error as Error;
		throw new CliError(
			cause === undefined
				? message
				: `No sandbox responds at ${url}. Start it with "npm run sandbox", or name another with --url.`,
		);
	}
}
