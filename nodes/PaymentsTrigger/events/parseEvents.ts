/** One event as it came, with its kind and, where it has one, its id. */
export interface PaymentEvent {
	kind: string;
	id?: string;
	json: { [member: string]: unknown };
}

/** Why a body holds no events: the names are rows of the answer table. */
export type ParseFailure = 'empty' | 'notJson' | 'noKind';

/** The value of a dotted path, own members only, so that `constructor.name` finds nothing. */
const memberAt = (json: unknown, path: string): unknown =>
	path
		.split('.')
		.reduce<unknown>(
			(value, name) =>
				typeof value === 'object' && value !== null && Object.hasOwn(value, name)
					? Reflect.get(value, name)
					: undefined,
			json,
		);

const isObject = (value: unknown): value is PaymentEvent['json'] =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads the events from the bytes of a body: an object is one event, a list is one for each element.
 *
 * @param members dotted paths of the members that carry the kind and the id
 * @returns the events (at least one, each with a kind), or why there are none. JSON is UTF-8 (RFC 8259); a byte order mark is skipped.
 */
export function parseEvents(
	rawBody: Buffer,
	members: { kind: string; id: string },
): PaymentEvent[] | ParseFailure {
	if (rawBody.length === 0) return 'empty';
	let body: unknown;
	try {
		// Fatal: a body in another encoding is refused, where a lenient decoder would change what the event says.
		body = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(rawBody));
	} catch {
		return 'notJson';
	}
	const events: PaymentEvent[] = [];
	for (const json of Array.isArray(body) ? body : [body]) {
		const kind = memberAt(json, members.kind);
		if (!isObject(json) || typeof kind !== 'string' || kind === '') return 'noKind';
		const id = memberAt(json, members.id);
		events.push({
			kind,
			json,
			...((typeof id === 'string' && id) || typeof id === 'number' ? { id: String(id) } : {}),
		});
	}
	return events.length > 0 ? events : 'noKind';
}
