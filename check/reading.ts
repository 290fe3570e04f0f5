import { parseRecordedCodes } from '../nodes/Payments/recordedCodes';
import type { Conclusion } from '../nodes/Payments/results';
import { STATUSES_WITH_CODES } from '../nodes/Payments/sending/answer/codes';
import { readAnswer } from '../nodes/Payments/sending/answer/readAnswer';
import type { Answer } from '../nodes/Payments/sending/answer/Says';
import type { Sent } from '../nodes/Payments/sending/request';
import type { Transaction } from '../nodes/Payments/Transaction';
import type { ReceivedResponse } from '../nodes/shared/serviceResponse';

/* What the Payments node makes of an answer. Nothing else here reads responses as the node does. */

/** A transaction that was sent, and what came back. */
export interface Attempt {
	transaction: Transaction;
	sent: Sent;
}

/** What came back, if something did. */
export const answerOf = ({ sent }: Pick<Attempt, 'sent'>): ReceivedResponse['shown'] | undefined =>
	sent.says === 'response' ? sent.response.shown : undefined;

export interface Reading {
	/** What the node learns from it. */
	answer: Answer;
	/** What the node says about the transaction. */
	says: Conclusion;
	/** Whether the node sends it again. */
	isRetried: boolean;
	/** What the service said, if it's created. */
	taken: 'recorded' | 'accepted';
}

/** Whether the node reports that the service has it. */
export const isRecorded = ({ outcome }: Conclusion): boolean =>
	outcome === 'created' || outcome === 'duplicate';

export const isCreated = ({ says }: Reading): boolean => says.outcome === 'created';

type TokenInUse = Parameters<typeof readAnswer>[3];

/** Of an answer that is only read again. */
const NO_TOKEN: TokenInUse = {
	accept: () => {},
	reject: () => ({ counts: false, isProven: false, waitMs: 0 }),
};

/**
 * Reads what came back as the node does.
 *
 * @param recordedCodes the entries of Codes for Recorded Already
 */
export function readAttempt(
	{ transaction, sent }: Attempt,
	recordedCodes: readonly string[],
	token = NO_TOKEN,
): Reading {
	const options = { retryUnknownOutcome: false, recordedCodes };
	const answer = readAnswer(sent, transaction, options, token);
	const isRetried = answer.isSentAgain && !answer.rejectedToken;
	const says = answer.taken ?? answer.failure;
	const isSaidRecorded = says.outcome === 'created' && says.isRecorded;
	return { answer, says, isRetried, taken: isSaidRecorded ? 'recorded' : 'accepted' };
}

/** Whether a code can count with the status that came back. */
export const canHaveCode = (attempt: Attempt): boolean =>
	STATUSES_WITH_CODES.includes(answerOf(attempt)?.status ?? 0);

/** Lists the entries of the field Codes for Recorded Already. */
export const entriesOf = (field: string): readonly string[] =>
	parseRecordedCodes(field).value ?? [];

/** Writes entries as they're entered: a text with a comma is in double quotes. */
export const fieldOf = (entries: readonly string[]): string =>
	entries.map((entry) => (entry.includes(',') ? `"${entry}"` : entry)).join(', ');

/** Whether the node takes a refusal for recorded because of an entry. */
export const hasEntry = (attempt: Attempt, entry: string): boolean =>
	canHaveCode(attempt) &&
	readAttempt(attempt, []).says.outcome !== 'duplicate' &&
	readAttempt(attempt, [entry]).says.outcome === 'duplicate';

/** A value of a body, and the members that it's in, the innermost last. A text is in none. */
export interface BodyValue<T = string> {
	path: string[];
	value: T;
}

/** Lists the texts and numbers of a body. */
export const valuesOf = (body: unknown): BodyValue[] =>
	leavesOf(body)
		.filter(({ value }) => typeof value === 'string' || typeof value === 'number')
		.map(({ path, value }) => ({ path, value: String(value) }));

/** Members in which services have codes: `errorCode`, `type`, `details[0].issue`. */
const CODE_NAME = /code$|^(error|errors|type|title|reason|issue|name|identifier|errno)$|^error/i;
/** A whole number, or one word. A sentence can change. */
const CODE = /^[^\s,"]{2,99}$/;

/** Members that only a transaction has. */
const TRANSACTION_NAME = /^(amount|currency|sender|recipient)$/i;

/** Lists what can be codes of a body. What is beside or below an amount is of a transaction. */
export function codesIn(body: unknown): BodyValue[] {
	const values = valuesOf(body);
	const transactions = values.flatMap(({ path }) => {
		const index = path.findIndex((name) => TRANSACTION_NAME.test(name));
		return index < 0 ? [] : [path.slice(0, index)];
	});
	return values.filter(({ path, value }) => {
		const name = path.findLast((part) => !/^\d+$/.test(part)) ?? '';
		const isOfTransaction = transactions.some((outer) =>
			outer.every((part, index) => path[index] === part),
		);
		return CODE_NAME.test(name) && CODE.test(value) && !isOfTransaction;
	});
}

/** Lists what a body is made of: its values that contain no others, each with its path. */
export function leavesOf(value: unknown, path: string[] = []): Array<BodyValue<unknown>> {
	if (typeof value !== 'object' || value === null) return [{ path, value }];
	return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

/** Shorter ones, such as a country, can be a part of any word. */
const MIN_SENT_LENGTH = 4;

/** Splits a text at each value of the transaction, which the service only repeats. */
export function splitAtSent(text: string, transaction: Transaction): string[] {
	const sent = valuesOf(transaction)
		.map(({ value }) => value)
		.filter((value) => value.length >= MIN_SENT_LENGTH)
		.sort((one, other) => other.length - one.length);
	return sent.reduce((pieces, value) => pieces.flatMap((piece) => piece.split(value)), [text]);
}
