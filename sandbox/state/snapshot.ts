import type { Faults } from '../faults/types';
import type { EndpointWithSecret, Payment, StoredTransaction, VirtualAccount } from '../types';
import type { StoredClient } from './clients';
import type { SandboxState } from './sandboxState';

/** The whole state as JSON. Deliveries and tokens are not part of it: they belong to the run that made them. */
export interface Snapshot {
	sandbox: 1;
	clients?: StoredClient[];
	endpoints?: EndpointWithSecret[];
	virtualAccounts?: VirtualAccount[];
	payments?: Payment[];
	transactions?: StoredTransaction[];
	faults?: Partial<Faults>;
}

export const takeSnapshot = (world: SandboxState): Snapshot => ({
	sandbox: 1,
	clients: [...world.clients.stored.values()],
	endpoints: [...world.endpoints.stored.values()],
	virtualAccounts: [...world.accounts.log],
	payments: [...world.payments.log],
	transactions: [...world.transactions.log],
	faults: world.faults.current,
});

/** Puts a snapshot in the place of everything that is there. What was still being processed stays as it was then. */
export function restoreSnapshot(world: SandboxState, snapshot: Snapshot): void {
	world.reset(true);
	for (const client of snapshot.clients ?? []) world.clients.stored.set(client.clientId, client);
	for (const endpoint of snapshot.endpoints ?? [])
		world.endpoints.stored.set(endpoint.id, endpoint);
	for (const account of snapshot.virtualAccounts ?? []) world.accounts.log.add(account.id, account);
	for (const payment of snapshot.payments ?? []) world.payments.log.add(payment.id, payment);
	for (const stored of snapshot.transactions ?? []) world.transactions.add(stored);
	if (snapshot.faults) world.faults.replace(snapshot.faults);
	world.counts.transactions.created = world.transactions.log.size;
}
