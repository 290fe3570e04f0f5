import type { CreatedResult, DuplicateResult, FailureOutcome, SendFailure } from '../results';
import type { Transaction } from '../Transaction';
import type { ErrorBody } from './response/responseBody';

const describeIds = ({ eventId, externalId }: Transaction) =>
	`Event ID ${eventId}, External ID ${externalId}`;

const FIX_BY_STATUS: Record<number, string> = {
	303: 'If every request ends so, check the Base URL in the credential.',
	400: 'Correct the fields that are named, then run the workflow again.',
	401: 'Open the credential and test it. If the test succeeds, the client may not be allowed to create transactions.',
	403: "The client isn't permitted to create transactions. Check the Scope in the credential (PAYMENTS), and the client's rights in the dashboard.",
	404: 'Check the Base URL in the credential: the address of transactions is Base URL + /api/v1/transactions.',
	409: 'The service has something else with these values. Correct what the message names, then run the workflow again.',
	429: "The service limits the rate of requests. Lower the option 'Max Concurrent Requests', or raise 'Max Retry Time'.",
	503: "The service isn't available at the moment. Try again later, or raise the option 'Max Retry Time'.",
};

const MAX_LISTED_WARNINGS = 20;

/** Joins the service's own words in one line: code, message, and warnings. */
function wordsOfService({ errorCode, message, warnings }: ErrorBody): string {
	const statement = [errorCode, message].filter(Boolean).join(': ');
	const details = warnings
		.slice(0, MAX_LISTED_WARNINGS)
		.map(({ position, issue }) => [position, issue].filter(Boolean).join(': '));
	const unlisted = warnings.length - details.length;
	if (unlisted > 0) details.push(`… and ${unlisted} more`);
	return [statement, details.join('; ')].filter(Boolean).join(' – ');
}

/** For a message that ends with what the service said. */
function statusAndWords(status: number, error: ErrorBody): string {
	const words = wordsOfService(error);
	return words ? `(status ${status}: ${words})` : `(status ${status})`;
}

const detailsOf = ({ errorCode, warnings }: ErrorBody) => ({ errorCode, warnings });

export const created = (status: number, body: unknown): CreatedResult => ({
	outcome: 'created',
	message: 'Transaction created',
	status,
	body,
});

/**
 * The service has recorded the event before.
 *
 * @param ownAttempt whether an earlier attempt of this run of the node recorded it, or may have
 */
export function duplicate(status: number, error: ErrorBody, ownAttempt: boolean): DuplicateResult {
	const what = ownAttempt
		? 'The service has this Event ID. It may have been recorded by an earlier attempt of this execution'
		: 'The service has recorded this Event ID before';
	return {
		outcome: 'duplicate',
		message: `${what} ${statusAndWords(status, error)}`,
		fix: 'If it is the same payment, nothing is left to do. If it is another payment, leave Event ID empty, or give it an Event ID of its own.',
		status,
		...detailsOf(error),
		ownAttempt,
	};
}

/**
 * The execution sent another transaction with the same Event ID, so the 409 response can be about
 * that one.
 *
 * @param isOtherRecorded whether the service certainly recorded the other one. If not, it may have
 *   recorded either.
 */
export function eventIdReused(
	status: number,
	error: ErrorBody,
	isOtherRecorded: boolean,
): SendFailure {
	const what = isOtherRecorded
		? 'This execution sent another transaction with the same Event ID'
		: "It isn't known which of two transactions with this Event ID was recorded: this execution sent both";
	return {
		outcome: isOtherRecorded ? 'rejected' : 'unknown',
		message: `${what} ${statusAndWords(status, error)}`,
		fix: isOtherRecorded
			? 'Give each payment an Event ID of its own, or leave Event ID empty.'
			: 'Look up which of the two the service recorded. Give the other one an Event ID of its own, or leave Event ID empty.',
		status,
		...detailsOf(error),
	};
}

/** The service answered with a status that is not a success. */
export function failureFromResponse(
	status: number,
	error: ErrorBody,
	outcome: FailureOutcome,
	transaction: Transaction,
): SendFailure {
	const words = wordsOfService(error);
	if (outcome === 'unknown') {
		const reason = `the service responded with status ${status}${words ? ` (${words})` : ''}`;
		const failure = unknownOutcome(reason, transaction);
		const fix = [FIX_BY_STATUS[status], failure.fix].filter(Boolean).join(' ');
		return { ...failure, fix, status, ...detailsOf(error) };
	}
	if (status >= 300 && status < 400) {
		return {
			outcome,
			message: `The service redirects the request to another address (status ${status})`,
			fix: "Enter the final address as Base URL in the credential: a payment isn't sent to an address that you didn't enter.",
			status,
			...detailsOf(error),
		};
	}
	return {
		outcome,
		message: `The service rejected the transaction (status ${status})${words ? `: ${words}` : ''}`,
		fix:
			FIX_BY_STATUS[status] ??
			'Look up what the service says, correct it, then run the workflow again.',
		status,
		...detailsOf(error),
	};
}

/** Nobody knows whether the service recorded it. */
export const unknownOutcome = (reason: string, transaction: Transaction): SendFailure => ({
	outcome: 'unknown',
	message: `It isn't known whether the transaction was recorded: ${reason}`,
	fix: `The transaction may exist (${describeIds(transaction)}). Running it again sends the same event, so the service can recognize it.`,
});

/** The service never received it. */
export const notSent = (message: string, fix: string): SendFailure => ({
	outcome: 'notSent',
	message,
	fix,
});

/** Ranks failures by how likely the transaction was recorded. 503 usually means that it was not. */
const uncertainty = ({ outcome, status }: SendFailure): number => {
	if (outcome === 'unknown') return status === 503 ? 2 : 3;
	return outcome === 'rejected' ? 1 : 0;
};

/** Returns the more uncertain of two failed attempts, or the later one of equals. */
export const mostUncertain = (earlier: SendFailure | undefined, later: SendFailure): SendFailure =>
	earlier && uncertainty(earlier) > uncertainty(later) ? earlier : later;

/** Statuses of a client error that isn't about the content of the transaction. */
const OTHER_REJECTIONS = new Set([401, 403, 404, 405, 407, 409, 429]);

const isContentRejected = ({ outcome, status = 0 }: SendFailure): boolean =>
	outcome === 'rejected' && status >= 400 && status < 500 && !OTHER_REJECTIONS.has(status);

/**
 * Says what is known after the last attempt failed. If it was rejected or not sent, an earlier
 * attempt with an unknown outcome may still have recorded the transaction. Except that after a 503,
 * which usually means that nothing was done, a rejection of the content is final.
 *
 * @param earlier the most uncertain of the attempts before
 */
export function mergeFailures(earlier: SendFailure | undefined, last: SendFailure): SendFailure {
	if (!earlier || uncertainty(earlier) <= uncertainty(last)) return last;
	if (earlier.status === 503 && isContentRejected(last)) return last;
	const lastResponse = last.status === undefined ? earlier : last;
	return {
		...lastResponse,
		outcome: earlier.outcome,
		message: `${earlier.message}. Retry: ${last.message}`,
		fix: earlier.fix,
	};
}
