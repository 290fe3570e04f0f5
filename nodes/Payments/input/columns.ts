import { isObject, quote } from '../../shared/values';
import {
	DISPLAY_NAMES,
	FIELDS,
	type Field,
	type FieldProblem,
	type RawTransaction,
} from '../Transaction';

const normalize = (name: string) =>
	name
		.replace(/\([^)]*\)/g, '')
		.toLowerCase()
		.replace(/[\s._-]/g, '');

/**
 * By name in the service interface, which is also that of the parameter, and display name. The
 * fields of a party also match without "external": `sender_payment_channel_id`.
 */
const FIELD_BY_NAME = new Map(
	FIELDS.flatMap((field) =>
		[field, DISPLAY_NAMES[field], field.replace('.external', '.')].map((name): [string, Field] => [
			normalize(name),
			field,
		]),
	),
);

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
 * Matches the columns of an item with the fields of a transaction by name. Case, blanks, `.`, `_`,
 * `-`, and what is in parentheses don't count. Columns that match no field are left out.
 */
export function matchColumns(json: Record<string, unknown>): RawTransaction {
	const all = columnsOf(json);
	const values: Partial<Record<Field, unknown>> = {};
	const columnByField = new Map<Field, string>();
	const unreadable: FieldProblem[] = [];
	for (const [name, value] of all) {
		const field = FIELD_BY_NAME.get(normalize(name));
		if (field === undefined) continue;
		const other = columnByField.get(field);
		if (other === undefined) {
			columnByField.set(field, name);
			values[field] = value;
		} else if (!Object.is(values[field], value)) {
			unreadable.push({
				field,
				message: `The columns ${quote(other)} and ${quote(name)} both match this field, with different values`,
				fix: 'Rename or remove one of them.',
			});
		}
	}
	return { values, unreadable, columns: all.map(([name]) => name), columnByField };
}
