import { requestUrl, type RequestUrlParts } from '../serviceUrl';
import { parseStrictJson } from './strictJson';
import { checkLimits, type TransactionLimits } from './transactionLimits';

/**
 * A request in one of the two shapes that n8n's HTTP helpers take: `IHttpRequestOptions`, and the older `IRequestOptions` of the HTTP Request
 * node, which has `uri`, `form`, and `formData` besides.
 */
export interface OutgoingRequest extends RequestUrlParts {
	method?: unknown;
	headers?: unknown;
	body?: unknown;
	form?: unknown;
	formData?: unknown;
	multipart?: unknown;
	qs?: unknown;
	proxy?: unknown;
}

/** The request to send, or why it must not be sent. */
export type LimitedRequest<T> =
	| { request: T; problem?: undefined }
	| { request?: undefined; problem: string };

/** Longer bodies aren't checked, so they aren't sent. A transaction has less than 10,000 characters. */
const MAX_BODY_LENGTH = 100_000;

/** Headers that can make a server read another request than the one that was checked, or a proxy pass it on to another server. */
const REJECTED_HEADERS = new Set([
	'content-encoding',
	'content-length',
	'forwarded',
	'host',
	'transfer-encoding',
	'x-forwarded-host',
	'x-http-method',
	'x-http-method-override',
	'x-method-override',
	'x-original-url',
	'x-rewrite-url',
]);

/** In both shapes of a request. A redirect could send the body, or the token, to a URL that wasn't checked. */
const NO_REDIRECTS = {
	disableFollowRedirect: true,
	followRedirect: false,
	followAllRedirects: false,
};

const rejected = (reason: string) => ({
	problem: `The request was not sent, because the credential limits transactions: ${reason}.`,
});

/**
 * Applies the limits of the credential to a request that is about to get its access token. Fails closed: with limits, a request gets the token
 * only when it reads from the service, or when it creates one transaction whose body can be read and is within the limits. Anything else could
 * move money past the limits, or carry the token to a place where it can be used without them.
 *
 * @param transactionsUrl the only URL to which something may be sent; requests that read go to its origin only
 * @returns the request in a form in which exactly what was checked is sent: absolute URL, body as text, no redirects
 */
export function limitRequest<T extends OutgoingRequest>(
	request: T,
	limits: TransactionLimits,
	transactionsUrl: string,
): LimitedRequest<T> {
	const allowed = new URL(transactionsUrl);
	const url = requestUrl(request);
	const target = URL.canParse(url) ? new URL(url) : undefined;
	if (target?.origin !== allowed.origin)
		return rejected(`its access token is sent only to the Base URL, ${allowed.origin}`);
	if (!isAbsent(request.proxy))
		return rejected('its access token is not sent through a proxy that the request chooses');
	const headers = request.headers ?? {};
	if (!isPlainObject(headers)) return rejected('the headers of the request cannot be read');

	const sealed: T = { ...request, ...NO_REDIRECTS, url: target.href };
	delete sealed.uri;
	delete sealed.baseURL;
	if (isReading(request)) return withoutRejectedHeaders(sealed, headers);

	const isTransaction = isPost(request) && target.href === allowed.href && isEmpty(request.qs);
	if (!isTransaction)
		return rejected(
			`apart from reading, the only request that may be sent is POST ${allowed.href}, without a query`,
		);
	const body = readBody(request, headers);
	if (body.problem !== undefined)
		return rejected(
			`the body must be one transaction as JSON, and this body ${body.problem}. Send JSON with 'amount' and 'currency' as text`,
		);
	const issue = checkLimits(body.transaction, limits);
	if (issue) return { problem: `The request was not sent. ${issue.problem}. ${issue.fix}` };
	const jsonHeaders = withJsonType(headers);
	return withoutRejectedHeaders({ ...sealed, headers: jsonHeaders, body: body.text }, headers);
}

function withoutRejectedHeaders<T>(request: T, headers: object): LimitedRequest<T> {
	const header = Object.keys(headers).find((name) => REJECTED_HEADERS.has(normalizeHeader(name)));
	if (header === undefined) return { request };
	return rejected(`the header "${header}" can change how the request is read. Remove the header`);
}

