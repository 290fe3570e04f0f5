import { tally } from '../state/counts';
import { newId } from '../state/ids';
import type { Counts, EndpointWithSecret, EventSent, NewEvent } from '../types';
import type { WebhookDispatcher } from './webhookDispatcher';
import type { Endpoints } from './endpoints';

/** Makes events and hands them to the courier. */
export class Emitter {
	constructor(
		private readonly endpoints: Endpoints,
		private readonly courier: WebhookDispatcher,
		private readonly counts: () => Counts['events'],
	) {}

	/** Goes to all that are subscribed, or to the one named. `data` is copied now, as it goes on changing. */
	emit(
		{ event, data = {}, previousValues = {}, createdAt = Date.now(), id }: NewEvent,
		only?: EndpointWithSecret,
	): EventSent {
		const counts = this.counts();
		counts.emitted++;
		tally(counts.types, event);
		const receivers = only ? [only] : this.endpoints.subscribed(event);
		const happened = { id: id ?? newId('evt'), event, data, previousValues, createdAt };
		// Most benchmarks have no receiver; an event that nobody wants costs no serialization.
		const body = receivers.length > 0 ? JSON.stringify(happened) : '';
		return {
			id: happened.id,
			deliveries: receivers.flatMap((receiver) => this.courier.dispatch(happened, body, receiver)),
		};
	}
}
