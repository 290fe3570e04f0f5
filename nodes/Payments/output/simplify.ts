/** How much of each item the node puts out. */
export type OutputSettings = { includeStatusCode?: boolean } & (
	| { mode: 'raw' | 'simplified' }
	| { mode: 'selectedFields'; fields: readonly string[] }
);

type Json = Record<string, unknown>;

/** What was sent. */
interface Sent {
	amount: string;
	currency: string;
	reference: string;
	externalCreatedAt: number;
	sender: { externalEntityId: string };
	recipient: { externalEntityId: string };
}

/*
 * At most 10 fields, as n8n's guidelines ask; first what a person looks for first. `id` and
 * `status` come from the response, if it has them.
 */
const FIRST = ['outcome', 'externalId', 'amount', 'currency', 'message'];
const SUCCESS_FIELDS = [...FIRST, 'recipientEntityId', 'reference', 'id', 'status', 'eventId'];
const FAILURE_FIELDS = [
	...FIRST,
	'description',
	'recipientEntityId',
	'eventId',
	'statusCode',
	'error',
];

/** Always in the output. Without the outcome, a model would report any payment as recorded. */
const ALWAYS_SELECTED = ['outcome', 'eventId'];

/**
 * Shortens the JSON of an output item to what the user wants of it.
 *
 * @param raw the full JSON
 * @param sent what was sent, missing if the item isn't valid. It takes precedence over fields of
 *   the same names in the response.
 */
export function simplify(raw: object, sent: Sent | undefined, settings: OutputSettings): object {
	if (settings.mode === 'raw') return raw;
	const flat = flatten(raw as Json, sent);
	const isFailure = isFailed(raw as Json);
	if (settings.mode === 'selectedFields') {
		// n8n's Retry On Fail looks for `error`.
		const always = isFailure ? [...ALWAYS_SELECTED, 'error'] : ALWAYS_SELECTED;
		const selected = pick(flat, [...always, ...settings.fields]);
		return { ...selected, eventId: selected.eventId ?? null };
	}
	if (isFailure) return pick(flat, FAILURE_FIELDS);
	const fields = settings.includeStatusCode ? [...SUCCESS_FIELDS, 'statusCode'] : SUCCESS_FIELDS;
	return pick(flat, fields);
}

/** Only failures have a description, but the response to a created one can have such a field. */
const isFailed = ({ outcome, description }: Json) =>
	outcome !== 'created' && description !== undefined;

function flatten(raw: Json, sent: Sent | undefined): Json {
	if (!sent) return raw;
	const { amount, currency, reference, sender, recipient } = sent;
	return {
		...raw,
		amount,
		currency,
		reference,
		senderEntityId: sender.externalEntityId,
		recipientEntityId: recipient.externalEntityId,
		createdAt: new Date(sent.externalCreatedAt).toISOString(),
	};
}

/** Keeps fields in this order, without lists, objects, and fields without a value. */
const pick = (json: Json, names: readonly string[]): Json =>
	Object.fromEntries(
		names
			.filter((name) => Object.hasOwn(json, name) && isPlain(json[name]))
			.map((name) => [name, json[name]]),
	);

const isPlain = (value: unknown) =>
	value !== undefined && value !== '' && typeof value !== 'object';
