import type { Problem } from '../../shared/result';
import { isEmpty, isObject, quote } from '../../shared/values';
import type { Conclusion, DuplicateResult, NotBegun, SendFailure } from '../results';
import {
	FIELD_TABLE,
	type ItemProblem,
	type RawTransaction,
	type TransactionItem,
} from '../Transaction';

type InputItems = ReadonlyArray<{ json: unknown }>;

/** The number of a row, which n8n's Google Sheets node adds to its items. The header is row 1. */
function rowOf(itemIndex: number, inputs: InputItems): number | undefined {
	const { json } = inputs[itemIndex];
	const row = isObject(json) ? json.row_number : undefined;
	return typeof row === 'number' && Number.isSafeInteger(row) ? row : undefined;
}

/** An item of the input, and the External ID that it has, not checked. */
interface NamedItem {
	itemIndex: number;
	externalId?: unknown;
}

/**
 * Names an item as a person finds it: by its row, by its External ID, or else by its number, as
 * people count: the last one is "item 9 of 9". n8n would number it from 0.
 */
function nameOf({ itemIndex, externalId }: NamedItem, inputs: InputItems): string {
	const row = rowOf(itemIndex, inputs);
	if (row !== undefined) return `row ${row}`;
	const isReadable = typeof externalId === 'string' || typeof externalId === 'number';
	if (isReadable && !isEmpty(externalId)) return `External ID ${quote(externalId)}`;
	return `item ${itemIndex + 1} of ${inputs.length}`;
}

/** Begins a text with the item that it is about, unless it's the only one, and has no row. */
export function startWithItem(text: string, item: NamedItem, inputs: InputItems): string {
	if (inputs.length === 1 && rowOf(item.itemIndex, inputs) === undefined) return text;
	const name = nameOf(item, inputs);
	return `${name[0].toUpperCase()}${name.slice(1)}: ${text}`;
}

const MAX_LISTED_ITEMS = 3;

/** Lists the first names, and how many more there are. */
export function listed(names: readonly string[], max = MAX_LISTED_ITEMS): string {
	const more = names.length > max ? ` and ${names.length - max} more` : '';
	return `${names.slice(0, max).join(', ')}${more}`;
}

/** What a person knows a transaction by. If the item isn't valid, as the input has it. */
export interface TransactionFields {
	externalId?: unknown;
	amount?: unknown;
	currency?: unknown;
	/** The payment channel, because the funds go there. */
	recipient?: unknown;
	eventId?: unknown;
}

export interface InvalidItem extends Pick<RawTransaction, 'columnByField'> {
	itemIndex: number;
	problems: ItemProblem[];
	fields: TransactionFields;
}

/** Names the items that have the same problem, so that a problem is listed once. */
function namesOf(items: InvalidItem[], inputs: InputItems): string {
	if (items.length === inputs.length) return `all ${items.length} items`;
	return listed(items.map((item) => nameOf(named(item), inputs)));
}

/** An External ID that is invalid, or that another item has, too, doesn't say which item it is. */
function named({ itemIndex, fields, problems }: InvalidItem): NamedItem {
	const isNoName = ({ field, kind }: ItemProblem) => field === 'externalId' || kind === 'repeated';
	return problems.some(isNoName) ? { itemIndex } : { itemIndex, externalId: fields.externalId };
}

/** Names a field as the editor does, and its input column if that has another name. */
function labelOf({ field }: ItemProblem, { columnByField }: InvalidItem): string {
	if (field === undefined) return '';
	const name = FIELD_TABLE[field].displayName;
	const column = columnByField?.get(field);
	const isOwnName = column === undefined || column === field || column === name;
	return isOwnName ? `'${name}'` : `'${name}' (column ${quote(column)})`;
}

const startWithLabels = (labels: readonly string[], text: string): string =>
	labels.join('') === '' ? text : `${labels.join(', ')}: ${text}`;

const reasonOf = (problem: ItemProblem, inputs: InputItems): string =>
	problem.kind === 'repeated'
		? `${problem.message} ${nameOf({ itemIndex: problem.otherItem }, inputs)}`
		: problem.message;

/** Names everything that is wrong with an item. What is wrong with several fields is said once. */
function messageOf(item: InvalidItem, inputs: InputItems): string {
	const labelsByReason = new Map<string, string[]>();
	for (const problem of item.problems) {
		const reason = reasonOf(problem, inputs);
		const labels = labelsByReason.get(reason) ?? [];
		labelsByReason.set(reason, [...labels, labelOf(problem, item)]);
	}
	return [...labelsByReason].map(([reason, labels]) => startWithLabels(labels, reason)).join('; ');
}

/** @param problems those of the item that have a fix */
const fixesOf = (item: InvalidItem, problems = item.problems) =>
	item.problems.length === 1
		? problems.map(({ fix }) => fix)
		: problems.map((problem) => startWithLabels([labelOf(problem, item)], problem.fix));

