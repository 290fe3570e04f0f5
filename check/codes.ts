import { STATUS_CODES } from 'node:http';

import {
	answerOf,
	canHaveCode,
	entriesOf,
	hasEntry,
	isRecorded,
	mentions,
	readAttempt,
	splitAtSent,
	valuesOf,
	type Attempt,
	type BodyValue,
} from './reading';
import type { Exchange } from './Service';

/* What to enter in Codes for Recorded Already, from the answers to repeats and to refusals. */

/** The repeat of a transaction that is recorded. */
export interface Repeat {
	/** A subject, such as "A repeat". */
	about: string;
	exchange: Exchange;
}

/** What is entered, and why. */
export interface Choice {
	/** All that is to be entered. */
	entries: string[];
	/** What wasn't stated, and the repeat that has it. */
	found: Array<{ entry: string; repeat: Repeat }>;
	/** What was stated, and has to go. */
	dropped: string[];
	/** What was stated, and was in no answer. */
	unseen: string[];
	/** Repeats that no value tells from a refusal. */
	uncovered: Repeat[];
}

/** What stands for any conflict. */
const ANY_409 = '409';

/**
 * Chooses the entries with which the node recognizes repeats, and nothing else.
 *
 * @param repeats what recorded transactions got, of two transactions at least
 * @param refused what was never recorded
 * @param otherContent what a recorded one with other content got, if the service tells it apart
 * @param stated the field as the user has it
 */
export function chooseCodes(
	repeats: Repeat[],
	refused: Attempt[],
	otherContent: Attempt[],
	stated: string,
): Choice {
	const given = entriesOf(stated);
	const refusals = [...refused, ...otherContent];
	const answered = [...repeats.map(({ exchange }) => exchange), ...refusals];
	const isRefused = (entry: string) => refused.some((one) => hasEntry(one, entry));
	const entries = given.filter((entry) => entry !== ANY_409 && !isRefused(entry));
	const found: Choice['found'] = [];
	const uncovered: Repeat[] = [];
	const open = repeats.filter(needsEntry);
	for (const repeat of open) {
		if (entries.some((entry) => hasEntry(repeat.exchange, entry))) continue;
		const others = open.map(({ exchange }) => exchange);
		const entry = findEntry(repeat.exchange, others, refusals);
		if (entry === undefined) uncovered.push(repeat);
		else {
			entries.push(entry);
			if (!given.includes(entry)) found.push({ entry, repeat });
		}
	}
	return {
		entries,
		found,
		dropped: given.filter((entry) => !entries.includes(entry)),
		unseen: given.filter((entry) => !answered.some((attempt) => mentions(attempt, entry))),
		uncovered,
	};
}

/** Whether the node doesn't recognize a repeat, and an entry can change that. */
function needsEntry({ exchange }: Repeat): boolean {
	const { says, isRetried } = readAttempt(exchange, '');
	return !isRecorded(says) && !isRetried && canHaveCode(exchange);
}

/** Finds what tells a repeat from refusals: a code, a part of a sentence, or 409. */
function findEntry(repeat: Attempt, repeats: Attempt[], refusals: Attempt[]): string | undefined {
	const { transaction } = repeat;
	const { status, body } = answerOf(repeat)!;
	const values = valuesOf(body);
	// What is the same for another transaction isn't an ID or a time.
	const others = repeats.filter((one) => one.transaction.eventId !== transaction.eventId);
	const isRight = (text: string, entry = text) =>
		!isGeneral(text, status) &&
		hasEntry(repeat, entry) &&
		others.some((other) => hasEntry(other, entry)) &&
		!refusals.some((refusal) => hasEntry(as409(refusal), entry));

	const codes = values.filter((one) => isCode(one) && isRight(one.value)).sort(bySpecificity);
	if (codes.length > 0) return codes[0].value;
	const [part] = values
		.flatMap(({ value }) => splitAtSent(value, transaction).flatMap(partsOf))
		.filter((text) => isRight(text, `"${text}"`))
		.sort((one, other) => other.length - one.length);
	if (part) return `"${part}"`;
	const isOnly409 = hasEntry(repeat, ANY_409) && !refusals.some((one) => hasEntry(one, ANY_409));
	return isOnly409 ? ANY_409 : undefined;
}

