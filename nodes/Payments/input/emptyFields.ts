import type { FieldProblem, Problem } from '../../shared/result';
import { quote } from '../../shared/values';
import { DISPLAY_NAMES, type Field } from '../Transaction';
import type { InputSource } from './Input';

/**
 * Says why fields are empty, if the input shows it: no column matches the field, or its expression
 * returned nothing. The columns of the item are listed once.
 */
export function explainEmptyFields(
	problems: FieldProblem[],
	{ available, columns, expressionFields }: InputSource,
): FieldProblem[] {
	let listed = available;
	return problems.map((problem) => {
		const { field, isEmpty } = problem;
		if (!isEmpty) return problem;
		if (available) {
			if (columns?.has(field)) return problem;
			const explained = { ...problem, ...missingColumn(field as Field, listed) };
			listed = undefined;
			return explained;
		}
		return expressionFields?.has(field) ? { ...problem, ...withoutValue(problem) } : problem;
	});
}

const withoutValue = ({ fix }: Problem): Problem => ({
	message: 'The expression gave no value',
	fix: `Check the name in the expression, and that the input item has a value there. ${fix}`,
});

const MAX_LISTED_COLUMNS = 20;

/** @param available the columns of the item, to list them */
function missingColumn(field: Field, available?: readonly string[]): Problem {
	const message = 'No column matches this field';
	const names = `${quote(DISPLAY_NAMES[field])} or ${quote(field)}`;
	if (!available) return { message, fix: `Name a column ${names}.` };
	const listed = available.slice(0, MAX_LISTED_COLUMNS).map(quote).join(', ') || 'none';
	const more = available.length > MAX_LISTED_COLUMNS ? ', …' : '';
	return {
		message,
		fix: `Name a column ${names}, or set 'Mapping Column Mode' to 'Map Each Column Manually'. The item has these columns: ${listed}${more}.`,
	};
}
