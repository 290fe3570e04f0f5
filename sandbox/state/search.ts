import type { SearchResult } from '../types';
import type { SandboxState } from './sandboxState';
import { hasParty } from './transactions';

/** The most transactions, payments, and so on. One External ID can have several transactions. */
const limit = 20;

/** Finds the records with an ID: their own, or that of what they belong to. */
export function search(state: SandboxState, id: string): SearchResult[] {
	const { transactions, payments, dispatcher, endpoints, clients } = state;
	const transactionsWith = transactions.log.page(
		{ limit },
		({ eventId, transaction, paymentId }) =>
			[eventId, transaction.externalId, paymentId].includes(id) || hasParty(transaction, id),
	);
	const paymentsWith = payments.log.page(
		{ limit },
		({ id: own, fromId, toId, metadata }) =>
			// Several have one Event ID, if a fault let the service forget it.
			own === id || metadata.eventId === id || fromId === id || toId === id,
	);
	const deliveriesWith = dispatcher.log.page(
		{ limit },
		(delivery) => delivery.id === id || delivery.eventId === id,
	);
	const endpoint = endpoints.stored.get(id);
	const client = clients.stored.get(id);
	const found: SearchResult[] = [
		...transactionsWith.items.map(({ eventId, transaction, paymentId, firstSeenAt }) => ({
			kind: 'transaction' as const,
			id: eventId,
			at: firstSeenAt,
			status: payments.statusOf(paymentId),
			text: `${transaction.amount} ${transaction.currency}, ${transaction.externalId}`,
		})),
		...paymentsWith.items.map(({ id: own, createdAt, status, amount, currency, reference }) => ({
			kind: 'payment' as const,
			id: own,
			at: createdAt,
			status,
			text: `${amount} ${currency}, ${reference}`,
		})),
		...deliveriesWith.items.map((delivery) => ({
			kind: 'delivery' as const,
			id: delivery.id,
			at: delivery.createdAt,
			status: delivery.status,
			text: delivery.event,
		})),
	];
	if (endpoint) found.push({ kind: 'endpoint', id, at: endpoint.createdAt, text: endpoint.url });
	if (client) found.push({ kind: 'client', id, at: client.createdAt, text: client.name });
	return found.length > 0 ? found : requestsWith(state, id);
}

/** The request with an ID, or those with a transaction that wasn't recorded. */
const requestsWith = ({ requests }: SandboxState, id: string): SearchResult[] =>
	requests
		.page({ limit }, (one) => [one.id, one.eventId, one.externalId].includes(id))
		.items.map(({ id: own, at, status, method, path }) => ({
			kind: 'request',
			id: own,
			at,
			status,
			text: `${method} ${path}`,
		}));
