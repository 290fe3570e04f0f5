import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { schemes } from '../deliveries/sign';
import type { ToSign } from '../deliveries/sign/types';
import { CliError } from './cliError';
import type { Input } from './command';

interface ReceivedDelivery {
	/** By their names in lower case. */
	headers: Record<string, string>;
	/** The exact text that was received. */
	body: string;
}

/**
 * Reads a delivery from a file: JSON with `headers` and `body`, or header lines, an empty line, and
 * the body.
 */
function readDelivery(file: string): ReceivedDelivery {
	let content: string;
	try {
		content = readFileSync(file, 'utf8');
	} catch {
		throw new CliError(`The file ${file} can't be read.`);
	}
	const isJson = content.trimStart().startsWith('{');
	const { headers, body } = isJson ? parseJson(file, content) : parseLines(content);
	const entries = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
	return { headers: Object.fromEntries(entries) as Record<string, string>, body };
}

function parseJson(file: string, content: string): ReceivedDelivery {
	const help = `The file ${file} must contain "headers" and "body", the exact text that was received.`;
	try {
		const { headers, body } = JSON.parse(content) as Partial<ReceivedDelivery>;
		if (typeof body === 'string' && typeof headers === 'object') return { headers, body };
	} catch {
		// The same help.
	}
	throw new CliError(help);
}

function parseLines(content: string): ReceivedDelivery {
	const [head, ...rest] = content.split(/\r?\n\r?\n/);
	const gap = /\r?\n\r?\n/.exec(content)?.[0] ?? '';
	const lines = head.split(/\r?\n/).flatMap((line) => {
		const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
		return name ? [[name, value]] : [];
	});
	return {
		headers: Object.fromEntries(lines) as Record<string, string>,
		body: rest.join(gap) && content.slice(head.length + gap.length),
	};
}

interface Explanation {
	/** One sentence for each step of the verification. */
	steps: string[];
	valid: boolean;
}

interface ToVerify extends ReceivedDelivery {
	secret: string;
	/** When it arrived, ms since the epoch. */
	now: number;
}

/** What often happens to a body on the way, with what undoes it. */
const BODY_REPAIRS: Array<[string, (body: string) => string]> = [
	['without the line break at its end, which an editor adds', (body) => body.replace(/\r?\n$/, '')],
	[
		'after it was parsed and serialized again: verify the exact bytes, before any parser',
		(body) => {
			try {
				return JSON.stringify(JSON.parse(body));
			} catch {
				return body;
			}
		},
	],
];

