import type { FieldProblem, Result } from '../../shared/result';

/** What is known about where the values of an item come from. */
export interface InputSource {
	/** The fields whose value comes from an expression. */
	expressionFields?: ReadonlySet<string>;
	/** The column of the input that each field has its value from, where one is known. */
	columns?: ReadonlyMap<string, string>;
	/** All columns of the input item, if they are matched by name. */
	available?: readonly string[];
}

/** What an item has for a transaction, not checked yet, or why it can't be read. */
export type Input = InputSource &
	Result<unknown, FieldProblem> & {
		/** Why some of the fields can't be read. The value is without them. */
		unread?: readonly FieldProblem[];
	};
