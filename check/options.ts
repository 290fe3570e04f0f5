import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';

import { parseRecordedCodes } from '../nodes/Payments/recordedCodes';
import type { Party, Transaction } from '../nodes/Payments/Transaction';
import { asSentences, type Result } from '../nodes/shared/result';
import {
	ISSUER_PATH,
	tokenUrl,
	TRANSACTIONS_PATH,
	transactionsUrl,
} from '../nodes/shared/serviceUrl';
import { EXIT_CODES } from './verdict';

/** An error that the person at the command line can fix. Only its message is printed. */
export class CliError extends Error {}

/** What the check needs to know to ask a service. */
export interface Setup extends Pick<
	Transaction,
	'sender' | 'recipient' | 'amount' | 'currency' | 'paymentScheme'
> {
	/** As n8n gives it to the nodes. */
	credential: ICredentialDataDecryptedObject & {
		clientSecret: string;
		scope: string;
		recordedCodes: string;
		sendIdempotencyKey: boolean;
	};
	transactionsUrl: string;
	/** After this time, the first transaction is sent once more. */
	waitMs: number;
}

export const HELP = `Asks a payments service whether the n8n nodes fit it, with test transactions in its test environment.

What isn't given is asked for. Secrets are read from an environment variable or a prompt, and never from the command line.

  --auth-url URL, --base-url URL, --client-id ID, --scope SCOPE
                             as in the credential (by default, the Base URL is the Auth URL, and the scope PAYMENTS)
  --secret-env NAME          the variable that has the client secret
  --recorded-codes CODES     what you entered in Codes for Recorded Already
  --no-idempotency-key       as if Send Idempotency-Key Header was off
  --sender ENTITY,CHANNEL,COUNTRY, --recipient ENTITY,CHANNEL,COUNTRY
                             two test parties: the IDs of the entity and of its payment channel, and the country
  --amount 1.00, --currency EUR, --payment-scheme SCT
                             of the test transactions
  --wait SECONDS             send the first transaction once more after this time (65 by default, 3600 at most)
  --allow-http               send the secret to an address that starts with http://
  --output FOLDER            where service.md is written (this folder by default)
  --host NAME                send without asking, if this is the host of the Base URL, with or without its port

Deliveries, with the addresses above or alone:

  --listen PORT              wait for a test delivery on this port, through a tunnel of yours
  --delivery FILE            a captured delivery: header lines, an empty line, and the body
  --webhook-secret-env NAME  the variable that has the signing secret of the endpoint

Exit codes: ${EXIT_CODES.fits} it fits, ${EXIT_CODES.fitsIfSet} it fits if you set something, ${EXIT_CODES.fitsBut} it fits, but somebody has to do something each time, ${EXIT_CODES.notKnown} it isn't known, ${EXIT_CODES.doesntFit} it doesn't fit, 1 nothing could be checked, or not everything, 130 you interrupted it.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;

/** Reads the command line. */
export function parseOptions(args: string[]) {
	const options = {
		'auth-url': text,
		'base-url': text,
		'client-id': text,
		scope: text,
		'secret-env': text,
		'recorded-codes': { ...text, default: '' },
		'no-idempotency-key': flag,
		sender: text,
		recipient: text,
		amount: { ...text, default: '1.00' },
		currency: { ...text, default: 'EUR' },
		'payment-scheme': { ...text, default: 'SCT' },
		wait: { ...text, default: '65' },
		'allow-http': flag,
		output: { ...text, default: '.' },
		host: text,
		listen: text,
		delivery: text,
		'webhook-secret-env': text,
		help: flag,
	} as const;
	try {
		return parseArgs({ args, options }).values;
	} catch (error) {
		const [reason] = (error as Error).message.split(/\.\s/);
		throw new CliError(`${reason}. ${SEE_HELP}`);
	}
}

const SEE_HELP = '--help lists the options.';

export function wholeNumber(name: string, value: string, max: number): number {
	if (/^\d+$/.test(value) && Number(value) <= max) return Number(value);
	throw new CliError(`--${name} takes a whole number from 0 to ${max}, not "${value}".`);
}

export type Values = ReturnType<typeof parseOptions>;

/** Asks the person at the terminal, without showing what is typed if it's a secret. */
async function ask(question: string, option: string): Promise<string> {
	if (!process.stdin.isTTY) throw new CliError(`--${option} is missing. ${SEE_HELP}`);
	const isSecret = option.endsWith('secret-env');
	const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
	const output = isSecret ? silent : process.stdout;
	const terminal = createInterface({ input: process.stdin, output, terminal: true });
	terminal.on('SIGINT', () => process.exit(130));
	// What is silent shows no question either, and what isn't clears the line before it.
	if (isSecret) process.stdout.write(question);
	const answer = await terminal.question(isSecret ? '' : question);
	terminal.close();
	if (isSecret) process.stdout.write('\n');
	return answer.trim();
}

/** Reads what was given, or asks for it, again if it's wrong. */
export async function readOrAsk<T>(
	option: string,
	label: string,
	given: string | undefined,
	read: (entered: string) => T,
): Promise<T> {
	let entered = given;
	for (;;) {
		try {
			return read(entered ?? (await ask(`${label}: `, option)));
		} catch (error) {
			if (!(error instanceof CliError) || !process.stdin.isTTY) throw error;
			console.log(error.message);
			entered = undefined;
		}
	}
}

/** Reads a secret from an environment variable, or a prompt. */
export async function readSecret(
	label: string,
	option: 'secret-env' | 'webhook-secret-env',
	values: Values,
): Promise<string> {
	const name = values[option];
	return await readOrAsk(option, label, name && (process.env[name] ?? '').trim(), (secret) => {
		if (secret === '') throw new CliError(`The ${label} is empty.`);
		return secret;
	});
}

/** The Scope that the credential has, unless somebody selects another one. */
export const DEFAULT_SCOPE = 'PAYMENTS';

/** Who doesn't sit at a terminal gets what the credential has by default. */
const givenOr = (given: string | undefined, byDefault: string): string | undefined =>
	given ?? (process.stdin.isTTY ? undefined : byDefault);

async function readScope({ scope }: Values): Promise<string> {
	const given = givenOr(scope, DEFAULT_SCOPE);
	const label = `Scope (PAYMENTS, OXYGEN, or what the provider says; empty for ${DEFAULT_SCOPE})`;
	return await readOrAsk('scope', label, given, (entered) => entered || DEFAULT_SCOPE);
}

const PARTY = 'ID of the entity, ID of its payment channel, and country, separated by commas';

function parseParty(value: string): Party {
	const parts = value.split(',').map((one) => one.trim());
	if (parts.length !== 3 || parts.includes(''))
		throw new CliError(`"${value}" isn't a party, which is the ${PARTY}.`);
	const [externalEntityId, externalPaymentChannelId, countryCode] = parts;
	return { externalEntityId, externalPaymentChannelId, countryCode };
}

