import { STATUS_CODES } from 'node:http';

import type { Repeat } from './cases';
import {
	answerOf,
	canHaveCode,
	codesIn,
	entriesOf,
	hasEntry,
	isRecorded,
	readAttempt,
	valuesOf,
	type Attempt,
} from './reading';

/* What to enter in Codes for Recorded Already, from what repeats and all others were answered. */

/** What the answers are to. */
export interface Answered {
	/** Of transactions that were created. */
	repeats: Repeat[];
	/** What was never recorded. */
	refusals: Attempt[];
	/** A recorded one with other content. */
	changed: Attempt[];
	/** What was created, with what the service says of a transaction. */
	successes: Attempt[];
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
	/** Repeats that the node doesn't recognize, whatever is entered. */
	uncovered: Repeat[];
}

/** What stands for any conflict. */
export const ANY_409 = '409';

/**
 * Chooses the entries with which the node recognizes repeats, and nothing else.
 *
 * @param stated the field as the user has it
 */
export function chooseCodes(answered: Answered, stated: string): Choice {
	const { repeats, refusals, changed } = answered;
	const given = entriesOf(stated);
	const isRefused = (entry: string) => refusals.some((one) => hasEntry(one, entry));
	const entries = given.filter((entry) => entry !== ANY_409 && !isRefused(entry));
	const found: Choice['found'] = [];
	const uncovered: Repeat[] = [];
	for (const repeat of repeats.filter(needsEntry)) {
		if (entries.some((entry) => hasEntry(repeat.exchange, entry))) continue;
		const entry = findEntry(repeat, answered);
		if (entry === undefined) uncovered.push(repeat);
		else {
			entries.push(entry);
			if (!given.includes(entry)) found.push({ entry, repeat });
		}
	}
	const attempts = [...repeats.map(({ exchange }) => exchange), ...refusals, ...changed];
	const isSeen = (entry: string) =>
		attempts.some((one) => says(one, entry) || answerOf(one)?.status === Number(entry));
	return {
		...{ entries, found, uncovered },
		dropped: given.filter((entry) => !entries.includes(entry)),
		unseen: given.filter((entry) => !isSeen(entry)),
	};
}

/** Whether the node doesn't recognize a repeat, and doesn't only wait, without an entry. */
function needsEntry({ exchange }: Repeat): boolean {
	const { says: outcome, isRetried } = readAttempt(exchange, []);
	return !isRecorded(outcome) && !isRetried && canHaveCode(exchange);
}

/** Whether a body has a text or number as one of its values. */
const says = (attempt: Attempt, text: string): boolean =>
	valuesOf(answerOf(attempt)?.body).some(({ value }) => value === text);

/** A code that is in the repeats of two transactions, and in no other answer; or else 409. */
function findEntry(repeat: Repeat, answered: Answered): string | undefined {
	const { refusals, changed, successes, repeats } = answered;
	const { exchange } = repeat;
	const { status, body } = answerOf(exchange)!;
	// What is the same for another transaction isn't an ID or a time.
	const others = repeats.filter(
		({ exchange: other }) => other.transaction.eventId !== exchange.transaction.eventId,
	);
	const [code] = codesIn(body)
		.filter(
			({ value }) =>
				!isGeneral(value, status) &&
				hasEntry(exchange, value) &&
				others.some((other) => hasEntry(other.exchange, value)) &&
				// A state of the transaction is in a success, too.
				![...refusals, ...successes].some((one) => says(one, value)),
		)
		.map(({ value, path }) => {
			const isOfChanged = changed.some((one) => says(one, value));
			return {
				value,
				rank: [isOfChanged, !SAYS_RECORDED.test(value), value.includes('://')],
				path,
			};
		})
		.sort(
			(one, other) => compareRanks(one.rank, other.rank) || other.path.length - one.path.length,
		);
	if (code) return code.value;
	const isOnly409 = status === 409 && !refusals.some((one) => answerOf(one)?.status === 409);
	return isOnly409 && hasEntry(exchange, ANY_409) ? ANY_409 : undefined;
}

const SAYS_RECORDED = /already|exist|duplicate|idempotent|repeat|twice|recorded|(?<!un)known/i;

const compareRanks = (one: boolean[], other: boolean[]): number =>
	one.map((is, index) => Number(is) - Number(other[index])).find(Boolean) ?? 0;

/** Words of codes that name what is wrong, and not that it's recorded. */
const GENERAL_WORDS = new Set([
	...['a', 'an', 'the', 'is', 'was', 'not', 'of', 'with', 'this', 'your', 'code', 'http', 'type'],
	...['about', 'bad', 'blank', 'business', 'conflict', 'constraint', 'declined', 'entity', 'error'],
	...['errors', 'exception', 'fail', 'failed', 'failure', 'fault', 'general', 'generic', 'illegal'],
	...['invalid', 'operation', 'refused', 'rejected', 'rule', 'state', 'status', 'unprocessable'],
	...['unprocessed', 'validation', 'violated', 'violation', 'wrong'],
	...['api', 'argument', 'client', 'content', 'data', 'event', 'field', 'input', 'object'],
	...['param', 'parameter', 'parameters', 'params', 'payload', 'payment', 'request', 'resource'],
	...['server', 'service', 'transaction', 'user', 'value'],
]);

/** Whether a code says only that something is wrong, as the name of its status does. */
function isGeneral(code: string, status: number): boolean {
	const name = wordsOf(STATUS_CODES[status] ?? '');
	const words = wordsOf(code);
	return (
		words.join() === name.join() ||
		words.every((word) => word === String(status) || GENERAL_WORDS.has(word))
	);
}

/** Splits a code: `invalidState`, `INVALID_STATE`. */
const wordsOf = (text: string): string[] =>
	text
		.replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
