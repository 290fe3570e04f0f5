import type { State, StateLoaded } from '../types';
import { noCounts } from './counts';
import type { SandboxState } from './sandboxState';
import { ServiceError } from './serviceError';
import { withoutSecrets } from './withoutSecrets';

/** The longest text (bytes) of a state. A sandbox loads what another has saved. */
export const MAX_STATE_BYTES = 64 * 1024 * 1024;

/** What is wrong with a value, as in a response with 400. */
interface Warning {
	position: string;
	issue: string;
}

/** Copies the state, without tokens and without what waits to be sent. */
export function takeSnapshot(state: SandboxState, secrets: boolean): State {
	const snapshot: State = {
		sandbox: 1,
		savedAt: state.clock.now(),
		clients: [...state.clients.stored.values()],
		endpoints: [...state.endpoints.stored.values()],
		virtualAccounts: [...state.accounts.log],
		payments: [...state.payments.log],
		transactions: [...state.transactions.log],
		olderEventIds: state.transactions.olderEventIds(),
		scenarioRequests: state.scenarioRequests.save(),
		events: [...state.events],
		deliveries: [...state.dispatcher.log],
		requests: [...state.requests],
		sequences: [...state.sequences.stored.values()],
		counts: state.allCounts(),
		faults: state.faults.current,
		clock: state.clock.read(),
	};
	return secrets ? snapshot : withoutSecrets(snapshot);
}

/** Returns the state as the text of a file. Throws 409 if no sandbox could load it. */
export function serializeState(state: SandboxState, secrets: boolean): string {
	const text = `${JSON.stringify(takeSnapshot(state, secrets), null, '\t')}\n`;
	if (Buffer.byteLength(text) > MAX_STATE_BYTES)
		throw new ServiceError(
			409,
			'STATE_TOO_LARGE',
			`The state is larger than ${MAX_STATE_BYTES / 2 ** 20} MB. Clear the data, and save a shorter test.`,
		);
	return text;
}

const isJsonObject = (text: string) => {
	try {
		return typeof (JSON.parse(text) as unknown) === 'object';
	} catch {
		return false;
	}
};

/** Returns what is wrong with a state that matches its schema: what belongs together doesn't. */
export function stateWarnings(state: State): Warning[] {
	const warnings: Warning[] = [];
	const checkUnique = (list: keyof State, member: string) => {
		const seen = new Map<unknown, number>();
		for (const [index, record] of ((state[list] ?? []) as object[]).entries()) {
			const id = (record as Record<string, unknown>)[member];
			const first = seen.get(id);
			if (first === undefined) seen.set(id, index);
			else
				warnings.push({
					position: `${list}.${index}.${member}`,
					issue: `Is that of ${list}.${first}, too`,
				});
		}
	};
	checkUnique('clients', 'clientId');
	for (const list of ['transactions', 'scenarioRequests'] as const) checkUnique(list, 'eventId');
	checkUnique('sequences', 'name');
	for (const list of [
		'endpoints',
		'virtualAccounts',
		'payments',
		'events',
		'deliveries',
		'requests',
		'sequences',
	] as const)
		checkUnique(list, 'id');
	for (const [index, { eventId, transaction }] of (state.transactions ?? []).entries()) {
		if (eventId !== transaction.eventId)
			warnings.push({
				position: `transactions.${index}.eventId`,
				issue: 'Must be the eventId of its transaction',
			});
	}
	for (const [index, { body }] of (state.deliveries ?? []).entries()) {
		if (!isJsonObject(body))
			warnings.push({ position: `deliveries.${index}.body`, issue: 'Must be a JSON object' });
	}
	return warnings;
}

/** Continues with saved counts. What was in progress isn't anymore. */
function loadCounts(state: SandboxState, { counts }: State): void {
	const loaded = structuredClone(counts) ?? noCounts();
	const { transactions, deliveries, events } = loaded;
	if (!counts) transactions.created = state.transactions.log.size;
	transactions.inFlight = state.counts.transactions.inFlight;
	transactions.processing = 0;
	deliveries.failed += deliveries.pending;
	deliveries.pending = 0;
	events.types = Object.assign(noCounts().events.types, events.types);
	state.counts = loaded;
}

/**
 * Replaces the state, unless something in it doesn't belong together. Nothing is sent, and nothing
 * goes on that was in progress.
 *
 * @param snapshot a state that matches its schema
 * @throws 409 with what doesn't belong together; then the state is as it was
 */
export function restoreSnapshot(state: SandboxState, snapshot: State): StateLoaded {
	const warnings = stateWarnings(snapshot);
	if (warnings.length > 0) {
		const [{ position, issue }] = warnings;
		const more = warnings.length > 1 ? `; and ${warnings.length - 1} more` : '';
		throw new ServiceError(
			409,
			'STATE_INCONSISTENT',
			`The state can't be loaded: ${position}: ${issue}${more}. Nothing was changed.`,
			warnings,
		);
	}
	state.reset(true);
	const { clients = [], endpoints = [], clock, faults } = snapshot;
	const newSecrets: StateLoaded = {
		clients: clients.flatMap((client) => state.clients.load(client) ?? []),
		endpoints: endpoints.filter((one) => state.endpoints.load(one)).map(({ id }) => id),
	};
	for (const account of snapshot.virtualAccounts ?? []) state.accounts.log.add(account.id, account);
	for (const payment of snapshot.payments ?? []) state.payments.log.add(payment.id, payment);
	for (const stored of snapshot.transactions ?? []) state.transactions.add(stored);
	for (const event of snapshot.events ?? []) state.events.add(event.id, event);
	for (const delivery of snapshot.deliveries ?? []) state.dispatcher.load(delivery);
	for (const request of snapshot.requests ?? []) state.requests.add(request.id, request);
	for (const sequence of snapshot.sequences ?? [])
		state.sequences.stored.set(sequence.id, sequence);
	state.transactions.loadOlderEventIds(snapshot.olderEventIds ?? []);
	state.scenarioRequests.load(snapshot.scenarioRequests ?? []);
	if (faults) state.faults.replace(faults);
	if (clock) state.clock.load(clock);
	loadCounts(state, snapshot);
	return newSecrets;
}
