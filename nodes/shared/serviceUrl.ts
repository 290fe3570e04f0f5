import { asText } from './values';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** What axios, n8n's HTTP client, takes for an absolute URL (axios, lib/helpers/isAbsoluteURL.js). */
const ABSOLUTE_URL = /^([a-z][a-z\d+\-.]*:)?\/\//i;

/** A service address without a slash at the end, or what is wrong with it and how to correct it. */
export type ServiceUrl =
	| { url: string; problem?: undefined }
	| { url?: undefined; problem: string };

/**
 * Reads the Auth URL or the Base URL of the credential.
 *
 * @param text what the user entered; spaces around it, slashes at the end, and the path that the caller appends are dropped
 * @param field the field's display name, for the message
 * @param options.endpoint the path that the caller appends, e.g. `/passport/oauth/token`
 * @param options.allowHttp accept http:// for hosts that aren't loopback: secret and token travel unencrypted
 */
export function parseServiceUrl(
	text: unknown,
	field: string,
	{ endpoint, allowHttp }: { endpoint?: string; allowHttp: boolean },
): ServiceUrl {
	const entered = asText(text).trim();
	const problem = checkAddress(entered, field, allowHttp) ?? checkIsBase(entered, field);
	if (problem !== undefined) return { problem };
	const url = entered.replace(/\/+$/, '');
	return { url: endpoint && url.endsWith(endpoint) ? url.slice(0, -endpoint.length) : url };
}

/** Service interface, section 4.2. */
export const TRANSACTIONS_PATH = '/api/v1/transactions';

/** Returns the URL to which the credential's transactions are sent, or what is wrong with its Base URL. */
export function transactionsUrl(credentials: {
	baseUrl?: unknown;
	allowHttp?: unknown;
}): ServiceUrl {
	const base = parseServiceUrl(credentials.baseUrl, 'Base URL', {
		endpoint: TRANSACTIONS_PATH,
		allowHttp: credentials.allowHttp === true,
	});
	return base.problem === undefined ? { url: base.url + TRANSACTIONS_PATH } : base;
}

/**
 * Says what is wrong with an address to which a secret or a token is to be sent.
 *
 * @param address an absolute URL without spaces around it; query and fragment are accepted
 * @param field how the message names the address
 * @returns a message for the user, or `undefined` when the address can be used
 */
export function checkAddress(
	address: string,
	field: string,
	allowHttp: boolean,
): string | undefined {
	if (address === '')
		return `'${field}' is empty. Enter the address of the service, for example https://api.example.com.`;
	if (!URL.canParse(address))
		return `'${field}' is not a web address: "${address}". It starts with https://, for example https://api.example.com.`;
	const { protocol, hostname, username, password } = new URL(address);
	if (protocol !== 'https:' && protocol !== 'http:')
		return `'${field}' starts with "${protocol}". Only https:// addresses can be used.`;
	if (username !== '' || password !== '')
		return `'${field}' contains a user name or a password. Enter only the address, for example https://${hostname}.`;
	if (protocol === 'http:' && !allowHttp && !LOOPBACK.test(hostname))
		return `'${field}' starts with http://, so anybody on the way could read what is sent to ${hostname}. Use https://, or turn on 'Allow Unencrypted HTTP' in the credential.`;
	return undefined;
}

/** A path appended to a query or a fragment is no longer a path: `https://host/?x=1` + `/api` requests `/`. */
function checkIsBase(entered: string, field: string): string | undefined {
	const [base] = entered.split(/[?#]/);
	if (base === entered) return undefined;
	const part =
		entered[base.length] === '?'
			? 'query (everything from "?" on)'
			: 'fragment (everything from "#" on)';
	return `'${field}' contains a ${part}, and no path can follow it. Enter only the address: ${base}`;
}

/** The parts of a request that make its URL: n8n's HTTP Request node still uses `uri`, everything else `url`. */
export interface RequestUrlParts {
	baseURL?: unknown;
	url?: unknown;
	uri?: unknown;
}

/** Composes a request's URL in the way of n8n's HTTP client (axios, lib/core/buildFullPath.js): an absolute `url` ignores `baseURL`. */
export function requestUrl({ baseURL, url, uri }: RequestUrlParts): string {
	const requested = addressOf(url ?? uri).trim();
	const base = addressOf(baseURL).trim();
	if (base === '' || ABSOLUTE_URL.test(requested)) return requested;
	if (requested === '') return base;
	return `${base.replace(/\/+$/, '')}/${requested.replace(/^\//, '')}`;
}

/** n8n's older HTTP helper takes URL objects, too. */
const addressOf = (value: unknown): string => (value instanceof URL ? value.href : asText(value));
