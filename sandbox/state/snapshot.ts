import type { State } from '../types';
import type { SandboxState } from './sandboxState';

/** Copies the state. Deliveries and tokens aren't part of it: they belong to the run that created them. */
export const takeSnapshot = (world: SandboxState): State => ({
	sandbox: 1,
	clients: [...world.clients.stored.values()],
	endpoints: [...world.endpoints.stored.values()],
	virtualAccounts: [...world.accounts.log],
	payments: [...world.payments.log],
	transactions: [...world.transactions.log],
	faults: world.faults.current,
});

/** Puts a snapshot in the place of everything that is there. What was still being processed stays as it was then. */
export function restoreSnapshot(world: SandboxState, snapshot: State): void {
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
