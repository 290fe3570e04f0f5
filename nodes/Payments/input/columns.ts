import { parameterOf } from '../editor/fields';
import { displayNameOfField } from '../editor/labels';
import { quote } from '../../shared/values';
import { type Invalid } from '../validation/parse';
import { FIELDS, type Field } from '../Transaction';

/** The columns of an item by the field that each matches, or two that match the same one. */
export type MatchedColumns =
	| {
			/** Values by the names of the fields. */
			value: Record<string, unknown>;
			/** Name of the column that each field has its value from. */
			columns: ReadonlyMap<string, string>;
			/** Names of all columns of the item. */
			available: readonly string[];
			problem?: undefined;
	  }
	| ({ value?: undefined; field: Field; columns?: undefined } & Invalid);

const normalize = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '');

/** By its name in the service, its display name in the editor, and the name of its parameter. */
const FIELD_BY_NAME = new Map<string, Field>();
for (const field of FIELDS) {
	const parameter = parameterOf(field).split('.').pop()!;
	for (const name of [field, displayNameOfField(field), parameter])
		FIELD_BY_NAME.set(normalize(name), field);
}

/** The columns of an item. A party that is an object has one for each of its members, such as `sender.countryCode`. */
const columnsOf = (json: Record<string, unknown>): Array<[name: string, value: unknown]> =>
	Object.entries(json).flatMap(([name, value]): Array<[string, unknown]> => {
		const isParty = ['sender', 'recipient'].includes(normalize(name));
		if (!isParty || typeof value !== 'object' || value === null) return [[name, value]];
		return Object.entries(value).map(([inner, member]) => [`${name}.${inner}`, member as unknown]);
	});

/**
 * Matches the columns of an item with the fields of a transaction by their names. Case, blanks, `_`, and `-` don't count. Columns
 * that match no field are left out.
 */
export function matchColumns(json: Record<string, unknown>): MatchedColumns {
	const all = columnsOf(json);
	const value: Record<string, unknown> = {};
	const columns = new Map<string, string>();
	for (const [name, given] of all) {
		const field = FIELD_BY_NAME.get(normalize(name));
		if (field === undefined) continue;
		const other = columns.get(field);
		if (other !== undefined) {
			return {
				field,
				problem: `The columns ${quote(other)} and ${quote(name)} both match this field`,
				fix: "Rename or remove one of them, or set 'Mapping Column Mode' to 'Map Each Column Manually'.",
			};
		}
		columns.set(field, name);
		value[field] = given;
	}
	return { value, columns, available: all.map(([name]) => name) };
}

/** As many names as a message lists. */
const MAX_LISTED = 20;

/**
 * Says that no column matches a field.
 *
 * @param available the columns to list beside the other way to map them, for the first such field of an item
 */
export function missingColumn(field: Field, available?: readonly string[]): Invalid {
	const names = `${quote(displayNameOfField(field))} or ${quote(field)}`;
	const problem = 'No column matches this field';
	if (!available) return { problem, fix: `Name a column ${names}.` };
	const listed = available.slice(0, MAX_LISTED).map(quote).join(', ') || 'none';
	const more = available.length > MAX_LISTED ? ', …' : '';
	return {
		problem,
		fix: `Name a column ${names}, or set 'Mapping Column Mode' to 'Map Each Column Manually'. The item has these columns: ${listed}${more}.`,
	};
}
