import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext, TLSSocket, type SecureContext } from 'node:tls';

/** Passes everything on to an HTTP server, so late that it seems to be so far away. */
export interface Distance {
	/** The port of the HTTP server on this machine. */
	target: number;
	/** ms. */
	roundTrip: number;
	key: string;
	cert: string;
}

/**
 * Accepts HTTPS connections on a free port and passes them on.
 *
 * A new connection waits for two round trips, which TCP and TLS 1.3 need until the first request
 * leaves (RFC 8446, section 2), and each request for one more, which it and its answer travel. What
 * follows at once on the same connection belongs to the same request.
 *
 * @returns the port
 */
export async function startDistance({ target, roundTrip, key, cert }: Distance): Promise<number> {
	const context = createSecureContext({ key, cert });
	const server = createServer({ pauseOnConnect: true, noDelay: true }, (socket) => {
		socket.on('error', () => socket.destroy());
		void accept(socket, { target, roundTrip, context });
	});
	await new Promise<void>((resolve) => server.listen(0, resolve));
	return (server.address() as AddressInfo).port;
}

async function accept(
	socket: Socket,
	{ target, roundTrip, context }: { target: number; roundTrip: number; context: SecureContext },
): Promise<void> {
	if (roundTrip > 0) await wait(2 * roundTrip);
	const near = new TLSSocket(socket, { isServer: true, secureContext: context });
	const far = connect({ port: target, host: '127.0.0.1', noDelay: true });
	near.on('error', () => far.destroy());
	far.on('error', () => near.destroy());
	near.on('data', (chunk: Buffer) => {
		if (roundTrip === 0) far.write(chunk);
		else setTimeout(() => far.write(chunk), roundTrip);
	});
	near.on('end', () => setTimeout(() => far.end(), roundTrip));
	near.on('close', () => far.destroy());
	far.pipe(near);
}
