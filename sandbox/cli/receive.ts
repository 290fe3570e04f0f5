import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request with a body, as it arrived. */
export interface Received {
	headers: IncomingHttpHeaders;
	rawBody: Buffer;
}

/**
 * Listens for POST requests on a free port of this machine.
 *
 * @param answer decides what each gets
 * @returns the port, and a function that ends it
 */
export async function receive(
	answer: (request: Received) => Promise<{ status: number; body?: string }>,
): Promise<{ port: number; stop: () => void }> {
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		request.on('data', (chunk: Buffer) => chunks.push(chunk));
		request.on('end', () => {
			if (request.method !== 'POST') return void response.writeHead(405).end();
			const received = { headers: request.headers, rawBody: Buffer.concat(chunks) };
			void answer(received).then(({ status, body }) => response.writeHead(status).end(body));
		});
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const stop = () => {
		server.close();
		server.closeAllConnections();
	};
	return { port: (server.address() as AddressInfo).port, stop };
}
