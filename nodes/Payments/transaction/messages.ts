import {
	isRecorded,
	type DuplicateResult,
	type SendFailure,
	type SendResult,
} from '../transport/outcome';
import type { Transaction, ValidationIssue } from './validate';

export interface ItemIssues {
	/** From 0; people count from 1. */
	itemIndex: number;
	issues: ValidationIssue[];
}

const MAX_LISTED = 20;
const line = (itemIndex: number, { field, problem }: ValidationIssue) =>
	`Item ${itemIndex + 1}, ${field}: ${problem}`;

/** What is wrong with the input, before anything was sent: the first issue as the message, and below all of them if there are several. */
export function describeIssues(
	invalid: ItemIssues[],
	total: number,
): { message: string; description: string } {
	const lines = invalid.flatMap(({ itemIndex, issues }) =>
		issues.map((issue) => line(itemIndex, issue)),
	);
	const listed = lines.length > 1 ? lines.slice(0, MAX_LISTED) : [];
	const more = lines.length > MAX_LISTED ? [`… and ${lines.length - MAX_LISTED} more`] : [];
	const count = `${invalid.length} of ${total} ${total === 1 ? 'item has' : 'items have'} something to correct. Nothing was sent.`;
	return { message: lines[0], description: [count, ...listed, ...more].join('\n') };
}

/** The item that stopped an execution. */
export interface StoppedAt {
	itemIndex: number;
	transaction: Transaction;
	result: SendFailure | DuplicateResult;
	/** Number of items in the input. */
	total: number;
	onDuplicate: 'continue' | 'stop';
}

const RERUN_IS_SAFE =
	'Running the workflow again is safe: each payment is sent with the same Event ID, and the service recognizes those that it has.';
const RERUN_STOPS =
	'The option On Duplicate stops at items that are recorded already. Set it to Continue before you run the workflow again: then they go on, and the others are sent.';

/** What happened when an execution stopped half-way: which item, how many are recorded, and how to go on. */
export function describeStop(
	results: SendResult[],
	{ itemIndex, transaction, result, total, onDuplicate }: StoppedAt,
): { message: string; description: string } {
	const known = results.filter((one) => one !== undefined);
	const recorded = known.filter(isRecorded).length;
	const unknown = known.filter(({ outcome }) => outcome === 'unknown').length;
	const { eventId, externalId } = transaction;
	const counts = [
		`${recorded} of ${total} transactions ${total === 1 ? 'is' : 'are'} recorded`,
		...(unknown > 0 ? [`${unknown} may be recorded`] : []),
		`${total - known.length} were not begun`,
	];
	const stopsAgain = onDuplicate === 'stop' && recorded > 0;
	return {
		message: `Item ${itemIndex + 1}: ${result.message}`,
		description: [
			result.remedy,
			`Event ID ${eventId}, External ID ${externalId}.`,
			`${counts.join(', ')}.`,
			stopsAgain ? RERUN_STOPS : RERUN_IS_SAFE,
		].join('\n'),
	};
}
