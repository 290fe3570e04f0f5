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
		const { counts, endpoints, dispatcher } = this.state;
		counts.events.emitted++;
		const receivers = only ? [only] : endpoints.subscribed(event);
		const emitted = { id: id ?? newId('evt'), event, data, previousValues, createdAt };
		const body = JSON.stringify(emitted);
		const deliveries = receivers.flatMap((receiver) =>
			dispatcher.dispatch(emitted, body, receiver, manner),
		);
		return { id: emitted.id, deliveries };
	}
}
