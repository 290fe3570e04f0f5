import { createHmac } from 'node:crypto';

import { parseEvents, parseJson } from '../../nodes/PaymentsTrigger/parseEvents';
import type { Delivery } from '../../nodes/PaymentsTrigger/signature/scheme';
import { readVerifier, verify } from '../../nodes/PaymentsTrigger/signature/verify';
import { asSentences, type Result } from '../../nodes/shared/result';
import { asText, isObject } from '../../nodes/shared/values';
import { doesntFit, fits, note } from '../Check';
import { defaultOf, settingOf, type Finding } from '../findings';

/** How a delivery is signed, with the names that the credential has for it. */
interface Signature {
	scheme: string;
	/** Only for a scheme that defines none. */
	headerName?: string;
}

/** What a delivery shows. */
export interface SignatureFound {
	findings: Finding[];
	/** Missing if no scheme fits. */
	signature?: Signature;
}

const WITH_OWN_HEADERS = ['messageSignature', 'standardWebhooks'];
const BODY_HMAC = 'hmacSha256';
/** HMAC-SHA256 in hex or base64, with or without a prefix. */
const LOOKS_SIGNED = /(^|[=,\s])([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)(,|\s|$)/i;
const ANY_AGE_MINUTES = 1e9;

/** Minutes, for a scheme that signs each attempt anew (docs/credentials.md). */
const TOLERANCE_OF_ATTEMPT = 5;

/** Every way to verify this delivery: the schemes, each with the header that it may be in. */
function candidatesOf({ headers }: Delivery): Signature[] {
	const names = Object.keys(headers).filter((name) => LOOKS_SIGNED.test(String(headers[name])));
	return [
		...WITH_OWN_HEADERS.map((scheme) => ({ scheme })),
		...names.map((headerName) => ({ scheme: BODY_HMAC, headerName })),
	];
}

function verifyWith(
	signature: Signature,
	secret: string,
	delivery: Delivery,
	clock: { now: number; toleranceMinutes: number },
): Result<{ id?: string }> {
	const verifier = readVerifier({ ...signature, secret });
	return verifier.problem ? verifier : verify(verifier.value, delivery, clock);
}

/** What often happens to a body on its way. Each returns the bytes that may have been signed. */
const BODY_CHANGES: Array<[how: string, undo: (body: string) => string]> = [
	['has a line break at its end that was not signed', (body) => body.replace(/\r?\n$/, '')],
	['has lost the line break at its end', (body) => `${body}\n`],
	[
		'was parsed and written again, with blanks or line breaks',
		(body) => JSON.stringify(JSON.parse(body)),
	],
	[
		'was parsed and written again, without its indentation',
		(body) => JSON.stringify(JSON.parse(body), null, 2),
	],
	[
		'was parsed and written again, without its indentation',
		(body) => JSON.stringify(JSON.parse(body), null, 4),
	],
	[
		'was parsed and written again, without the blanks after commas and colons',
		(body) => pythonJson(JSON.parse(body)),
	],
	[
		'had its letters beyond ASCII written as escapes, or the other way around',
		(body) => escapeUnicode(JSON.stringify(JSON.parse(body))),
	],
];

/** As `json.dumps` of Python writes it. */
function pythonJson(value: unknown): string {
	if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`;
	if (typeof value !== 'object' || value === null) return escapeUnicode(JSON.stringify(value));
	const members = Object.entries(value).map(
		([name, one]) => `${escapeUnicode(JSON.stringify(name))}: ${pythonJson(one)}`,
	);
	return `{${members.join(', ')}}`;
}

const escapeUnicode = (text: string) =>
	text.replace(
		/[\u0080-\uffff]/g,
		(letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
	);

/** Forms in which a secret is copied wrongly. Each returns the one that may be right. */
const SECRET_CHANGES: Array<[how: string, undo: (secret: string) => string]> = [
	['with the prefix whsec_, which it does not have', (secret) => secret.replace(/^whsec_/, '')],
	['in quotation marks', (secret) => secret.replace(/^["']|["']$/g, '')],
	[
		'as hex, and the service uses base64',
		(secret) => `whsec_${Buffer.from(secret, 'hex').toString('base64')}`,
	],
];

const attempt = <T>(change: () => T): T | undefined => {
	try {
		return change();
	} catch {
		return undefined;
	}
};

/**
 * Tries every scheme on a delivery, and says which one fits, or what differs.
 *
 * @param now when it arrived, in ms since the epoch
 */
export function tryDelivery(delivery: Delivery, secret: string, now: number): SignatureFound {
	const clock = { now, toleranceMinutes: Number(defaultOf('trigger', 'timestampTolerance')) };
	const candidates = candidatesOf(delivery);
	const signature = candidates.find((one) => !verifyWith(one, secret, delivery, clock).problem);
	if (signature) {
		const { id } = verifyWith(signature, secret, delivery, clock).value ?? {};
		return { signature, findings: [...settingsOf(signature), ...readBody(delivery, id)] };
	}
	return explainMismatch(candidates, delivery, secret, now);
}

const settingsOf = ({ scheme, headerName }: Signature): Finding[] => [
	{
		kind: 'set',
		setting: settingOf('webhookCredential', 'scheme', scheme),
		text: 'The delivery is signed this way, with this secret',
	},
	...(scheme === 'standardWebhooks'
		? [
				{
					kind: 'set',
					setting: settingOf('trigger', 'timestampTolerance', TOLERANCE_OF_ATTEMPT),
					text: 'The service signs each attempt anew, so an older signature is a replay',
				} as const,
			]
		: []),
	...(headerName === undefined
		? []
		: [
				{
					kind: 'set',
					setting: settingOf('webhookCredential', 'headerName', headerName),
					text: 'The signature is in this header',
				} as const,
			]),
];

/** Where the event type and the ID are, as the trigger reads them. */
function readBody({ rawBody }: Delivery, signedId: string | undefined): Finding[] {
	const body = parseJson(rawBody);
	if (body.problem) return [doesntFit(asSentences(body.problem))];
	const events = parseEvents(body.value, signedId);
	if (events.problem) return [doesntFit(asSentences(events.problem))];
	const types = [...new Set(events.value.map(({ eventType }) => eventType))].join(', ');
	return [
		fits(`The trigger reads the event type: ${types}`),
		signedId === undefined
			? note('No ID is signed, so a delivery is a duplicate only if its body is the same')
			: fits(`A delivery with the same signed ID is a duplicate: ${signedId}`),
		...events.value.slice(0, 1).map(({ json }) => findExternalId(json)),
	];
}

/** The payout ledger finds a payment by it (docs/interface.md, 11). */
function findExternalId({ data }: { [field: string]: unknown }): Finding {
	const metadata = isObject(data) ? data.metadata : undefined;
	const externalId = isObject(metadata) ? asText(metadata.externalId) : '';
	return note(
		externalId === ''
			? 'The event has no data.metadata.externalId, by which a workflow finds its payment. If the events of your payments don’t have it either, ask the provider where it is'
			: `The event names the External ID of its payment in data.metadata.externalId: ${externalId}`,
	);
}

/** Says what would make one of the schemes fit. */
function explainMismatch(
	candidates: Signature[],
	delivery: Delivery,
	secret: string,
	now: number,
): SignatureFound {
	const anyTime = { now, toleranceMinutes: ANY_AGE_MINUTES };
	const isValid = (one: Signature, changed: Delivery, changedSecret: string) =>
		!verifyWith(one, changedSecret, changed, { ...anyTime, now: signedAt(changed) ?? now }).problem;
	for (const signature of candidates) {
		if (isValid(signature, delivery, secret)) return wrongClock(signature, delivery, now);
		const text = delivery.rawBody.toString();
		for (const [how, undo] of BODY_CHANGES) {
			const body = attempt(() => Buffer.from(undo(text)));
			if (body && isValid(signature, { ...delivery, rawBody: body }, secret))
				return {
					findings: [
						...settingsOf(signature),
						doesntFit(
							`the body isn't the one that was signed: it ${how}. Have nothing between the service and n8n change it, and capture the exact bytes`,
						),
					],
				};
		}
		for (const [how, undo] of SECRET_CHANGES) {
			const other = attempt(() => undo(secret));
			if (other && other !== secret && isValid(signature, delivery, other))
				return { findings: [...settingsOf(signature), doesntFit(`the secret was entered ${how}`)] };
		}
	}
	return { findings: [doesntFit(reasonFor(candidates, delivery, secret, anyTime))] };
}

