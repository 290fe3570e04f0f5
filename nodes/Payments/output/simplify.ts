import type { OutputSettings } from '../results';
import type { Transaction } from '../Transaction';

type Json = Record<string, unknown>;

/** An output item in full. */
export interface FullItem {
	json: object;
	/** Missing if the item isn't valid. */
	transaction?: Transaction;
	isFailure: boolean;
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

/** Shortens the JSON of an output item to what the user wants of it. */
export function simplify(item: FullItem, settings: OutputSettings): object {
	if (settings.mode === 'raw') return item.json;
	const { isFailure } = item;
	const flat = flatten(item);
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

/** The transaction takes precedence over fields of the same names in the response. */
function flatten({ json, transaction }: FullItem): Json {
	if (!transaction) return json as Json;
	const { amount, currency, reference, sender, recipient, externalCreatedAt } = transaction;
	return {
		...json,
		amount,
		currency,
		reference,
		senderEntityId: sender.externalEntityId,
		recipientEntityId: recipient.externalEntityId,
		createdAt: new Date(externalCreatedAt).toISOString(),
	};
}

/** Keeps fields in this order, without lists, objects, and fields without a value. */
const pick = (json: Json, names: readonly string[]): Json =>
	Object.fromEntries(
		names
			.filter((name) => Object.hasOwn(json, name) && isShown(json[name]))
			.map((name) => [name, json[name]]),
	);

const isShown = (value: unknown) =>
	value !== undefined && value !== '' && typeof value !== 'object';
