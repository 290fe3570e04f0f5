import type { ServerResponse } from 'node:http';
import { readRequest, startHttpServer, type HttpServer, type ReceivedRequest } from './httpServer';

export interface FakeService extends HttpServer {
	/** Every request in the order of arrival, token requests too. */
	received: ReceivedRequest[];
	/** More members of the token response. */
	tokenMembers: Record<string, unknown>;
	/** Returns the requests in the order of arrival, as method and path. */
	calls: () => string[];
}

const rejectAll = (_request: ReceivedRequest, response: ServerResponse) => {
	response.writeHead(405, { allow: 'POST' }).end();
};

/**
 * Starts a service on 127.0.0.1 that issues a token to every client, and answers everything else as
 * `answer` says.
 *
 * @param answer 405 for everything when left out
 */
export async function startFakeService(
	answer: (request: ReceivedRequest, response: ServerResponse) => void = rejectAll,
): Promise<FakeService> {
	const received: ReceivedRequest[] = [];
	let tokens = 0;
	const server = await startHttpServer(async (incoming, response) => {
		const request = await readRequest(incoming);
		received.push(request);
		if (request.url !== '/passport/oauth/token') {
			answer(request, response);
			return;
		}
		tokens += 1;
		const token = {
			access_token: `token-${tokens}`,
			token_type: 'bearer',
			expires_in: 3599,
			...service.tokenMembers,
		};
		response.setHeader('content-type', 'application/json');
		response.end(JSON.stringify(token));
	});
	const calls = () => received.map(({ method, url }) => `${method} ${url}`);
	const service: FakeService = { ...server, received, tokenMembers: {}, calls };
	return service;
}
