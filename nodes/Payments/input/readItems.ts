import type { IExecuteFunctions } from 'n8n-workflow';

import type { Problem } from '../../shared/result';
import { quote } from '../../shared/values';
import {
	DISPLAY_NAMES,
	FIELDS,
	parameterOf,
	type Field,
	type FieldProblem,
	type RawTransaction,
	type TransactionSource,
} from '../Transaction';
import { matchColumns, type ColumnMatch } from './columns';
import { parameterReader } from './expressions';

/** Reads what each item has for a transaction, as the parameter Specify Transaction says. */
export function readItems(context: IExecuteFunctions): RawTransaction[] {
	const source = context.getNodeParameter('specifyTransaction', 0) as TransactionSource;
	const items = context.getInputData();
	if (source === 'item') {
		const known = new Map<string, ColumnMatch | undefined>();
		return items.map(({ json }) => matchColumns(json, known));
	}
	const readFields = fieldsReader(context);
	return items.map(({ json }, itemIndex) => readFields(json, itemIndex));
}

function fieldsReader(
	context: IExecuteFunctions,
): (json: object, itemIndex: number) => RawTransaction {
	const rawByField = new Map(
		FIELDS.map((field): [Field, unknown] => [
			field,
			context.getNodeParameter(parameterOf(field), 0, '', { rawExpressions: true }),
		]),
	);
	const { read, expressionNames } = parameterReader(context, rawByField);
	return (json, itemIndex) => {
		const values: Partial<Record<Field, unknown>> = {};
		const unreadable: FieldProblem[] = [];
		for (const [field, { value, problem }] of read(itemIndex)) {
			if (problem) unreadable.push({ field, ...problem });
			else values[field] = value;
		}
		return { values, unreadable, columns: Object.keys(json), expressionFields: expressionNames };
	};
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
	fix: `Name a column ${quote(DISPLAY_NAMES[field])} or ${quote(field)}.`,
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
