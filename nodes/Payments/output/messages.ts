import type { Problem } from '../../shared/result';
import { isEmpty, isObject, quote } from '../../shared/values';
import { groupBy, listed } from '../lists';
import type {
	AttemptLog,
	Conclusion,
	CreatedResult,
	DuplicateResult,
	NotBegun,
	SendFailure,
} from '../results';
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
export interface NamedItem {
	itemIndex: number;
	externalId?: unknown;
}

/** Whether an External ID can name an item. */
export const isName = (externalId: unknown): externalId is string | number =>
	(typeof externalId === 'string' || typeof externalId === 'number') && !isEmpty(externalId);

/**
 * Names an item as a person finds it: by its row, by its External ID, or else by its number, as
 * people count: the last one is "item 9 of 9". n8n would number it from 0.
 */
function itemName({ itemIndex, externalId }: NamedItem, inputs: InputItems): string {
	const row = rowOf(itemIndex, inputs);
	if (row !== undefined) return `row ${row}`;
	if (isName(externalId)) return `External ID ${quote(externalId)}`;
	return `item ${itemIndex + 1} of ${inputs.length}`;
}

/** Says in a few words what went well. The summary says what is true of all of them. */
export function successMessage(result: CreatedResult | DuplicateResult): string {
	if (result.outcome === 'created') return result.message;
	return result.ownAttempt ? 'Already there, maybe by an earlier attempt' : 'Already there';
}

/**
 * Begins a text with the item that it is about, unless it's the only one, and has no row.
 *
 * @param showsId whether the External ID stands beside the text
 */
export function startWithItem(
	text: string,
	item: NamedItem,
	inputs: InputItems,
	showsId = false,
): string {
	const isKnown = inputs.length === 1 || (showsId && isName(item.externalId));
	if (isKnown && rowOf(item.itemIndex, inputs) === undefined) return text;
	const name = itemName(item, inputs);
	return `${name[0].toUpperCase()}${name.slice(1)}: ${text}`;
}

/** What a person knows a transaction by. If the item isn't valid, as the input has it. */
export interface TransactionFields {
	externalId?: unknown;
	amount?: unknown;
	currency?: unknown;
	/** The payment channel, because the funds go there. */
	recipientPaymentChannelId?: unknown;
	sentEventId?: unknown;
}

export interface InvalidItem extends Pick<RawTransaction, 'columnByField'> {
	itemIndex: number;
	problems: ItemProblem[];
	fields: TransactionFields;
}

