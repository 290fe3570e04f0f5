import { ok, type Problem, type Result } from './result';
import { asText } from './values';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/**
 * Reads the Auth URL or the Base URL of the credential. Drops blanks around it, slashes at its end,
 * and the path that the caller appends.
 *
 * @param field the display name of the field, for the message
 * @param options.endpoint the path that the caller appends, e.g. `/passport/oauth/token`
 * @param options.allowHttp accept http:// for hosts that aren't loopback: secret and token then
 *   travel unencrypted
 */
export function parseServiceUrl(
	text: unknown,
	field: string,
	{ endpoint, allowHttp }: { endpoint?: string; allowHttp: boolean },
): Result<string> {
	const entered = asText(text).trim();
	const problem = checkAddress(entered, field, allowHttp) ?? checkIsBase(entered, field);
	if (problem) return { problem };
	const url = entered.replace(/\/+$/, '');
	return ok(endpoint && url.endsWith(endpoint) ? url.slice(0, -endpoint.length) : url);
}

/** docs/interface.md, 4.2. */
export const TRANSACTIONS_PATH = '/api/v1/transactions';

/** Returns the URL to which transactions are sent. */
export function transactionsUrl(credentials: {
	baseUrl?: unknown;
	allowHttp?: unknown;
}): Result<string> {
	const base = parseServiceUrl(credentials.baseUrl, 'Base URL', {
		endpoint: TRANSACTIONS_PATH,
		allowHttp: credentials.allowHttp === true,
	});
	return base.problem ? base : ok(base.value + TRANSACTIONS_PATH);
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
			message: `'${field}' isn't a web address: "${address}"`,
			fix: 'Enter an address that starts with https://, for example https://api.example.com.',
		};
	const { protocol, hostname, username, password } = new URL(address);
	if (protocol !== 'https:' && protocol !== 'http:')
		return {
			message: `'${field}' starts with "${protocol}", and only https:// addresses can be used`,
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
