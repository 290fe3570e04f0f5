import { asText, isObject } from './values';

/** What came back, whatever its status. */
export interface ServiceResponse {
	status: number;
	/** By their names in lower case. */
	headers: Record<string, unknown>;
	/** `UNREADABLE` if it broke off, or is damaged. */
	body: unknown;
}

/** A response as it came, by which is decided, and as items and messages can have it. */
export interface ReceivedResponse extends ServiceResponse {
	shown: ShownResponse;
}

/** Without secrets, bounded, and such that any database can store it. */
interface ShownResponse extends Pick<ServiceResponse, 'status' | 'body'> {
	/** All of them, for what reads a header. */
	headers: ServiceResponse['headers'];
	/** Those that help support, if there are any. */
	supportHeaders?: ServiceResponse['headers'];
	/** By which the service finds the request. */
	requestId?: string;
}

/** @param token with which the request was sent */
export function receive(response: ServiceResponse, token: string): ReceivedResponse {
	const { status, headers, body } = response;
	const support = cleanBody(supportHeaders(headers), token) as ServiceResponse['headers'];
	const shown = {
		status,
		headers: { ...headers, ...support },
		supportHeaders: support,
		body: cleanBody(body, token),
		requestId: support && requestIdIn(support),
	};
	return { ...response, shown };
}

/** Stands for a body that can't be read. It says nothing. */
export const UNREADABLE = Symbol('unreadable');

/** The name of a member without case and separators: `is_success` is `IsSuccess`. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z\d]/g, '');

/** A text, a number, or the like in a body. */
export interface BodyValue {
	value: unknown;
	/** The innermost member that it's in, as `plainName` returns it. Empty if it's in none. */
	name: string;
}

/**
 * Lists what a body is made of. Without recursion, because a body can be nested as deep as it is.
 *
 * @param isSkipped whether a member is left out, by its name as `plainName` returns it
 */
export function* valuesIn(
	body: unknown,
	isSkipped: (name: string) => boolean = () => false,
): Generator<BodyValue> {
	const left: BodyValue[] = [{ value: body, name: '' }];
	for (let next = left.pop(); next; next = left.pop()) {
		const { value, name } = next;
		if (Array.isArray(value)) {
			for (const element of value) left.push({ value: element, name });
		} else if (isObject(value)) {
			for (const [member, content] of Object.entries(value)) {
				const known = plainName(member);
				if (!isSkipped(known)) left.push({ value: content, name: known });
			}
		} else yield next;
	}
}

/**
 * By which a service's support finds a request. First those of the service itself, then those of
 * what stands in front of it: Azure, AWS, W3C Trace Context, and Cloudflare.
 */
const REQUEST_ID_HEADERS = [
	...['x-request-id', 'request-id', 'x-correlation-id', 'correlation-id', 'x-trace-id'],
	...['x-ms-request-id', 'x-amzn-requestid', 'x-amz-request-id', 'x-amzn-trace-id'],
	...['traceparent', 'cf-ray'],
];
/** They help support, and say how long to wait. */
const SUPPORT_HEADERS = [
	...REQUEST_ID_HEADERS,
	...['date', 'retry-after', 'ratelimit', 'ratelimit-reset', 'x-ratelimit-reset'],
];
const MAX_REQUEST_ID = 200;

/** Returns the ID by which the service finds a request. `undefined` if no header has one. */
export function requestIdIn(headers: ServiceResponse['headers']): string | undefined {
	const ids = REQUEST_ID_HEADERS.map((name) => onOneLine(asText(headers[name])));
	return ids.find(Boolean)?.slice(0, MAX_REQUEST_ID);
}

/** Returns the headers that help support. `undefined` if there are none. */
export function supportHeaders(
	headers: ServiceResponse['headers'],
): ServiceResponse['headers'] | undefined {
	const found = SUPPORT_HEADERS.filter((name) => headers[name] !== undefined);
	if (found.length === 0) return undefined;
	return Object.fromEntries(found.map((name) => [name, headers[name]]));
}

/** Control and format characters, surrogates without their other half, and white space. */
const UNSEEN = /[\s\p{Cc}\p{Cf}\p{Cs}]+/gu;

/** Writes a text on one line, with nothing in it that nobody sees. */
export const onOneLine = (text: string): string => text.replace(UNSEEN, ' ').trim();

/** PostgreSQL stores no JSON with them. */
const NOT_STORED = /[\0\p{Cs}]/gu;

/** A shorter token is a placeholder, and can be a word of the response (RFC 6749, 10.10). */
export const MIN_TOKEN_LENGTH = 16;
/** JSON can be nested so deep that functions that call themselves for each level would throw. */
const MAX_DEPTH = 50;
/** What is kept of a body. 1,000 items with it take 20 MB. */
const MAX_CHARACTERS = 20_000;
/** What is kept of a text in it. What follows a stack trace can be what the response says. */
const MAX_TEXT = 5000;
const LEFT_OUT = '(left out)';

/**
 * Copies a body, or headers, without the access token, which some services quote when they reject
 * it, such as Spring Security ("Invalid access token: …"), in a value or a name, also encoded for a
 * URL. Leaves out what is nested too deep, or beyond the size that is kept.
 */
export function cleanBody(body: unknown, token: string): unknown {
	const encoded = encodeURIComponent(token);
	const lowerCase = encoded.replace(/%../g, (code) => code.toLowerCase());
	const secrets = token.length < MIN_TOKEN_LENGTH ? [] : new Set([token, encoded, lowerCase]);
	const hide = (text: string) =>
		[...secrets]
			.reduce((hidden, secret) => hidden.replaceAll(secret, '•••'), text)
			.replace(NOT_STORED, '\ufffd');
	let charactersLeft = MAX_CHARACTERS;
	const shorten = (text: string): string => {
		const kept = text.slice(0, Math.min(MAX_TEXT, Math.max(0, charactersLeft)));
		charactersLeft -= kept.length;
		if (kept.length === text.length) return text;
		// No half of a pair.
		return `${kept.replace(/[\ud800-\udbff]$/, '')} ${LEFT_OUT}`;
	};
	const copy = (value: unknown, depth: number): unknown => {
		if (typeof value === 'string') return shorten(hide(value));
		if (typeof value !== 'object' || value === null) return value;
		if (depth === 0) return LEFT_OUT;
		const copied: Array<[string, unknown]> = [];
		for (const name of Object.keys(value)) {
			// A member is its name, and what isn't text.
			charactersLeft -= name.length + 8;
			if (charactersLeft <= 0) {
				copied.push([LEFT_OUT, LEFT_OUT]);
				break;
			}
			copied.push([hide(name), copy((value as Record<string, unknown>)[name], depth - 1)]);
		}
		return Array.isArray(value) ? copied.map(([, member]) => member) : Object.fromEntries(copied);
	};
	return copy(body, MAX_DEPTH);
}
