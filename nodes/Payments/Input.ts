import type { Problem, Result } from '../shared/result';
import type { Field } from './Transaction';

/** What a problem can be about: a field, a party, or the transaction as a whole. */
export type ProblemField = Field | 'sender' | 'recipient' | 'transaction';

/** A problem with one field of an item. */
export interface FieldProblem extends Problem {
	field: ProblemField;
	/** Whether the field has no value. */
	isEmpty?: boolean;
	/** Whether the payment is beyond a limit, so that only another payment would be valid. */
	isBeyondLimit?: boolean;
}

/** What is known about where the values of an item come from. */
export interface InputSource {
	/** The fields whose value comes from an expression. */
	expressionFields?: ReadonlySet<ProblemField>;
	/** The column that each field has its value from: matched by its name, or dragged. */
	columnByField?: ReadonlyMap<ProblemField, string>;
	/** All columns of the item, if *Map Automatically* matches them with the fields by name. */
	matchedColumns?: readonly string[];
}

/** What an item has for a transaction, not checked yet, or why it can't be read. */
export type Input = InputSource &
	Result<unknown, FieldProblem> & {
		/** Why some of the fields can't be read. The value is without them. */
		unread?: readonly FieldProblem[];
	};