function valueOf<T>({ value, problem }: Result<T>): T {
	if (problem) throw new CliError(asSentences(problem));
	return value;
}

/** Reads what the check needs, and asks for what is missing. */
export async function readSetup(values: Values): Promise<Setup> {
	const { amount, currency, 'payment-scheme': paymentScheme } = values;
	const waitMs = 1000 * wholeNumber('wait', values.wait, 3600);
	const recordedCodes = values['recorded-codes'];
	valueOf(parseRecordedCodes(recordedCodes));
	const allowHttp = values['allow-http'] === true;
	const get = async <T>(
		option: 'auth-url' | 'client-id' | 'sender' | 'recipient',
		label: string,
		read: (entered: string) => T,
	) => await readOrAsk(option, label, values[option], read);
	const authUrl = await get('auth-url', `Auth URL (what is before ${ISSUER_PATH})`, (entered) => {
		valueOf(tokenUrl({ authUrl: entered, allowHttp }));
		return entered;
	});
	const baseLabel = `Base URL (what is before ${TRANSACTIONS_PATH}, empty if it's the Auth URL)`;
	const givenUrl = givenOr(values['base-url'], '');
	const [baseUrl, url] = await readOrAsk('base-url', baseLabel, givenUrl, (entered) => [
		entered,
		valueOf(transactionsUrl({ authUrl, baseUrl: entered, allowHttp })),
	]);
	const credential = {
		...{ authUrl, baseUrl, allowHttp, recordedCodes },
		clientId: await get('client-id', 'Client ID', (id) => id),
		clientSecret: await readSecret('Client Secret', 'secret-env', values),
		scope: await readScope(values),
		sendIdempotencyKey: values['no-idempotency-key'] !== true,
	};
	const sender = await get('sender', `Sender (${PARTY})`, parseParty);
	const recipient = await get('recipient', `Recipient (${PARTY})`, parseParty);
	const transaction = { sender, recipient, amount, currency, paymentScheme };
	return { credential, transactionsUrl: url, ...transaction, waitMs };
}
