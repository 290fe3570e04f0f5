import { isSuccess, type SendResult, type SendFailure } from '../transport/outcome';
import type { ValidationIssue, Transaction } from './validate';

export interface ItemProblems {
	/** From 0; people count from 1. */
	itemIndex: number;
	problems: ValidationIssue[];
}

const LISTED = 20;
const line = (itemIndex: number, { field, problem }: ValidationIssue) =>
	`Item ${itemIndex + 1}, ${field}: ${problem}`;

/** What is wrong with the input, before anything was sent: the first problem as the message, and below all of them if there are several. */
export function describeProblems(
	invalid: ItemProblems[],
	total: number,
): { message: string; description: string } {
	const lines = invalid.flatMap(({ itemIndex, problems }) =>
		problems.map((problem) => line(itemIndex, problem)),
	);
	const listed = lines.length > 1 ? lines.slice(0, LISTED) : [];
	const more = lines.length > LISTED ? [`… and ${lines.length - LISTED} more`] : [];
	const count = `${invalid.length} of ${total} ${total === 1 ? 'item has' : 'items have'} something to correct. Nothing was sent.`;
	return { message: lines[0], description: [count, ...listed, ...more].join('\n') };
}

/** What happened when a run stopped half-way: which item, how many are recorded, and that a re-run is safe. */
export function describeStop(
	fates: SendResult[],
	failed: { itemIndex: number; transaction: Transaction; total: number },
): { message: string; description: string } {
	const fate = fates[failed.itemIndex] as SendFailure;
	const known = fates.filter((one) => one !== undefined);
	const recorded = known.filter(isSuccess).length;
	const doubtful = known.filter(({ outcome }) => outcome === 'unknown').length;
	const { eventId, externalId } = failed.transaction;
	return {
		message: `Item ${failed.itemIndex + 1}: ${fate.message}`,
		description: [
			fate.remedy,
			`Event ID ${eventId}, External ID ${externalId}.`,
			`${recorded} of ${failed.total} transactions were recorded${doubtful > 0 ? `, ${doubtful} may have been` : ''}; ${failed.total - known.length} were not begun.`,
			'Running the workflow again is safe: each payment is sent as the same event, and the service recognizes those that it has.',
		].join('\n'),
	};
}
