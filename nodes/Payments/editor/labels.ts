import type { INodeProperties } from 'n8n-workflow';

import { parameterOf, transactionFields } from './fields';
import type { TransactionSource } from '../input/input';
import { quote } from '../../shared/values';
import { FIELDS, type Field } from '../Transaction';

const propertyNamed = (
	name: string,
	properties: INodeProperties[] = transactionFields,
): INodeProperties => {
	const [first, ...rest] = name.split('.');
	const property = properties.find((one) => one.name === first)!;
	if (rest.length === 0) return property;
	return propertyNamed(rest.join('.'), property.options as INodeProperties[]);
};

/** Returns the parameter that holds a field in *Using Fields Below*. */
export const propertyOf = (field: Field) => propertyNamed(parameterOf(field));

const DISPLAY_NAMES = new Map<string, string>(
	FIELDS.map((field) => [field, propertyOf(field).displayName]),
);

/** Names a field as the editor does. */
export const displayNameOfField = (field: string) => DISPLAY_NAMES.get(field) ?? field;

/**
 * Names a field in a message as the user knows it: by the display name of its parameter in single quotes, and in an input item or in JSON
 * by its name in the service interface.
 *
 * @param column the column of the input that the field has its value from, which *Map Columns* names as well
 */
export function labelOf(field: string, source: TransactionSource, column?: string): string {
	const label = `'${displayNameOfField(field)}'`;
	if (source === 'fields') return label;
	if (source === 'columns')
		return column === undefined ? label : `${label} (column ${quote(column)})`;
	return field === 'transaction' ? `'${propertyNamed('transactionJson').displayName}'` : field;
}
