import { parseRecordedCodes } from '../../nodes/Payments/recordedCodes';
import type { SendResult } from '../../nodes/Payments/results';
import { duplicate, notSent, unknownOutcome } from '../../nodes/Payments/sending/response/outcome';
import { readResponse } from '../../nodes/Payments/sending/response/readResponse';
import type { ServiceResponse } from '../../nodes/Payments/sending/response/responseBody';
import type { Transaction } from '../../nodes/Payments/Transaction';

/* What the Payments node makes of an answer. Nothing else here reads responses as the node does. */

export { isReplay } from '../../nodes/Payments/sending/response/codes';
export { rejectsToken } from '../../nodes/Payments/sending/response/readResponse';
export { cleanBody } from '../../nodes/Payments/sending/response/responseBody';
export type { ServiceResponse };

/** A transaction that was sent, and what came back. */
export interface Attempt {
	transaction: Transaction;
	/** Missing if there was none. */
	answer?: ServiceResponse;
	/** Why there was none. */
	reason: string;
	/** Whether the service can have received it. */
	wasSent: boolean;
}

export interface Reading {
	/** What the node says about the transaction. */
	says: SendResult;
	/** Whether the node sends it again. */
	isRetried: boolean;
}

/**
 * Reads what came back as the node does.
 *
 * @param codes the credential's field Codes for Recorded Already
 */
export function readAttempt(attempt: Attempt, codes: string): Reading {
	const { answer, transaction, reason, wasSent } = attempt;
	if (!answer)
		return { says: wasSent ? unknownOutcome(reason) : notSent(reason, ''), isRetried: false };
	const read = readResponse(
		answer,
		{ transaction },
		{ retryUnknownOutcome: false, recordedCodes: parseRecordedCodes(codes).value ?? [] },
	);
	if (read.kind === 'recorded') return { says: duplicate(answer, false), isRetried: false };
	return { says: read.result, isRetried: read.kind === 'failure' && read.retryable };
}

/** Statuses with which an entry of Codes for Recorded Already counts. */
export const STATUSES_WITH_CODES = [400, 409, 422];

/** Lists the entries of the field, each as it's entered. */
export const entriesOf = (codes: string): string[] =>
	(parseRecordedCodes(codes).value ?? []).map(({ text, isPart }) => (isPart ? `"${text}"` : text));

/** Whether the node takes a refusal for recorded because of an entry. */
export const hasEntry = (attempt: Attempt, entry: string): boolean =>
	STATUSES_WITH_CODES.includes(attempt.answer?.status ?? 0) &&
	readAttempt(attempt, '').says.outcome !== 'duplicate' &&
	readAttempt(attempt, entry).says.outcome === 'duplicate';

/** Whether an entry is in an answer, also if the node knows it without. */
export function mentions({ answer }: Attempt, entry: string): boolean {
	const [{ text, isPart }] = parseRecordedCodes(entry).value!;
	const values = [...valuesOf(answer?.body).map(({ value }) => value), String(answer?.status)];
	return values.some((value) => (isPart ? value.includes(text) : value === text));
}

/** A text or a number of a body. */
export interface BodyValue {
	/** The members that it's in, the innermost last. Empty for a body that is only text. */
	path: string[];
	value: string;
}

/** Lists the texts and numbers of a body. */
export const valuesOf = (body: unknown): BodyValue[] =>
	leavesOf(body)
		.filter(({ value }) => typeof value === 'string' || typeof value === 'number')
		.map(({ path, value }) => ({ path, value: String(value) }));

/** Lists what a body is made of: its values that contain no others, each with its path. */
export function leavesOf(
	value: unknown,
	path: string[] = [],
): Array<{ path: string[]; value: unknown }> {
	if (typeof value !== 'object' || value === null) return [{ path, value }];
	return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

/** Shorter ones, such as a country, can be a part of any word. */
const MIN_SENT_LENGTH = 4;

/** Splits a text at each value of the transaction, which the service only repeats. */
export function splitAtSent(text: string, transaction: Transaction): string[] {
	const sent = leavesOf(transaction)
		.map(({ value }) => String(value))
		.filter((value) => value.length >= MIN_SENT_LENGTH)
		.sort((one, other) => other.length - one.length);
	return sent.reduce((pieces, value) => pieces.flatMap((piece) => piece.split(value)), [text]);
}
