import type { FastifyRequest } from 'fastify';
import { exampleData, examplePreviousValues } from '../../deliveries/examples';
import { summary, withNextAttempt } from '../../deliveries/views';
import { notFound } from '../../state/serviceError';
import type { SandboxState } from '../../state/sandboxState';
import type {
	Delivery,
	DeliveryStatus,
	NewClient,
	NewEndpoint,
	NewEvent,
	PageQuery,
} from '../../types';
import type { ById, Operations } from './types';

interface DeliveryQuery extends PageQuery {
	endpointId?: string;
	event?: string;
	eventId?: string;
	status?: DeliveryStatus;
}

const idOf = (request: FastifyRequest) => (request.params as ById['Params']).id;

/** Fills in example data of the event type for what the request leaves out. */
const withExampleData = (event: NewEvent): NewEvent => ({
	data: exampleData(event.event),
	previousValues: examplePreviousValues(event.event),
	...event,
});

/** The Developers section of the dashboard. */
export const clientOperations = (state: SandboxState): Operations => ({
	listClients: async () => ({ items: state.clients.list() }),
	createClient: async (request, reply) => {
		state.changes.touch('clients');
		return await reply.code(201).send(state.clients.create(request.body as NewClient));
	},
	deleteClient: async (request, reply) => {
		state.clients.delete(idOf(request));
		state.tokens.revoke(idOf(request));
		state.changes.touch('clients');
		return await reply.code(204).send();
	},
	listTokens: async (request) => ({
		items: state.tokens.list((request.query as Required<PageQuery>).limit),
	}),
});

/** The Webhooks page of the dashboard. */
export const endpointOperations = (state: SandboxState): Operations => ({
	listEndpoints: async () => ({ items: state.endpoints.list() }),
	createEndpoint: async (request, reply) => {
		state.changes.touch('endpoints');
		return await reply.code(201).send(state.endpoints.create(request.body as NewEndpoint));
	},
	deleteEndpoint: async (request, reply) => {
		state.endpoints.delete(idOf(request));
		state.dispatcher.drop(idOf(request));
		state.changes.touch('endpoints');
		return await reply.code(204).send();
	},
	revealSecret: async (request) => state.endpoints.secret(idOf(request)),
	rotateSecret: async (request) => state.endpoints.rotate(idOf(request)),
	sendTestEvent: async (request, reply) => {
		const endpoint = state.endpoints.get(idOf(request));
		return await reply
			.code(202)
			.send(state.emitter.emit(withExampleData(request.body as NewEvent), endpoint));
	},
	emitEvent: async (request, reply) =>
		await reply.code(202).send(state.emitter.emit(withExampleData(request.body as NewEvent))),
});

/** The list of deliveries. */
export function deliveryOperations(state: SandboxState): Operations {
	const intervalMs = () => state.faults.current.retries.intervalMs;
	const find = (id: string): Delivery => {
		const delivery = state.dispatcher.log.get(id);
		if (!delivery) throw notFound('delivery', id);
		return delivery;
	};
	return {
		listDeliveries: async (request) => {
			const { limit, before, ...filter } = request.query as DeliveryQuery;
			const wanted = Object.entries(filter) as Array<[keyof typeof filter, string]>;
			const page = state.dispatcher.log.page({ limit, before }, (delivery) =>
				wanted.every(([name, value]) => delivery[name] === value),
			);
			return { ...page, items: page.items.map((delivery) => summary(delivery, intervalMs())) };
		},
		getDelivery: async (request) => withNextAttempt(find(idOf(request)), intervalMs()),
		resendDelivery: async (request, reply) =>
			await reply
				.code(202)
				.send(summary(state.dispatcher.resend(find(idOf(request))), intervalMs())),
	};
}
