import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** Returns a port of 127.0.0.1 that nobody listens on now: the wanted one, or any. */
export async function freePort(wanted = 0): Promise<number> {
	const server = createServer().listen(wanted, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
