import { failed, ok, type Result } from '../../shared/result';

/** One event of a delivery. */
export interface PaymentEvent {
	eventType: string;
	/** Missing when the event has no ID that identifies it. */
	id?: string;
	/** The event as it was delivered. */
	json: { [field: string]: unknown };
}

/** Dotted paths of the fields with the event's type and ID. */
interface EventFields {
	eventType: string;
	eventId: string;
}

/** Reads the value at a dotted path. Own members only, so that `constructor.name` finds nothing. */
function valueAt(json: unknown, path: string): unknown {
	let value = json;
	for (const name of path.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) {
			return undefined;
		}
		value = Reflect.get(value, name);
	}
	return value;
}

/**
 * Reads the value of the ID field.
 *
 * @returns a non-empty text, or the digits of an integer that JSON.parse reads exactly; otherwise
 * undefined. Beyond 2^53, different numbers in the body become the same number in JavaScript, so
 * they don't identify an event.
 */
function toEventId(value: unknown): string | undefined {
	if (typeof value === 'string' && value !== '') return value;
	if (Number.isSafeInteger(value)) return String(value);
	return undefined;
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
 * @returns at least one event, each with a type
 */
export function parseEvents(body: unknown, fields: EventFields): Result<PaymentEvent[]> {
	const noEventType = failed(
		'its body has no event, or an event without a type',
		"Set 'Event Type Field' under Options to the field with the event's type.",
	);
	const events: PaymentEvent[] = [];
	for (const json of (Array.isArray(body) ? body : [body]) as unknown[]) {
		// A list in a list has no type, even if the path is a number.
		const eventType = Array.isArray(json) ? undefined : valueAt(json, fields.eventType);
		if (typeof eventType !== 'string' || eventType === '') return noEventType;
		const id = toEventId(valueAt(json, fields.eventId));
		events.push({ eventType, id, json: json as PaymentEvent['json'] });
	}
	return events.length > 0 ? ok(events) : noEventType;
}
