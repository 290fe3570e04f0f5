import { createHash } from 'crypto';

import { BoundedMap } from '../shared/BoundedMap';

/** What identifies an event. */
interface IdentifiedEvent {
	eventType: string;
	/** Missing when the event can't be recognized. */
	id?: string;
}

/** The events of one trigger, as hashes: maps without values. */
interface SeenEvents {
	acknowledged: BoundedMap<string, undefined>;
	inFlight: BoundedMap<string, undefined>;
}

/** Events without duplicates, and a function to call once, when their delivery is answered. */
interface NewEvents<E> {
	events: E[];
	/** @param succeeded whether the answer is a success, after which the events are remembered */
	end: (succeeded: boolean) => void;
}

const MAX_EVENTS = 10_000;
const MAX_TRIGGERS = 1000;
const MAX_AGE_MS = 8 * 24 * 3_600_000;

/**
 * In queue mode, n8n can lose track of an execution and never answer its delivery. After this time,
 * the event counts as new, because a service that retries 10 times, 10 minutes apart, still does.
 */
const IN_FLIGHT_MS = 30 * 60_000;

/** By the trigger's name. Publishing a workflow again changes nothing. */
const seenByTrigger = new BoundedMap<string, SeenEvents>({
	maxSize: MAX_TRIGGERS,
	maxAgeMs: MAX_AGE_MS,
});

function seenEventsOf(trigger: string, windowMs: number): SeenEvents {
	const seen = seenByTrigger.get(trigger) ?? {
		acknowledged: new BoundedMap({ maxSize: MAX_EVENTS, maxAgeMs: windowMs }),
		inFlight: new BoundedMap({ maxSize: MAX_EVENTS, maxAgeMs: IN_FLIGHT_MS }),
	};
	// The window of the events that are remembered already changes, too.
	seen.acknowledged.bounds.maxAgeMs = windowMs;
	// Set again, so that the trigger that was idle for the longest time is the oldest.
	seenByTrigger.set(trigger, seen);
	return seen;
}

/** 96 bits of SHA-256 in 16 characters: IDs can be long, and 10,000 of them must fit. */
function hashOf(eventType: string, id: string): string {
	const key = JSON.stringify([eventType, id]);
	return createHash('sha256').update(key).digest().subarray(0, 12).toString('base64');
}

/**
 * Drops the events that a trigger has already acknowledged, in the memory of this process, and
 * marks the others as in flight.
 *
 * @param trigger names the trigger
 * @param windowMs how long an acknowledged event counts as a duplicate
 * @returns undefined when another delivery of one of the events is in flight
 */
export function deduplicate<E extends IdentifiedEvent>(
	trigger: string,
	events: readonly E[],
	windowMs: number,
): NewEvents<E> | undefined {
	const { acknowledged, inFlight } = seenEventsOf(trigger, windowMs);
	const hashes = new Set<string>();
	const newEvents: E[] = [];
	for (const event of events) {
		// An event without an ID can't be recognized, so it's never a duplicate.
		if (event.id === undefined) {
			newEvents.push(event);
			continue;
		}
		const hash = hashOf(event.eventType, event.id);
		if (inFlight.has(hash)) return undefined;
		if (acknowledged.has(hash) || hashes.has(hash)) continue;
		hashes.add(hash);
		newEvents.push(event);
	}
	for (const hash of hashes) inFlight.set(hash, undefined);
	return {
		events: newEvents,
		end(succeeded) {
			for (const hash of hashes) {
				inFlight.delete(hash);
				if (succeeded) acknowledged.set(hash, undefined);
			}
		},
	};
}
