import { isWebPage, statusRow, type Evidence, type StatusRow } from '../../../shared/statuses';
import type { RejectedToken } from '../../../shared/token/ClientToken';
import { asText } from '../../../shared/values';
import type { CreatedResult, SendFailure } from '../../results';
import type { TransactionItem } from '../../Transaction';
import {
	created,
	mayBeRecorded,
	notConfirmed,
	otherContent,
	rateLimited,
	rejected,
	stillInProgress,
	undecided,
} from '../outcome';
import { isReplay, meaningOfCodes } from './codes';
import { readErrorBody, type ErrorBody } from './errorBody';
import { nameOf, type ServiceResponse } from './responseBody';
import { findDenial } from './successBody';

/** The transaction isn't recorded, or nobody knows. */
export interface FailedAttempt {
	kind: 'failure';
	result: SendFailure;
	/** Whether another attempt is safe, or the user says that it is. */
	retryable: boolean;
	evidence: Evidence;
	/** Set if the service rejected the access token. */
	tokenRejected?: RejectedToken;
	/** ms that the service asks to wait. */
	waitMs?: number;
}

/** Result of one attempt to send a transaction. */
export type AttemptResult =
	| { kind: 'created'; result: CreatedResult }
	/** The service says that it has recorded the event. */
	| { kind: 'recorded'; response: ServiceResponse }
	| FailedAttempt;

export const failure = (
	result: SendFailure,
	what: Pick<FailedAttempt, 'retryable' | 'evidence' | 'waitMs'>,
): FailedAttempt => ({ kind: 'failure', result, ...what });

/**
 * True if the response rejects the access token. RFC 6750, section 3.1, asks for 401 with this
 * error. Some services answer with 400 or 403.
 */
export function rejectsToken({ status, headers, body }: ServiceResponse): boolean {
	if (status === 401) return true;
	if (status !== 400 && status !== 403) return false;
	return (
		/\berror="?invalid_token\b/i.test(asText(headers['www-authenticate'])) ||
		readErrorBody(body, status).codes.some((code) => code.toLowerCase() === 'invalid_token')
	);
}

export interface ReadOptions {
	retryUnknownOutcome: boolean;
	/** The credential's field Codes for Recorded Already. */
	recordedCodes: string;
}

/**
 * Reads what a response says about its transaction: by its status (shared/statuses.ts), and by
 * codes that a service publishes or the credential states (response/codes.ts). No sentence decides
 * anything.
 */
export function readResponse(
	response: ServiceResponse,
	item: Pick<TransactionItem, 'transaction' | 'hasCustomEventId'>,
	{ retryUnknownOutcome, recordedCodes }: ReadOptions,
): AttemptResult {
	const { status, headers, body } = response;
	const { meaning, outcome, evidence, isRetried } = statusRow(status);
	if (meaning === 'success') return readSuccess(response, item);

	const errorBody = readErrorBody(body, status);
	switch (meaningOfCodes(status, headers, errorBody, recordedCodes)) {
		case 'inProgress':
			return failure(stillInProgress(response), {
				retryable: true,
				evidence: 'decision',
			});
		case 'recorded':
			return { kind: 'recorded', response };
		case 'otherContent':
			return failure(otherContent(response, item.hasCustomEventId), {
				retryable: false,
				evidence: 'decision',
			});
		case undefined:
	}
	if (status === 409 || isAboutEventId(status, errorBody))
		return failure(mayBeRecorded(response), { retryable: false, evidence: 'decision' });
	// A server in front of the service. Also the service's own may say so that it's overloaded.
	const isElsewhere = evidence !== 'overload' && isWebPage(headers['content-type'], body);
	return failure(failureOf(outcome, response), {
		retryable: isRetried || (outcome === 'unknown' && retryUnknownOutcome),
		evidence: isElsewhere ? 'elsewhere' : evidence,
	});
}

function failureOf(outcome: StatusRow['outcome'], response: ServiceResponse): SendFailure {
	if (outcome === 'rejected') return rejected(response);
	return outcome === 'notSent' ? rateLimited(response) : undecided(response);
}

/**
 * Whether a service declines the Event ID itself, as with a unique column (Django, Laravel, Rails):
 * `{ "eventId": ["transaction with this eventId already exists."] }`.
 */
const isAboutEventId = (status: number, { fields }: ErrorBody): boolean =>
	(status === 400 || status === 422) && fields.some((field) => nameOf(field) === 'eventid');

/**
 * A success status means `created`, or `duplicate` if the service says that it repeats its first
 * response, in a header or by 208 Already Reported (RFC 5842, section 7.1).
 */
function readSuccess(
	response: ServiceResponse,
	{ transaction }: Pick<TransactionItem, 'transaction'>,
): AttemptResult {
	const { status, headers, body } = response;
	// 207, whose parts say it.
	if (statusRow(status).outcome === 'unknown')
		return failure(undecided(response), { retryable: false, evidence: 'answer' });
	const denial = findDenial(response, transaction);
	if (denial !== undefined)
		return failure(notConfirmed(response, denial), {
			retryable: false,
			evidence: isWebPage(headers['content-type'], body) ? 'elsewhere' : 'decision',
		});
	return isReplay(headers) || status === 208
		? { kind: 'recorded', response }
		: { kind: 'created', result: created(response) };
}
