import {
	isRecorded,
	type DuplicateResult,
	type SendFailure,
	type SendResult,
} from '../sending/outcome';
import type { Transaction } from '../Transaction';
import type { ValidationIssue } from '../validation/validate';

/** An item that isn't valid. */
export interface ItemIssues {
	/** From 0, as n8n numbers the item that it adds to a message. */
	itemIndex: number;
	issues: ValidationIssue[];
}

/** Names a field of an item as the user knows it. */
export type LabelOf = (field: string, itemIndex: number) => string;

type LabelInItem = (field: string) => string;

/** What happened, in one sentence without a period, and how to go on. */
export interface Message {
	message: string;
	description: string;
}

const MAX_LISTED = 20;

const describeIssue = ({ field, problem }: ValidationIssue, labelOf: LabelInItem) =>
	`${labelOf(field)}: ${problem}`;

const describeWithFix = (issue: ValidationIssue, labelOf: LabelInItem) =>
	`${describeIssue(issue, labelOf)}. ${issue.fix}`;

/**
 * What is wrong with the input, before anything was sent. The first issue is the message, to which n8n adds the number of the item. If there are
 * several, the description lists all of them.
 */
export function describeIssues(invalid: ItemIssues[], total: number, labelOf: LabelOf): Message {
	const all = invalid.flatMap(({ itemIndex, issues }) =>
		issues.map((issue) => ({ itemIndex, issue })),
	);
	const [first] = all;
	const inItem = (itemIndex: number) => (field: string) => labelOf(field, itemIndex);
	const message = describeIssue(first.issue, inItem(first.itemIndex));
	const itemCount = `${invalid.length} of ${total} ${total === 1 ? 'item has' : 'items have'} something to correct`;
	if (all.length === 1) {
		const which = total === 1 ? '' : `: item ${first.itemIndex}`;
		return { message, description: `${first.issue.fix}\n${itemCount}${which}. Nothing was sent.` };
	}
	const lines = all
		.slice(0, MAX_LISTED)
		.map(
			({ itemIndex, issue }) => `[item ${itemIndex}] ${describeWithFix(issue, inItem(itemIndex))}`,
		);
	const more = all.length > MAX_LISTED ? [`… and ${all.length - MAX_LISTED} more`] : [];
	return {
		message,
		description: [`${itemCount}. Nothing was sent.`, ...lines, ...more].join('\n'),
	};
}

/** What is wrong with one item, when the others go on. */
export function describeInvalidItem(issues: ValidationIssue[], labelOf: LabelInItem): Message {
	const [first, ...others] = issues;
	const fixes =
		others.length === 0 ? [first.fix] : issues.map((issue) => describeWithFix(issue, labelOf));
	return {
		message: describeIssue(first, labelOf),
		description: [...fixes, 'This item was not sent.'].join('\n'),
	};
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
	"The option 'On Duplicate' stops at items that are recorded already. Set it to Continue before you run the workflow again: then they go on, and the others are sent.";

/**
 * What happened when an execution stopped half-way: how many are recorded, and how to go on. n8n adds the number of the item.
 *
 * @param results of the items that were begun
 */
export function describeStop(
	results: SendResult[],
	{ transaction, result, total, onDuplicate }: StoppedAt,
): Message {
	const recorded = results.filter(isRecorded).length;
	const unknown = results.filter(({ outcome }) => outcome === 'unknown').length;
	const { eventId, externalId } = transaction;
	const notBegun = total - results.length;
	const counts = [
		total === 1
			? `${recorded} of 1 transaction is recorded`
			: `${recorded} of ${total} transactions are recorded`,
		...(unknown > 0 ? [`${unknown} may be recorded`] : []),
		notBegun === 1 ? '1 was not begun' : `${notBegun} were not begun`,
	];
	const stopsAgain = onDuplicate === 'stop' && recorded > 0;
	return {
		message: result.message,
		description: [
			result.fix,
			`Event ID ${eventId}, External ID ${externalId}.`,
			`${counts.join(', ')}.`,
			stopsAgain ? RERUN_STOPS : RERUN_IS_SAFE,
		].join('\n'),
	};
}

const HTML: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	// n8n makes code of text between backticks, and puts a name in place of %%PARAMETER%%.
	'`': '&#96;',
	'%': '&#37;',
	'\n': '<br>',
};

/** Formats a description for n8n's editor, which shows it as HTML: its lines are lines, and all else is shown as it is. */
export const toHtml = (description: string) =>
	description.replace(/[&<>`%\n]/g, (character) => HTML[character]);
