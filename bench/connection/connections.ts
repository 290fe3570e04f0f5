import { join } from 'node:path';
import { TYPESCRIPT, startProcess, type ManagedProcess } from '../../host/processes';
import { makeCertificate, type Certificate } from './certificate';
import type { Distance } from './distance';

/**
 * How a request travels: plain HTTP, or HTTPS with a certificate of its own, over so long a round
 * trip.
 */
export const ROUND_TRIPS = { https: 0, 'https-30ms': 30, 'https-100ms': 100 } as const;

type Distant = keyof typeof ROUND_TRIPS;
export type Connection = 'http' | Distant;
export const CONNECTIONS: readonly Connection[] = ['http', 'https', 'https-30ms', 'https-100ms'];

export interface Connections {
	/** The service's address over each connection. */
	urls: Record<Connection, string>;
	certificate: Certificate;
	close(): Promise<void>;
}

/** Makes a service reachable over every connection, each with a process of its own in between. */
export async function openConnections(service: string): Promise<Connections> {
	const certificate = await makeCertificate();
	const { key, cert } = certificate;
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
	return { urls, certificate, close };
}

/** The name under which the settings are handed over; a key does not belong on a command line. */
export const DISTANCE = 'PAYMENTS_BENCH_DISTANCE';

function startDistanceProcess(name: string, distance: Distance): ManagedProcess {
	return startProcess(
		name,
		process.execPath,
		['--import', TYPESCRIPT, join(__dirname, 'main.ts')],
		{ env: { ...process.env, [DISTANCE]: JSON.stringify(distance) } },
	);
}
