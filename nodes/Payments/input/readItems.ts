import type { IExecuteFunctions } from 'n8n-workflow';

import { checkCollection } from '../../shared/collection';
import { ok, type Problem, type Result } from '../../shared/result';
import { isBlank, quote } from '../../shared/values';
import {
	FIELD_TABLE,
	FIELDS,
	isAdditionalField,
	parameterOf,
	type Field,
	type FieldProblem,
	type RawTransaction,
	type TransactionSource,
} from '../Transaction';
import { matchColumns, type ColumnMatch } from './columns';
import { parameterReader } from './expressions';

/**
 * Reads what each item has for a transaction, as the parameter Specify Transaction says.
 *
 * @returns a problem if the node's own settings can't be read
 */
export function readItems(context: IExecuteFunctions): Result<RawTransaction[]> {
	const source = context.getNodeParameter('specifyTransaction', 0) as TransactionSource;
	const items = context.getInputData();
	if (source === 'item') return ok(readColumns(items.map(({ json }) => json)));
	const reader = fieldsReader(context);
	if (reader.problem) return reader;
	return ok(items.map(({ json }, itemIndex) => reader.value(json, itemIndex)));
}

/** Reads the columns of each item. An Event ID that is empty isn't set, unless others are. */
export function readColumns(items: ReadonlyArray<Record<string, unknown>>): RawTransaction[] {
	const known = new Map<string, ColumnMatch | undefined>();
	const read = items.map((json) => matchColumns(json, known));
	const isEventIdSet = read.some(({ values }) => !isBlank(values.eventId));
	const fix = 'Other items have one, so fill it in, or send the items without one on their own.';
	return isEventIdSet ? read.map((raw) => requireEventId(raw, fix)) : read;
}

/** The collection, as messages name it. */
const ADDITIONAL_FIELDS = {
	displayName: 'Additional Fields',
	member: 'field',
	names: FIELDS.filter(isAdditionalField),
};

function fieldsReader(
	context: IExecuteFunctions,
): Result<(json: object, itemIndex: number) => RawTransaction> {
	const asTyped = { rawExpressions: true };
	const collection = context.getNodeParameter('additionalFields', 0, {}, asTyped);
	const { value: additional, problem } = checkCollection(collection, ADDITIONAL_FIELDS);
	if (problem) return { problem };
	const rawByField = new Map(
		FIELDS.map((field): [Field, unknown] => [
			field,
			isAdditionalField(field)
				? additional[field]
				: context.getNodeParameter(parameterOf(field), 0, '', asTyped),
		]),
	);
	const { read, expressionNames } = parameterReader(context, rawByField);
	return ok((json, itemIndex) => {
		const values: Partial<Record<Field, unknown>> = {};
		const unreadable: FieldProblem[] = [];
		for (const [field, { value, problem }] of read(itemIndex)) {
			if (problem) unreadable.push({ field, ...problem });
			else values[field] = value;
		}
		const columns = Object.keys(json);
		const raw = { values, unreadable, columns, expressionFields: expressionNames };
		const fix =
			"Correct its value, or remove it from 'Additional Fields', so that each Event ID is generated.";
		return Object.hasOwn(additional, 'eventId') ? requireEventId(raw, fix) : raw;
	});
}

/**
 * A generated Event ID in place of one that is missing would be another in the next execution, if
 * the value is there by then: the transaction would be recorded twice.
 */
function requireEventId(raw: RawTransaction, fix: string): RawTransaction {
	const { values, unreadable } = raw;
	if (!isBlank(values.eventId) || unreadable.some(({ field }) => field === 'eventId')) return raw;
	const message = 'The field is empty in this item';
	return { ...raw, unreadable: [...unreadable, { field: 'eventId', message, fix }] };
}

/**
 * Says why fields are empty, as far as the item shows it: no column matches the field, its column
 * is empty in this item, or its expression returned nothing. What the item has is listed once.
 */
export function explainEmptyFields(
	problems: readonly FieldProblem[],
	item: RawTransaction,
): FieldProblem[] {
	const { columnByField, expressionFields, values } = item;
	let names = namesIn(item);
	return problems.map((problem) => {
		const { field, isEmpty } = problem;
		if (!isEmpty) return problem;
		if (columnByField?.has(field))
			return { ...problem, message: 'The column is empty in this item' };
		// An empty text is a value of the item: its name is right.
		const isMissing = typeof values[field] !== 'string';
		if (!columnByField && !(expressionFields?.has(field) && isMissing)) return problem;
		const reason = columnByField ? missingColumn(field) : noValue(problem);
		const fix = `${reason.fix}${names}`;
		names = '';
		return { ...problem, ...reason, fix };
	});
}

const missingColumn = (field: Field): Problem => ({
	message: 'No column matches this field',
	fix: `Name a column ${quote(FIELD_TABLE[field].displayName)} or ${quote(field)}.`,
});

const noValue = ({ fix }: Problem): Problem => ({
	message: 'The expression gave no value',
	fix: `Check the name in it. ${fix}`,
});

const MAX_LISTED_NAMES = 20;

/** Lists the columns that match no field, or, if none are matched, what the item has. */
function namesIn({ columns, columnByField }: RawTransaction): string {
	const matched = new Set(columnByField?.values());
	const names = columns.filter((name) => !matched.has(name));
	const listed = names.slice(0, MAX_LISTED_NAMES).map(quote).join(', ') || 'none';
	const more = names.length > MAX_LISTED_NAMES ? ', …' : '';
	if (!columnByField) return ` The item has: ${listed}${more}.`;
	const wayOut = " To use them, set 'Specify Transaction' to 'Using Fields Below'.";
	return ` Columns that match no field: ${listed}${more}.${names.length > 0 ? wayOut : ''}`;
}
