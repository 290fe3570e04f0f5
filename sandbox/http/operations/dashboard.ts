import type { FastifyRequest } from 'fastify';
import { exampleData, examplePreviousValues } from '../../deliveries/examples';
import { summary, whole } from '../../deliveries/views';
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

/** An event as wanted; what is left out is an example of its kind. */
const complete = (wanted: NewEvent): NewEvent => ({
	data: exampleData(wanted.event),
	previousValues: examplePreviousValues(wanted.event),
	...wanted,
});

/** The Developers section: who may come in. */
export const clientOperations = (world: SandboxState): Operations => ({
	listClients: async () => ({ items: world.clients.list() }),
	createClient: async (request, reply) => {
		world.changes.touch('clients');
		return await reply.code(201).send(world.clients.create(request.body as NewClient));
	},
	deleteClient: async (request, reply) => {
		world.clients.delete(idOf(request));
		world.tokens.revoke(idOf(request));
		world.changes.touch('clients');
		return await reply.code(204).send();
	},
	listTokens: async (request) => ({
		items: world.tokens.list((request.query as Required<PageQuery>).limit),
	}),
});

/** The Webhooks page: who is told. */
export const endpointOperations = (world: SandboxState): Operations => ({
	listEndpoints: async () => ({ items: world.endpoints.list() }),
	createEndpoint: async (request, reply) => {
		world.changes.touch('endpoints');
		return await reply.code(201).send(world.endpoints.create(request.body as NewEndpoint));
	},
	deleteEndpoint: async (request, reply) => {
		world.endpoints.delete(idOf(request));
		world.courier.drop(idOf(request));
		world.changes.touch('endpoints');
		return await reply.code(204).send();
	},
	revealSecret: async (request) => world.endpoints.secret(idOf(request)),
	rotateSecret: async (request) => world.endpoints.rotate(idOf(request)),
	sendTestEvent: async (request, reply) => {
		const endpoint = world.endpoints.get(idOf(request));
		return await reply
			.code(202)
			.send(world.emitter.emit(complete(request.body as NewEvent), endpoint));
	},
	emitEvent: async (request, reply) =>
		await reply.code(202).send(world.emitter.emit(complete(request.body as NewEvent))),
});

export function deliveryOperations(world: SandboxState): Operations {
	const intervalMs = () => world.faults.current.retries.intervalMs;
	const find = (id: string): Delivery => {
		const delivery = world.courier.log.get(id);
		if (!delivery) throw notFound('delivery', id);
		return delivery;
	};
	return {
		listDeliveries: async (request) => {
			const { limit, before, ...filter } = request.query as DeliveryQuery;
			const wanted = Object.entries(filter) as Array<[keyof typeof filter, string]>;
			const page = world.courier.log.page({ limit, before }, (delivery) =>
				wanted.every(([name, value]) => delivery[name] === value),
			);
			return { ...page, items: page.items.map((delivery) => summary(delivery, intervalMs())) };
		},
		getDelivery: async (request) => whole(find(idOf(request)), intervalMs()),
		resendDelivery: async (request, reply) =>
			await reply.code(202).send(summary(world.courier.resend(find(idOf(request))), intervalMs())),
	};
}
