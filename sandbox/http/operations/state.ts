import { eventTypes, recommendedEvents } from '../../deliveries/eventCatalog';
import { scenarios } from '../../state/scenarios';
import { paymentTransitions, virtualAccountTransitions } from '../../state/transitions';
import type { SandboxState } from '../../state/sandboxState';
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

/** The vocabulary of the page, and the stream of changes. */
export const stateOperations = (state: SandboxState): Operations => ({
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
