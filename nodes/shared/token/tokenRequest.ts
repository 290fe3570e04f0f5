import { createHash } from 'crypto';
import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { classifyNetworkError, type NetworkError } from '../networkError';
import { parseServiceUrl } from '../serviceUrl';
import { parseTokenResponse, type TokenEndpointResponse } from './tokenResponse';
import { TokenCache, type Token } from './TokenCache';

export const ENDPOINT_PATH = '/passport/oauth/token';
const TIMEOUT = 30_000;

/** No token could be had; the message is for the user. Carries no cause: the failed request contains the client secret. */
export class TokenRequestError extends UserError {
	constructor(
		message: string,
		/** Whether the same requestToken may succeed in a moment. */
		readonly temporary: boolean,
	) {
		super(message);
	}
}

/** Has n8n fetch a token before it sends anything: it does so when a request comes back with status 401. */
export class ForceTokenRefresh extends UserError {
	readonly response = { status: 401 };

	constructor() {
		super('The stored token does not belong to this client.');
	}
}

type HttpRequest = (options: IHttpRequestOptions) => Promise<unknown>;

/** One per client: in memory only, and bounded, for a process that sees very many clients. */
const sources = new Map<string, TokenCache>();
const MAX_CLIENTS = 200;

/** Tells clients apart, without saying anything about them: a token belongs to the client that it was issued to. */
const clientOf = ({ authUrl, clientId, clientSecret, scope }: ICredentialDataDecryptedObject) =>
	createHash('sha256')
		.update(JSON.stringify([authUrl, clientId, clientSecret, scope]))
		.digest('hex');

function sourceOf(client: string): TokenCache {
	const source = sources.get(client) ?? new TokenCache();
	sources.delete(client);
	sources.set(client, source);
	for (const oldest of sources.keys()) if (sources.size > MAX_CLIENTS) sources.delete(oldest);
	return source;
}

/** A token as it is stored with the credential: behind the client that it was issued to. */
export const storedToken = (credentials: ICredentialDataDecryptedObject, token: string) =>
	`${clientOf(credentials)} ${token}`;

/**
 * The stored token, if it is this client's. n8n keeps it when the user enters another client, whose payments must not be sent in the name of
 * the first.
 */
export function ownToken(credentials: ICredentialDataDecryptedObject): string | undefined {
	const [client, token] = String(credentials.accessToken ?? '').split(' ');
	return client === clientOf(credentials) ? token : undefined;
}

/**
 * A token in place of the one in `credentials`, to be stored there, by one requestToken for all who ask at the same time
 * (service interface, sections 4.1 and 5). Throws `TokenRequestError`.
 */
export async function getToken(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<string> {
	const allowHttp = credentials.allowHttp === true;
	const { url, problem } = parseServiceUrl(credentials.authUrl, 'Auth URL', {
		endpoint: ENDPOINT_PATH,
		allowHttp,
	});
	if (problem !== undefined) throw new TokenRequestError(problem, false);
	return await sourceOf(clientOf(credentials)).refresh(
		String(credentials.accessToken ?? ''),
		async () => await requestToken(url, credentials, httpRequest),
	);
}

async function requestToken(
	authUrl: string,
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<Token> {
	const url = authUrl + ENDPOINT_PATH;
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		scope: String(credentials.scope),
		client_id: String(credentials.clientId).trim(),
		client_secret: String(credentials.clientSecret).trim(),
	});
	const mintedAt = Date.now();
	const answer = await httpRequest({
		method: 'POST',
		url,
		headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
		body: form.toString(),
		encoding: 'text',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// A redirect would carry the secret to an address that the user did not enter.
		disableFollowRedirect: true,
		timeout: TIMEOUT,
	}).then(
		(response) => parseTokenResponse(asText(response as FullResponse), url),
		(error: NetworkError) => {
			const { reason, temporary } = classifyNetworkError(error, new URL(url).host);
			return {
				problem: `No token could be had, because ${reason}. Check the Auth URL, then try again.`,
				temporary,
			};
		},
	);
	if ('problem' in answer) throw new TokenRequestError(answer.problem, answer.temporary);
	return {
		value: storedToken(credentials, answer.accessToken),
		mintedAt,
		expiresAt: mintedAt + answer.expiresInSeconds * 1000,
	};
}

interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

const asText = ({ statusCode, headers, body }: FullResponse): TokenEndpointResponse => ({
	statusCode,
	body: typeof body === 'string' ? body : JSON.stringify(body ?? ''),
	contentType: String(headers['content-type'] ?? ''),
});
