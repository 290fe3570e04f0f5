import type { INodePropertyOptions } from 'n8n-workflow';

import { PaymentsWebhookApi } from '../credentials/PaymentsWebhookApi.credentials';
import { parseEvents, parseJson } from '../nodes/PaymentsTrigger/parseEvents';
import type { Delivery } from '../nodes/PaymentsTrigger/signature/scheme';
import { readVerifier, verify } from '../nodes/PaymentsTrigger/signature/verify';
import { DEFAULT_TOLERANCE_MINUTES, MAX_MINUTES } from '../nodes/PaymentsTrigger/settings';
import { asSentences, type Problem } from '../nodes/shared/result';
import { isObject } from '../nodes/shared/values';
import { CliError } from './options';
import type { Finding } from './verdict';

/** How a delivery is signed. The header is named only for a scheme that defines none. */
type Signature = { scheme: string; headerName?: string };

/** HMAC-SHA256 in hex or base64, with or without a prefix. */
const LOOKS_SIGNED = /(^|[=,\s])([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)(,|\s|$)/i;
/** The schemes as the credential names them. */
const SCHEMES = new PaymentsWebhookApi().properties.find(({ name }) => name === 'scheme')!
	.options as INodePropertyOptions[];

/**
 * Tries every scheme on a delivery, and says which one fits, or why none does.
 *
 * @param now when it arrived, in ms since the epoch
 */
export function tryDelivery(delivery: Delivery, secret: string, now: number): Finding[] {
	const { headers } = delivery;
	const names = Object.keys(headers);
	const candidates: Signature[] = [
		{ scheme: 'messageSignature' },
		{ scheme: 'standardWebhooks' },
		...names
			.filter((name) => LOOKS_SIGNED.test(String(headers[name])))
			.map((headerName) => ({ scheme: 'hmacSha256', headerName })),
	];
	const verifyAt = (signature: Signature, at: number) => {
		const verifier = readVerifier({ ...signature, secret });
		const clock = { now: at, toleranceMs: DEFAULT_TOLERANCE_MINUTES * 60_000 };
		return verifier.problem ? verifier : verify(verifier.value, delivery, clock);
	};
	// First only the signature, whenever it was made.
	const signedAt = signingTimeOf(headers) ?? now;
	const tried = candidates.map((signature) => {
		return { signature, result: verifyAt(signature, signedAt) };
	});
	const fitting = tried.find(({ result }) => !result.problem);
	if (fitting) {
		const { signature, result } = fitting;
		const wrongTime = verifyAt(signature, now).problem;
		return [
			...settingsOf(signature),
			...(wrongTime ? [aboutTime(wrongTime, now - signedAt)] : []),
			...readBody(delivery, result.value?.id),
		];
	}
	const reason = tried.find(({ signature }) => isPresent(signature, names))?.result.problem;
	const text = reason
		? `the delivery can't be verified: ${asSentences(reason)}`
		: `the delivery has no signature of a form that is known. Its headers are: ${names.join(', ')}`;
	return [{ kind: 'doesntFit', text }];
}

/** When a delivery says that it was signed, in ms since the epoch. */
function signingTimeOf(headers: Delivery['headers']): number | undefined {
	const [, created] = /;\s*created=(\d+)/.exec(String(headers['signature-input'])) ?? [];
	const seconds = created ?? headers['webhook-timestamp'] ?? headers['svix-timestamp'];
	return seconds === undefined ? undefined : Number(seconds) * 1000;
}

/** What to do if the trigger wouldn't accept the time of a valid signature. */
function aboutTime(problem: Problem, ageMs: number): Finding {
	const minutes = Math.ceil(ageMs / 60_000);
	if (minutes <= 0)
		return { kind: 'note', text: `The signature is valid, but ${asSentences(problem)}` };
	return {
		kind: 'set',
		field: 'Payments Trigger → Timestamp Tolerance (Minutes)',
		value: String(Math.min(minutes, MAX_MINUTES)),
		text: `The delivery was signed ${minutes} minutes ago, and the trigger accepts ${DEFAULT_TOLERANCE_MINUTES}. If you captured it earlier, enter how long after its signature a delivery arrives, retries included`,
	};
}

const isPresent = ({ scheme, headerName }: Signature, names: string[]): boolean =>
	headerName !== undefined ||
	names.some((name) =>
		scheme === 'messageSignature' ? name === 'signature-input' : /^(webhook|svix)-/.test(name),
	);

function settingsOf({ scheme, headerName = '' }: Signature): Finding[] {
	const { name } = SCHEMES.find(({ value }) => value === scheme)!;
	const text = `With ${name} and this secret, the delivery is verified`;
	const values = { 'Signature Scheme': name, ...(headerName && { 'Header Name': headerName }) };
	return Object.entries(values).map(([field, value]) => {
		return { kind: 'set', field: `Payments Webhook API → ${field}`, value, text };
	});
}

/** The event type, and how a workflow finds the payment. */
function readBody({ rawBody }: Delivery, signedId: string | undefined): Finding[] {
	const body = parseJson(rawBody);
	const events = body.problem ? body : parseEvents(body.value, signedId);
	if (events.problem) return [{ kind: 'doesntFit', text: asSentences(events.problem) }];
	const [{ eventType, json }] = events.value;
	const metadata = isObject(json.data) ? json.data.metadata : undefined;
	const hasExternalId = isObject(metadata) && typeof metadata.externalId === 'string';
	return [
		{ kind: 'fits', text: `The trigger reads the event type: ${eventType}` },
		{
			kind: 'note',
			text: hasExternalId
				? 'The event names the External ID of its payment in data.metadata.externalId'
				: 'The event has no data.metadata.externalId, by which a workflow finds its payment. If that of a real payment has none either, ask the provider where it is',
		},
	];
}

const FORM = 'Save the request as it arrived: header lines, an empty line, and the body.';
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/;

/** Reads a request that somebody captured, as raw HTTP. */
export function parseCaptured(content: Buffer): Delivery {
	// latin1 has one character for each byte.
	const text = content.toString('latin1');
	const gap = /\r?\n\r?\n/.exec(text);
	if (!gap) throw new CliError(`The captured request has no empty line before its body. ${FORM}`);
	const headers: Record<string, string> = {};
	for (const line of text.slice(0, gap.index).split(/\r?\n/)) {
		const [, name, value] = HEADER.exec(line) ?? [];
		if (name) headers[name.toLowerCase()] = value;
	}
	return { headers, rawBody: content.subarray(gap.index + gap[0].length) };
}
