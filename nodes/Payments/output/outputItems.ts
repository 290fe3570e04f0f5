import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import { asSentences } from '../../shared/result';
import { isEmpty, isObject, ownMember } from '../../shared/values';
import type { CreatedResult, DuplicateResult, SendFailure } from '../results';
import type { Transaction } from '../Transaction';
import { describeInvalidItem, type InvalidItem } from './messages';

/*
 * Builds the full output JSON. `simplify` shortens it. In full, all items begin alike: outcome,
 * message, eventId, externalId, and for failures, the description.
 *
 * A `Problem` has other words here: its `fix` is the `description`, as n8n calls it. In the list of
 * `issues`, its `message` is the `issue`, as the service calls it.
 */

const withoutEmpty = (fields: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(fields).filter(
			([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
		),
	);

export function dryRunJson({ eventId, externalId, ...fields }: Transaction): object {
	const message = "Dry run: the transaction wasn't sent";
	return { outcome: 'dryRun', message, eventId, externalId, ...fields };
}

function createdJson(
	{ eventId, externalId, ...fields }: Transaction,
	{ outcome, message, status, body }: CreatedResult,
	includeStatusCode = false,
): object {
	const first = { outcome, message, eventId, externalId };
	const statusCode = includeStatusCode ? { statusCode: status } : {};
	// `first` twice: for the order, and because the response can have fields of these names.
	return { ...first, ...fields, ...responseFields(body), ...statusCode, ...first };
}

function duplicateJson(
	{ eventId, externalId, ...fields }: Transaction,
	{ outcome, message, status, errorCode, warnings }: DuplicateResult,
	includeStatusCode = false,
): object {
	const statusCode = includeStatusCode ? status : undefined;
	const details = withoutEmpty({ statusCode, errorCode, warnings });
	return { outcome, message, eventId, externalId, ...details, ...fields };
}

/** The JSON of a transaction that the service has recorded. */
export const recordedJson = (
	transaction: Transaction,
	result: CreatedResult | DuplicateResult,
	includeStatusCode = false,
): object =>
	result.outcome === 'created'
		? createdJson(transaction, result, includeStatusCode)
		: duplicateJson(transaction, result, includeStatusCode);

/** The body of a success response as fields of the item. Anything but an object is `response`. */
function responseFields(body: unknown): Record<string, unknown> {
	if (isObject(body)) return body;
	return isEmpty(body) ? {} : { response: body };
}

/** `error`, because n8n's *Retry On Fail* looks for it. */
export interface FailureJson extends Record<string, unknown> {
	message: string;
	description: string;
	error: string;
}

export function failureJson(
	{ eventId, externalId, ...fields }: Transaction,
	result: SendFailure | DuplicateResult,
): FailureJson {
	const { outcome, message, fix: description, status, errorCode, warnings } = result;
	const details = withoutEmpty({ statusCode: status, errorCode, warnings });
	const error = asSentences(result);
	return { outcome, message, eventId, externalId, description, ...details, ...fields, error };
}

const KEY_FIELDS = ['amount', 'currency', 'reference'] as const;

/** The key fields of an invalid item are shown as the input has them. */
export function invalidJson(item: InvalidItem): FailureJson {
	const { input, problems } = item;
	const given = isObject(input) ? input : {};
	const valueOf = (field: string) => {
		const value = ownMember(given, field);
		return typeof value === 'string' || typeof value === 'number' ? value : undefined;
	};
	const problem = describeInvalidItem(item);
	return {
		outcome: 'invalid',
		message: problem.message,
		eventId: valueOf('eventId') ?? null,
		externalId: valueOf('externalId') ?? null,
		description: problem.fix,
		issues: problems.map(({ field, message, fix }) => ({ field, issue: message, fix })),
		...withoutEmpty(Object.fromEntries(KEY_FIELDS.map((field) => [field, valueOf(field)]))),
		// Several problems are all in the fix, the first one included.
		error: problems.length > 1 ? problem.fix : asSentences(problem),
	};
}

/**
 * Creates the output item of a failure.
 *
 * n8n sends an item with `error` to the error output. There it copies the enumerable members of the
 * item, and the copy must have no `error`, or n8n would replace the JSON by `{ error: message }`.
 * So `error` is not enumerable, and it is set only if there is an error output (n8n-core:
 * `handleNodeErrorOutput`, and what follows it in `processRunExecutionData`).
 *
 * @param shown the part of the JSON to output
 */
export function failureItem(
	node: INode,
	{ message, description }: FailureJson,
	shown: object,
	itemIndex: number,
): INodeExecutionData {
	const item = itemOf(shown, itemIndex);
	if (node.onError === 'continueErrorOutput') {
		const error = new NodeOperationError(node, message, { description });
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}

export const itemOf = (json: object, itemIndex: number): INodeExecutionData => ({
	json: json as IDataObject,
	pairedItem: { item: itemIndex },
});
