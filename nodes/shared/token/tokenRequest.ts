import { createHash } from 'crypto';
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';

import { BoundedMap } from '../BoundedMap';
import { ALLOW_HOSTS, classifyNetworkError, findBlock, type NetworkError } from '../networkError';
import { asSentences, type Problem, type Result } from '../result';
import { parseServiceUrl } from '../serviceUrl';
import { asText } from '../values';
import {
	hideSecret,
	parseTokenResponse,
	type IssuedToken,
	type TokenEndpointResponse,
	type TokenProblem,
} from './tokenResponse';
import { TokenCache, type Token } from './TokenCache';

/** Service interface, section 4.1. n8n's lint takes a name with TOKEN or OAUTH for a secret. */
const ENDPOINT_PATH = '/passport/oauth/token';
const TIMEOUT_MS = 30_000;

/**
 * There is no access token. The message includes the fix, because the credential test shows only
 * the message. It has no cause, because the failed request contains the client secret.
 */
export class TokenRequestError extends UserError {
	constructor(readonly problem: TokenProblem) {
		super(asSentences(problem));
	}
}

/** Makes n8n fetch a token and repeat the request, as after a response with status 401. */
export class ForceTokenRefresh extends UserError {
	readonly response = { status: 401 };

	constructor() {
		super('The stored access token must be replaced.');
	}
}

type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** The tokens of each client, in memory only. */
const caches = new BoundedMap<string, TokenCache>({ maxSize: 200, maxAgeMs: 24 * 3_600_000 });

/** Identifies a client. Stored with its token, so it's a hash, which doesn't reveal the secret. */
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

/**
 * Formats a token as the credential stores it in `accessToken`. The service gets only the last
 * part, the bearer token.
 */
const formatStoredToken = (client: string, renewAt: number, bearerToken: string) =>
	`${client} ${renewAt} ${bearerToken}`;

const storedTokenIn = ({ accessToken }: ICredentialDataDecryptedObject) => asText(accessToken);

/** The stored token, if it belongs to the client in the credential. */
interface OwnToken {
	bearerToken: string;
	/** Whether it is about to end, or the service seems to reject it. */
	needsRenewal: boolean;
	/** Whether this process has a newer one. */
	isReplaced: boolean;
}

/**
 * Returns the stored token if it was issued to the client in `credentials`. n8n keeps the token
 * when a user enters another client, which must not use the token of the first.
 */
export function ownToken(credentials: ICredentialDataDecryptedObject): OwnToken | undefined {
	const storedToken = storedTokenIn(credentials);
	const [client, renewAt, bearerToken] = storedToken.split(' ');
	if (client !== clientKey(credentials) || bearerToken === undefined) return undefined;
	const isDue = Date.now() >= Number(renewAt);
	const cache = cacheOf(credentials);
	return {
		bearerToken,
		needsRenewal: isDue || cache.isDistrusted(storedToken),
		isReplaced: cache.isReplaced(storedToken),
	};
}

/** Makes the next request of this client get a new token, at most once in a while. */
export function distrustToken(credentials: ICredentialDataDecryptedObject): void {
	cacheOf(credentials).distrust(storedTokenIn(credentials));
}

/**
 * Says whether the next request of this client gets another token than one that the service
 * rejected with 401. Not if n8n had just fetched it for this request.
 *
 * @param startedAt when the request began, in ms since the epoch
 */
export function hasNewerToken(
	credentials: ICredentialDataDecryptedObject,
	startedAt: number,
): boolean {
	const { current } = cacheOf(credentials);
	if (!current) return false;
	return current.storedToken !== storedTokenIn(credentials) || current.issuedAt < startedAt;
}

/**
 * Makes the next request of this client replace a token that the service rejected with 403, for
 * which n8n itself fetches none. At most once in a while.
 *
 * @returns whether the next request gets another token
 */
export function replaceToken(credentials: ICredentialDataDecryptedObject): boolean {
	const cache = cacheOf(credentials);
	const storedToken = storedTokenIn(credentials);
	return cache.isReplaced(storedToken) || cache.distrust(storedToken);
}

