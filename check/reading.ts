import { parseRecordedCodes } from '../nodes/Payments/recordedCodes';
import type { Conclusion } from '../nodes/Payments/results';
import { duplicate } from '../nodes/Payments/sending/response/outcome';
import type { RequestResult } from '../nodes/Payments/sending/request';
import { STATUSES_WITH_CODES } from '../nodes/Payments/sending/response/codes';
import type { AttemptResult } from '../nodes/Payments/sending/response/readResponse';
import type { ServiceResponse } from '../nodes/Payments/sending/response/responseBody';
import { readAttempt as readAsNode } from '../nodes/Payments/sending/sendTransactions';
import type { Transaction } from '../nodes/Payments/Transaction';

/* What the Payments node makes of an answer. Nothing else here reads responses as the node does. */

/** A transaction that was sent, and what came back. */
export interface Attempt {
	transaction: Transaction;
	sent: RequestResult;
}

/** What came back, if something did. */
export const answerOf = ({ sent }: Pick<Attempt, 'sent'>): ServiceResponse | undefined =>
	sent.kind === 'response' ? sent : undefined;

export interface Reading {
	/** What the node learns from it. */
	result: AttemptResult;
	/** What the node says about the transaction. */
	says: Conclusion;
	/** Whether the node sends it again. */
	isRetried: boolean;
}

/** Whether the node reports that the service has it. */
export const isRecorded = ({ outcome }: Conclusion): boolean =>
	outcome === 'created' || outcome === 'duplicate';

export const isCreated = ({ says }: Reading): boolean => says.outcome === 'created';

type TokenInUse = Parameters<typeof readAsNode>[3];

/** Of an answer that is only read again. */
const NO_TOKEN: TokenInUse = {
	accept: () => {},
	reject: () => ({ counts: false, isProven: false, waitMs: 0 }),
};

/**
 * Reads what came back as the node does.
 *
 * @param codes the credential's field Codes for Recorded Already
 */
export function readAttempt(
	{ transaction, sent }: Attempt,
	codes: string,
	token = NO_TOKEN,
): Reading {
	const recordedCodes = parseRecordedCodes(codes).value ?? [];
	const options = { retryUnknownOutcome: false, recordedCodes };
	const result = readAsNode(sent, { itemIndex: 0, transaction }, options, token);
	const says = result.kind === 'recorded' ? duplicate(result.response, false) : result.result;
	const isRetried = result.kind === 'failure' && result.retryable && !result.tokenRejected;
	return { result, says, isRetried };
}

/** Whether a code can count with the status that came back. */
export const canHaveCode = (attempt: Attempt): boolean =>
	STATUSES_WITH_CODES.includes(answerOf(attempt)?.status ?? 0);

/** Lists the entries of the field, each as it's entered. */
export const entriesOf = (codes: string): string[] =>
	(parseRecordedCodes(codes).value ?? []).map((text) => (text.includes(',') ? `"${text}"` : text));

/** Whether the node takes a refusal for recorded because of an entry. */
export const hasEntry = (attempt: Attempt, entry: string): boolean =>
	canHaveCode(attempt) &&
	readAttempt(attempt, '').says.outcome !== 'duplicate' &&
	readAttempt(attempt, entry).says.outcome === 'duplicate';

/** Whether an entry is in an answer, also if the node knows it without. */
export function mentions(attempt: Attempt, entry: string): boolean {
	const answer = answerOf(attempt);
	const [text] = parseRecordedCodes(entry).value!;
	const values = [...valuesOf(answer?.body).map(({ value }) => value), String(answer?.status)];
	return values.includes(text);
}

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
