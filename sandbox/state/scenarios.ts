import { document } from '../contract';
import type { FaultResponse, Scenario, Transaction } from '../types';
import { Log } from './log';

/** What a reference or an External ID can ask for (`x-scenarios` of the contract). */
export const scenarios = document['x-scenarios'] as Scenario[];

/** Returns the scenario that a transaction names; the first of the list if it names several. */
export function scenarioOf({ reference, externalId }: Transaction): Scenario | undefined {
	return scenarios.find(({ name }) => reference.includes(name) || externalId.includes(name));
}

/** Counts the requests of each Event ID: some scenarios affect only the first ones. */
export class ScenarioRequests {
	private readonly counts = new Log<{ requests: number }>('Event ID');

	/** Returns what the next request with an Event ID gets instead of its usual response. */
	next({ response, times = Infinity }: Scenario, eventId: string): FaultResponse | undefined {
		const count = this.counts.get(eventId) ?? this.counts.add(eventId, { requests: 0 });
		return ++count.requests <= times ? response : undefined;
	}

	clear(): void {
		this.counts.clear();
	}
}
