import type { SandboxState } from './sandboxState';
import { hasParty } from './transactions';
import type { SearchResult } from '../types';

/** The most results. One External ID can have several transactions. */
const MAX_RESULTS = 20;

/** Finds the records with an ID: their own, or that of what they belong to. */
export function search(state: SandboxState, id: string): SearchResult[] {
	const { transactions, payments, accounts, dispatcher, events, requests } = state;
	const results: SearchResult[] = [];
	const add = (kind: SearchResult['kind'], found: string | undefined) => {
		const isNew = !results.some((one) => one.kind === kind && one.id === found);
		if (found !== undefined && isNew && results.length < MAX_RESULTS)
			results.push({ kind, id: found });
	};
	let isParty = accounts.log.get(id) !== undefined;
	add('transaction', transactions.log.get(id)?.eventId);
	for (const { eventId, transaction, paymentId } of transactions.log) {
		if (transaction.externalId === id || paymentId === id) add('transaction', eventId);
		isParty ||= hasParty(transaction, id);
	}
	add('payment', payments.log.get(id)?.id);
	for (const { id: paymentId, fromId, toId, metadata } of payments.log) {
		isParty ||= fromId === id || toId === id;
		// Several, if a fault let the service forget the Event ID.
		if (metadata.eventId === id) add('payment', paymentId);
	}
	add('payment', transactions.log.get(id)?.paymentId);
	if (isParty) add('account', id);
	add('event', events.get(id)?.id);
	add('delivery', dispatcher.log.get(id)?.id);
	add('request', requests.get(id)?.id);
	// Those of a recorded transaction are shown with it.
	for (const one of results.length > 0 ? [] : requests) {
		if (one.eventId === id || one.externalId === id) add('request', one.id);
	}
	// What no record is about but an event, such as a payee.
	for (const event of results.length > 0 ? [] : events) {
		if (event.about === id) add('event', event.id);
	}
	if (state.endpoints.stored.has(id)) add('endpoint', id);
	if (state.clients.stored.has(id)) add('client', id);
	if (state.sequences.stored.has(id)) add('sequence', id);
	return results;
}
