import { quote } from '../../shared/values';
import { DISPLAY_NAMES, type Field } from '../Transaction';

/**
 * Names a field in a message as the user knows it: by its display name in single quotes.
 *
 * @param column the input column that the field has its value from
 */
export function labelOf(field: Field, column?: string): string {
	const name = DISPLAY_NAMES[field];
	const isOwnName = column === undefined || column === field || column === name;
	return isOwnName ? `'${name}'` : `'${name}' (column ${quote(column)})`;
}
