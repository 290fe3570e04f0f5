import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { createSecureContext, TLSSocket } from 'node:tls';

const FOLDER = join(__dirname, '../.cache/bench');
const KEY = join(FOLDER, 'key.pem');
/** The file for NODE_EXTRA_CA_CERTS. */
export const CERTIFICATE = join(FOLDER, 'certificate.pem');

/** Makes a certificate for localhost, which only the n8n of this run trusts. */
export function makeCertificate(): void {
	mkdirSync(FOLDER, { recursive: true });
	const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
	const files = ['-keyout', KEY, '-out', CERTIFICATE];
	const command = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files];
	execFileSync('openssl', command, { stdio: 'ignore' });
}

/**
 * Accepts HTTPS connections on a free port, and passes everything on to an HTTP server of this
 * machine, so late that it seems to be far away.
 *
 * A new connection waits for two round trips, which TCP and TLS 1.3 need until the first request
 * leaves (RFC 8446, section 2), and each request for one more, which it and its answer travel. What
 * follows at once on the same connection belongs to the same request.
 *
 * @returns its address
 */
export async function startDistance(target: string, roundTripMs: number): Promise<string> {
	const port = Number(new URL(target).port);
	const context = createSecureContext({ key: readFileSync(KEY), cert: readFileSync(CERTIFICATE) });
	const accept = async (socket: Socket) => {
		socket.on('error', () => socket.destroy());
		if (roundTripMs > 0) await wait(2 * roundTripMs);
		const near = new TLSSocket(socket, { isServer: true, secureContext: context });
		const far = connect({ port, host: '127.0.0.1', noDelay: true });
		near.on('error', () => far.destroy());
		far.on('error', () => near.destroy());
		near.on('data', (chunk: Buffer) => {
			if (roundTripMs === 0) far.write(chunk);
			else setTimeout(() => far.write(chunk), roundTripMs);
		});
		near.on('end', () => setTimeout(() => far.end(), roundTripMs));
		near.on('close', () => far.destroy());
		far.pipe(near);
	};
	const options = { pauseOnConnect: true, noDelay: true };
	const server = createServer(options, (socket) => void accept(socket)).listen(0, 'localhost');
	await once(server, 'listening');
	server.unref();
	return `https://localhost:${(server.address() as AddressInfo).port}`;
}
