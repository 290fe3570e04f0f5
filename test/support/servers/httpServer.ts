import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HttpServer {
	/** Such as `http://127.0.0.1:41234`. */
	url: string;
	/** Closes all connections and stops listening. */
	stop: () => Promise<void>;
}

export interface ReceivedRequest {
	method: string;
	url: string;
	headers: IncomingHttpHeaders;
	body: string;
}

export type Listener = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

/**
 * Starts an HTTP server on a free port of 127.0.0.1.
 *
 * @param keepAliveMs how long an idle connection stays open; Node's own default is 5 s
 */
export async function startHttpServer(
	listener: Listener,
	{ keepAliveMs }: { keepAliveMs?: number } = {},
): Promise<HttpServer> {
	const server = createServer((request, response) => {
		// It throws when the client disconnects before its request is read.
		const handle = async () => await listener(request, response);
		handle().catch(() => response.destroy());
	});
	if (keepAliveMs !== undefined) server.keepAliveTimeout = keepAliveMs;
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** Reads a request to its end. */
export async function readRequest(incoming: IncomingMessage): Promise<ReceivedRequest> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk as Buffer);
	const { method = '', url = '', headers } = incoming;
	return { method, url, headers, body: Buffer.concat(chunks).toString() };
}
