import type { Problem } from '../../shared/result';
import { quote } from '../../shared/values';
import type { FieldProblem, InputSource, ProblemField } from '../Input';
import { displayNameOf } from '../Transaction';

/**
 * Says why fields are empty, if the input shows it: no column matches the field, or its expression
 * returned nothing. The columns of the item are listed once.
 */
export function explainEmptyFields(
	problems: FieldProblem[],
	{ matchedColumns, columnByField, expressionFields }: InputSource,
): FieldProblem[] {
	let toList = matchedColumns;
	return problems.map((problem) => {
		const { field, isEmpty } = problem;
		if (!isEmpty) return problem;
		if (matchedColumns) {
			if (columnByField?.has(field)) return problem;
			const explained = { ...problem, ...missingColumn(field, toList) };
			toList = undefined;
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

/** @param columns those of the item, to list them */
function missingColumn(field: ProblemField, columns?: readonly string[]): Problem {
	const message = 'No column matches this field';
	const names = `${quote(displayNameOf(field))} or ${quote(field)}`;
	if (!columns) return { message, fix: `Name a column ${names}.` };
	const listed = columns.slice(0, MAX_LISTED_COLUMNS).map(quote).join(', ') || 'none';
	const more = columns.length > MAX_LISTED_COLUMNS ? ', …' : '';
	return {
		message,
		fix: `Name a column ${names}, or set 'Mapping Column Mode' to 'Map Each Column Manually'. The item has these columns: ${listed}${more}.`,
	};
}
