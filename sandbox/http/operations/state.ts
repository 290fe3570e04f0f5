import { eventKinds, recommendedEvents } from '../../deliveries/eventTypes';
import { restoreSnapshot, takeSnapshot } from '../../state/snapshot';
import { paymentTransitions, virtualAccountTransitions } from '../../state/transitions';
import type { SandboxState } from '../../state/sandboxState';
import type { State } from '../../types';
import type { Operations } from './types';

/** A snapshot of a long run is larger than any request of the service itself. */
const BODY_LIMIT = 256 * 1024 * 1024;
/** Proxies and browsers give up on a stream that is silent for long. */
const HEARTBEAT_MS = 15_000;

/** The state as a whole: out, in, and what changes in it. */
export const stateOperations = (world: SandboxState): Operations => ({
	exportState: async () => takeSnapshot(world),
	importState: {
		bodyLimit: BODY_LIMIT,
		handler: async (request, reply) => {
			restoreSnapshot(world, request.body as State);
			return await reply.code(204).send();
		},
	},
	getVocabulary: async () => ({
		events: eventKinds,
		recommendedEvents,
		paymentTransitions,
		virtualAccountTransitions,
	}),
	streamChanges: (_request, reply) => {
		reply.hijack();
		const { raw } = reply;
		const send = (event: string, data: object) =>
			raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
		raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		send('hello', {
			instance: world.instance,
			startedAt: world.startedAt,
			counts: world.allCounts(),
		});
		const unwatch = world.changes.watch((areas) =>
			send('changed', { areas, counts: world.allCounts() }),
		);
		const heartbeat = setInterval(() => raw.write(': still here\n\n'), HEARTBEAT_MS);
		raw.on('close', () => {
			clearInterval(heartbeat);
			unwatch();
		});
	},
});