/** How to go on, for a model that would look for a way to get it recorded. */
export const FOR_MODEL =
	"Don't change or split the transaction. Tell the user what you can't correct.";

/** Describes what is wrong with one item, when the others go on. */
export function describeInvalidItem(
	item: InvalidItem,
	inputs: InputItems,
	isTool: boolean,
): Problem {
	// A model must not get past a limit with a smaller amount or in another currency.
	const fixable = item.problems.filter(({ kind }) => !isTool || kind !== 'beyondLimit');
	const fix = [...fixesOf(item, fixable), "This item wasn't sent."].join(' ');
	return { message: messageOf(item, inputs), fix: startWithItem(fix, named(item), inputs) };
}

const MAX_LISTED_PROBLEMS = 20;

/**
 * Describes what is wrong with the input, before anything is sent. The message names the first
 * item. If there are several, the fix lists their problems.
 */
export function describeInvalidItems(invalid: InvalidItem[], inputs: InputItems): Problem {
	const [first, ...others] = invalid;
	const fixes = fixesOf(first).join('\n');
	if (inputs.length === 1) {
		const message = `${messageOf(first, inputs)}. Nothing was sent`;
		return { message, fix: startWithItem(fixes, named(first), inputs) };
	}
	const message = `${messageOf(first, inputs)} [${nameOf(named(first), inputs)}]. Nothing was sent`;
	const total = `${inputs.length} items`;
	if (others.length === 0)
		return { message, fix: `${fixes}\n1 of ${total} has something to correct.` };
	const itemsByProblem = new Map<string, InvalidItem[]>();
	for (const item of invalid) {
		for (const problem of item.problems) {
			const reason = `${reasonOf(problem, inputs)}. ${problem.fix}`;
			const text = startWithLabels([labelOf(problem, item)], reason);
			const items = itemsByProblem.get(text) ?? [];
			items.push(item);
			itemsByProblem.set(text, items);
		}
	}
	const lines = [...itemsByProblem]
		.slice(0, MAX_LISTED_PROBLEMS)
		.map(([text, items]) => `[${namesOf(items, inputs)}] ${text}`);
	const unlisted = itemsByProblem.size - lines.length;
	const more = unlisted > 0 ? [`… and ${unlisted} more`] : [];
	const count = `${invalid.length} of ${total} have something to correct.`;
	return { message, fix: [count, ...lines, ...more].join('\n') };
}

/** The item that stopped an execution. */
export interface StoppedAt {
	item: TransactionItem;
	result: SendFailure | DuplicateResult;
	inputs: InputItems;
	onDuplicate: 'continue' | 'stop';
}

const RERUN =
	'If you run the workflow again, the Event IDs stay the same, so the service can recognize what it has.';
const RERUN_STOPS =
	"The option 'On Duplicate' stops at items that are recorded already. Set it to Continue before you run the workflow again.";

const MAX_LISTED_IDS = 20;

/**
 * Describes an execution that stopped at an item: what the service said of it, how many are
 * recorded, which ones aren't or may be, and how to go on.
 *
 * @param valid all items that were to be sent
 * @param results by the indexes of their items
 */
export function describeStop(
	valid: readonly TransactionItem[],
	results: ReadonlyMap<number, Conclusion | NotBegun>,
	{ item, result, inputs, onDuplicate }: StoppedAt,
): Problem {
	const { externalId, eventId } = item.transaction;
	const ids = `External ID ${quote(externalId)}, Event ID ${eventId}.`;
	if (inputs.length === 1) return { message: result.message, fix: `${result.fix}\n${ids}` };
	const having = (...outcomes: Array<(Conclusion | NotBegun)['outcome']>) =>
		valid.filter(({ itemIndex }) => outcomes.includes(results.get(itemIndex)!.outcome));
	const recorded = having('created', 'duplicate').length;
	const others = [
		{ name: 'rejected', items: having('rejected') },
		{ name: 'not sent', items: having('notSent') },
		{ name: 'maybe recorded', items: having('unknown') },
		{ name: 'not started', items: having('notBegun') },
	].filter(({ items }) => items.length > 0);
	const counts = [
		`Recorded: ${recorded} of ${inputs.length}`,
		...others.map(({ name, items }) => `${name}: ${items.length}`),
	].join(', ');
	const lines = others.map(({ name, items }) => {
		const names = items.map((one) => one.transaction.externalId);
		return `${name[0].toUpperCase()}${name.slice(1)}: ${listed(names, MAX_LISTED_IDS)}.`;
	});
	const again = onDuplicate === 'stop' && recorded > 0 ? RERUN_STOPS : RERUN;
	return {
		message: `${result.message} [${nameOf({ ...item, externalId }, inputs)}]. ${counts}`,
		fix: [result.fix, ids, ...lines, again].join('\n'),
	};
}
