import { exampleOf } from '../../deliveries/eventCatalog';
import type { SandboxState } from '../../state/sandboxState';
import type { NewClient, NewEndpoint, NewEvent } from '../../types';
import { idOf, type Operations } from './types';

/** The Developers section of the dashboard. */
export const clientOperations = (state: SandboxState): Operations => ({
	listClients: async () => ({ items: state.clients.list() }),
	createClient: async (request, reply) =>
		await reply.code(201).send(state.clients.create(request.body as NewClient)),
	deleteClient: async (request, reply) => {
		state.clients.delete(idOf(request));
		state.tokens.revoke(idOf(request));
		return await reply.code(204).send();
	},
});

/**
 * Fills in what a request leaves out: the latest payment if the event is about one, otherwise the
 * catalog's example of the event type.
 */
function withExampleData(state: SandboxState, event: NewEvent): NewEvent {
	const example = exampleOf(event.event, state.clock.now());
	const [latest] = state.payments.log.page(1).items;
	const isAboutPayment = event.event.startsWith('PAYMENT.') && latest !== undefined;
	return { ...example, ...(isAboutPayment && { data: { ...latest } }), ...event };
}

/** The Webhooks page of the dashboard. */
export const endpointOperations = (state: SandboxState): Operations => ({
	listEndpoints: async () => ({ items: state.endpoints.list() }),
	createEndpoint: async (request, reply) =>
		await reply.code(201).send(state.endpoints.create(request.body as NewEndpoint)),
	deleteEndpoint: async (request, reply) => {
		state.endpoints.delete(idOf(request));
		state.dispatcher.drop(idOf(request));
		return await reply.code(204).send();
	},
	revealSecret: async (request) => {
		const { secret } = state.endpoints.get(idOf(request));
		return { secret };
	},
	sendTestEvent: async (request, reply) => {
		const only = state.endpoints.get(idOf(request));
		const event = withExampleData(state, request.body as NewEvent);
		return await reply.code(202).send(state.emitter.emit(event, { only }));
	},
	emitEvent: async (request, reply) => {
		const event = withExampleData(state, request.body as NewEvent);
		return await reply.code(202).send(state.emitter.emit(event));
	},
});
