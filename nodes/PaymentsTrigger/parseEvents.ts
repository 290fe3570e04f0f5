import { failed, ok, type Result } from '../shared/result';
import { isObject, ownMember } from '../shared/values';

/** One event of a delivery. */
export interface PaymentEvent {
	eventType: string;
	/** Missing when the event has no ID that identifies it. */
	id?: string;
	/** The event as it was delivered. */
	json: { [field: string]: unknown };
}

/** Members with the event type and the ID. The first that has one counts. */
const TYPE_MEMBERS = ['event', 'type'];
const ID_MEMBERS = ['id', 'eventId'];

/**
 * Reads an ID.
 *
 * @returns a non-empty text, or the digits of an integer that JSON.parse reads exactly; otherwise
 * undefined. Beyond 2^53, different numbers in the body become the same number in JavaScript, so
 * they don't identify an event.
 */
function toId(value: unknown): string | undefined {
	if (Number.isSafeInteger(value)) return String(value);
	return toText(value);
}

const toText = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** Returns the first of the members that can be read. */
function readFirst(
	json: PaymentEvent['json'],
	members: readonly string[],
	read: (value: unknown) => string | undefined,
): string | undefined {
	return members.map((name) => read(ownMember(json, name))).find((value) => value !== undefined);
}

/** Reads JSON in UTF-8 (RFC 8259, section 8.1). Skips a byte order mark. */
export function parseJson(rawBody: Buffer): Result<unknown> {
	try {
		// Fatal: a lenient decoder would change what an event in another encoding says.
		const text = new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
		return ok(JSON.parse(text) as unknown);
	} catch {
		return failed("its body isn't JSON in UTF-8", 'Set the service to send JSON.');
	}
}

/**
 * Reads the events of a body: an object is one event, an array has one event per element.
 *
 * @param signedId the ID of the delivery, where the signature scheme signs one. It names what is
 *   delivered, so it counts before the members of a single event, and becomes the event's `id` if
 *   the event has no such member. It doesn't tell several events apart.
 * @returns at least one event, each with a type
 */
export function parseEvents(body: unknown, signedId?: string): Result<PaymentEvent[]> {
	const noEventType = failed(
		'its body has no event, or an event without a type',
		"Set the service to send the event type as text in 'event' or 'type'. For other bodies, use n8n's Webhook node.",
	);
	const bodies = (Array.isArray(body) ? body : [body]) as unknown[];
	const deliveryId = bodies.length === 1 ? signedId : undefined;
	const events: PaymentEvent[] = [];
	for (const json of bodies) {
		if (!isObject(json)) return noEventType;
		const eventType = readFirst(json, TYPE_MEMBERS, toText);
		if (eventType === undefined) return noEventType;
		events.push({
			eventType,
			id: deliveryId ?? readFirst(json, ID_MEMBERS, toId),
			json: deliveryId === undefined ? json : { id: deliveryId, ...json },
		});
	}
	return events.length > 0 ? ok(events) : noEventType;
}
