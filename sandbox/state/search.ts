import type { SandboxState } from './sandboxState';
import type { SearchResult } from '../types';

/** The most results. One External ID can have several transactions. */
const MAX_RESULTS = 20;

/** Finds the records with an ID: their own, or that of the transaction they belong to. */
export function search(state: SandboxState, id: string): SearchResult[] {
	const { transactions, payments, accounts, dispatcher, events, requests } = state;
	const results: SearchResult[] = [];
	const add = (kind: SearchResult['kind'], found: string | undefined) => {
		const isNew = !results.some((one) => one.kind === kind && one.id === found);
		if (found !== undefined && isNew && results.length < MAX_RESULTS)
			results.push({ kind, id: found });
	};
	add('transaction', transactions.log.get(id)?.eventId);
	for (const { eventId, transaction, paymentId } of transactions.log) {
		if (transaction.externalId === id || paymentId === id) add('transaction', eventId);
	}
	add('payment', payments.log.get(id)?.id);
	add('payment', transactions.log.get(id)?.paymentId);
	add('account', accounts.log.get(id)?.id);
	add('delivery', dispatcher.log.get(id)?.id);
	for (const delivery of events.get(id)?.deliveries ?? []) add('delivery', delivery);
	add('request', requests.get(id)?.id);
	// Those of a recorded transaction are shown with it.
	for (const one of results.length > 0 ? [] : requests) {
		if (one.eventId === id || one.externalId === id) add('request', one.id);
	}
	if (state.endpoints.stored.has(id)) add('endpoint', id);
	if (state.clients.stored.has(id)) add('client', id);
	return results;
}
