import type { Problem } from '../../shared/result';
import { quote } from '../../shared/values';
import type { FieldProblem, Input } from '../Input';
import { DISPLAY_NAMES, type Field } from '../Transaction';

/**
 * Says why fields are empty, as far as the input shows it: no column matches the field, its column
 * is empty in this item, or its expression returned nothing. What the item has is listed once.
 */
export function explainEmptyFields(
	problems: readonly FieldProblem[],
	input: Input,
): FieldProblem[] {
	const { columnByField, expressionFields } = input;
	let names = namesIn(input);
	return problems.map((problem) => {
		const { field, isEmpty } = problem;
		if (!isEmpty) return problem;
		if (columnByField?.has(field))
			return { ...problem, message: 'The column is empty in this item' };
		if (!columnByField && !expressionFields?.has(field)) return problem;
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
function namesIn({ columns, columnByField }: Input): string {
	const matched = new Set(columnByField?.values());
	const names = columns.filter((name) => !matched.has(name));
	const listed = names.slice(0, MAX_LISTED_NAMES).map(quote).join(', ') || 'none';
	const more = names.length > MAX_LISTED_NAMES ? ', …' : '';
	const list = `${listed}${more}.`;
	return columnByField ? ` Columns that match no field: ${list}` : ` The item has: ${list}`;
}
