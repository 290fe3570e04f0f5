import type { FastifyRequest } from 'fastify';
import { exampleOf } from '../../deliveries/eventCatalog';
import { summary, withNextAttempt } from '../../deliveries/views';
import { notFound } from '../../state/serviceError';
import { search } from '../../state/search';
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

interface RequestQuery extends PageQuery {
	clientId?: string;
	eventId?: string;
	rejected?: boolean;
}

const idOf = (request: FastifyRequest) => (request.params as ById['Params']).id;

/** Fills in the catalog's example of the event type for what the request leaves out. */
const withExampleData = (event: NewEvent, now: number): NewEvent => ({
	...exampleOf(event.event, now),
	...event,
});

/** The Developers section of the dashboard. */
export const clientOperations = (state: SandboxState): Operations => ({
	listClients: async () => ({ items: state.clients.list() }),
	createClient: async (request, reply) => {
		state.changes.touch('clients');
		return await reply.code(201).send(state.clients.create(request.body as NewClient));
	},
	getClient: async (request) => state.clients.get(idOf(request)),
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

/** Signs as the service does that the sandbox plays, unless the endpoint names a scheme. */
const signedLike = ({ like }: SandboxState, endpoint: NewEndpoint): NewEndpoint => ({
	...like?.behavior.signature,
	...endpoint,
});

/** The Webhooks page of the dashboard. */
export const endpointOperations = (state: SandboxState): Operations => ({
	listEndpoints: async () => ({ items: state.endpoints.list() }),
	createEndpoint: async (request, reply) => {
		state.changes.touch('endpoints');
		return await reply
			.code(201)
			.send(state.endpoints.create(signedLike(state, request.body as NewEndpoint)));
	},
	getEndpoint: async (request) => state.endpoints.view(idOf(request)),
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
		return await reply.code(202).send(
			state.emitter.emit(withExampleData(request.body as NewEvent, state.clock.now()), {
				only: endpoint,
			}),
		);
	},
	emitEvent: async (request, reply) =>
		await reply
			.code(202)
			.send(state.emitter.emit(withExampleData(request.body as NewEvent, state.clock.now()))),
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
		resendDelivery: async (request, reply) => {
			const delivery = state.dispatcher.resend(find(idOf(request)));
			state.events.get(delivery.eventId)?.deliveries.push(delivery.id);
			return await reply.code(202).send(summary(delivery, intervalMs()));
		},
		listEvents: async (request) => {
			const { about, ...page } = request.query as PageQuery & { about?: string };
			return state.events.page(page, (event) => (about ?? event.about) === event.about);
		},
		getEvent: async (request) => {
			const found = state.events.get(idOf(request));
			if (!found) throw notFound('event', idOf(request));
			return found;
		},
		listRequests: async (request) => {
			const { clientId, eventId, rejected, ...page } = request.query as RequestQuery;
			return state.requests.page(page, (one) => {
				const isRejected = one.status === null || one.status >= 400;
				return (
					(clientId ?? one.clientId) === one.clientId &&
					(eventId ?? one.eventId) === one.eventId &&
					(rejected ?? isRejected) === isRejected
				);
			});
		},
		getRequest: async (request) => {
			const found = state.requests.get(idOf(request));
			if (!found) throw notFound('request', idOf(request));
			return found;
		},
		search: async (request) => ({ items: search(state, (request.query as { id: string }).id) }),
	};
}
