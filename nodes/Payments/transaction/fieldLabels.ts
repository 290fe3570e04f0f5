import type { INodeProperties } from 'n8n-workflow';

import { parameterOf, transactionFields } from './description';
import type { TransactionSource } from './input';
import { FIELDS } from './validate';

const displayNameOf = (name: string, properties: INodeProperties[] = transactionFields): string => {
	const [first, ...rest] = name.split('.');
	const property = properties.find((one) => one.name === first)!;
	if (rest.length === 0) return property.displayName;
	return displayNameOf(rest.join('.'), property.options as INodeProperties[]);
};

const DISPLAY_NAMES = new Map<string, string>(
	FIELDS.map((field) => [field, displayNameOf(parameterOf(field))]),
);

/**
 * Names a field in a message as the user knows it: by the display name of its parameter in single quotes, and in an input item or in JSON
 * by its name in the service interface.
 */
export function labelOf(field: string, source: TransactionSource): string {
	if (source === 'fields') return `'${DISPLAY_NAMES.get(field) ?? field}'`;
	return field === 'transaction' ? `'${displayNameOf('transactionJson')}'` : field;
}
