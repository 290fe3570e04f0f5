import type { Attempt, State } from '../types';

const HIDDEN = '…';

/** The values of headers of a delivery that the sandbox itself sets. All others may be secrets. */
const SET_BY_SANDBOX = ['application/json', 'payments-sandbox/1.0'];

/** The headers of a request that describe its sender and its body. All others may be secrets. */
const DESCRIBING = [
	'accept',
	'accept-encoding',
	'connection',
	'content-length',
	'content-type',
	'host',
	'user-agent',
];

/** Replaces the values of headers, except those that `isKept` names. */
const hide = (headers: Record<string, string>, isKept: (name: string, value: string) => boolean) =>
	Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [name, isKept(name, value) ? value : HIDDEN]),
	);

/** Removes user name, password, query, and fragment from a URL. */
function withoutCredentials(url: string): string {
	const shortened = url.replace(/[?#].*$/s, '').replace(/^(https?:\/\/)[^/]*@/, '$1');
	// A URL that has nothing else isn't one.
	return /^https?:\/\/[^/]/.test(shortened) ? shortened : 'http://removed.invalid/';
}

/** Does the same for the URLs in a text. */
const withoutCredentialsIn = (text: string) => text.replace(/https?:\/\/\S+/g, withoutCredentials);

const hideInAttempt = (attempt: Attempt): Attempt => ({
	...attempt,
	requestHeaders: hide(attempt.requestHeaders, (_name, value) => SET_BY_SANDBOX.includes(value)),
});

/**
 * Returns a state without what could be a secret: those of clients and endpoints, what is signed
 * with them, credentials in URLs, and headers of the callers. Bodies stay.
 */
export const withoutSecrets = (state: State): State => ({
	...state,
	clients: state.clients?.map(({ secretDigest: _, ...client }) => client),
	endpoints: state.endpoints?.map(({ secret: _, previousSecret: __, ...endpoint }) => ({
		...endpoint,
		url: withoutCredentials(endpoint.url),
		label: withoutCredentialsIn(endpoint.label),
	})),
	deliveries: state.deliveries?.map((delivery) => ({
		...delivery,
		url: withoutCredentials(delivery.url),
		attempts: delivery.attempts.map(hideInAttempt),
	})),
	requests: state.requests?.map((request) => ({
		...request,
		headers: hide(request.headers, (name) => DESCRIBING.includes(name)),
	})),
});
