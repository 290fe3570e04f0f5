import { eventTypes, recommendedEvents } from '../../deliveries/eventCatalog';
import { scenarios } from '../../state/scenarios';
import { MAX_STATE_BYTES, restoreSnapshot, serializeState } from '../../state/snapshot';
import { paymentTransitions, virtualAccountTransitions } from '../../state/transitions';
import type { SandboxState } from '../../state/sandboxState';
import type { State } from '../../types';
import type { Operations } from './types';

/** Proxies and browsers close a stream that is silent for long. */
const HEARTBEAT_MS = 15_000;

/** The values that the page offers. */
export const vocabulary = {
	events: eventTypes,
	recommendedEvents,
	scenarios,
	paymentTransitions,
	virtualAccountTransitions,
};

/** What the page shows of the sandbox as a whole. */
export const greeting = (state: SandboxState) => ({
	instance: state.instance,
	startedAt: state.startedAt,
	clock: state.clock.read(),
	counts: state.allCounts(),
	...(state.like && { like: state.like.summary }),
});

/** Saving and loading of the state, its vocabulary, and the stream of its changes. */
export const stateOperations = (state: SandboxState): Operations => ({
	saveState: async (request, reply) => {
		const { secrets } = request.query as { secrets: boolean };
		return await reply
			.type('application/json; charset=utf-8')
			.header('content-disposition', 'attachment; filename="sandbox-state.json"')
			.send(serializeState(state, secrets));
	},
	loadState: {
		bodyLimit: MAX_STATE_BYTES,
		handler: async (request) => restoreSnapshot(state, request.body as State),
	},
	getVocabulary: async () => vocabulary,
	streamChanges: (_request, reply) => {
		reply.hijack();
		const { raw } = reply;
		const send = (event: string, data: object) =>
			raw.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
		raw.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-store' });
		send('hello', greeting(state));
		const unwatch = state.changes.watch((areas) =>
			send('changed', { areas, counts: state.allCounts(), clock: state.clock.read() }),
		);
		const heartbeat = setInterval(() => raw.write(': heartbeat\n\n'), HEARTBEAT_MS);
		raw.on('close', () => {
			clearInterval(heartbeat);
			unwatch();
		});
	},
});
