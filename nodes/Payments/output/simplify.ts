/** What the node puts out of each item. */
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

/** At most 10, as n8n asks of a simplified output. `id` and `status` are those of the service's response, if it has them. */
const FIRST = ['outcome', 'message', 'eventId', 'externalId'];
const PAYMENT = ['amount', 'currency', 'reference'];
const SUCCESS_FIELDS = [...FIRST, 'id', 'status', ...PAYMENT, 'createdAt'];
const FAILURE_FIELDS = [...FIRST, 'description', ...PAYMENT, 'statusCode', 'error'];

/** The fields of every item, whatever the user selects: without the outcome, a model would report any payment as recorded. */
const ALWAYS_SELECTED = ['outcome', 'eventId'];

/**
 * Reduces the JSON of an output item to what the user wants of it.
 *
 * @param raw the JSON with everything that is known
 * @param sent missing when the item isn't valid. It counts before fields of the same names in the response.
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

/** By the description, which a success doesn't have, unless it's in the response to a transaction that was created. */
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

/** Keeps fields in this order, without those that have no value or more than one. */
const pick = (json: Json, names: readonly string[]): Json =>
	Object.fromEntries(
		names
			.filter((name) => Object.hasOwn(json, name) && isPlain(json[name]))
			.map((name) => [name, json[name]]),
	);

const isPlain = (value: unknown) =>
	value !== undefined && value !== '' && typeof value !== 'object';
