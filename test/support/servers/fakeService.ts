import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface FakeRequest {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export interface FakeService {
	url: string;
	/** Every request in the order of arrival, token requests too. */
	received: FakeRequest[];
	/** The requests of that method, as method and path. */
	calls(): string[];
	stop(): Promise<void>;
}

/**
 * Starts a service on 127.0.0.1 that issues a token to every client, and answers everything else as `answer` says.
 *
 * @param answer 405 for everything when left out
 */
export async function startFakeService(
	answer: (request: FakeRequest, response: ServerResponse) => void = (_, response) =>
		void response.writeHead(405, { allow: 'POST' }).end(),
): Promise<FakeService> {
	const received: FakeRequest[] = [];
	let tokens = 0;
	const server = createServer((incoming, response) => {
		const chunks: Buffer[] = [];
		incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
		incoming.on('end', () => {
			const { method = '', url = '', headers } = incoming;
			const request = { method, url, headers, body: Buffer.concat(chunks).toString() };
			received.push(request);
			if (url !== '/passport/oauth/token') return answer(request, response);
			tokens++;
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({ access_token: `token-${tokens}`, token_type: 'bearer', expires_in: 3599 }),
			);
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		received,
		calls: () => received.map(({ method, url }) => `${method} ${url}`),
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
