import { ok, type Problem, type Result } from './result';
import { asText, isEmpty } from './values';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** docs/interface.md, 4.1 and 4.2. n8n's lint takes a name with TOKEN or AUTH for a secret. */
export const ISSUER_PATH = '/passport/oauth/token';
export const TRANSACTIONS_PATH = '/api/v1/transactions';

interface Addresses {
	authUrl?: unknown;
	baseUrl?: unknown;
	/** Accept http:// for hosts that aren't loopback: secret and token then travel unencrypted. */
	allowHttp?: unknown;
}

/** Returns the URL of token requests. */
export function tokenUrl(credentials: Addresses): Result<string> {
	const base = parseAuthUrl(credentials);
	return base.problem ? base : ok(base.value + ISSUER_PATH);
}

/** Returns the URL to which transactions are sent: at the Auth URL if the Base URL is empty. */
export function transactionsUrl(credentials: Addresses): Result<string> {
	const { baseUrl, allowHttp } = credentials;
	const isCleared = typeof baseUrl === 'string' && isEmpty(baseUrl);
	const base = isCleared
		? parseAuthUrl(credentials)
		: parseServiceUrl(baseUrl, 'Base URL', TRANSACTIONS_PATH, allowHttp === true);
	return base.problem ? base : ok(base.value + TRANSACTIONS_PATH);
}

const parseAuthUrl = ({ authUrl, allowHttp }: Addresses) =>
	parseServiceUrl(authUrl, 'Auth URL', ISSUER_PATH, allowHttp === true);

/**
 * Reads an address of the credential. Drops blanks around it, slashes at its end, and the path that
 * the caller appends.
 *
 * @param field its display name, for the message
 */
function parseServiceUrl(
	text: unknown,
	field: string,
	path: string,
	allowHttp: boolean,
): Result<string> {
	const entered = asText(text).trim();
	const problem = checkAddress(entered, field, allowHttp) ?? checkIsBase(entered, field);
	if (problem) return { problem };
	const url = entered.replace(/\/+$/, '');
	return ok(url.endsWith(path) ? url.slice(0, -path.length) : url);
}

/** Says why a secret or a token can't be sent to an address. */
function checkAddress(address: string, field: string, allowHttp: boolean): Problem | undefined {
	if (address === '')
		return {
			message: `'${field}' is empty`,
			fix: 'Enter the address of the service, for example https://api.example.com.',
		};
	if (!URL.canParse(address))
		return {
			// Not quoted, because it can be a secret, or have one in it.
			message: `'${field}' isn't a web address`,
			fix: 'Enter an address that starts with https://, for example https://api.example.com.',
		};
	const { protocol, hostname, username, password } = new URL(address);
	if (protocol !== 'https:' && protocol !== 'http:')
		return {
			message: `'${field}' doesn't start with https://`,
			fix: 'Enter an address that starts with https://.',
		};
	if (username !== '' || password !== '')
		return {
			message: `'${field}' contains a user name or a password`,
			fix: `Enter only the address, for example https://${hostname}.`,
		};
	if (protocol === 'http:' && !allowHttp && !LOOPBACK.test(hostname))
		return {
			message: `'${field}' starts with http://, so the data would be sent to ${hostname} unencrypted`,
			fix: "Use https://, or turn on 'Allow Unencrypted HTTP' in the credential.",
		};
	return undefined;
}

/** After a query or a fragment, a path is no path: `https://host/?x=1` + `/api` requests `/`. */
function checkIsBase(entered: string, field: string): Problem | undefined {
	const [base] = entered.split(/[?#]/);
	if (base === entered) return undefined;
	const part =
		entered[base.length] === '?'
			? 'query (everything from "?" on)'
			: 'fragment (everything from "#" on)';
	return {
		message: `'${field}' contains a ${part}, and no path can follow it`,
		fix: `Enter only ${base} instead.`,
	};
}
