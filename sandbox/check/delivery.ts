import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import { parseEvents, parseJson } from '../../nodes/PaymentsTrigger/parseEvents';
import type { Delivery } from '../../nodes/PaymentsTrigger/signature/scheme';
import { explainUnsupportedForm } from '../../nodes/PaymentsTrigger/signature/unsupportedForms';
import { readVerifier, verify } from '../../nodes/PaymentsTrigger/signature/verify';
import { asSentences, failed, ok, type Result } from '../../nodes/shared/result';
import { isObject } from '../../nodes/shared/values';
import type { Finding } from './Check';

/** How a delivery is signed, with the names that the credential has for it. */
interface Signature {
	scheme: string;
	/** Only for a scheme that defines none. */
	headerName?: string;
}

const TOLERANCE_MINUTES = 120;
/** HMAC-SHA256 in hex or base64, with or without a prefix. */
const LOOKS_SIGNED = /(^|[=,\s])([0-9a-f]{64}|[A-Za-z0-9+/]{43}=)(,|\s|$)/i;
const SCHEME_NAMES: Record<string, string> = {
	messageSignature: 'Message Signature',
	standardWebhooks: 'Standard Webhooks',
	hmacSha256: 'HMAC-SHA256 of the Body',
};

/**
 * Tries every scheme on a delivery, and says which one fits, or why none does.
 *
 * @param now when it arrived, in ms since the epoch
 */
export function tryDelivery(delivery: Delivery, secret: string, now: number): Finding[] {
	const { headers } = delivery;
	const names = Object.keys(headers).filter((name) => LOOKS_SIGNED.test(String(headers[name])));
	const candidates: Signature[] = [
		{ scheme: 'messageSignature' },
		{ scheme: 'standardWebhooks' },
		...names.map((headerName) => ({ scheme: 'hmacSha256', headerName })),
	];
	const tried = candidates.map((signature) => {
		const verifier = readVerifier({ ...signature, secret });
		const clock = { now, toleranceMinutes: TOLERANCE_MINUTES };
		const result = verifier.problem ? verifier : verify(verifier.value, delivery, clock);
		return { signature, result };
	});
	const fitting = tried.find(({ result }) => !result.problem);
	if (fitting) {
		const { signature, result } = fitting;
		return [...settingsOf(signature), ...readBody(delivery, result.value?.id)];
	}
	const unsupported = explainUnsupportedForm(headers);
	const closest = tried.find(({ signature }) => isPresent(signature, headers))?.result.problem;
	const reason = unsupported ?? closest;
	const text = reason
		? `the delivery can't be verified: ${asSentences(reason)}`
		: `the delivery has no signature of a form that is known. Its headers are: ${Object.keys(headers).join(', ')}`;
	return [{ kind: 'doesntFit', text: text.replace(/\.$/, '') }];
}

const isPresent = ({ scheme, headerName }: Signature, headers: Delivery['headers']): boolean =>
	headerName !== undefined ||
	Object.keys(headers).some((name) =>
		scheme === 'messageSignature' ? name === 'signature-input' : /^(webhook|svix)-/.test(name),
	);

function settingsOf({ scheme, headerName }: Signature): Finding[] {
	const set = (field: string, value: string): Finding => ({
		kind: 'set',
		field: `Payments Webhook API → ${field}`,
		value,
		text: 'With it and this secret, the delivery is verified',
	});
	const settings = [set('Signature Scheme', SCHEME_NAMES[scheme])];
	if (headerName !== undefined) settings.push(set('Header Name', headerName));
	return settings;
}

/** The event type, and whether an ID is signed. */
function readBody({ rawBody }: Delivery, signedId: string | undefined): Finding[] {
	const body = parseJson(rawBody);
	const events = body.problem ? body : parseEvents(body.value, signedId);
	if (events.problem)
		return [{ kind: 'doesntFit', text: asSentences(events.problem).replace(/\.$/, '') }];
	const [{ eventType, json }] = events.value;
	const metadata = isObject(json.data) ? json.data.metadata : undefined;
	const hasExternalId = isObject(metadata) && typeof metadata.externalId === 'string';
	return [
		{ kind: 'fits', text: `The trigger reads the event type: ${eventType}` },
		{
			kind: 'note',
			text:
				signedId === undefined
					? 'No ID is signed, so a delivery is a duplicate only if its body is the same'
					: `A delivery with the same signed ID is a duplicate: ${signedId}`,
		},
		{
			kind: 'note',
			text: hasExternalId
				? 'The event names the External ID of its payment in data.metadata.externalId'
				: 'The event has no data.metadata.externalId, by which a workflow finds its payment. Ask the provider where it is',
		},
	];
}

const FORM = 'Save the request as it arrived: header lines, an empty line, and the body.';
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/;

/** Reads a request that somebody captured, as raw HTTP. */
export function parseCaptured(content: Buffer): Result<Delivery> {
	// latin1 has one character for each byte.
	const text = content.toString('latin1');
	const gap = /\r?\n\r?\n/.exec(text);
	if (!gap) return failed('The captured request has no empty line before its body', FORM);
	const headers: Record<string, string> = {};
	for (const line of text.slice(0, gap.index).split(/\r?\n/)) {
		const [, name, value] = HEADER.exec(line) ?? [];
		if (name) headers[name.toLowerCase()] = value;
	}
	return ok({ headers, rawBody: content.subarray(gap.index + gap[0].length) });
}

/**
 * Listens for deliveries on this machine, and acknowledges each.
 *
 * @param port 0 for any free one
 * @returns the port, and a function that waits for the first delivery and stops listening
 */
export async function startReceiver(
	port: number,
): Promise<{ port: number; first: () => Promise<Delivery> }> {
	const server = createServer();
	const arrived = new Promise<Delivery>((resolve) => {
		server.on('request', (request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				response.writeHead(request.method === 'POST' ? 200 : 405).end();
				if (request.method === 'POST')
					resolve({ headers: request.headers, rawBody: Buffer.concat(chunks) });
			});
		});
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	const first = async () => {
		const delivery = await arrived;
		server.close();
		server.closeAllConnections();
		return delivery;
	};
	return { port: (server.address() as AddressInfo).port, first };
}
