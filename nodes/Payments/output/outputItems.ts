import {
	NodeOperationError,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { CreatedResult, DuplicateResult, SendFailure } from '../sending/outcome';
import { responseFields } from '../sending/responseBody';
import type { Message } from './messages';
import type { Transaction } from '../Transaction';
import type { ValidationIssue } from '../validation/validate';

/*
 * The JSON of the output items with all that is known, which `simplify` reduces. All begin alike: outcome, message, for failed ones description, eventId, externalId. So one Switch node routes all of them, and a table shows the
 * reason without scrolling.
 */

const withoutEmpty = (fields: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(fields).filter(
			([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
		),
	);

export function dryRunJson({ eventId, externalId, ...fields }: Transaction): object {
	const message = 'Dry run: the transaction was not sent';
	return { outcome: 'dryRun', message, eventId, externalId, ...fields };
}

function createdJson(
	{ eventId, externalId, ...fields }: Transaction,
	{ outcome, message, status, body }: CreatedResult,
	includeStatusCode: boolean,
): object {
	const first = { outcome, message, eventId, externalId };
	const statusCode = includeStatusCode ? { statusCode: status } : {};
	// `first` twice: for the order, and because the response can have fields of these names.
	return { ...first, ...fields, ...responseFields(body), ...statusCode, ...first };
}

function duplicateJson(
	{ eventId, externalId, ...fields }: Transaction,
	{ outcome, message, status, errorCode, warnings }: DuplicateResult,
	includeStatusCode: boolean,
): object {
	const statusCode = includeStatusCode ? status : undefined;
	const details = withoutEmpty({ statusCode, errorCode, warnings });
	return { outcome, message, eventId, externalId, ...details, ...fields };
}

/** The JSON of a transaction that the service has recorded. */
export const recordedJson = (
	transaction: Transaction,
	result: CreatedResult | DuplicateResult,
	includeStatusCode: boolean,
): object =>
	result.outcome === 'created'
		? createdJson(transaction, result, includeStatusCode)
		: duplicateJson(transaction, result, includeStatusCode);

const withDescription = ({ message, description }: Message) => `${message}. ${description}`;

/** A failed item has `error` in its JSON: *Retry On Fail* of n8n looks there. */
export interface FailureJson extends Record<string, unknown> {
	message: string;
	description: string;
	error: string;
}

export function failureJson(
	{ eventId, externalId, ...fields }: Transaction,
	result: SendFailure | DuplicateResult,
): FailureJson {
	const { outcome, status, errorCode, warnings } = result;
	const { message, fix: description } = result;
	const details = withoutEmpty({ statusCode: status, errorCode, warnings });
	const error = withDescription({ message, description });
	return { outcome, message, eventId, externalId, description, ...details, ...fields, error };
}

const KEY_FIELDS = ['amount', 'currency', 'reference'] as const;

/** @param input what the item has for a transaction; its key fields are shown as they are */
export function invalidJson(
	input: unknown,
	{ message, description }: Message,
	issues: ValidationIssue[],
): FailureJson {
	const given = (typeof input === 'object' && input !== null ? input : {}) as Record<
		string,
		unknown
	>;
	const valueOf = (field: string) => {
		const value = Object.hasOwn(given, field) ? given[field] : undefined;
		return typeof value === 'string' || typeof value === 'number' ? value : undefined;
	};
	return {
		outcome: 'invalid',
		message,
		eventId: valueOf('eventId') ?? null,
		externalId: valueOf('externalId') ?? null,
		description,
		issues: issues.map(({ field, problem, fix }) => ({ field, issue: problem, fix })),
		...withoutEmpty(Object.fromEntries(KEY_FIELDS.map((field) => [field, valueOf(field)]))),
		error: withDescription({ message, description }),
	};
}

/**
 * An item that is not recorded.
 *
 * @param shown what the item has of the JSON
 * n8n sends an item to the error output when it has `error`, and there makes a copy of its enumerable members, with the fields of the input item in front.
 * In that copy there must be no `error`, because n8n would replace the JSON by `{ error: message }`. So it is not enumerable, and there is none
 * where nothing is routed (n8n-core, `handleNodeErrorOutput`, and what follows it in `processRunExecutionData`).
 */
export function failedItem(
	node: INode,
	{ message, description }: FailureJson,
	shown: object,
	itemIndex: number,
): INodeExecutionData {
	const item = successItem(shown, itemIndex);
	if (node.onError === 'continueErrorOutput') {
		const error = new NodeOperationError(node, message, { description });
		Object.defineProperty(item, 'error', { value: error, enumerable: false });
	}
	return item;
}

export const successItem = (json: object, itemIndex: number): INodeExecutionData => ({
	json: json as IDataObject,
	pairedItem: { item: itemIndex },
});