/** When a delivery says that it was signed, in ms since the epoch. */
function signedAt({ headers }: Delivery): number | undefined {
	const text = ['webhook-timestamp', 'svix-timestamp', 'signature-input']
		.map((name) => String(headers[name] ?? ''))
		.find((value) => value !== '');
	const [, seconds] = /(?:^|created=)(\d{9,11})/.exec(text ?? '') ?? [];
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function wrongClock(signature: Signature, delivery: Delivery, now: number): SignatureFound {
	const minutes = Math.round((now - signedAt(delivery)!) / 60_000);
	const when =
		minutes > 0 ? `${minutes} minutes before it arrived` : `${-minutes} minutes after it arrived`;
	return {
		signature,
		findings: [
			...settingsOf(signature),
			doesntFit(
				`the delivery was signed ${when} by the clock of this machine. If it was delivered just now, one of the clocks is off by that; if it was captured then, send a new one`,
			),
		],
	};
}

function reasonFor(
	candidates: Signature[],
	delivery: Delivery,
	secret: string,
	clock: { now: number; toleranceMinutes: number },
): string {
	const { headers, rawBody } = delivery;
	const decoded = (['hex', 'base64'] as const).find((encoding) => {
		const mac = createHmac('sha256', Buffer.from(secret, encoding)).update(rawBody).digest();
		return Object.values(headers).some((value) =>
			[mac.toString('hex'), mac.toString('base64')].some((one) => String(value).includes(one)),
		);
	});
	if (decoded)
		return `the service signs with the secret decoded from ${decoded}, which the trigger doesn't`;
	const signing = Object.keys(headers).filter((name) => /sign|digest|hmac|webhook|svix/.test(name));
	const plain = Object.keys(headers).find((name) => String(headers[name]).trim() === secret);
	if (plain)
		return `the header ${plain} contains the secret itself, and no signature. Use n8n's Webhook node with Header Auth for it`;
	if (signing.length === 0)
		return `the delivery isn't signed. Its headers are: ${Object.keys(headers).join(', ')}`;
	const closest = candidates.find(
		({ scheme, headerName }) => headerName !== undefined || isOfScheme(scheme, headers),
	);
	const { problem } = closest ? verifyWith(closest, secret, delivery, clock) : {};
	const why = problem
		? asSentences(problem)
		: 'They belong to none of the schemes that the trigger knows.';
	return `no scheme fits the headers ${signing.join(', ')}. ${why}`.replace(/\.$/, '');
}

const isOfScheme = (scheme: string, headers: Delivery['headers']): boolean =>
	Object.keys(headers).some((name) =>
		scheme === 'messageSignature' ? name === 'signature-input' : /^(webhook|svix)-/.test(name),
	);
