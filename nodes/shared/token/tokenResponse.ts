/** What the token endpoint answered, as text. */
export interface TokenEndpointResponse {
	statusCode: number;
	body: string;
	contentType: string;
}

export type TokenResult =
	| { accessToken: string; expiresInSeconds: number }
	| { problem: string; temporary: boolean };

/** Lifetime when the answer does not carry one: section 5 of the service interface, 60 minutes. */
const DEFAULT_LIFETIME = 3600;

/** RFC 6749 section 5.2, in the words of the credential's fields. */
const OAUTH_ERRORS: Record<string, string> = {
	invalid_client:
		'The service does not know this Client ID and Client Secret. Copy both again from the Developers section of the dashboard; a lost secret cannot be shown again, so create a new client.',
	invalid_scope:
		'The service does not grant this Scope to the client. Choose another Scope, or have the client allowed to use it.',
	unauthorized_client:
		'The service does not let this client use client credentials. Check the client in the Developers section of the dashboard.',
	unsupported_grant_type:
		'The service does not offer tokens for client credentials at this Auth URL. Check the Auth URL.',
	invalid_request:
		'The service could not read the request for a token. Check that Client ID, Client Secret and Scope are filled in.',
};

const asObject = (text: string): Record<string, unknown> | undefined => {
	try {
		const parsed: unknown = JSON.parse(text);
		return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
			? (parsed as Record<string, unknown>)
			: undefined;
	} catch {
		return undefined;
	}
};

/** The service's own words, short and without line breaks, to be quoted behind ours. */
const quoted = (said: unknown) =>
	typeof said === 'string' && said.trim() !== ''
		? ` The service said: "${said.trim().replace(/\s+/g, ' ').slice(0, 200)}"`
		: '';

/**
 * Reads an answer of the token endpoint (service interface, sections 2.4 and 4.1; errors: RFC 6749 section 5.2).
 * Returns the token, or a sentence for the user that never contains a secret.
 *
 * @param url the address that was asked, for the sentence
 */
export function parseTokenResponse(answer: TokenEndpointResponse, url: string): TokenResult {
	const { statusCode, body } = answer;
	const json = asObject(body);
	const definite = (problem: string): TokenResult => ({ problem, temporary: false });

	if (statusCode >= 200 && statusCode < 300) {
		if (!json)
			return definite(
				`${url} answered with ${describeContent(answer)} instead of a token. Check the Auth URL.`,
			);
		const { access_token: accessToken, token_type: tokenType, expires_in: lifetime } = json;
		if (typeof accessToken !== 'string' || accessToken === '') {
			return definite(`${url} answered without an access token. Check the Auth URL.`);
		}
		if (typeof tokenType === 'string' && tokenType.toLowerCase() !== 'bearer') {
			return definite(
				`${url} issued a token of the type "${tokenType.slice(0, 40)}", but the service interface uses bearer tokens. Check the Auth URL.`,
			);
		}
		const seconds = Number(lifetime);
		return {
			accessToken,
			expiresInSeconds: Number.isFinite(seconds) && seconds > 0 ? seconds : DEFAULT_LIFETIME,
		};
	}
	const error = typeof json?.error === 'string' ? json.error : undefined;
	if (error && OAUTH_ERRORS[error])
		return definite(OAUTH_ERRORS[error] + quoted(json?.error_description));
	const said = quoted(json?.error_description ?? json?.message ?? error);
	if (statusCode === 401 || statusCode === 403) return definite(OAUTH_ERRORS.invalid_client + said);
	if (statusCode >= 300 && statusCode < 400) {
		return definite(
			`${url} sends the request on to another address. Enter the final address as Auth URL: the secret is not sent to a place that you did not enter.`,
		);
	}
	if (statusCode === 404 || statusCode === 405)
		return definite(
			`There is no token endpoint at ${url} (status ${statusCode}). Check the Auth URL.`,
		);
	if (statusCode === 429 || statusCode >= 500) {
		return {
			problem: `The token endpoint ${url} cannot answer at the moment (status ${statusCode}). Try again in a minute.${said}`,
			temporary: true,
		};
	}
	return definite(
		`${url} refused the request for a token (status ${statusCode}). Check Auth URL, Client ID, Client Secret and Scope.${said}`,
	);
}

function describeContent({ body, contentType }: TokenEndpointResponse) {
	if (body.trim() === '') return 'nothing';
	return /html/i.test(contentType) || /^\s*</.test(body)
		? 'a web page'
		: 'something that is not JSON';
}
