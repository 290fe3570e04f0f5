import type { State } from '../types';
import type { SandboxState } from './sandboxState';

/** Copies the state, without deliveries and tokens, which belong to the run. */
export const takeSnapshot = (state: SandboxState): State => ({
	sandbox: 1,
	clients: [...state.clients.stored.values()],
	endpoints: [...state.endpoints.stored.values()],
	virtualAccounts: [...state.accounts.log],
	payments: [...state.payments.log],
	transactions: [...state.transactions.log],
	faults: state.faults.current,
});

/** Replaces the state. A transaction that was still being processed keeps the status it had. */
export function restoreSnapshot(state: SandboxState, snapshot: State): void {
	state.reset(true);
	for (const client of snapshot.clients ?? []) state.clients.stored.set(client.clientId, client);
	for (const endpoint of snapshot.endpoints ?? [])
		state.endpoints.stored.set(endpoint.id, endpoint);
	for (const account of snapshot.virtualAccounts ?? []) state.accounts.log.add(account.id, account);
	for (const payment of snapshot.payments ?? []) state.payments.log.add(payment.id, payment);
	for (const stored of snapshot.transactions ?? []) state.transactions.add(stored);
	if (snapshot.faults) state.faults.replace(snapshot.faults);
	state.counts.transactions.created = state.transactions.log.size;
}
