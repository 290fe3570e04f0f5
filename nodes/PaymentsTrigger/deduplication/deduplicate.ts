import type { PaymentEvent } from '../events/parseEvents';
import { DeliveryDeduplicator } from './DeliveryDeduplicator';

/** What a response tells about how it went out: Node's own members. */
export interface ResponseState {
	statusCode: number;
	/** The connection is gone; before `writableFinished` this means that the sender heard nothing. */
	closed: boolean;
	writableFinished: boolean;
	once(event: 'close', listener: () => void): unknown;
}

const LIMITS = { count: 10_000, age: 24 * 60 * 60 * 1000 };
const memories = new Map<string, DeliveryDeduplicator>();

const memoryOf = (trigger: string): DeliveryDeduplicator => {
	const memory = memories.get(trigger) ?? new DeliveryDeduplicator(LIMITS, Date.now);
	memories.set(trigger, memory);
	return memory;
};

/**
 * Drops the events that a trigger has taken before, and marks the others as under way until their delivery is answered.
 * They count as taken when, and only when, that answer was a success and went out.
 *
 * @param trigger names the trigger; its memory is this process's own and outlives a new activation of the workflow
 * @returns the events to run, or that one of them is being run by another delivery at this moment
 */
export function deduplicate(
	trigger: string,
	events: readonly PaymentEvent[],
	response: ResponseState,
): PaymentEvent[] | 'underWay' {
	const memory = memoryOf(trigger);
	const fresh = new Map<string | PaymentEvent, PaymentEvent>();
	for (const event of events) {
		// An event without an id cannot be recognised: it stands for itself alone.
		const key = event.id === undefined ? event : `${event.kind} ${event.id}`;
		const state = typeof key === 'string' ? memory.stateOf(key) : 'new';
		if (state === 'underWay') return state;
		if (state === 'new') fresh.set(key, event);
	}
	// A sender that has gone already hears no answer and sends again, so nothing is remembered.
	if (!response.closed) {
		const end = memory.begin([...fresh.keys()].filter((key) => typeof key === 'string'));
		response.once('close', () =>
			end(response.writableFinished && response.statusCode >= 200 && response.statusCode < 300),
		);
	}
	return [...fresh.values()];
}
