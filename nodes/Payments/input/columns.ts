import { isEmpty, isObject, quote } from '../../shared/values';
import { listed } from '../lists';
import {
	FIELD_TABLE,
	FIELDS,
	type Field,
	type ItemProblem,
	type RawTransaction,
} from '../Transaction';

/** Case, blanks, `.`, `_`, and `-` don't count. Everything else does. */
const normalize = (name: string) => name.toLowerCase().replace(/[\s._-]/g, '');

/** Each field by its names: in the service interface and of its parameter, and in the editor. */
const FIELD_BY_NAME = new Map(
	FIELDS.flatMap((field): Array<[string, Field]> => [
		[normalize(field), field],
		[normalize(FIELD_TABLE[field].displayName), field],
	]),
);

/** What the name of a column says about a field. */
export interface ColumnMatch {
	field: Field;
	/** Whether it's a name of the field. Otherwise, it only begins with one. */
	isExact: boolean;
}

/**
 * Finds the field that a column is for.
 *
 * A name that begins with a field's and goes on, such as "Amount (cents)", can mean another unit,
 * zone, or kind of value. It may be the field's column all the same, so it's reported and not
 * ignored. There, only letters and digits are compared, so that no other character hides it.
 *
 * @returns `undefined` for a name that begins with no field's
 */
function matchColumn(name: string): ColumnMatch | undefined {
	const exact = FIELD_BY_NAME.get(normalize(name));
	if (exact !== undefined) return { field: exact, isExact: true };
	const letters = name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
	for (const [begin, field] of FIELD_BY_NAME)
		if (letters.startsWith(begin)) return { field, isExact: false };
	return undefined;
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
 * Matches the columns of an item with the fields of a transaction by name. A field whose only
 * columns go on behind its name can't be read. Columns that match no field are left out.
 *
 * @param known what other items' columns match, by their names
 */
export function matchColumns(
	json: Record<string, unknown>,
	known = new Map<string, ColumnMatch | undefined>(),
): RawTransaction {
	const all = columnsOf(json);
	const values: Partial<Record<Field, unknown>> = {};
	const columnByField = new Map<Field, string>();
	const longerNames = new Map<Field, string[]>();
	const unreadable: ItemProblem[] = [];
	for (const [name, value] of all) {
		if (!known.has(name)) known.set(name, matchColumn(name));
		const match = known.get(name);
		if (match === undefined) continue;
		const { field, isExact } = match;
		const other = columnByField.get(field);
		if (!isExact) {
			const names = longerNames.get(field);
			if (names) names.push(name);
			else longerNames.set(field, [name]);
		} else if (other === undefined) {
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
	for (const [field, names] of longerNames)
		if (!columnByField.has(field)) unreadable.push(notExact(field, names));
	return {
		values,
		unreadable,
		columns: all.map(([name]) => name),
		isEmpty: hasNoValue(all),
		columnByField,
	};
}

/** n8n's Google Sheets node adds the number of the row to rows that are empty, too. */
export const hasNoValue = (columns: ReadonlyArray<[name: string, value: unknown]>): boolean =>
	columns.every(([name, value]) => name === 'row_number' || isEmpty(value));

const MAX_LISTED_COLUMNS = 3;

/** @param names of the columns that go on behind a name of the field */
function notExact(field: Field, names: readonly string[]): ItemProblem {
	const columns = listed(names.map(quote), MAX_LISTED_COLUMNS);
	const own = quote(FIELD_TABLE[field].displayName);
	return {
		field,
		message: `Only the beginning of ${columns} is the name of this field, so nothing is read from there`,
		fix: `Name the column ${own} if it has what the field needs, in the same unit and form: convert its values first if not. If it has something else, let its name begin with another word.`,
	};
}
