import { exampleOf } from '../deliveries/eventCatalog';
import type { Emitter } from '../deliveries/emitter';
import type { WebhookDispatcher } from '../deliveries/webhookDispatcher';
import type {
	EmittedEvent,
	EventSequence,
	NewEventSequence,
	SequenceEvent,
	SequenceReplay,
	WebhookEvent,
} from '../types';
import type { Changes } from './changes';
import type { Clock } from './clock';
import { newId } from './ids';
import type { Log } from './log';
import { notFound, ServiceError } from './serviceError';

const DEFAULT_LAST = 20;
/** Milliseconds between two looks at the deliveries of an event. */
const POLL_MS = 20;

/** Events that were saved in their order, to replay them. */
export class Sequences {
	readonly stored = new Map<string, EventSequence>();
	/** Grows with every reset, which ends the replays in progress. */
	private round = 0;

	constructor(
		private readonly events: Log<EmittedEvent>,
		private readonly emitter: Emitter,
		private readonly dispatcher: WebhookDispatcher,
		private readonly clock: Clock,
		private readonly changes: Changes,
	) {}

	/** Throws 409 for a name that is in use, and if no events were sent that could be saved. */
	create({ name, events, about, last = DEFAULT_LAST }: NewEventSequence): EventSequence {
		if ([...this.stored.values()].some((one) => one.name === name))
			throw new ServiceError(
				409,
				'SEQUENCE_ALREADY_EXISTS',
				`An event sequence with the name ${name} already exists.`,
			);
		const sequence = {
			id: newId('seq', 20),
			name,
			events: events ?? this.sentEvents(last, about),
			createdAt: this.clock.now(),
		};
		this.stored.set(sequence.id, sequence);
		this.changes.touch('sequences');
		return sequence;
	}

	get(id: string): EventSequence {
		const sequence = this.stored.get(id);
		if (!sequence) throw notFound('event sequence', id);
		return sequence;
	}

	delete(id: string): void {
		if (!this.stored.delete(id)) throw notFound('event sequence', id);
		this.changes.touch('sequences');
	}

	/** Starts to send the events of a sequence. Returns their IDs. */
	replay(id: string): SequenceReplay {
		const events = this.get(id).events.map((event) => ({ ...event, id: newId('evt') }));
		void this.send(events);
		return { events: events.map((event) => event.id) };
	}

	/** Ends the replays in progress. */
	stop(): void {
		this.round++;
	}

	/** Returns the latest events that were sent, the oldest first. */
	private sentEvents(last: number, about?: string): SequenceEvent[] {
		const { items } = this.events.page(
			{ limit: last },
			(event) => (about ?? event.about) === event.about,
		);
		if (items.length === 0)
			throw new ServiceError(
				409,
				'NO_EVENTS',
				about === undefined ? 'No events were sent yet.' : `No events about ${about} were sent.`,
			);
		return items.reverse().map((event) => this.contentOf(event));
	}

	/** Returns what an event contained. Only its deliveries have that. */
	private contentOf({ id, event, deliveries }: EmittedEvent): SequenceEvent {
		const delivery = deliveries.map((one) => this.dispatcher.log.get(one)).find(Boolean);
		if (!delivery)
			throw new ServiceError(
				409,
				'EVENT_NOT_KEPT',
				`The content of the event ${id} isn't kept, because it has no delivery. Add an endpoint that subscribes to ${event}, and trigger it once more.`,
			);
		const { data, previousValues } = JSON.parse(delivery.body) as WebhookEvent;
		return { event, data, previousValues };
	}

	private async send(events: Array<SequenceEvent & { id: string }>): Promise<void> {
		const { round } = this;
		for (const { afterMs = 0, ...event } of events) {
			if (afterMs > 0)
				await new Promise<void>((resolve) => void this.clock.setTimer(resolve, afterMs));
			if (round !== this.round) return;
			const now = this.clock.now();
			const { deliveries } = this.emitter.emit({ ...exampleOf(event.event, now), ...event });
			while (deliveries.some((one) => this.dispatcher.isOnItsWay(one)))
				await new Promise((resolve) => setTimeout(resolve, POLL_MS));
			if (round !== this.round) return;
		}
	}
}
