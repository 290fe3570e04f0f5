import { tally } from '../state/counts';
import { newId } from '../state/ids';
import type { Counts, EndpointWithSecret, EventSent, NewEvent } from '../types';
import type { WebhookDispatcher } from './webhookDispatcher';
import type { Endpoints } from './endpoints';

/** Creates events and passes them to the dispatcher. */
export class Emitter {
	constructor(
		private readonly endpoints: Endpoints,
		private readonly dispatcher: WebhookDispatcher,
		private readonly counts: () => Counts['events'],
	) {}

	/**
	 * Emits an event to every subscribed endpoint, or only to `only`. `data` is serialized now, because it may change later.
	 *
	 * @returns the id of the event and those of its deliveries
	 */
	emit(
		{ event, data = {}, previousValues = {}, createdAt = Date.now(), id }: NewEvent,
		only?: EndpointWithSecret,
	): EventSent {
		const counts = this.counts();
		counts.emitted++;
		tally(counts.types, event);
		const receivers = only ? [only] : this.endpoints.subscribed(event);
		const emitted = { id: id ?? newId('evt'), event, data, previousValues, createdAt };
		// Most benchmarks have no receiver, so an event without one isn't serialized.
		const body = receivers.length > 0 ? JSON.stringify(emitted) : '';
		return {
			id: emitted.id,
			deliveries: receivers.flatMap((receiver) =>
				this.dispatcher.dispatch(emitted, body, receiver),
			),
		};
	}
}
