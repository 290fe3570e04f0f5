import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { load } from 'js-yaml';

import { validateTransaction } from '../nodes/Payments/validation/validate';
import { DISPLAY_NAMES, type Party } from '../nodes/Payments/Transaction';
import { parseServiceUrl, transactionsUrl } from '../nodes/shared/serviceUrl';
import { asSentences } from '../nodes/shared/result';
import { isObject } from '../nodes/shared/values';
import { CliError } from '../sandbox/cli/cliError';
import { defaultOf } from './findings';
import { leavesOf } from './leaves';
import type { Prompt } from './prompt';
import type { Credential, Setup } from './Setup';
import { testTransaction } from './testTransaction';
import { EXIT_CODES } from './verdict';

export const HELP = `Asks a payments service whether the n8n nodes fit it, with test transactions in its test environment.

  npm run check:service -- [options]

What isn't given is asked for. Secrets are read from an environment variable, a file, or a prompt, and never from the command line.

  --setup FILE               the values below as JSON or YAML: authUrl, baseUrl, clientId, scope, sender, recipient, currency, …
  --auth-url URL, --base-url URL, --client-id ID, --scope SCOPE
                             as in the credential (the scope is PAYMENTS by default)
  --secret-env NAME          environment variable with the client secret
  --secret-file FILE         file with the client secret
  --sender ENTITY,CHANNEL,COUNTRY, --recipient ENTITY,CHANNEL,COUNTRY
                             two test parties: the IDs of the entity and of its payment channel, and the country
  --amount 1.00, --currency EUR, --payment-scheme SCT
                             of the test transactions
  --burst N                  send this many transactions at once, too
  --wait SECONDS             ask for so long whether the service still knows the first transaction (65 by default, 3600 at most)
  --timeout SECONDS          wait so long for each response (60 by default)
  --allow-http               send the secret to an address that starts with http://
  --output FOLDER            where service.md and service.json are written (this folder by default)
  --yes                      send without asking
  --host NAME                the host of the Base URL, to confirm with --yes an address that doesn't look like a test environment

Deliveries, with the addresses above or alone:

  --listen PORT              wait for test deliveries on this port, through a tunnel of yours
  --delivery FILE            a captured delivery: raw HTTP, or JSON with headers and body or bodyBase64
  --webhook-secret-env NAME, --webhook-secret-file FILE
                             where the signing secret of the endpoint is

Exit codes: ${EXIT_CODES.fits} it fits, ${EXIT_CODES.fitsIfSet} it fits if you set something, ${EXIT_CODES.doesntFit} it doesn't fit, ${EXIT_CODES.notKnown} it isn't known, 1 nothing could be checked, 130 you interrupted it.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;
const OPTIONS = {
	setup: text,
	'auth-url': text,
	'base-url': text,
	'client-id': text,
	scope: text,
	'secret-env': text,
	'secret-file': text,
	sender: text,
	recipient: text,
	amount: text,
	currency: text,
	'payment-scheme': text,
	burst: text,
	wait: text,
	timeout: text,
	// Without a default, so that it doesn't replace what the file says.
	'allow-http': { type: 'boolean' },
	output: text,
	yes: flag,
	host: text,
	listen: text,
	delivery: text,
	'webhook-secret-env': text,
	'webhook-secret-file': text,
	help: { ...flag, short: 'h' },
} as const;

export type Values = ReturnType<typeof parseOptions>;

/** Reads the command line and the file of `--setup`. What the command line says counts. */
export function parseOptions(args: string[]) {
	const secret = args.find((arg) => /^--(client-|webhook-)?(secret|token|password)(=|$)/.test(arg));
	if (secret !== undefined)
		throw new CliError(
			`${secret.split('=')[0]} isn't an option: others can read the command line. Use --secret-env or --secret-file, or enter the secret when you are asked.`,
		);
	try {
		const { values } = parseArgs({ args, options: OPTIONS });
		return { ...(values.setup === undefined ? {} : readSetupFile(values.setup)), ...values };
	} catch (error) {
		if (error instanceof CliError) throw error;
		const [reason] = (error as Error).message.split('. ');
		throw new CliError(`${reason}. "npm run check:service -- --help" lists the options.`);
	}
}

const toOption = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The options of a file: the same names in camel case. Parties are text, or have members. */
function readSetupFile(file: string): Record<string, string> {
	let content: unknown;
	try {
		// Every JSON text is YAML 1.2.
		content = load(readFileSync(file, 'utf8'));
	} catch (error) {
		throw new CliError(
			`The file ${file} of --setup can't be read: ${(error as Error).message.split('\n')[0]}.`,
		);
	}
	if (!isObject(content))
		throw new CliError(`The file ${file} of --setup has no values with names.`);
	const entries = Object.entries(content).map(([name, value]): [string, string] => {
		const option = toOption(name);
		if (/secret$/i.test(name))
			throw new CliError(
				`${name} doesn't belong into ${file}, where others can read it. Use ${name}Env or ${name}File.`,
			);
		if (!Object.hasOwn(OPTIONS, option) || ['setup', 'yes', 'host', 'help'].includes(option))
			throw new CliError(`The file ${file} of --setup has ${name}, which isn't an option.`);
		if (!isObject(value)) return [option, String(value)];
		const { externalEntityId, externalPaymentChannelId, countryCode } = value;
		return [option, [externalEntityId, externalPaymentChannelId, countryCode].join(',')];
	});
	return Object.fromEntries(entries);
}

