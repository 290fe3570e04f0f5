import { setTimeout as wait } from 'node:timers/promises';
import { readRequest, startHttpServer, type ReceivedRequest } from './httpServer';

export interface WebhookReceiver {
	url: string;
	received: ReceivedRequest[];
	/** Returns the most deliveries that were open at one time. */
	maxOpen: () => number;
	stop: () => Promise<void>;
}

/** How a delivery is answered: the status, and how many milliseconds later. */
export interface DeliveryResponse {
	status: number;
	afterMs?: number;
}

const acceptAll = (): DeliveryResponse => ({ status: 200 });

/**
 * Starts a webhook receiver.
 *
 * @param respond decides the response to the delivery with that index
 */
export async function startWebhookReceiver(
	respond: (delivery: ReceivedRequest, index: number) => DeliveryResponse = acceptAll,
): Promise<WebhookReceiver> {
	const received: ReceivedRequest[] = [];
	let open = 0;
	let maxOpen = 0;
	const server = await startHttpServer(
		async (incoming, response) => {
			open += 1;
			maxOpen = Math.max(maxOpen, open);
			const delivery = await readRequest(incoming);
			received.push(delivery);
			const { status, afterMs = 0 } = respond(delivery, received.length - 1);
			if (afterMs > 0) await wait(afterMs);
			open -= 1;
			response.writeHead(status).end(`answer ${received.length}`);
		},
		// Longer than any test pauses, so that the sandbox never sends on a connection that is being
		// closed.
		{ keepAliveMs: 60_000 },
	);
	return { ...server, url: `${server.url}/hook`, received, maxOpen: () => maxOpen };
}
