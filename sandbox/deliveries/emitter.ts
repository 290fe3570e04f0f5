import { tally } from '../state/counts';
import type { Clock } from '../state/clock';
import type { Changes } from '../state/changes';
import { newId } from '../state/ids';
import type { Log } from '../state/log';
import type { Counts, EmittedEvent, EndpointWithSecret, EventSent, NewEvent } from '../types';
import type { Manner, WebhookDispatcher } from './webhookDispatcher';
import type { Endpoints } from './endpoints';

/** Creates events and passes them to the dispatcher. */
export class Emitter {
	constructor(
		private readonly endpoints: Endpoints,
		private readonly dispatcher: WebhookDispatcher,
		private readonly log: Log<EmittedEvent>,
		private readonly counts: () => Counts['events'],
		private readonly clock: Clock,
		private readonly changes: Changes,
	) {}

	/**
	 * Emits an event to every subscribed endpoint, or only to that of `manner`. `data` is serialized
	 * now, because it may change later.
	 *
	 * @returns the id of the event and those of its deliveries
	 */
	emit(
		{ event, data = {}, previousValues = {}, createdAt = this.clock.now(), id }: NewEvent,
		{ only, ...manner }: Manner & { only?: EndpointWithSecret } = {},
	): EventSent {
		const counts = this.counts();
		counts.emitted++;
		tally(counts.types, event);
		const receivers = only ? [only] : this.endpoints.subscribed(event);
		const emitted = { id: id ?? newId('evt'), event, data, previousValues, createdAt };
		// Most benchmarks have no receiver, so an event without one isn't serialized.
		const body = receivers.length > 0 ? JSON.stringify(emitted) : '';
		const deliveries = receivers.flatMap((receiver) =>
			this.dispatcher.dispatch(emitted, body, receiver, manner),
		);
		const { status } = data;
		const about = [data.paymentId, data.id].find((one) => typeof one === 'string');
		const known = this.log.get(emitted.id);
		if (known) known.deliveries.push(...deliveries);
		else
			this.log.add(emitted.id, {
				id: emitted.id,
				event,
				about: about ?? '',
				...(typeof status === 'string' && { status }),
				createdAt,
				deliveries: [...deliveries],
			});
		this.changes.touch('events');
		return { id: emitted.id, deliveries };
	}
}
