import type { SearchResult } from '../types';
import type { Log } from './log';
import type { SandboxState } from './sandboxState';
import { partiesOf } from './transactions';

/** The most transactions, payments, and so on. One External ID can have several transactions. */
const limit = 20;

/** Finds the records with an ID: their own, or that of what they belong to. */
export function search(state: SandboxState, id: string): SearchResult[] {
	const { transactions, payments, dispatcher, endpoints, clients, requests } = state;
	const within = <T>(
		log: Log<T>,
		idsOf: (record: T) => unknown[],
		describe: (record: T) => SearchResult,
	) => log.page(limit, (record) => idsOf(record).includes(id)).items.map(describe);
	const found = [
		...within(
			transactions.log,
			({ eventId, transaction, paymentId }) => [
				...[eventId, transaction.externalId, paymentId],
				...partiesOf(transaction),
			],
			({ eventId, transaction: { amount, currency, externalId }, paymentId, firstSeenAt }) => ({
				...{ kind: 'transaction', id: eventId, at: firstSeenAt },
				status: payments.statusOf(paymentId),
				text: `${amount} ${currency}, ${externalId}`,
			}),
		),
		...within(
			payments.log,
			// Several have one Event ID, if a fault let the service forget it.
			({ id: own, fromId, toId, metadata }) => [own, metadata.eventId, fromId, toId],
			({ id: own, createdAt, status, amount, currency, reference }) => ({
				...{ kind: 'payment', id: own, at: createdAt, status },
				text: `${amount} ${currency}, ${reference}`,
			}),
		),
		...within(
			dispatcher.log,
			({ id: own, eventId }) => [own, eventId],
			({ id: own, createdAt, status, event }) => ({
				...{ kind: 'delivery', id: own, at: createdAt, status },
				text: event,
			}),
		),
	];
	const endpoint = endpoints.stored.get(id);
	if (endpoint) found.push({ kind: 'endpoint', id, at: endpoint.createdAt, text: endpoint.url });
	const client = clients.stored.get(id);
	if (client) found.push({ kind: 'client', id, at: client.createdAt, text: client.name });
	if (found.length > 0) return found;
	// The request with an ID, or those with a transaction that wasn't recorded.
	return within(
		requests,
		({ id: own, eventId, externalId }) => [own, eventId, externalId],
		({ id: own, at, status, method, path }) => ({
			...{ kind: 'request', id: own, at, status },
			text: `${method} ${path}`,
		}),
	);
}
