import type { Delivery } from '../../nodes/PaymentsTrigger/signature/scheme';
import { failed, ok, type Result } from '../../nodes/shared/result';
import { isObject } from '../../nodes/shared/values';

/** The line that separates headers and body, with either line break. */
const GAP = /\r?\n\r?\n/;
const HEADER = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*)$/;

const FORMS =
	'Save the request as it arrived: header lines, an empty line, and the body; or JSON with "headers" and "body", or "bodyBase64" for the exact bytes.';

/** Reads a request that somebody captured: raw HTTP, or JSON. */
export function parseCaptured(content: Buffer): Result<Delivery> {
	const text = content.toString('latin1');
	return text.trimStart().startsWith('{') ? parseJson(content) : parseHttp(content, text);
}

function parseJson(content: Buffer): Result<Delivery> {
	let json: unknown;
	try {
		json = JSON.parse(content.toString());
	} catch {
		return failed("The captured request isn't JSON that can be read", FORMS);
	}
	if (!isObject(json) || !isObject(json.headers))
		return failed('The captured request has no headers', FORMS);
	const headers = lowerCase(Object.entries(json.headers));
	if (typeof json.bodyBase64 === 'string')
		return ok({ headers, rawBody: Buffer.from(json.bodyBase64, 'base64') });
	if (typeof json.body === 'string') return ok({ headers, rawBody: Buffer.from(json.body) });
	return failed('The captured request has no body as text', FORMS);
}

function parseHttp(content: Buffer, text: string): Result<Delivery> {
	const gap = GAP.exec(text);
	if (!gap) return failed('The captured request has no empty line before its body', FORMS);
	const lines = text.slice(0, gap.index).split(/\r?\n/);
	const headers = lines.flatMap((line) => {
		const [, name, value] = HEADER.exec(line) ?? [];
		return name ? [[name, value] as [string, string]] : [];
	});
	if (headers.length === 0) return failed('The captured request has no headers', FORMS);
	// latin1 has one character for each byte.
	return ok({ headers: lowerCase(headers), rawBody: content.subarray(gap.index + gap[0].length) });
}

const lowerCase = (entries: Array<[string, unknown]>): Delivery['headers'] =>
	Object.fromEntries(entries.map(([name, value]) => [name.toLowerCase(), String(value)]));
