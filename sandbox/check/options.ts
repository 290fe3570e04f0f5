import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';

import type { Party } from '../../nodes/Payments/Transaction';
import { asSentences } from '../../nodes/shared/result';
import { parseServiceUrl, transactionsUrl } from '../../nodes/shared/serviceUrl';
import { CliError } from '../cli/cliError';
import { EXIT_CODES } from './Check';

/** What the check needs to know to ask a service. */
export interface Setup {
	authUrl: string;
	baseUrl: string;
	allowHttp: boolean;
	clientId: string;
	clientSecret: string;
	scope: string;
	sender: Party;
	recipient: Party;
	amount: string;
	currency: string;
	paymentScheme: string;
	/** After this time, the first transaction is sent once more. */
	waitMs: number;
}

export const HELP = `Asks a payments service whether the n8n nodes fit it, with test transactions in its test environment.

  npm run check:service -- [options]

What isn't given is asked for. Secrets are read from an environment variable, a file, or a prompt, and never from the command line.

  --auth-url URL, --base-url URL, --client-id ID, --scope SCOPE
                             as in the credential (the scope is PAYMENTS by default)
  --secret-env NAME, --secret-file FILE
                             where the client secret is
  --sender ENTITY,CHANNEL,COUNTRY, --recipient ENTITY,CHANNEL,COUNTRY
                             two test parties: the IDs of the entity and of its payment channel, and the country
  --amount 1.00, --currency EUR, --payment-scheme SCT
                             of the test transactions
  --wait SECONDS             send the first transaction once more after this time (65 by default, 3600 at most)
  --allow-http               send the secret to an address that starts with http://
  --output FOLDER            where service.md and service.json are written (this folder by default)
  --yes                      send without asking
  --host NAME                the host of the Base URL, to confirm with --yes an address that doesn't look like a test environment

Deliveries, with the addresses above or alone:

  --listen PORT              wait for a test delivery on this port, through a tunnel of yours
  --delivery FILE            a captured delivery: header lines, an empty line, and the body
  --webhook-secret-env NAME, --webhook-secret-file FILE
                             where the signing secret of the endpoint is

Exit codes: ${EXIT_CODES.fits} it fits, ${EXIT_CODES.fitsIfSet} it fits if you set something, ${EXIT_CODES.doesntFit} it doesn't fit, ${EXIT_CODES.notKnown} it isn't known, 1 nothing could be checked, 130 you interrupted it.
`;

const TEXTS = [
	...['auth-url', 'base-url', 'client-id', 'scope', 'secret-env', 'secret-file'],
	...['sender', 'recipient', 'amount', 'currency', 'payment-scheme', 'wait', 'output'],
	...['host', 'listen', 'delivery', 'webhook-secret-env', 'webhook-secret-file'],
];
const FLAGS = ['allow-http', 'yes', 'help'];

export type Values = Record<string, string | undefined>;

/** Reads the command line. */
export function parseOptions(args: string[]): Values {
	const secret = args.find((arg) => /^--(client-|webhook-)?(secret|token|password)(=|$)/.test(arg));
	if (secret !== undefined)
		throw new CliError(
			`${secret.split('=')[0]} isn't an option: others can read the command line. Use --secret-env or --secret-file, or enter the secret when you are asked.`,
		);
	const options = Object.fromEntries<{ type: 'string' | 'boolean' }>([
		...TEXTS.map((name) => [name, { type: 'string' as const }] as const),
		...FLAGS.map((name) => [name, { type: 'boolean' as const }] as const),
	]);
	try {
		const given = parseArgs({ args, options }).values;
		return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, String(value)]));
	} catch (error) {
		const [reason] = (error as Error).message.split('. ');
		throw new CliError(`${reason}. "npm run check:service -- --help" lists the options.`);
	}
}

export function readText(file: string): string {
	try {
		return readFileSync(file, 'utf8');
	} catch {
		throw new CliError(`The file ${file} can't be read.`);
	}
}

/** Asks the person at the terminal, without showing what is typed if it's a secret. */
export async function ask(question: string, option: string, isSecret = false): Promise<string> {
	if (!process.stdin.isTTY)
		throw new CliError(
			`--${option} is missing. "npm run check:service -- --help" lists the options.`,
		);
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	process.stdout.write(question);
	const output = isSecret ? silent : process.stdout;
	const terminal = createInterface({ input: process.stdin, output, terminal: true });
	terminal.on('SIGINT', () => process.emit('SIGINT') || process.exit(130));
	const answer = await terminal.question('');
	terminal.close();
	if (isSecret) process.stdout.write('\n');
	return answer.trim();
}

/** Reads a secret from an environment variable, a file, or a prompt. */
export async function readSecret(
	label: string,
	option: 'secret' | 'webhook-secret',
	values: Values,
): Promise<string> {
	const env = values[`${option}-env`];
	const file = values[`${option}-file`];
	const secret = (
		env !== undefined
			? (process.env[env] ?? '')
			: file !== undefined
				? readText(file)
				: await ask(`${label}: `, `${option}-env`, true)
	).trim();
	if (secret === '') throw new CliError(`The ${label} is empty.`);
	return secret;
}

const PARTY = 'ID of the entity, ID of its payment channel, and country, separated by commas';

function parseParty(name: string, value: string): Party {
	const [externalEntityId = '', externalPaymentChannelId = '', countryCode = '', ...more] = value
		.split(',')
		.map((one) => one.trim());
	if (more.length > 0 || countryCode === '')
		throw new CliError(`--${name} takes three values: the ${PARTY}.`);
	return { externalEntityId, externalPaymentChannelId, countryCode };
}

export function readNumber(name: string, value: string, max: number): number {
	const number = Number(value);
	if (Number.isInteger(number) && number >= 0 && number <= max) return number;
	throw new CliError(`--${name} takes a number from 0 to ${max}, not "${value}".`);
}

/** Reads what the check needs, and asks for what is missing. */
export async function readSetup(values: Values): Promise<Setup> {
	const get = async (name: string, label: string) =>
		values[name] ?? (await ask(`${label}: `, name));
	const addresses = {
		authUrl: await get('auth-url', 'Auth URL'),
		baseUrl: await get('base-url', 'Base URL'),
		allowHttp: values['allow-http'] === 'true',
	};
	const { problem } = parseServiceUrl(addresses.authUrl, 'Auth URL', addresses);
	const wrong = problem ?? transactionsUrl(addresses).problem;
	if (wrong) throw new CliError(asSentences(wrong));
	return {
		...addresses,
		clientId: await get('client-id', 'Client ID'),
		clientSecret: await readSecret('Client Secret', 'secret', values),
		scope: values.scope ?? 'PAYMENTS',
		sender: parseParty('sender', await get('sender', `Sender (${PARTY})`)),
		recipient: parseParty('recipient', await get('recipient', `Recipient (${PARTY})`)),
		amount: values.amount ?? '1.00',
		currency: values.currency ?? 'EUR',
		paymentScheme: values['payment-scheme'] ?? 'SCT',
		waitMs: 1000 * readNumber('wait', values.wait ?? '65', 3600),
	};
}