/** An External ID that is invalid, or that another item has, too, doesn't say which item it is. */
function named({ itemIndex, fields, problems }: InvalidItem): NamedItem {
	const isNoName = ({ field, otherItem }: ItemProblem) =>
		field === 'externalId' || otherItem !== undefined;
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

/** Begins a text with fields. What is wrong with all of an item has none. */
const startWithLabels = (labels: readonly string[], text: string): string =>
	labels.join('') === '' ? text : `${labels.join(', ')}: ${text}`;

const reasonOf = ({ message, otherItem }: ItemProblem, inputs: InputItems): string =>
	otherItem === undefined ? message : `${message} ${itemName({ itemIndex: otherItem }, inputs)}`;

/** Names everything that is wrong with an item. What is wrong with several fields is said once. */
function messageOf(item: InvalidItem, inputs: InputItems): string {
	const byReason = groupBy(item.problems, (problem) => reasonOf(problem, inputs));
	return byReason
		.map((same) => startWithLabels(labelsOf(same, item), reasonOf(same[0], inputs)))
		.join('; ');
}

const labelsOf = (problems: ItemProblem[], item: InvalidItem) =>
	problems.map((problem) => labelOf(problem, item));

/**
 * Says how to correct an item, each fix once. Of one fix, the message shows what it's for.
 *
 * @param problems those of the item that have a fix
 */
function fixesOf(item: InvalidItem, problems: ItemProblem[]): string[] {
	const byFix = groupBy(problems, ({ fix }) => fix);
	const isOnly = byFix.length === 1 && problems.length === item.problems.length;
	return byFix.map((same) => startWithLabels(isOnly ? [] : labelsOf(same, item), same[0].fix));
}

/** How to go on, for a model that would look for a way to get it recorded. */
export const FOR_MODEL =
	"Don't change or split the transaction. Tell the user what you can't correct.";

/** Describes what is wrong with one item, when the others go on. */
export function describeInvalidItem(
	item: InvalidItem,
	inputs: InputItems,
	isTool: boolean,
): Problem & { name: NamedItem } {
	// A model must not get past a limit with a smaller amount or in another currency.
	const fixable = item.problems.filter(({ isBeyondLimit }) => !(isTool && isBeyondLimit));
	const fix = fixesOf(item, fixable).join(' ');
	return { message: messageOf(item, inputs), fix, name: named(item) };
}

/** Problems, items that have one, and IDs. */
const MAX_LISTED = 20;
const MAX_LABELS_IN_MESSAGE = 3;

/**
 * Describes what is wrong with the input, before anything is sent. Of several items, the message
 * says how many are invalid, and the fix has each problem once.
 */
export function describeInvalidItems(invalid: InvalidItem[], inputs: InputItems): Problem {
	if (inputs.length === 1) {
		const [only] = invalid;
		const fix = fixesOf(only, only.problems).join('\n');
		return {
			message: `${messageOf(only, inputs)}. Nothing was sent`,
			fix: startWithItem(fix, named(only), inputs),
		};
	}
	const count = `${invalid.length} of ${countedItems(inputs)} to correct`;
	const problems = listProblems(invalid, inputs);
	const [{ labels, reason, names, fix }, ...others] = problems;
	if (others.length === 0) {
		const isShort = labels.length <= MAX_LABELS_IN_MESSAGE;
		const said = startWithLabels(isShort ? labels : [], reason);
		const todo = startWithLabels(isShort ? [] : labels, fix);
		return { message: `${count}: ${said}. Nothing was sent`, fix: `[${names}] ${todo}` };
	}
	const lines = problems.slice(0, MAX_LISTED).map((one) => {
		const where = `${one.labels.join(', ')} [${one.names}]`.trim();
		return `• ${where}: ${one.reason}. ${one.fix}`;
	});
	const unlisted = problems.length - lines.length;
	const more = unlisted > 0 ? [`… and ${unlisted} more`] : [];
	return { message: `${count}. Nothing was sent`, fix: [...lines, ...more].join('\n') };
}

/** Counts the input: the items of a spreadsheet are rows. */
const countedItems = (inputs: InputItems) =>
	`${inputs.length} ${rowOf(0, inputs) === undefined ? 'items' : 'rows'}`;

/** What differs between two messages about the same problem: quoted values, and numbers. */
const VALUES = /"[^"]*"|[-\d][\d.,]*/g;

/** A problem of several items or fields. Of reasons with other values, it has the first. */
interface ListedProblem {
	/** Of its fields. */
	labels: string[];
	reason: string;
	fix: string;
	/** Of its items. */
	names: string;
}

/** Lists each problem once, with the items that have it, and one fix. */
function listProblems(invalid: InvalidItem[], inputs: InputItems): ListedProblem[] {
	const all = invalid.flatMap((item) =>
		item.problems.map((problem) => {
			const texts = [reasonOf(problem, inputs), problem.fix];
			const withoutValues = texts.join(' ').replace(VALUES, '"');
			return { item, label: labelOf(problem, item), texts, withoutValues };
		}),
	);
	const ofField = groupBy(all, ({ label, withoutValues }) => `${label} ${withoutValues}`);
	// Several fields of the same items, such as those that have no column.
	const ofFields = groupBy(ofField, (same) =>
		JSON.stringify([same[0].withoutValues, same.map(({ item }) => item.itemIndex)]),
	);
	return ofFields.map((fields) => {
		const [same] = fields;
		const [reason, fix] = same[0].texts;
		const isExample = fields.flat().some(({ texts }) => texts.join() !== same[0].texts.join());
		return {
			labels: fields.map(([{ label }]) => label),
			reason: isExample ? `${reason}, for example` : reason,
			fix,
			names: namesOf(
				same.map(({ item }) => item),
				inputs,
			),
		};
	});
}

