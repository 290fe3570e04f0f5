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

/** No event is remembered longer, whatever the option says. */
export const MAX_WINDOW_MS = 24 * 3_600_000;

interface Trigger {
	deduplicator: DeliveryDeduplicator;
	/** The window of the latest delivery, in milliseconds. */
	window: number;
}

/** By its name. Stays when the workflow is published again, until all its events are too old. */
const triggers = new Map<string, Trigger>();

function deduplicatorOf(name: string, window: number): DeliveryDeduplicator {
	const known = triggers.get(name);
	if (known) {
		known.window = window;
		return known.deduplicator;
	}
	const trigger = { deduplicator: new DeliveryDeduplicator(MAX_EVENTS, Date.now), window };
	triggers.set(name, trigger);
	planSweep(name, trigger);
	return trigger.deduplicator;
}

/** Drops what is too old, also of a workflow that gets no deliveries any more. This timer doesn't keep the process alive. */
function planSweep(name: string, trigger: Trigger): void {
	AbortSignal.timeout(trigger.window + 1).addEventListener('abort', () => {
		if (trigger.deduplicator.forgetOlderThan(trigger.window)) triggers.delete(name);
		else planSweep(name, trigger);
	});
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
	const deduplicator = deduplicatorOf(trigger, window);
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
