const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** A service address that may be used, without a slash at the end, or what is wrong with it. */
export type ServiceUrl =
	| { url: string; problem?: undefined }
	| { url?: undefined; problem: string };

/**
 * Reads the Auth URL or the Base URL of the credential.
 *
 * @param text what the user typed; blanks around it, a slash at the end and the endpoint's own path are forgiven
 * @param field the field's name as the user sees it, for the message
 * @param options.endpoint the path that the caller appends, forgiven when it was typed, e.g. `/passport/oauth/token`
 * @param options.allowHttp accept plain http for hosts that are not loopback: secret and token would travel unencrypted
 */
export function parseServiceUrl(
	text: unknown,
	field: string,
	options: { endpoint?: string; allowHttp: boolean },
): ServiceUrl {
	const typed = typeof text === 'string' ? text.trim() : '';
	if (typed === '')
		return {
			problem: `${field} is empty. Enter the address of the service, for example https://api.example.com.`,
		};
	if (!URL.canParse(typed)) {
		return {
			problem: `${field} is not a web address: "${typed}". It starts with https://, for example https://api.example.com.`,
		};
	}
	const { protocol, hostname, username } = new URL(typed);
	if (protocol !== 'https:' && protocol !== 'http:') {
		return { problem: `${field} starts with "${protocol}". Only https:// addresses can be used.` };
	}
	if (username)
		return {
			problem: `${field} carries a user name. Enter only the address, for example https://${hostname}.`,
		};
	if (protocol === 'http:' && !options.allowHttp && !LOOPBACK.test(hostname)) {
		return {
			problem: `${field} starts with http://, so anybody on the way could read what is sent to ${hostname}. Use https://, or turn on "Allow Unencrypted HTTP" in the credential.`,
		};
	}
	const plain = typed.replace(/\/+$/, '');
	const { endpoint = '' } = options;
	return {
		url: endpoint !== '' && plain.endsWith(endpoint) ? plain.slice(0, -endpoint.length) : plain,
	};
}
