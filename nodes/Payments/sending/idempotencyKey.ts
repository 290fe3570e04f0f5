import { nameBasedUuid } from '../eventId';

/**
 * Namespace of the keys of Event IDs that aren't UUIDs (RFC 9562, section 6.6).
 * Never change it after the first release: a repeated execution would have other keys.
 */
const NAMESPACE = 'd70dd594-543b-4f4c-b83c-f2fcfc6cdd2c';

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/i;

/**
 * Returns the Idempotency-Key of a transaction (docs/interface.md, 10.8), the same in each attempt
 * and execution. Services expect a UUID, and a header can't have every character of an Event ID.
 */
export const idempotencyKey = (eventId: string): string =>
	UUID.test(eventId) ? eventId : nameBasedUuid(NAMESPACE, eventId);
