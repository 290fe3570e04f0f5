import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { Delivery } from '../../nodes/PaymentsTrigger/signature/scheme';

const MAX_BODY_BYTES = 10_000_000;

/** A delivery, and when it arrived, in ms since the epoch. */
export type Arrived = Delivery & { arrivedAt: number };

export interface Receiver {
	port: number;
	/** Resolves once a delivery has arrived. Later ones are acknowledged, and not kept. */
	first: Promise<Arrived>;
	hasArrived: () => boolean;
	stop: () => Promise<void>;
}

/**
 * Listens for deliveries on this machine, and acknowledges each.
 *
 * @param port 0 for any free one
 */
export async function startReceiver(port: number): Promise<Receiver> {
	let arrive: (delivery: Arrived) => void;
	let hasArrived = false;
	const first = new Promise<Arrived>((resolve) => (arrive = resolve));
	const server = createServer((request, response) => {
		const chunks: Buffer[] = [];
		let size = 0;
		request.on('error', () => response.destroy());
		request.on('data', (chunk: Buffer) => {
			size += chunk.length;
			if (size <= MAX_BODY_BYTES) chunks.push(chunk);
		});
		request.on('end', () => {
			const isDelivery = request.method === 'POST' && size <= MAX_BODY_BYTES;
			response.writeHead(isDelivery ? 200 : size > MAX_BODY_BYTES ? 413 : 405).end();
			if (!isDelivery) return;
			const rawBody = Buffer.concat(chunks);
			hasArrived = true;
			arrive({ headers: request.headers, rawBody, arrivedAt: Date.now() });
		});
	});
	await new Promise<void>((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, '127.0.0.1', resolve);
	});
	return {
		port: (server.address() as AddressInfo).port,
		first,
		hasArrived: () => hasArrived,
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}