/** Whether transactions are to be sent, and not only a delivery read. */
export const hasAddresses = (values: Values): boolean =>
	values['base-url'] !== undefined ||
	values['auth-url'] !== undefined ||
	!isAboutDeliveries(values);

const isAboutDeliveries = ({ listen, delivery }: Values): boolean =>
	listen !== undefined || delivery !== undefined;

function readNumber(name: string, value: string | undefined, usual: number, max: number): number {
	const number = value === undefined ? usual : Number(value);
	if (Number.isFinite(number) && number >= 0 && number <= max) return number;
	throw new CliError(`--${name} takes a number from 0 to ${max}, not "${value}".`);
}

export const portOf = ({ listen }: Values): number => readNumber('listen', listen, 0, 65_535);

/**
 * Reads a secret from an environment variable, a file, or a prompt.
 *
 * @param option names both options: `secret` stands for --secret-env and --secret-file
 */
export async function readSecret(
	label: string,
	option: 'secret' | 'webhook-secret',
	values: Partial<Values>,
	prompt: Prompt,
): Promise<string> {
	const env = values[`${option}-env` as const];
	const file = values[`${option}-file` as const];
	let secret: string | undefined;
	if (env !== undefined) {
		secret = process.env[env];
		if (!secret)
			throw new CliError(
				`The environment variable ${env} with the ${label} is empty or isn't set.`,
			);
	} else if (file !== undefined) {
		if (!existsSync(file)) throw new CliError(`The file ${file} with the ${label} doesn't exist.`);
		secret = readFileSync(file, 'utf8');
	} else {
		secret = await prompt.askSecret(label, option);
	}
	if (secret.trim() === '') throw new CliError(`The ${label} is empty.`);
	return secret.trim();
}

const PARTY = 'ID of the entity, ID of its payment channel, and country, separated by commas';

function parseParty(name: string, value: string): Party {
	const [externalEntityId = '', externalPaymentChannelId = '', countryCode = '', ...more] = value
		.split(',')
		.map((one) => one.trim());
	if (more.length > 0 || countryCode === '')
		throw new CliError(
			`--${name} takes three values: the ${PARTY}, such as north-windmills,north-windmills-account,BE.`,
		);
	return { externalEntityId, externalPaymentChannelId, countryCode };
}

/** Reads what the check needs, and asks for what is missing. */
export async function readSetup(values: Values, prompt: Prompt): Promise<Setup> {
	const ask = async (name: keyof Values, label: string) =>
		(values[name] as string | undefined) ?? (await prompt.ask(`${label}: `, name));
	const addresses = {
		authUrl: await ask('auth-url', 'Auth URL'),
		baseUrl: await ask('base-url', 'Base URL'),
		allowHttp: String(values['allow-http']) === 'true',
	};
	checkAddresses(addresses);
	const clientId = await ask('client-id', 'Client ID');
	const clientSecret = await readSecret('Client Secret', 'secret', values, prompt);
	const setup: Setup = {
		credential: {
			...addresses,
			clientId,
			clientSecret,
			scope: values.scope ?? String(defaultOf('credential', 'scope')),
			recordedCodes: '',
		} satisfies Credential,
		sender: parseParty('sender', await ask('sender', `Sender (${PARTY})`)),
		recipient: parseParty('recipient', await ask('recipient', `Recipient (${PARTY})`)),
		amount: values.amount ?? '1.00',
		currency: values.currency ?? 'EUR',
		paymentScheme: values['payment-scheme'] ?? 'SCT',
		burst: readNumber('burst', values.burst, 0, 1000),
		waitMs:
			1000 * readNumber('wait', values.wait, Number(defaultOf('node', 'maxRetryTime')) + 5, 3600),
		timeoutMs: 1000 * Math.max(1, readNumber('timeout', values.timeout, 60, 600)),
	};
	checkTransaction(setup);
	return setup;
}

/** With the rules of the credential. */
function checkAddresses(addresses: Pick<Credential, 'authUrl' | 'baseUrl' | 'allowHttp'>): void {
	const auth = parseServiceUrl(addresses.authUrl, 'Auth URL', { allowHttp: addresses.allowHttp });
	const problem = auth.problem ?? transactionsUrl(addresses).problem;
	if (problem) throw new CliError(asSentences(problem));
}

/** With the rules of the node. */
function checkTransaction(setup: Setup): void {
	const fields = Object.fromEntries(leavesOf(testTransaction(setup)));
	const { problems } = validateTransaction(fields, { now: Date.now(), timeZone: 'UTC' });
	if (!problems) return;
	const lines = problems.map(
		({ field, ...problem }) => `${DISPLAY_NAMES[field]}: ${asSentences(problem)}`,
	);
	throw new CliError(`The test transactions can't be sent:\n${lines.join('\n')}`);
}