/**
 * Returns a new token in place of the one in `credentials`, in the form that the credential stores.
 * Concurrent calls for the same client share one token request (service interface, sections 4.1
 * and 5).
 *
 * @param timeoutMs total time of the token request
 * @throws TokenRequestError
 */
export async function renewToken(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
	timeoutMs = TIMEOUT_MS,
): Promise<string> {
	const { value: url, problem } = parseServiceUrl(credentials.authUrl, 'Auth URL', {
		endpoint: ENDPOINT_PATH,
		allowHttp: credentials.allowHttp === true,
	});
	if (problem) throw new TokenRequestError({ ...problem, temporary: false });
	const request = { url: url + ENDPOINT_PATH, timeoutMs: Math.min(timeoutMs, TIMEOUT_MS) };
	return await cacheOf(credentials).refresh(
		storedTokenIn(credentials),
		async () => await fetchToken(request, credentials, httpRequest),
	);
}

/**
 * Compares the granted scope with the requested one. A service that grants less has to say so
 * (RFC 6749, section 5.1).
 */
export function findMissingScope(credentials: ICredentialDataDecryptedObject): Problem | undefined {
	const granted = cacheOf(credentials).current?.scope;
	if (typeof granted !== 'string') return undefined;
	const requested = asText(credentials.scope);
	const values = granted.split(' ');
	if (requested.split(' ').every((value) => values.includes(value))) return undefined;
	const shown = hideSecret(granted, secretOf(credentials)).slice(0, MAX_SHOWN_SCOPE_LENGTH);
	return {
		message: `The service granted the Scope "${shown}" instead of "${requested}"`,
		fix: 'Select another Scope, or ask the service to allow it for this client.',
	};
}

const MAX_SHOWN_SCOPE_LENGTH = 100;

/** A token is renewed so long before it ends, or after 9/10 of its lifetime, whichever is later. */
const RENEWAL_MARGIN_MS = 60_000;

/** What is sent as the client secret, and must never be part of a message. */
const secretOf = ({ clientSecret }: ICredentialDataDecryptedObject): string =>
	asText(clientSecret).trim();

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
	const { value, problem } = await requestToken(request, credentials, httpRequest);
	if (problem) throw new TokenRequestError(problem);
	const lifetimeMs = value.expiresInSeconds * 1000;
	const renewAt = Math.round(issuedAt + lifetimeMs - Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 10));
	return {
		storedToken: formatStoredToken(clientKey(credentials), renewAt, value.bearerToken),
		issuedAt,
		expiresAt: issuedAt + lifetimeMs,
		scope: value.scope,
	};
}

async function requestToken(
	{ url, timeoutMs }: TokenRequest,
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<Result<IssuedToken, TokenProblem>> {
	const secret = secretOf(credentials);
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		scope: asText(credentials.scope),
		client_id: asText(credentials.clientId).trim(),
		client_secret: secret,
	});
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
			// A redirect would carry the secret to an address that the user didn't enter.
			disableFollowRedirect: true,
			// The total time. The timeout of the HTTP client begins anew with each byte.
			abortSignal: timeout,
		});
		return parseTokenResponse(withTextBody(response as IN8nHttpFullResponse), url, secret);
	} catch (error) {
		const block = findBlock(error);
		if (block !== undefined)
			return {
				problem: {
					message: `n8n can't get an access token, because it blocked the request: ${block}`,
					fix: ALLOW_HOSTS,
					temporary: false,
				},
			};
		const { host } = new URL(url);
		const { reason, temporary } = timeout.aborted
			? { reason: `${host} didn't respond in time`, temporary: true }
			: classifyNetworkError(error as NetworkError, host);
		return {
			problem: {
				message: `n8n can't get an access token, because ${reason}`,
				fix: 'Check the Auth URL, then try again.',
				temporary,
			},
		};
	}
}

const withTextBody = ({
	statusCode,
	headers,
	body,
}: IN8nHttpFullResponse): TokenEndpointResponse => ({
	statusCode,
	body: typeof body === 'string' ? body : JSON.stringify(body ?? null),
	contentType: asText(headers['content-type']),
});
