import { createHash } from 'crypto';

import { BoundedMap } from '../shared/BoundedMap';

const MAX_DELIVERIES = 10_000;
const MAX_TRIGGERS = 1000;
const MAX_AGE_MS = 8 * 24 * 3_600_000;

/**
 * In queue mode, n8n can lose track of an execution and never answer its delivery. After this time,
 * the delivery counts as new: a service that retries 10 times, 10 minutes apart, still does.
 */
const IN_FLIGHT_MS = 30 * 60_000;

/**
 * Identifies a delivery: by its exact bytes, and by the ID that its sender signs with them. One
 * alone isn't enough: services sign one ID for all statuses of a payment, and send the same bytes
 * for two events without a time.
 *
 * @param signedId the ID of the delivery, where the signature scheme signs one
 * @returns 96 bits of SHA-256 in 16 characters: bodies are long, and 10,000 of them must fit
 */
export function identifyDelivery(rawBody: Buffer, signedId?: string): string {
	// JSON writes no line break, so that no ID continues in a body.
	const id = `${JSON.stringify(signedId ?? null)}\n`;
	const hash = createHash('sha256').update(id).update(rawBody);
	return hash.digest().subarray(0, 12).toString('base64');
}

/** The deliveries of one trigger, in the memory of this process: maps without values. */
class DeliveryDeduplicator {
	private readonly acknowledged = new BoundedMap<string, undefined>({
		maxSize: MAX_DELIVERIES,
		maxAgeMs: 0,
	});

	private readonly inFlight = new BoundedMap<string, undefined>({
		maxSize: MAX_DELIVERIES,
		maxAgeMs: IN_FLIGHT_MS,
	});

	/** @param windowMs how long an acknowledged delivery counts as a duplicate, earlier ones too */
	set windowMs(windowMs: number) {
		this.acknowledged.bounds.maxAgeMs = windowMs;
	}

	/**
	 * Marks a new delivery as in flight, until `end` is called for it. The time of a duplicate starts
	 * anew, because it can have been signed later than the delivery before it.
	 */
	begin(delivery: string): 'new' | 'inFlight' | 'duplicate' {
		if (this.inFlight.has(delivery)) return 'inFlight';
		if (this.acknowledged.has(delivery)) {
			this.acknowledged.set(delivery, undefined);
			return 'duplicate';
		}
		this.inFlight.set(delivery, undefined);
		return 'new';
	}

	/** @param isAcknowledged whether the answer is a success, so that a retry is a duplicate */
	end(delivery: string, isAcknowledged: boolean): void {
		this.inFlight.delete(delivery);
		if (isAcknowledged) this.acknowledged.set(delivery, undefined);
	}
}

/** By the trigger's name. Publishing a workflow again changes nothing. */
const deduplicators = new BoundedMap<string, DeliveryDeduplicator>({
	maxSize: MAX_TRIGGERS,
	maxAgeMs: MAX_AGE_MS,
});

/** @param trigger names the trigger */
export function deduplicatorOf(trigger: string, windowMs: number): DeliveryDeduplicator {
	const deduplicator = deduplicators.get(trigger) ?? new DeliveryDeduplicator();
	deduplicator.windowMs = windowMs;
	// Set again, so that the trigger that was idle for the longest time is the oldest.
	deduplicators.set(trigger, deduplicator);
	return deduplicator;
}
