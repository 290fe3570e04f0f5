import type { IExecuteFunctions } from 'n8n-workflow';

import { rejectToken } from '../../shared/token/tokenRequest';
import { asText, isObject } from '../../shared/values';
import { isWebPage } from '../../shared/webPage';
import type { CreatedResult, SendFailure } from '../results';
import type { Transaction } from '../Transaction';
import {
	conflictInProgress,
	created,
	failureFromResponse,
	notSent,
	otherContent,
	silentConflict,
	unknownOutcome,
} from './outcome';
import { sendRequest, type ServiceRequest, type SharedCredential } from './request';
import { readConflict, saysOtherContent, saysRecorded } from './response/conflict';
import { isEmptyBody, type ServiceResponse } from './response/responseBody';
import { findDoubt, SAYS_SO_ITSELF } from './response/successResponse';
import { classifyStatus, evidenceOf, isNotNow, type Evidence } from './retryPolicy';

export interface FailedAttempt {
	kind: 'failed';
	result: SendFailure;
	/** Whether another attempt is safe, or the user says that it is. */
	retryable: boolean;
	evidence: Evidence;
	/** Set if the service rejected the access token. */
	tokenRejected?: {
		/** Whether it was the one that is in use, and is dropped now. */
		isCurrent: boolean;
	};
	/** The service's Retry-After header. */
	retryAfter?: string;
}

/** Result of one attempt to send a transaction. */
export type Attempt =
	| { kind: 'created'; result: CreatedResult }
	/** The service says that it has recorded the event. */
	| { kind: 'recorded'; response: ServiceResponse }
	| FailedAttempt;

interface AttemptOptions extends Pick<ServiceRequest, 'url' | 'timeout' | 'signal'> {
	retryUnknownOutcome: boolean;
}

/** Sends a transaction once, and reads what the response says about it. Does not throw. */
export async function attemptToSend(
	context: IExecuteFunctions,
	credential: SharedCredential,
	transaction: Transaction,
	options: AttemptOptions,
): Promise<Attempt> {
	const sent = await sendRequest(context, credential, { ...options, body: transaction });
	switch (sent.kind) {
		case 'notSent':
			return failed(notSent(sent.problem.message, sent.problem.fix), {
				retryable: sent.temporary,
				evidence: sent.temporary ? 'overload' : 'unusable',
			});
		case 'noResponse':
			return failed(unknownOutcome(sent.reason), {
				retryable: options.retryUnknownOutcome,
				evidence: 'overload',
			});
		case 'response':
			if (rejectsToken(sent)) return readTokenRejection(credential, sent);
			return readResponse(sent, transaction, {
				...options,
				isSilentConflictRecorded: credential.conflictWithoutReason === 'recorded',
			});
	}
}

const failed = (
	result: SendFailure,
	what: Pick<FailedAttempt, 'retryable' | 'evidence'>,
): FailedAttempt => ({ kind: 'failed', result, ...what });

/** The next attempt takes another token: the current one, or a new one. */
const readTokenRejection = (
	credential: SharedCredential,
	response: ServiceResponse & { token: string },
): FailedAttempt => ({
	...failed(failureFromResponse(response, 'rejected'), { retryable: true, evidence: 'answer' }),
	tokenRejected: { isCurrent: rejectToken(credential, response.token) },
});

/**
 * True if the response rejects the access token. RFC 6750, section 3.1, asks for 401 with this
 * error. Some services answer with 403.
 */
export function rejectsToken({ status, headers, body }: ServiceResponse): boolean {
	if (status === 401) return true;
	if (status !== 403) return false;
	const named = isObject(body) ? [body.error, body.errorCode, body.code].map(asText) : [];
	return (
		/\berror="?invalid_token\b/i.test(asText(headers['www-authenticate'])) ||
		named.some((name) => name.toLowerCase() === 'invalid_token')
	);
}

interface ReadOptions {
	url: string;
	retryUnknownOutcome: boolean;
	/** Whether the credential states that a 409 without a reason means *recorded already*. */
	isSilentConflictRecorded: boolean;
}

/** Reads what a response says about its transaction. */
export function readResponse(
	response: ServiceResponse,
	transaction: Transaction,
	options: ReadOptions,
): Attempt {
	const { status, headers, body } = response;
	if (status >= 200 && status < 300) return readSuccess(response, transaction, options);
	const retryAfter = asText(headers['retry-after']) || undefined;
	if (status === 409) return readConflictResponse(response, transaction, options);
	if (status === 400 || status === 422) {
		if (saysRecorded(body, transaction.eventId)) return { kind: 'recorded', response };
		if (saysOtherContent(body, transaction.eventId))
			return failed(otherContent(response), { retryable: false, evidence: 'decision' });
	}
	const outcome = classifyStatus(status);
	return {
		...failed(failureFromResponse(response, outcome), {
			retryable: isNotNow(status) || (outcome === 'unknown' && options.retryUnknownOutcome),
			evidence: evidenceOf(status),
		}),
		retryAfter,
	};
}

function readSuccess(
	response: ServiceResponse,
	transaction: Transaction,
	{ url }: ReadOptions,
): Attempt {
	const { status, headers, body } = response;
	const isBareConfirmation = isEmptyBody(body) && SAYS_SO_ITSELF.has(status);
	if (!isBareConfirmation && isWebPage(headers['content-type'], body))
		return failed(webPageInstead(response, url), {
			retryable: false,
			evidence: 'answer',
		});
	const doubt = findDoubt(response, transaction);
	if (doubt === undefined) return { kind: 'created', result: created(response) };
	return failed(notConfirmed(response, doubt), {
		retryable: false,
		evidence: 'answer',
	});
}

function readConflictResponse(
	response: ServiceResponse,
	{ eventId }: Transaction,
	{ isSilentConflictRecorded }: ReadOptions,
): Attempt {
	const { headers, body } = response;
	const retryAfter = asText(headers['retry-after']) || undefined;
	const decided = (result: SendFailure, retryable = false): FailedAttempt => ({
		...failed(result, { retryable, evidence: 'decision' }),
		retryAfter,
	});
	switch (readConflict(body, eventId, retryAfter !== undefined)) {
		case 'recorded':
			return { kind: 'recorded', response };
		case 'inProgress':
			return decided(conflictInProgress(response), true);
		case 'other':
			return decided(failureFromResponse(response, 'rejected'));
		case 'silent':
			return isSilentConflictRecorded
				? { kind: 'recorded', response }
				: decided(silentConflict(response));
	}
}

/** A web page with a success status: it doesn't come from the service, whatever sent it. */
function webPageInstead(response: ServiceResponse, url: string): SendFailure {
	const reason = `${url} responded with a web page, which the service doesn't do`;
	const result = unknownOutcome(reason, response);
	return { ...result, fix: `Check the Base URL in the credential. ${result.fix}` };
}

/** A success status whose body says something else. */
const notConfirmed = (response: ServiceResponse, doubt: string): SendFailure =>
	unknownOutcome(
		`the service responded with status ${response.status}, but the response doesn't confirm it, because ${doubt}`,
		response,
	);