/** Names the items that have the same problem: rows together, then those with an External ID. */
function namesOf(items: InvalidItem[], inputs: InputItems): string {
	if (items.length === inputs.length) return `all ${countedItems(inputs)}`;
	const rows = items.map(({ itemIndex }) => rowOf(itemIndex, inputs));
	const isRows = rows.every((row) => row !== undefined);
	if (isRows && rows.length > 1) return `rows ${listed(rows.map(String), MAX_LISTED)}`;
	return listed(
		items.map((item) => itemName(named(item), inputs)),
		MAX_LISTED,
	);
}

/** The item that stopped an execution. */
interface StoppedAt {
	item: TransactionItem;
	result: (SendFailure | DuplicateResult) & AttemptLog;
	inputs: InputItems;
	onDuplicate: 'continue' | 'stop';
}

const RERUN =
	'If you run the workflow again, the Event IDs stay the same, so the service can recognize what it has.';
const RERUN_STOPS =
	"The option 'On Duplicate' stops at items that the service has already. Set it to Continue before you run the workflow again.";

/** What the service's support asks for. */
function forSupport(
	{ transaction: { externalId, eventId } }: TransactionItem,
	{ idempotencyKey, attempts, lastAttemptAt, requestId }: StoppedAt['result'],
): string {
	const time = lastAttemptAt === undefined ? '' : new Date(lastAttemptAt).toISOString();
	const known = [
		`External ID ${quote(externalId)}`,
		`Event ID ${eventId}`,
		idempotencyKey !== undefined && `Idempotency-Key ${idempotencyKey}`,
		requestId !== undefined && `request ID ${requestId}`,
		attempts > 0 &&
			`${attempts === 1 ? '1 attempt' : `${attempts} attempts, the last one`} at ${time}`,
	];
	return `${known.filter((one) => one !== false).join(', ')}.`;
}

/**
 * Describes an execution that stopped at an item: what the service said of it, what became of the
 * others in this execution, and how to go on.
 *
 * @param valid all items that were to be sent
 * @param results by the indexes of their items
 */
export function describeStop(
	valid: readonly TransactionItem[],
	results: ReadonlyMap<number, Conclusion | NotBegun>,
	{ item, result, inputs, onDuplicate }: StoppedAt,
): Problem {
	const { externalId } = item.transaction;
	const ids = forSupport(item, result);
	if (inputs.length === 1) return { message: result.message, fix: `${result.fix}\n${ids}` };
	const having = (outcome: (Conclusion | NotBegun)['outcome']) =>
		valid.filter(({ itemIndex }) => results.get(itemIndex)!.outcome === outcome);
	const recorded = having('created').length + having('duplicate').length;
	const groups = [
		{ name: 'created', items: having('created') },
		{ name: 'duplicate', items: having('duplicate') },
		{ name: 'rejected', items: having('rejected'), isListed: true },
		{ name: 'unknown', items: having('unknown'), isListed: true },
		{ name: 'not sent', items: having('notSent'), isListed: true },
		{ name: 'not started', items: having('notBegun'), isListed: true },
	].filter(({ items }) => items.length > 0);
	const counts = groups.map(({ name, items }) => `${items.length} ${name}`).join(', ');
	const lines = groups
		.filter(({ isListed }) => isListed)
		.map(({ name, items }) => {
			const names = items.map((one) => one.transaction.externalId);
			return `${name[0].toUpperCase()}${name.slice(1)}: ${listed(names, MAX_LISTED)}.`;
		});
	const again = onDuplicate === 'stop' && recorded > 0 ? RERUN_STOPS : RERUN;
	return {
		message: `${result.message} [${itemName({ ...item, externalId }, inputs)}]. Of ${countedItems(inputs)}: ${counts}`,
		fix: [result.fix, ids, ...lines, again].join('\n'),
	};
}
