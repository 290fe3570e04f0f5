import axios, { type AxiosResponse } from 'axios';
import { Agent } from 'node:http';

/**
 * Resolves with any status. Keeps connections, so that a test of thousands doesn't run out of
 * ports.
 */
export const http = axios.create({
	proxy: false,
	validateStatus: () => true,
	httpAgent: new Agent({ keepAlive: true }),
});

export interface Credentials {
	clientId: string;
	clientSecret: string;
}

/** The response of the token endpoint: a token, or the error of RFC 6749, section 5.2. */
export interface TokenResponse {
	access_token: string;
	token_type: string;
	error?: string;
	error_description?: string;
}

/** The response to a transaction: the transaction, or what is wrong with it. */
export interface TransactionResponse {
	errorCode?: string;
	message?: string;
	warnings?: unknown;
}

/** Requests a token (docs/interface.md, 4.1), with some form fields changed. */
export const askToken = async (
	url: string,
	{ clientId, clientSecret }: Credentials,
	changes: Record<string, string> = {},
): Promise<AxiosResponse<TokenResponse>> => {
	const form = {
		grant_type: 'client_credentials',
		scope: 'PAYMENTS',
		client_id: clientId,
		client_secret: clientSecret,
		...changes,
	};
	return await http.post(`${url}/passport/oauth/token`, new URLSearchParams(form).toString());
};

/** Sends a transaction (docs/interface.md, 4.2). */
export const sendTransaction = async (
	url: string,
	token: string,
	body: unknown,
	{ timeoutMs = 30_000, headers = {} }: { timeoutMs?: number; headers?: object } = {},
): Promise<AxiosResponse<TransactionResponse>> =>
	await http.post(`${url}/api/v1/transactions`, body, {
		headers: { authorization: `Bearer ${token}`, ...headers },
		timeout: timeoutMs,
	});
