import { asText } from './values';

/* How long a service asks to wait before the next request, in the headers of its response. */

/** A limit per day resets at midnight, and no execution waits for that. */
const MAX_LIMIT_WAIT_MS = 60_000;

/** From here on, a number of seconds is a time since 1970: 2001, or 31 years from now. */
const MIN_EPOCH_S = 1e9;
/** From here on, it's one in milliseconds: 1973. */
const MIN_EPOCH_MS = 1e11;

/** How the names of headers about a limit begin. */
const LIMIT_HEADERS = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/** Of a response to one request too many. */
const LIMIT_STATUSES = [429, 503];

/**
 * Reads Retry-After (RFC 9110, section 10.2.3), or, where it says nothing and a limit of requests
 * was reached, when that ends: RateLimit (IETF draft on RateLimit header fields), RateLimit-Reset,
 * and X-RateLimit-Reset.
 *
 * @param now ms since the epoch, for times in a response without a Date: a service counts by its
 *   own clock, which can differ from this one
 * @returns ms from now. `undefined` if no header has a wait that can be read, or it's over: a
 *   backoff then takes its place, so that nothing is sent again and again without a pause
 */
export function statedWait(
	{ status, headers }: { status: number; headers: Record<string, unknown> },
	now: number,
): number | undefined {
	const textOf = (name: string) => asText(headers[name]);
	const date = parseHttpDate(textOf('date')) ?? now;
	const retryAfter = longest(splitList(textOf('retry-after')).map((one) => waitOf(one, date)));
	if (retryAfter !== undefined || !LIMIT_STATUSES.includes(status)) return retryAfter;
	const limitWait =
		rateLimitWait(textOf('ratelimit')) ??
		longest(
			LIMIT_HEADERS
				// With some requests left, it's another limit that was reached.
				.filter((prefix) => !(Number(textOf(`${prefix}-remaining`)) > 0))
				.flatMap((prefix) => splitList(textOf(`${prefix}-reset`)))
				.map((one) => resetOf(one, date)),
		);
	return limitWait && Math.min(limitWait, MAX_LIMIT_WAIT_MS);
}

/** Whether headers say that no request is left, or when the next one is welcome. */
export const announcesLimit = (headers: Record<string, unknown>): boolean =>
	headers['retry-after'] !== undefined ||
	LIMIT_HEADERS.some((prefix) => asText(headers[`${prefix}-remaining`]).trim() === '0') ||
	/\b(r|remaining)=0\b/.test(asText(headers.ratelimit));

/** Proxies join several headers with commas. The comma of a date is followed by its day. */
const splitList = (header: string): string[] =>
	header.split(/,(?!\s*\d{1,2}[ -][A-Za-z]{3})/).map((value) => value.trim());

function longest(waits: Array<number | undefined>): number | undefined {
	const longestWait = Math.max(...waits.map((wait) => wait ?? 0), 0);
	return longestWait > 0 ? longestWait : undefined;
}

/** Services also send decimals. */
const SECONDS = /^\d{1,9}(\.\d*)?$/;

/** Reads a value of Retry-After: seconds, or a date. */
function waitOf(value: string, date: number): number | undefined {
	if (SECONDS.test(value)) return Number(value) * 1000;
	const at = parseHttpDate(value);
	return at && at - date;
}

/** Reads a value of X-RateLimit-Reset and its like: seconds, or a time in one of many forms. */
function resetOf(value: string, date: number): number | undefined {
	if (/^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:?\d\d)$/.test(value))
		return Date.parse(value) - date || undefined;
	if (!/^\d{1,13}(\.\d*)?$/.test(value)) return waitOf(value, date);
	const number = Number(value);
	if (number < MIN_EPOCH_S) return number * 1000;
	return (number < MIN_EPOCH_MS ? number * 1000 : number) - date;
}

/**
 * Reads RateLimit: a list such as `"minute";r=0;t=30` of the draft's version 8 and later, or the
 * dictionary `limit=100, remaining=0, reset=30` of version 7. Of the limits that are reached, the
 * longest wait counts.
 */
function rateLimitWait(header: string): number | undefined {
	// The names of limits can have any character.
	const unquoted = header.replace(/"[^"]*"/g, '');
	const limits = /\breset=/.test(unquoted) ? [unquoted] : unquoted.split(',');
	return longest(
		limits
			.filter((limit) => !(parameterOf(limit, 'r', 'remaining')! > 0))
			.map((limit) => parameterOf(limit, 't', 'reset'))
			.map((seconds) => seconds && seconds * 1000),
	);
}

function parameterOf(limit: string, ...names: string[]): number | undefined {
	const [, value] = new RegExp(`(?:^|[;,\\s])(?:${names.join('|')})=(\\d+)`).exec(limit) ?? [];
	return value === undefined ? undefined : Number(value);
}

/** @returns ms since the epoch */
function parseHttpDate(value: string): number | undefined {
	if (!/^[A-Za-z]{3,9},? /.test(value)) return undefined;
	// The form of C's asctime has no zone, and means GMT (RFC 9110, section 5.6.7).
	const hasZone = /[A-Z]$|[+-]\d{4}$/.test(value);
	const date = Date.parse(hasZone ? value : `${value} GMT`);
	return Number.isNaN(date) ? undefined : date;
}