const normalizeHeader = (name: string) => name.trim().toLowerCase();

const isAbsent = (value: unknown) =>
	value === undefined || value === null || value === '' || value === false;

/** n8n leaves empty objects out of the request. */
const isEmpty = (value: unknown) =>
	isAbsent(value) || (isPlainObject(value) && Object.keys(value).length === 0);

/** Whether the prototype is that of an object literal, also of another realm: n8n evaluates expressions in one of their own. */
function isPlainObject(value: unknown): value is Record<string, unknown> {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
	const prototype: unknown = Object.getPrototypeOf(value);
	return prototype === null || Object.getPrototypeOf(prototype) === null;
}

const isPost = ({ method }: OutgoingRequest) =>
	typeof method === 'string' && method.toUpperCase() === 'POST';

function isReading({ method, body, form, formData, multipart }: OutgoingRequest): boolean {
	const verb = typeof method === 'string' ? method.toUpperCase() : method;
	const reads = verb === undefined || verb === 'GET' || verb === 'HEAD';
	return reads && [body, form, formData, multipart].every(isEmpty);
}

type Body =
	| { text: string; transaction: { amount: unknown; currency: unknown }; problem?: undefined }
	| { problem: string };

/** Reads the body as the one transaction that it creates. The text is what is sent, so that nothing can change in between. */
function readBody(
	{ body, form, formData, multipart }: OutgoingRequest,
	headers: Record<string, unknown>,
): Body {
	if (![form, formData, multipart].every(isAbsent)) return { problem: 'has form fields' };
	const isObject = isPlainObject(body);
	const text = isObject ? toJson(body) : body;
	if (typeof text !== 'string') return { problem: `is ${describeBody(body)}` };
	if (text.length > MAX_BODY_LENGTH) return { problem: 'is too long to be checked' };
	if (!hasJsonType(headers, isObject))
		return { problem: "does not have the content type 'application/json'" };
	const { value, problem } = parseStrictJson(text);
	if (problem !== undefined) return { problem };
	if (!isPlainObject(value)) return { problem: 'is not one object' };
	const similar = Object.keys(value).find(looksLikeLimitedField);
	if (similar !== undefined)
		return {
			problem: `contains "${similar.slice(0, 40)}", which a service may read as one of these fields`,
		};
	return { text, transaction: { amount: own(value, 'amount'), currency: own(value, 'currency') } };
}

function toJson(body: object): string | undefined {
	try {
		return JSON.stringify(body);
	} catch {
		// It refers to itself, for example.
	}
	return undefined;
}

const JSON_TYPE = /^application\/json\s*(;\s*charset\s*=\s*"?utf-8"?\s*)?$/i;

const isContentType = (name: string) => normalizeHeader(name) === 'content-type';

/** @param whenAbsent n8n's HTTP client sends an object as JSON, and a text as a form */
function hasJsonType(headers: Record<string, unknown>, whenAbsent: boolean): boolean {
	const types = Object.entries(headers).filter(([name]) => isContentType(name));
	if (types.length === 0) return whenAbsent;
	return types.every(([, type]) => typeof type === 'string' && JSON_TYPE.test(type));
}

function withJsonType(headers: Record<string, unknown>): Record<string, unknown> {
	const others = Object.entries(headers).filter(([name]) => !isContentType(name));
	return { ...Object.fromEntries(others), 'Content-Type': 'application/json' };
}

/** Whether a name differs from `amount` or `currency` only in case, or in characters that a parser may drop. */
function looksLikeLimitedField(name: string): boolean {
	const letters = name
		.normalize('NFKC')
		.toLowerCase()
		.replace(/[^a-z]/g, '');
	const isLimited = letters === 'amount' || letters === 'currency';
	return isLimited && name !== letters;
}

const own = (object: Record<string, unknown>, name: string): unknown =>
	Object.hasOwn(object, name) ? object[name] : undefined;

function describeBody(body: unknown): string {
	if (isAbsent(body)) return 'empty';
	return Array.isArray(body) ? 'a list' : 'a file, a stream, or form data';
}
