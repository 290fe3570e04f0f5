import type { Clock } from '../state/clock';
import { newId } from '../state/ids';
import { notFound } from '../state/serviceError';
import type { Endpoint, EndpointWithSecret, NewEndpoint } from '../types';
import { newSecretFor } from './sign';

/** The webhook endpoints: URL, event types, and how their deliveries are signed. */
export class Endpoints {
	readonly stored = new Map<string, EndpointWithSecret>();

	constructor(private readonly clock: Clock) {}

	create({ secret, ...wanted }: NewEndpoint): EndpointWithSecret {
		const scheme = wanted.scheme ?? 'messageSignature';
		const endpoint = {
			label: '',
			...wanted,
			scheme,
			id: newId('whe', 20),
			secret: secret ?? newSecretFor(scheme),
			createdAt: this.clock.now(),
		};
		this.stored.set(endpoint.id, endpoint);
		return endpoint;
	}

	/** Returns the endpoints without their secrets. */
	list(): Endpoint[] {
		return [...this.stored.values()].map(({ secret: _, ...endpoint }) => endpoint);
	}

	get(id: string): EndpointWithSecret {
		const endpoint = this.stored.get(id);
		if (!endpoint) throw notFound('webhook endpoint', id);
		return endpoint;
	}

	delete(id: string): void {
		if (!this.stored.delete(id)) throw notFound('webhook endpoint', id);
	}

	/** Returns the endpoints that subscribe to an event type. */
	subscribed(event: string): EndpointWithSecret[] {
		return [...this.stored.values()].filter(
			({ events }) => events.includes(event) || events.includes('*'),
		);
	}
}
