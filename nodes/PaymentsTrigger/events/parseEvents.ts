/** One event of a delivery. */
export interface PaymentEvent {
	eventType: string;
	/** Missing when the event has no ID that identifies it. */
	id?: string;
	/** The event as it was delivered. */
	json: { [field: string]: unknown };
}

/** Why a body has no events: names of rows in `responses`. */
export type ParseFailure = 'empty' | 'notJson' | 'noEventType';

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
 * @returns a non-empty text, or the digits of an integer that JSON.parse reads exactly; otherwise undefined. Beyond 2^53
 * different numbers in the body become the same number in JavaScript, so they do not identify an event.
 */
function toEventId(value: unknown): string | undefined {
	if (typeof value === 'string' && value !== '') return value;
	if (Number.isSafeInteger(value)) return String(value);
	return undefined;
}

/**
 * Reads the events from the bytes of a request body: an object is one event, an array has one event per element.
 *
 * @param fields dotted paths of the fields with the event's type and ID
 * @returns the events (at least one, each with a type), or why there are none. JSON is UTF-8 (RFC 8259, section 8.1); a
 * byte order mark is skipped.
 */
export function parseEvents(
	rawBody: Buffer,
	fields: { eventType: string; eventId: string },
): PaymentEvent[] | ParseFailure {
	if (rawBody.length === 0) return 'empty';
	let body: unknown;
	try {
		// Fatal: a lenient decoder would change what an event in another encoding says.
		const text = new TextDecoder('utf-8', { fatal: true }).decode(rawBody);
		body = JSON.parse(text);
	} catch {
		return 'notJson';
	}

	const events: PaymentEvent[] = [];
	for (const json of (Array.isArray(body) ? body : [body]) as unknown[]) {
		// A list in a list has no type, even if the path is a number.
		const eventType = Array.isArray(json) ? undefined : valueAt(json, fields.eventType);
		if (typeof eventType !== 'string' || eventType === '') return 'noEventType';
		const id = toEventId(valueAt(json, fields.eventId));
		events.push({ eventType, id, json: json as PaymentEvent['json'] });
	}
	return events.length > 0 ? events : 'noEventType';
}
