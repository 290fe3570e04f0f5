import { createHash, timingSafeEqual } from 'node:crypto';
import type { Client, ClientWithSecret, NewClient, Scope, StoredClient } from '../types';
import { newId, newSecret } from './ids';
import { notFound, ServiceError } from './serviceError';

const digest = (secret: string) => createHash('sha256').update(secret).digest('hex');
const everyScope: Scope[] = ['PAYMENTS', 'payments.*', 'OXYGEN'];

/** The Developers section of the dashboard. */
export class Clients {
	readonly stored = new Map<string, StoredClient>();

	create(wanted: NewClient): ClientWithSecret {
		const clientId = wanted.clientId ?? newId('cli', 20);
		if (this.stored.has(clientId))
			throw new ServiceError(
				409,
				'CLIENT_ALREADY_EXISTS',
				`There is a client with the id ${clientId} already.`,
			);
		const clientSecret = wanted.clientSecret ?? newSecret();
		const client = {
			clientId,
			name: wanted.name ?? '',
			scopes: wanted.scopes ?? everyScope,
			createdAt: Date.now(),
		};
		this.stored.set(clientId, { ...client, secretDigest: digest(clientSecret) });
		return { ...client, clientSecret };
	}

	list(): Client[] {
		return [...this.stored.values()].map(({ secretDigest: _, ...client }) => client);
	}

	delete(clientId: string): void {
		if (!this.stored.delete(clientId)) throw notFound('client', clientId);
	}

	/** The client that knows the secret, or undefined. */
	authenticate(clientId: string, clientSecret: string): StoredClient | undefined {
		const client = this.stored.get(clientId);
		const known = Buffer.from(client?.secretDigest ?? digest(''));
		return timingSafeEqual(known, Buffer.from(digest(clientSecret))) ? client : undefined;
	}
}