/** What often happens to a secret on the way to a receiver. */
const SECRET_REPAIRS: Array<[string, (secret: string) => string]> = [
	['without the spaces around it', (secret) => secret.trim()],
	['with the prefix whsec_', (secret) => `whsec_${secret}`],
	['without the prefix whsec_', (secret) => secret.replace(/^whsec_/, '')],
	['without quotation marks', (secret) => secret.replace(/^["']|["']$/g, '')],
];

const TOLERANCE_S = 300;
const same = (value: string) => value;

/** Finds a change of the body and of the secret with which the signature is valid. */
function findRepair(
	{ body, secret }: ToVerify,
	isValid: (body: string, secret: string) => boolean,
) {
	const bodies: typeof BODY_REPAIRS = [['', same], ...BODY_REPAIRS];
	const secrets: typeof SECRET_REPAIRS = [['', same], ...SECRET_REPAIRS];
	for (const [bodyWords, repairBody] of bodies) {
		for (const [secretWords, repairSecret] of secrets) {
			if (!isValid(repairBody(body), repairSecret(secret))) continue;
			return [
				bodyWords && `with the body ${bodyWords}`,
				secretWords && `with the secret ${secretWords}`,
			]
				.filter(Boolean)
				.join(', and ');
		}
	}
	return undefined;
}

/** Ends an explanation with the comparison of the signature. */
function compare(
	steps: string[],
	delivery: ToVerify,
	isValid: (body: string, secret: string) => boolean,
): Explanation {
	const repair = findRepair(delivery, isValid);
	if (repair === '') {
		steps.push('The signature is valid for this body and this secret.');
		return { steps, valid: true };
	}
	steps.push(
		repair === undefined
			? "The signature doesn't match: it was made with another secret, or for another body. Reveal the endpoint's signing secret on the page, and compare it with the credential's."
			: `The signature doesn't match as it is, but it does ${repair}.`,
	);
	return { steps, valid: false };
}

/** Says how old a timestamp is. Receivers reject one that is too old or too far ahead. */
function checkAge(steps: string[], seconds: number, now: number): boolean {
	const age = Math.round(now / 1000 - seconds);
	const when = age >= 0 ? `${age} seconds ago` : `${-age} seconds ahead of this machine's clock`;
	steps.push(`It was signed ${when}, at ${new Date(seconds * 1000).toISOString()}.`);
	return Math.abs(age) <= TOLERANCE_S;
}

const toSign = (more: Partial<ToSign>): ToSign => ({
	body: '',
	eventId: '',
	createdAt: 0,
	attemptAt: 0,
	secret: '',
	endpoint: {},
	...more,
});

function explainMessageSignature(delivery: ToVerify): Explanation {
	const { headers, body, now } = delivery;
	const steps = [
		'The headers digest, signature-input, and signature are those of a message signature.',
	];
	const [, label, created] =
		/^([\w-]+)=\("digest"\);created=(\d+)$/.exec(headers['signature-input'] ?? '') ?? [];
	if (!created || !headers.signature || !headers.digest) {
		steps.push(
			'One of the three headers is missing, or signature-input has another form than LABEL=("digest");created=SECONDS.',
		);
		return { steps, valid: false };
	}
	const digest = createHash('sha1').update(body).digest('hex');
	steps.push(
		digest === headers.digest
			? 'The SHA-1 of the body is that of the header digest.'
			: `The SHA-1 of the body is ${digest}, and the header digest says ${headers.digest}: the body isn't the one that was sent.`,
	);
	const seconds = Number(created);
	if (!checkAge(steps, seconds, now))
		steps.push("A receiver accepts this only if its 'Timestamp Tolerance' is longer.");
	const signatureOf = (one: string, secret: string) =>
		schemes.messageSignature(toSign({ body: one, createdAt: seconds * 1000, secret })).signature;
	const given = headers.signature.slice(label.length);
	return compare(steps, delivery, (one, secret) => signatureOf(one, secret).slice(3) === given);
}

function explainStandardWebhooks(delivery: ToVerify): Explanation {
	const { headers, now } = delivery;
	const get = (name: string) => headers[`webhook-${name}`] ?? headers[`svix-${name}`] ?? '';
	const steps = [
		'The headers webhook-id, webhook-timestamp, and webhook-signature are those of Standard Webhooks.',
	];
	const seconds = Number(get('timestamp'));
	if (!get('id') || !get('signature') || !Number.isInteger(seconds) || seconds === 0) {
		steps.push(
			'One of the three headers is missing, or the timestamp is no whole number of seconds.',
		);
		return { steps, valid: false };
	}
	const isRecent = checkAge(steps, seconds, now);
	if (!isRecent)
		steps.push(
			`That's more than ${TOLERANCE_S} seconds, so a receiver with the usual tolerance rejects it.`,
		);
	const given = get('signature').split(' ');
	const signatureOf = (body: string, secret: string) =>
		schemes.standardWebhooks(
			toSign({ body, eventId: get('id'), attemptAt: seconds * 1000, secret }),
		)['webhook-signature'];
	const result = compare(steps, delivery, (body, secret) =>
		given.includes(signatureOf(body, secret)),
	);
	return { ...result, valid: result.valid && isRecent };
}

function explainBodySignature(delivery: ToVerify, header: string): Explanation {
	const value = delivery.headers[header];
	const steps = [`The header ${header} may be an HMAC-SHA256 of the body.`];
	return compare(steps, delivery, (body, secret) =>
		(['hex', 'base64'] as const).some((encoding) =>
			value.endsWith(
				schemes.hmacSha256(toSign({ body, secret, endpoint: { encoding } }))['x-signature'],
			),
		),
	);
}

/** Explains each step of the verification of a delivery, up to the one that fails. */
function explainDelivery(delivery: ToVerify): Explanation {
	const { headers, secret } = delivery;
	if ('signature-input' in headers) return explainMessageSignature(delivery);
	if ('webhook-signature' in headers || 'svix-signature' in headers)
		return explainStandardWebhooks(delivery);
	const fixed = Object.keys(headers).find((name) => headers[name] === secret);
	if (fixed)
		return {
			steps: [`The header ${fixed} contains the secret itself, as a fixed value.`],
			valid: true,
		};
	const header = Object.keys(headers).find((name) => /signature|hmac/.test(name));
	if (header) return explainBodySignature(delivery, header);
	const names = Object.keys(headers).join(', ') || 'none';
	return {
		steps: [
			`No header of a known signature scheme is there, and none contains the secret. The headers are: ${names}.`,
		],
		valid: false,
	};
}

export async function verify({ positionals: [file], values, sandbox }: Input): Promise<void> {
	if (!file || typeof values.secret !== 'string')
		throw new CliError('Enter a secret and a file, such as: verify --secret SECRET delivery.txt');
	const isId = /^dlv_\w+$/.test(file);
	const delivery = isId ? undefined : readDelivery(file);
	const stored = isId ? await sandbox.getDelivery(file) : undefined;
	if (stored?.attempts.length === 0)
		throw new CliError(`The delivery ${file} has no attempt yet, so nothing is signed.`);
	const headers = delivery?.headers ?? stored?.attempts.at(-1)?.requestHeaders ?? {};
	const body = delivery?.body ?? stored?.body ?? '';
	const { steps, valid } = explainDelivery({
		headers,
		body,
		secret: values.secret,
		now: Date.now(),
	});
	for (const [index, step] of steps.entries()) console.log(`${index + 1}. ${step}`);
	process.exitCode = valid ? 0 : 1;
}
