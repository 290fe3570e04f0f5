import type { PaymentEvent } from '../events/parseEvents';
import { DeliveryDeduplicator } from './DeliveryDeduplicator';

/** What a response tells about how it was sent: members of Node's ServerResponse. */
export interface ResponseState {
	statusCode: number;
	/** The connection is gone. Before `writableFinished` this means that the sender has not got the response. */
	closed: boolean;
	writableFinished: boolean;
	once(event: 'close', listener: () => void): unknown;
}

const MAX_EVENTS = 10_000;

/** By trigger. Stays when the workflow is published again. */
const deduplicators = new Map<string, DeliveryDeduplicator>();

function deduplicatorOf(trigger: string): DeliveryDeduplicator {
	const known = deduplicators.get(trigger);
	if (known) return known;
	const created = new DeliveryDeduplicator(MAX_EVENTS, Date.now);
	deduplicators.set(trigger, created);
	return created;
}

const isSuccess = ({ statusCode, writableFinished }: ResponseState) =>
	writableFinished && statusCode >= 200 && statusCode < 300;

/**
 * Drops the events that a trigger has already acknowledged, and marks the others as in flight until their delivery is
 * answered. They count as acknowledged when, and only when, that response was a success and was sent.
 *
 * @param trigger names the trigger
 * @param window how long an acknowledged event counts as a duplicate, in milliseconds
 * @returns the events to run, or 'inFlight' when another delivery of one of them is being processed
 */
export function deduplicate(
	trigger: string,
	events: readonly PaymentEvent[],
	response: ResponseState,
	window: number,
): PaymentEvent[] | 'inFlight' {
	const deduplicator = deduplicatorOf(trigger);
	const keys = new Set<string>();
	const newEvents: PaymentEvent[] = [];
	for (const event of events) {
		// An event without an ID cannot be recognized, so it is never a duplicate.
		if (event.id === undefined) {
			newEvents.push(event);
			continue;
		}
		const key = `${event.eventType} ${event.id}`;
		const state = deduplicator.stateOf(key, window);
		if (state === 'inFlight') return 'inFlight';
		if (state === 'duplicate' || keys.has(key)) continue;
		keys.add(key);
		newEvents.push(event);
	}

	// A sender that has hung up gets no response and retries, so nothing is remembered.
	if (!response.closed) {
		const end = deduplicator.begin([...keys]);
		response.once('close', () => end(isSuccess(response)));
	}
	return newEvents;
}
