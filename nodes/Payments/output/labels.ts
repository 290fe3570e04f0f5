import { quote } from '../../shared/values';
import type { ProblemField } from '../Input';
import { displayNameOf, type TransactionSource } from '../Transaction';

/**
 * Names a field in a message as the user knows it: by its display name in single quotes, or, in an
 * input item or in JSON, by its name in the service interface.
 *
 * @param column the input column that the field has its value from
 */
export function labelOf(field: ProblemField, source: TransactionSource, column?: string): string {
	const label = `'${displayNameOf(field)}'`;
	if (source === 'fields') return label;
	if (source === 'columns')
		return column === undefined ? label : `${label} (column ${quote(column)})`;
	return field === 'transaction' ? "'Transaction'" : field;
}
