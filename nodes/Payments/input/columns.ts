import { ok } from '../../shared/result';
import { isObject, quote } from '../../shared/values';
import type { Input } from '../Input';
import { DISPLAY_NAMES, FIELDS, parameterOf, type Field } from '../Transaction';

const normalize = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

/** By name in the service interface, display name, and name of the parameter. */
const FIELD_BY_NAME = new Map<string, Field>();
for (const field of FIELDS) {
	const parameter = parameterOf(field).split('.').pop()!;
	for (const name of [field, DISPLAY_NAMES[field], parameter])
		FIELD_BY_NAME.set(normalize(name), field);
}

/**
 * Lists the columns of an item. The members of a party are columns, such as `sender.countryCode`.
 */
const columnsOf = (json: Record<string, unknown>): Array<[name: string, value: unknown]> =>
	Object.entries(json).flatMap(([name, value]): Array<[string, unknown]> => {
		const isParty = ['sender', 'recipient'].includes(normalize(name)) && isObject(value);
		if (!isParty) return [[name, value]];
		return Object.entries(value).map(([inner, member]) => [`${name}.${inner}`, member]);
	});

/**
 * Matches the columns of an item with the fields of a transaction by name. Case, blanks, `_`, and
 * `-` don't count. Columns that match no field are left out.
 */
export function matchColumns(json: Record<string, unknown>): Input {
	const all = columnsOf(json);
	const values: Partial<Record<Field, unknown>> = {};
	const columnByField = new Map<Field, string>();
	for (const [name, value] of all) {
		const field = FIELD_BY_NAME.get(normalize(name));
		if (field === undefined) continue;
		const other = columnByField.get(field);
		if (other !== undefined) {
			return {
				problem: {
					field,
					message: `The columns ${quote(other)} and ${quote(name)} both match this field`,
					fix: "Rename or remove one of them, or set 'Mapping Column Mode' to 'Map Each Column Manually'.",
				},
			};
		}
		columnByField.set(field, name);
		values[field] = value;
	}
	return { ...ok(values), columnByField, matchedColumns: all.map(([name]) => name) };
}
