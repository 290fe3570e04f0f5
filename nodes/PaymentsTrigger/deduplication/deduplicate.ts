import { BoundedMap } from '../../shared/BoundedMap';
import { DeliveryDeduplicator } from './DeliveryDeduplicator';

/** What identifies an event. */
interface IdentifiedEvent {
	eventType: string;
	/** Missing when the event can't be recognized. */
	id?: string;
}

/** How a response was sent: members of Node's ServerResponse. */
export interface ResponseState {
	statusCode: number;
	/** The connection is gone. Before `writableFinished`, the sender hasn't got the response. */
	closed: boolean;
	writableFinished: boolean;
	once(event: 'close', listener: () => void): unknown;
}

const MAX_EVENTS = 10_000;
const MAX_TRIGGERS = 1000;

/** No event is remembered longer, whatever the option says. */
export const MAX_WINDOW_MS = 24 * 3_600_000;

/** By the trigger's name. Publishing a workflow again changes nothing. */
const deduplicators = new BoundedMap<string, DeliveryDeduplicator>({
	maxSize: MAX_TRIGGERS,
	maxAgeMs: MAX_WINDOW_MS,
});

function deduplicatorOf(trigger: string, windowMs: number): DeliveryDeduplicator {
	const deduplicator =
		deduplicators.get(trigger) ?? new DeliveryDeduplicator(MAX_EVENTS, windowMs, Date.now);
	deduplicator.windowMs = windowMs;
	// Set again, so that the trigger that was idle for the longest time is the oldest.
	deduplicators.set(trigger, deduplicator);
	return deduplicator;
}

const isAcknowledged = ({ statusCode, writableFinished }: ResponseState) =>
	writableFinished && statusCode >= 200 && statusCode < 300;

/**
 * Drops the events that a trigger has already acknowledged, and marks the others as in flight until
 * their delivery is answered. They count as acknowledged when, and only when, that response was a
 * success and was sent.
 *
 * @param trigger names the trigger
 * @param windowMs how long an acknowledged event counts as a duplicate
 * @returns the new events, or undefined when another delivery of one of them is being processed
 */
export function deduplicate<E extends IdentifiedEvent>(
	trigger: string,
	events: readonly E[],
	response: ResponseState,
	windowMs: number,
): E[] | undefined {
	const deduplicator = deduplicatorOf(trigger, windowMs);
	const keys = new Set<string>();
	const newEvents: E[] = [];
	for (const event of events) {
		// An event without an ID can't be recognized, so it's never a duplicate.
		if (event.id === undefined) {
			newEvents.push(event);
			continue;
		}
		const key = `${event.eventType} ${event.id}`;
		const state = deduplicator.stateOf(key);
		if (state === 'inFlight') return undefined;
		if (state === 'duplicate' || keys.has(key)) continue;
		keys.add(key);
		newEvents.push(event);
	}

	// A sender that has hung up gets no response and retries, so nothing is remembered.
	if (!response.closed) {
		const end = deduplicator.begin([...keys]);
		response.once('close', () => end(isAcknowledged(response)));
	}
	return newEvents;
}
