import axios, { type AxiosResponse } from 'axios';
import { Agent, createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { SAMPLE } from '../builders/transactions';

/** Any status is an answer. Connections are kept, so that a test of thousands does not run out of ports. */
export const http = axios.create({
	proxy: false,
	validateStatus: () => true,
	httpAgent: new Agent({ keepAlive: true }),
});

export interface Credentials {
	clientId: string;
	clientSecret: string;
}

/** What the token endpoint answers with: a token, or the error of RFC 6749, section 5.2. */
export interface TokenResponse {
	access_token: string;
	token_type: string;
	error?: string;
	error_description?: string;
}

/** What the service answers to a transaction: the transaction, or what is wrong with it. */
export interface TransactionResponse {
	errorCode?: string;
	message?: string;
	warnings?: unknown;
}

/** Service interface, section 4.1, with some fields changed. */
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

/** Service interface, section 4.2. */
export const sendTransaction = async (
	url: string,
	token: string,
	body: unknown,
	timeoutMs = 30_000,
): Promise<AxiosResponse<TransactionResponse>> =>
	await http.post(`${url}/api/v1/transactions`, body, {
		headers: { authorization: `Bearer ${token}` },
		timeout: timeoutMs,
	});

/** The sample with ids of its own. */
export const transaction = (id: string | number) => ({
	...SAMPLE,
	eventId: `event-${id}`,
	externalId: `external-${id}`,
});

export interface Received {
	headers: IncomingHttpHeaders;
	body: string;
}

export interface Receiver {
	url: string;
	received: Received[];
	/** The most deliveries that were open at one time. */
	maxOpen: () => number;
	stop: () => void;
}

/** A webhook receiver that answers what `answer` says: a status, after so many ms. */
export async function startReceiver(
	answer: (received: Received, index: number) => { status: number; afterMs?: number } = () => ({
		status: 200,
	}),
): Promise<Receiver> {
	const received: Received[] = [];
	let [open, maxOpen] = [0, 0];
	const server: Server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		maxOpen = Math.max(maxOpen, ++open);
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			const one = { headers: request.headers, body: Buffer.concat(chunks).toString() };
			received.push(one);
			const { status, afterMs = 0 } = answer(one, received.length - 1);
			setTimeout(() => {
				open--;
				response.writeHead(status).end(`answer ${received.length}`);
			}, afterMs);
		});
	});
	// Longer than any test pauses: the sandbox would otherwise meet a connection that is just being closed.
	server.keepAliveTimeout = 60_000;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`;
	const stop = () => {
		server.closeAllConnections();
		server.close();
	};
	return { url, received, maxOpen: () => maxOpen, stop };
}