/** A service can have the same code with a status that counts. */
const as409 = ({ transaction, sent }: Attempt): Attempt => ({
	transaction,
	sent: sent.says === 'response' ? { ...sent, response: { ...sent.response, status: 409 } } : sent,
});

/** Statuses end below, and a small number can be a count. */
const MIN_NUMBER = 600;

/** Members that say where and when it happened, which can be the same by chance. */
const PLACE_NAME =
	/host|server|node|region|env|version|instance|path|service|lang|locale|time|date|method|ur[il]|link/i;

/** Whether a value can be entered as a code: no path, no flag, and no count. */
const isCode = ({ path, value }: BodyValue): boolean =>
	/^[^\s,"/][^\s,"]{2,99}$/.test(value) &&
	!(Number(value) < MIN_NUMBER) &&
	(CODE_NAME.test(nameIn(path)) || !PLACE_NAME.test(nameIn(path)));

/** The innermost member that has a name. */
const nameIn = (path: string[]): string => path.findLast((part) => !/^\d+$/.test(part)) ?? '';

/** Words of codes and sentences that name what is wrong, and not that it's recorded. */
const GENERAL_WORDS = new Set([
	...['a', 'an', 'the', 'is', 'was', 'not', 'of', 'with', 'this', 'your', 'code', 'http', 'type'],
	...['bad', 'business', 'conflict', 'constraint', 'declined', 'entity', 'error', 'errors'],
	...['exception', 'fail', 'failed', 'failure', 'fault', 'general', 'generic', 'illegal'],
	...['invalid', 'operation', 'refused', 'rejected', 'rule', 'state', 'status', 'unprocessable'],
	...['unprocessed', 'validation', 'violated', 'violation', 'wrong'],
	...['api', 'argument', 'client', 'content', 'data', 'event', 'field', 'input', 'object'],
	...['param', 'parameter', 'parameters', 'params', 'payload', 'payment', 'request', 'resource'],
	...['server', 'service', 'transaction', 'user', 'value'],
]);

/** Whether a text says only that something is wrong, as the name of its status does. */
function isGeneral(text: string, status: number): boolean {
	const name = wordsOf(STATUS_CODES[status] ?? '');
	const words = wordsOf(text);
	return (
		words.join() === name.join() ||
		words.every((word) => word === String(status) || GENERAL_WORDS.has(word))
	);
}

/** Splits a code or a sentence: `invalidState`, `INVALID_STATE`. */
const wordsOf = (text: string): string[] =>
	text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);

const SAYS_RECORDED = /already|exist|duplicate|idempotent|repeat|twice|recorded|(?<!un)known/i;
/** How services name a code, such as `errorCode`. */
const CODE_NAME = /code|c[oó]dig|error|reason|type|title|issue|^name$/i;

/** First what says that something exists, then what is named as a code, then the innermost. */
function bySpecificity(one: BodyValue, other: BodyValue): number {
	const rank = ({ path, value }: BodyValue): number[] => [
		SAYS_RECORDED.test(value) ? 0 : 1,
		value.includes('://') ? 1 : 0,
		CODE_NAME.test(nameIn(path)) ? 0 : 1,
		-path.length,
	];
	const [first, second] = [rank(one), rank(other)];
	return first.map((place, index) => place - second[index]).find(Boolean) ?? 0;
}

/** Shorter ones stand in other sentences, too. */
const MIN_PART = 8;

/**
 * Lists the parts of a sentence that can be entered, in quotes. A word with a digit can be an ID,
 * and of a page or XML, only its texts are read.
 */
const partsOf = (sentence: string): string[] =>
	sentence
		.split(/<[^>]*>/)
		.flatMap((text) => text.split(/["\n]|\S*\d\S*/))
		.map((part) => part.trim())
		.filter((part) => part.length >= MIN_PART && /\s/.test(part));
