import type { Problem } from '../../shared/result';
import { quote } from '../../shared/values';
import { listed } from '../lists';
import type { Field, ItemProblem, RawTransaction } from '../Transaction';

/* Why a field that must have a value has none, as far as its item shows it. */

const EMPTY_ITEM: ItemProblem = {
	message: 'The item is empty',
	fix: 'Remove the row, or filter it out.',
};

/** An expression can also read another node, or a constant. */
const READS_ITEM = /\$json|\$input/;

/** Finds what is wrong with an item without any value, if its problems are due to that. */
export function findEmptyItem(
	problems: readonly ItemProblem[],
	{ isEmpty, columnByField, expressionByField }: RawTransaction,
): ItemProblem | undefined {
	const readsItem = ({ field }: ItemProblem) =>
		field !== undefined && READS_ITEM.test(expressionByField?.get(field) ?? '');
	return isEmpty && (columnByField || problems.some(readsItem)) ? EMPTY_ITEM : undefined;
}

/** @param form how its value is written */
export function describeEmptyField(
	field: Field,
	{ columns, columnByField, expressionByField, values }: RawTransaction,
	form: string,
): Problem {
	if (columnByField?.has(field)) return { message: 'The column is empty in this item', fix: form };
	if (columnByField) {
		const matched = new Set(columnByField.values());
		const others = columns.filter((name) => !matched.has(name));
		const rename = `Columns that match no field: ${listNames(others)}. Rename the right one`;
		return {
			message: 'No column has this name',
			// The same for each such field, so that the output has it once.
			fix: `${others.length === 0 ? 'Add a column' : rename}, or set 'Specify Transaction' to 'Using Fields Below'.`,
		};
	}
	// An empty text is a value of the item: its name is right.
	if (!expressionByField?.has(field) || typeof values[field] === 'string')
		return { message: 'The field is empty', fix: form };
	return {
		message: 'The expression gave no value',
		fix: `Check the name in it. The item has: ${listNames(columns)}.`,
	};
}

const MAX_NAMES = 20;

const listNames = (names: readonly string[]) => listed(names.map(quote), MAX_NAMES) || 'none';
