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
import { requestIdIn } from '../serviceResponse';
import { tokenUrl } from '../serviceUrl';
import { USER_AGENT } from '../userAgent';
import { asText, isEmpty } from '../values';
import {
	MIN_SECRET_LENGTH,
	parseTokenResponse,
	permanent,
	type IssuedToken,
	type TokenProblem,
} from './tokenResponse';
import { ClientToken, TOKEN_REQUEST_INTERVAL_MS, type Token } from './ClientToken';

const TIMEOUT_MS = 30_000;

/**
 * There is no access token. The message includes the fix, because the credential test shows only
 * the message. It has no cause, because the failed request contains the client secret.
 */
export class TokenRequestError extends UserError {
	/** In ms of `performance.now`. */
	readonly retryAt?: number;

	constructor(readonly problem: TokenProblem) {
		super(asSentences(problem));
		if (problem.waitMs !== undefined) this.retryAt = performance.now() + problem.waitMs;
	}

	/** How long the service asks to wait from now on, in ms. */
	get waitMs(): number | undefined {
		return this.retryAt && Math.max(0, this.retryAt - performance.now());
	}
}

/** Makes n8n get a token, and call `authenticate` again, as after a response with status 401. */
export class ForceTokenRefresh extends UserError {
	readonly response = { status: 401 };

	constructor() {
		super('The stored access token must be replaced.');
	}
}

/** n8n's helper, in short. */
export type HttpRequest = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/** The token of each client, in memory only. */
const clientTokens = new BoundedMap<string, ClientToken>({
	maxSize: 200,
	maxAgeMs: 24 * 3_600_000,
});

/** Identifies a client. Stored with its token, so it's a hash, which doesn't reveal the secret. */
const clientKey = ({ authUrl, clientId, clientSecret, scope }: ICredentialDataDecryptedObject) =>
	createHash('sha256')
		.update(JSON.stringify([authUrl, clientId, clientSecret, scope]))
		.digest('hex');

/** Returns the token that all requests of this process share that have the same client. */
export function tokenOf(credentials: ICredentialDataDecryptedObject): ClientToken {
	const client = clientKey(credentials);
	const token = clientTokens.get(client) ?? new ClientToken();
	clientTokens.set(client, token);
	return token;
}

/**
 * Formats a token as the credential stores it in `accessToken`. The service gets only the last
 * part, the bearer token.
 */
const formatStored = (client: string, { renewAt, bearerToken }: Token) =>
	`${client} ${renewAt} ${bearerToken}`;

/**
 * Reads the stored token, if it was issued to the client in `credentials`. n8n keeps the token when
 * a user enters another client, which must not use the token of the first.
 */
function parseStored(credentials: ICredentialDataDecryptedObject): Token | undefined {
	const [client, renewAt, bearerToken] = asText(credentials.accessToken).split(' ');
	if (client !== clientKey(credentials) || bearerToken === undefined) return undefined;
	return { bearerToken, renewAt: Number(renewAt) };
}

/** Returns the access token to send, or `undefined` if a new one is needed. */
export function usableToken(credentials: ICredentialDataDecryptedObject): string | undefined {
	const token = tokenOf(credentials);
	token.adopt(parseStored(credentials));
	return token.usable?.bearerToken;
}

/**
 * Makes sure that there is a token that can be sent. Concurrent calls for the same client share one
 * token request (docs/interface.md, 4.1 and 5).
 *
 * @returns the new token in the form that the credential stores, for the one call that requested
 *   it: n8n writes to its database for each call that returns one
 * @throws TokenRequestError
 */
export async function renewToken(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<string | undefined> {
	const token = await tokenOf(credentials).renew(async () => {
		const { value, problem } = await requestToken(credentials, httpRequest);
		if (problem) throw new TokenRequestError(problem);
		return { bearerToken: value.bearerToken, renewAt: renewalTime(value, Date.now()) };
	});
	return token && formatStored(clientKey(credentials), token);
}

/** A token is renewed so long before it ends, or after 9/10 of its lifetime, whichever is later. */
const RENEWAL_MARGIN_MS = 60_000;

function renewalTime({ expiresInSeconds }: IssuedToken, now: number): number {
	const lifetimeMs = expiresInSeconds * 1000;
	const margin = Math.min(RENEWAL_MARGIN_MS, lifetimeMs / 10);
	return Math.round(now + Math.max(lifetimeMs - margin, TOKEN_REQUEST_INTERVAL_MS));
}

/** What a token request needs, by its name in the credential. */
const REQUIRED = { clientId: 'Client ID', clientSecret: 'Client Secret', scope: 'Scope' };

/**
 * Says why no token can be requested: by the Auth URL, or by a field without text. The editor
 * requires one, but an expression can give anything.
 */
export function findClientProblem(
	credentials: ICredentialDataDecryptedObject,
): Problem | undefined {
	const { problem } = tokenUrl(credentials);
	if (problem) return problem;
	for (const [name, field] of Object.entries(REQUIRED)) {
		const value = credentials[name];
		if (typeof value === 'string' && !isEmpty(value)) continue;
		return {
			message: `'${field}' ${isEmpty(value) ? 'is empty' : "isn't text"}`,
			fix: 'Correct it in the credential. If it has an expression, check that it gives text.',
		};
	}
	return undefined;
}

/** Makes one token request (docs/interface.md, 4.1). It is sent nowhere but to the Auth URL. */
export async function requestToken(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<Result<IssuedToken, TokenProblem>> {
	const problem = findClientProblem(credentials);
	if (problem) return permanent(problem.message, problem.fix);
	const url = tokenUrl(credentials).value!;
	const secret = asText(credentials.clientSecret).trim();
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		scope: asText(credentials.scope),
		client_id: asText(credentials.clientId).trim(),
		client_secret: secret,
	});
	const timeout = AbortSignal.timeout(TIMEOUT_MS);
	try {
		const response = await httpRequest({
			method: 'POST',
			url,
			headers: {
				'Content-Type': 'application/x-www-form-urlencoded',
				Accept: 'application/json',
				...USER_AGENT,
			},
			body: form.toString(),
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			// A redirect would carry the secret to an address that the user didn't enter.
			disableFollowRedirect: true,
			// The total time. The timeout of the HTTP client begins anew with each byte.
			abortSignal: timeout,
		});
		const { statusCode: status, headers } = response;
		// n8n's helper for credential tests parses JSON all the same.
		const body =
			typeof response.body === 'string' ? response.body : JSON.stringify(response.body ?? null);
		const result = parseTokenResponse({ status, headers, body }, url, secret);
		const requestId = requestIdIn(headers);
		const isSafe = !requestId?.includes(secret.slice(0, MIN_SECRET_LENGTH));
		return result.problem && isSafe ? { problem: { ...result.problem, requestId } } : result;
	} catch (error) {
		const block = findBlock(error);
		if (block !== undefined)
			return permanent(
				`n8n can't get an access token, because it blocked the request: ${block}`,
				ALLOW_HOSTS,
			);
		const { host } = new URL(url);
		const { reason, temporary } = timeout.aborted
			? { reason: `${host} didn't respond in time`, temporary: true }
			: classifyNetworkError(error as NetworkError, url);
		return {
			problem: {
				message: `n8n can't get an access token, because ${reason}`,
				fix: 'Check the Auth URL, then try again.',
				temporary,
			},
		};
	}
}
