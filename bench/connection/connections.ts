import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TYPESCRIPT, startProcess, type ManagedProcess } from '../../host/processes';
import type { Distance } from './distance';

/** How a request travels: plain HTTP, or HTTPS, over a round trip of so many ms. */
const ROUND_TRIPS = { https: 0, 'https-30ms': 30, 'https-100ms': 100 } as const;

type Distant = keyof typeof ROUND_TRIPS;
export type Connection = 'http' | Distant;

export interface Connections {
	/** The service's address over each connection. */
	urls: Record<Connection, string>;
	/** The file for NODE_EXTRA_CA_CERTS. */
	certificate: string;
	close(): Promise<void>;
}

/** Makes a service reachable over every connection, each with a process of its own in between. */
export async function openConnections(service: string): Promise<Connections> {
	const { key, cert, file } = makeCertificate();
	const target = Number(new URL(service).port);
	const urls = { http: service } as Connections['urls'];
	const processes: ManagedProcess[] = [];
	for (const [connection, roundTrip] of Object.entries(ROUND_TRIPS)) {
		const distance = startDistanceProcess(connection, { target, roundTrip, key, cert });
		processes.push(distance);
		const [, port] = await distance.waitFor(/distance: (\d+)/, 60_000);
		urls[connection as Distant] = `https://localhost:${port}`;
	}
	const close = async () =>
		void (await Promise.all(processes.map(async (one) => await one.stop())));
	return { urls, certificate: file, close };
}

/** Makes a certificate for localhost. */
function makeCertificate() {
	const folder = mkdtempSync(join(tmpdir(), 'payments-certificate-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
	const file = join(folder, 'certificate.pem');
	const keyFile = join(folder, 'key.pem');
	const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
	const files = ['-keyout', keyFile, '-out', file];
	execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
		stdio: 'ignore',
	});
	return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(file, 'utf8'), file };
}

/** The key is made for this run, and nothing else trusts it. */
function startDistanceProcess(name: string, distance: Distance): ManagedProcess {
	const script = join(__dirname, 'main.ts');
	const args = ['--import', TYPESCRIPT, script, JSON.stringify(distance)];
	return startProcess(name, process.execPath, args);
}
