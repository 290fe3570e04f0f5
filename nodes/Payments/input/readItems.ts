import type { IExecuteFunctions } from 'n8n-workflow';

import { checkCollection } from '../../shared/collection';
import { ok, type Result } from '../../shared/result';
import { isBlank } from '../../shared/values';
import {
	FIELD_TABLE,
	FIELDS,
	isAdditionalField,
	parameterOf,
	type Field,
	type ItemProblem,
	type RawTransaction,
	type TransactionSource,
} from '../Transaction';
import { hasNoValue, matchColumns, type ColumnMatch } from './columns';
import { parameterReader } from './expressions';

/**
 * Reads what each item has for a transaction, as the parameter Specify Transaction says.
 *
 * @returns a problem if the node's own settings can't be read
 */
export function readItems(context: IExecuteFunctions): Result<RawTransaction[]> {
	const source = context.getNodeParameter('specifyTransaction', 0) as TransactionSource;
	if (source === 'fields') return readFields(context);
	return ok(readColumns(context.getInputData().map(({ json }) => json)));
}

/** Reads the columns of each item. An Event ID that is empty isn't set, unless others are. */
export function readColumns(items: ReadonlyArray<Record<string, unknown>>): RawTransaction[] {
	const known = new Map<string, ColumnMatch | undefined>();
	const read = shareColumns(items.map((json) => matchColumns(json, known)));
	const isEventIdSet = read.some(({ values }) => !isBlank(values.eventId));
	const fix = 'Other items have one, so fill it in, or send the items without one on their own.';
	return isEventIdSet ? read.map((raw) => requireEventId(raw, fix)) : read;
}

/** What is a column of one item is one of all: n8n leaves an empty cell of a CSV file out. */
function shareColumns(items: RawTransaction[]): RawTransaction[] {
	const all = new Map<Field, string>();
	for (const { columnByField = [] } of items)
		for (const [field, column] of columnByField) all.set(field, column);
	return items.map((raw) =>
		raw.columnByField?.size === all.size
			? raw
			: { ...raw, columnByField: new Map([...all, ...(raw.columnByField ?? [])]) },
	);
}

const IDENTIFIERS = new Set(FIELDS.filter((field) => FIELD_TABLE[field].type === 'identifier'));

function readFields(context: IExecuteFunctions): Result<RawTransaction[]> {
	const asTyped = { rawExpressions: true };
	const collection = context.getNodeParameter('additionalFields', 0, {}, asTyped);
	const { value: additional, problem } = checkCollection(collection, {
		displayName: 'Additional Fields',
		member: 'field',
		names: FIELDS.filter(isAdditionalField),
	});
	if (problem) return { problem };
	const rawOf = (field: Field): unknown =>
		isAdditionalField(field)
			? additional[field]
			: context.getNodeParameter(parameterOf(field), 0, '', asTyped);
	const { read, codeByName: expressionByField } = parameterReader(
		context,
		new Map(FIELDS.map((field) => [field, rawOf(field)])),
		IDENTIFIERS,
	);
	const items = context.getInputData().map(({ json }, itemIndex): RawTransaction => {
		const values: Partial<Record<Field, unknown>> = {};
		const unreadable: ItemProblem[] = [];
		for (const [field, { value, problem }] of read(itemIndex)) {
			if (problem) unreadable.push({ field, ...problem });
			else values[field] = value;
		}
		const isEmpty = hasNoValue(Object.entries(json));
		return { values, unreadable, columns: Object.keys(json), isEmpty, expressionByField };
	});
	const fix =
		"Correct its value, or remove it from 'Additional Fields', so that each Event ID is generated.";
	return ok(
		Object.hasOwn(additional, 'eventId') ? items.map((item) => requireEventId(item, fix)) : items,
	);
}

/**
 * A generated Event ID in place of one that is missing would be another in the next execution, if
 * the value is there by then: the transaction would be recorded twice.
 */
function requireEventId(raw: RawTransaction, fix: string): RawTransaction {
	const { values, unreadable } = raw;
	if (!isBlank(values.eventId) || unreadable.some(({ field }) => field === 'eventId')) return raw;
	const message = 'The field is empty in this item';
	return {
		...raw,
		unreadable: [...unreadable, { field: 'eventId', message, fix }],
	};
}
