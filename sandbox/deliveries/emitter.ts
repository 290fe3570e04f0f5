import { newId } from '../state/ids';
import type { SandboxState } from '../state/sandboxState';
import type { EndpointWithSecret, EventSent, NewEvent } from '../types';
import type { Manner } from './webhookDispatcher';

/** Creates events and passes them to the dispatcher. */
export class Emitter {
	constructor(private readonly state: SandboxState) {}

	/**
	 * Emits an event to every subscribed endpoint, or only to that of `manner`. `data` is serialized
	 * now, because it may change later.
	 *
	 * @returns the id of the event and those of its deliveries
	 */
	emit(
		{ event, data = {}, previousValues = {}, createdAt = this.state.clock.now(), id }: NewEvent,
		{ only, ...manner }: Manner & { only?: EndpointWithSecret } = {},
	): EventSent {
		const { counts, endpoints, dispatcher, events } = this.state;
		counts.events.emitted++;
		const receivers = only ? [only] : endpoints.subscribed(event);
		const emitted = { id: id ?? newId('evt'), event, data, previousValues, createdAt };
		// Most benchmarks have no receiver, so an event without one isn't serialized.
		const body = receivers.length > 0 ? JSON.stringify(emitted) : '';
		const deliveries = receivers.flatMap((receiver) =>
			dispatcher.dispatch(emitted, body, receiver, manner),
		);
		const { status } = data;
		const about = [data.paymentId, data.id].find((one) => typeof one === 'string') ?? '';
		const known = events.get(emitted.id);
		if (known) known.deliveries.push(...deliveries);
		else
			events.add(emitted.id, {
				id: emitted.id,
				event,
				about,
				...(typeof status === 'string' && { status }),
				createdAt,
				deliveries: [...deliveries],
			});
		return { id: emitted.id, deliveries };
	}
}
