import { createHash, timingSafeEqual } from 'node:crypto';
import type { Client, ClientWithSecret, NewClient, Scope } from '../types';
import type { Clock } from './clock';
import { newId, newSecret } from './ids';
import { notFound, ServiceError } from './serviceError';

const digest = (secret: string) => createHash('sha256').update(secret).digest('hex');
const everyScope: Scope[] = ['PAYMENTS', 'payments.*', 'OXYGEN'];

type StoredClient = Client & { secretDigest: string };

/** The clients of the Developers section. Only digests of their secrets are kept (section 5). */
export class Clients {
	readonly stored = new Map<string, StoredClient>();

	constructor(private readonly clock: Clock) {}

	create(wanted: NewClient): ClientWithSecret {
		const clientId = wanted.clientId ?? newId('cli', 20);
		if (this.stored.has(clientId))
			throw new ServiceError(
				409,
				'CLIENT_ALREADY_EXISTS',
				`A client with the ID ${clientId} already exists.`,
			);
		const clientSecret = wanted.clientSecret ?? newSecret();
		const client = {
			clientId,
			name: wanted.name ?? '',
			scopes: wanted.scopes ?? everyScope,
			createdAt: this.clock.now(),
		};
		this.stored.set(clientId, { ...client, secretDigest: digest(clientSecret) });
		return { ...client, clientSecret };
	}

	/** Returns the clients without the digests of their secrets. */
	list(): Client[] {
		return [...this.stored.values()].map(({ secretDigest: _, ...client }) => client);
	}

	delete(clientId: string): void {
		if (!this.stored.delete(clientId)) throw notFound('client', clientId);
	}

	/** Returns the client when the secret is correct, in constant time. */
	authenticate(clientId: string, clientSecret: string): StoredClient | undefined {
		const client = this.stored.get(clientId);
		const known = Buffer.from(client?.secretDigest ?? digest(''));
		return timingSafeEqual(known, Buffer.from(digest(clientSecret))) ? client : undefined;
	}
}
