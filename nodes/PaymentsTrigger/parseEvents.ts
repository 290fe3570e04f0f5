import { failed, ok, type Result } from '../shared/result';
import { asText, isBlank, isObject, ownMember } from '../shared/values';

/** One event of a delivery. */
export interface PaymentEvent {
	/** As it was sent: case and outer blanks don't count. */
	eventType: string;
	/** As `JSON.parse` reads it, with the type, `data`, and `id` first. */
	json: { [field: string]: unknown };
}

/** Members with the event type. The first that has one counts. */
const TYPE_MEMBERS = ['event', 'type'];

/** What a person looks for, before what the editor's table cuts off. */
const FIRST_MEMBERS = [...TYPE_MEMBERS, 'data', 'id'];

const inOrder = (json: PaymentEvent['json']): PaymentEvent['json'] => {
	const names = Object.keys(json);
	const first = FIRST_MEMBERS.filter((name) => names.includes(name));
	return Object.fromEntries([...new Set([...first, ...names])].map((name) => [name, json[name]]));
};

const readEventType = (json: PaymentEvent['json']): string | undefined =>
	TYPE_MEMBERS.map((name) => asText(ownMember(json, name))).find((text) => text.trim() !== '');

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
 * @param signedId the ID of the delivery, where the signature scheme signs one. A single event
 *   whose `id` is missing or has no value gets it.
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
		const eventType = readEventType(json);
		if (eventType === undefined) return noEventType;
		const isComplete = deliveryId === undefined || !isBlank(json.id);
		events.push({ eventType, json: inOrder(isComplete ? json : { ...json, id: deliveryId }) });
	}
	return events.length > 0 ? ok(events) : noEventType;
}
