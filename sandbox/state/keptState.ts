import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import type { SandboxState } from './sandboxState';

/** The maps and sets that hold what is recorded. */
const storesOf = (state: SandboxState): Record<string, Map<unknown, unknown> | Set<unknown>> => ({
	clients: state.clients.stored,
	endpoints: state.endpoints.stored,
	tokens: state.tokens.valid,
	requests: state.requests.records,
	deliveries: state.dispatcher.log.records,
	payments: state.payments.log.records,
	transactions: state.transactions.log.records,
	eventIds: state.transactions.eventIds,
	inProgress: state.transactions.inProgress,
	steps: state.transactions.steps,
	idempotencyKeys: state.idempotencyKeys.requests.records,
});

/** What a file has: the state without its clock, in one graph, so that no record is there twice. */
interface KeptState extends Pick<SandboxState, 'instance' | 'counts'> {
	faults: SandboxState['faults']['current'];
	stores: ReturnType<typeof storesOf>;
}

/** Writes the state to a file, which is always a whole one. */
export function keepState(state: SandboxState, file: string): void {
	const { instance, counts, faults } = state;
	const kept: KeptState = { instance, counts, faults: faults.current, stores: storesOf(state) };
	// It has tokens and secrets.
	writeFileSync(`${file}.new`, serialize(kept), { mode: 0o600 });
	renameSync(`${file}.new`, file);
}

/** Fills a new state from a file, and goes on with what was under way. */
export function restoreState(state: SandboxState, file: string): void {
	const { instance, counts, faults, stores } = deserialize(readFileSync(file)) as KeptState;
	counts.transactions.inFlight = 0;
	Object.assign(state, { instance, counts });
	state.faults.current = faults;
	for (const [name, store] of Object.entries(storesOf(state))) {
		if (store instanceof Map)
			for (const [key, value] of stores[name] as Map<unknown, unknown>) store.set(key, value);
		else for (const value of stores[name].keys()) store.add(value);
	}
	state.transactions.resume();
	state.dispatcher.resume();
}
