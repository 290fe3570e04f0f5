import { isWebPage, meaningOf } from '../../../shared/statuses';
import type { RejectedToken } from '../../../shared/token/ClientToken';
import { asText } from '../../../shared/values';
import type { CreatedResult, SendFailure } from '../../results';
import type { Transaction, TransactionItem } from '../../Transaction';
import {
	created,
	mayBeRecorded,
	notConfirmed,
	otherContent,
	rateLimited,
	rejected,
	stillInProgress,
	undecided,
} from './outcome';
import { hasCode, isReplay, meaningOfCodes } from './codes';
import type { ServiceResponse } from './responseBody';
import { statusRow, type Evidence, type StatusRow } from './statusRow';
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
export const rejectsToken = ({ status, headers, body }: ServiceResponse): boolean =>
	status === 401 ||
	((status === 400 || status === 403) &&
		(/\berror="?invalid_token\b/i.test(asText(headers['www-authenticate'])) ||
			hasCode(body, 'invalid_token')));

export interface ReadOptions {
	retryUnknownOutcome: boolean;
	/** What the credential states (Codes for Recorded Already). */
	recordedCodes: readonly string[];
}

/**
 * Reads what a response says about its transaction: by its status (statusRow.ts), and by
 * codes of the service's own or that the credential states (codes.ts). No other word decides.
 */
export function readResponse(
	response: ServiceResponse,
	{ transaction }: Pick<TransactionItem, 'transaction'>,
	{ retryUnknownOutcome, recordedCodes }: ReadOptions,
): AttemptResult {
	const { status, headers, body } = response;
	const { outcome, evidence, isRetried } = statusRow(status);
	if (meaningOf(status) === 'success') return readSuccess(response, transaction);

	const decided = { retryable: false, evidence: 'decision' } as const;
	switch (meaningOfCodes(response, transaction, recordedCodes)) {
		case 'inProgress':
			return failure(stillInProgress(response), { ...decided, retryable: true });
		case 'recorded':
			return { kind: 'recorded', response };
		case 'otherContent':
			return failure(otherContent(response), decided);
		case undefined:
	}
	// The service has decided, so another attempt tells no more.
	if (outcome === 'unknown' && evidence === 'decision')
		return failure(mayBeRecorded(response), decided);
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
 * A success status means `created`, or `duplicate` if the service says that it repeats its first
 * response, in a header or by 208 Already Reported (RFC 5842, section 7.1).
 */
function readSuccess(response: ServiceResponse, sent: Transaction): AttemptResult {
	const { status, headers, body } = response;
	// 207, whose parts say it.
	if (statusRow(status).outcome === 'unknown')
		return failure(undecided(response), { retryable: false, evidence: 'answer' });
	const denial = findDenial(response, sent);
	if (denial !== undefined) {
		// JSON is the service's. Anything else can come from what stands in front of it.
		const isPage = isWebPage(headers['content-type'], body);
		const other = isPage ? 'elsewhere' : 'answer';
		const evidence = typeof body === 'object' ? 'decision' : other;
		return failure(notConfirmed(response, denial), { retryable: false, evidence });
	}
	return isReplay(headers) || status === 208
		? { kind: 'recorded', response }
		: { kind: 'created', result: created(response) };
}
