import type { Problem } from '../../shared/result';
import type { FieldProblem } from '../Input';
import { isRecorded, type DuplicateResult, type SendFailure, type SendResult } from '../results';
import type { Transaction } from '../Transaction';

/** A problem with a field, which messages call by its label. */
interface LabeledProblem extends FieldProblem {
	label: string;
}

/** An item that isn't valid. */
export interface InvalidItem {
	/** From 0, as n8n numbers the item that it adds to a message. */
	itemIndex: number;
	/** What the item has for a transaction. */
	input: unknown;
	problems: LabeledProblem[];
}

const MAX_LISTED_PROBLEMS = 20;

const inOneLine = ({ label, message }: LabeledProblem) => `${label}: ${message}`;
const withFix = (problem: LabeledProblem) => `${inOneLine(problem)}. ${problem.fix}`;

/**
 * Describes what is wrong with the input, before anything is sent. The first problem is the
 * message, to which n8n adds the number of the item. If there are several, the fix lists all of
 * them.
 *
 * @param total number of items in the input
 */
export function describeInvalidItems(invalid: InvalidItem[], total: number): Problem {
	const all = invalid.flatMap(({ itemIndex, problems }) =>
		problems.map((problem) => ({ itemIndex, problem })),
	);
	const [first] = all;
	const message = inOneLine(first.problem);
	const items = total === 1 ? 'item' : 'items';
	const have = invalid.length === 1 ? 'has' : 'have';
	const itemCount = `${invalid.length} of ${total} ${items} ${have} something to correct`;
	if (all.length === 1) {
		const which = total === 1 ? '' : `: item ${first.itemIndex}`;
		return { message, fix: `${first.problem.fix}\n${itemCount}${which}. Nothing was sent.` };
	}
	const itemsByProblem = new Map<string, number[]>();
	for (const { itemIndex, problem } of all) {
		const text = withFix(problem);
		const indexes = itemsByProblem.get(text);
		if (indexes) indexes.push(itemIndex);
		else itemsByProblem.set(text, [itemIndex]);
	}
	const lines = [...itemsByProblem]
		.slice(0, MAX_LISTED_PROBLEMS)
		.map(([text, indexes]) => `[${nameItems(indexes, total)}] ${text}`);
	const unlisted = itemsByProblem.size - lines.length;
	const more = unlisted > 0 ? [`… and ${unlisted} more`] : [];
	return { message, fix: [`${itemCount}. Nothing was sent.`, ...lines, ...more].join('\n') };
}

const MAX_LISTED_ITEMS = 3;

/** Names the items that have the same problem, so that a problem is listed once. */
function nameItems(indexes: number[], total: number): string {
	if (indexes.length === 1) return `item ${indexes[0]}`;
	if (indexes.length === total) return `all ${total} items`;
	const listed = indexes.slice(0, MAX_LISTED_ITEMS);
	const unlisted = indexes.length - listed.length;
	if (unlisted > 0) return `items ${listed.join(', ')} and ${unlisted} more`;
	return `items ${listed.slice(0, -1).join(', ')} and ${listed.at(-1)}`;
}

/** Describes what is wrong with one item, when the others go on. */
export function describeInvalidItem({ problems }: InvalidItem): Problem {
	const [first, ...others] = problems;
	const fixes = others.length === 0 ? [first.fix] : problems.map(withFix);
	return { message: inOneLine(first), fix: [...fixes, "This item wasn't sent."].join('\n') };
}

/** The item that stopped an execution. */
export interface StoppedAt {
	transaction: Transaction;
	result: SendFailure | DuplicateResult;
	/** Number of items in the input. */
	total: number;
	onDuplicate: 'continue' | 'stop';
}

const RERUN_IS_SAFE =
	'Running the workflow again is safe: each payment is sent with the same Event ID, and the service recognizes those that it has.';
const RERUN_STOPS =
	"The option 'On Duplicate' stops at items that are recorded already. Set it to Continue before you run the workflow again. Recorded items then continue, and the rest are sent.";

/**
 * Describes an execution that stopped at an item: how many are recorded, and how to go on. n8n adds
 * the number of the item.
 *
 * @param results of the items that were started
 */
export function describeStop(
	results: SendResult[],
	{ transaction, result, total, onDuplicate }: StoppedAt,
): Problem {
	const recorded = results.filter(isRecorded).length;
	const unknown = results.filter(({ outcome }) => outcome === 'unknown').length;
	const { eventId, externalId } = transaction;
	const notStarted = total - results.length;
	const counts = [
		total === 1
			? `${recorded} of 1 transaction is recorded`
			: `${recorded} of ${total} transactions are recorded`,
		...(unknown > 0 ? [`${unknown} may be recorded`] : []),
		...(notStarted > 0
			? [notStarted === 1 ? "1 item wasn't started" : `${notStarted} items weren't started`]
			: []),
	];
	const stopsAgain = onDuplicate === 'stop' && recorded > 0;
	return {
		message: result.message,
		fix: [
			result.fix,
			`Event ID ${eventId}, External ID ${externalId}.`,
			`${counts.join(', ')}.`,
			stopsAgain ? RERUN_STOPS : RERUN_IS_SAFE,
		].join('\n'),
	};
}
