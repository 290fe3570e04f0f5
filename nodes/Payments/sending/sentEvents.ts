import type { CreatedResult, SendFailure } from './outcome';

/** What an execution knows of an event that the service may have recorded. */
export interface SentEvent {
	/** Tells contents apart. */
	fingerprint: string;
	/** Which run of the node in its execution sent it. */
	runIndex: number;
	/** What the service answered; missing when the outcome is unknown. */
	created?: CreatedResult;
	/** The least certain of the attempts that failed. */
	earlier?: SendFailure;
}

const MAX_EVENTS = 10_000;
/** ms */
const MAX_AGE = 60 * 60 * 1000;

const keyOf = (execution: string, eventId: string) => JSON.stringify([execution, eventId]);

/**
 * Remembers, in this process, which events an execution may have had recorded. With *Retry On Fail*, n8n runs the node again with all its
 * items; the service then answers 409 for those that the first try created.
 *
 * Bounded by count and age. For an event that is forgotten, a 409 counts as recorded before the execution.
 */
export class SentEvents {
	private readonly events = new Map<string, SentEvent & { at: number }>();

	constructor(
		private readonly maxEvents = MAX_EVENTS,
		private readonly maxAge = MAX_AGE,
	) {}

	/**
	 * @param execution what identifies the node in its execution
	 * @param now ms since the epoch
	 */
	get(execution: string, eventId: string, now = Date.now()): SentEvent | undefined {
		const event = this.events.get(keyOf(execution, eventId));
		return event && now - event.at <= this.maxAge ? event : undefined;
	}

	/** Remembers an event in place of what was known of it, and forgets the oldest beyond the bounds. */
	set(execution: string, eventId: string, event: SentEvent, now = Date.now()): void {
		const key = keyOf(execution, eventId);
		this.events.delete(key);
		this.events.set(key, { ...event, at: now });
		for (const [oldest, { at }] of this.events) {
			if (this.events.size <= this.maxEvents && now - at <= this.maxAge) break;
			this.events.delete(oldest);
		}
	}
}
