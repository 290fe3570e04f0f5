import type { Problem } from '../shared/result';
import type { Field } from './Transaction';

/** A problem with one field of an item. */
export interface FieldProblem extends Problem {
	field: Field;
	/** Whether the field has no value. */
	isEmpty?: boolean;
	/** Whether the payment is beyond a limit, so that only another payment would be valid. */
	isBeyondLimit?: boolean;
	/** The index of another item, whose name ends the message. */
	otherItem?: number;
}

/** What an input item has for a transaction, not checked yet. */
export interface Input {
	values: Readonly<Partial<Record<Field, unknown>>>;
	/** Why some of the fields can't be read. `values` doesn't have them. */
	unread: readonly FieldProblem[];
	/** The names of what the item has. */
	columns: readonly string[];
	/** The column that each field has its value from, if columns are matched by their names. */
	columnByField?: ReadonlyMap<Field, string>;
	/** The fields whose value comes from an expression. */
	expressionFields?: ReadonlySet<Field>;
}
