import type { IExecuteFunctions } from 'n8n-workflow';

import { isWebPage } from '../../shared/webPage';
import type { CreatedResult, SendFailure } from '../results';
import type { Transaction } from '../Transaction';
import { isEventConflict } from './response/conflict';
import { created, failureFromResponse, notSent, unknownOutcome } from './outcome';
import { rejectsToken, sendRequest, type SharedCredential } from './request';
import { parseErrorBody, type ErrorBody, type ServiceResponse } from './response/responseBody';
import { classifyStatus } from './retryPolicy';
import { findDoubt } from './response/successResponse';

export interface FailedAttempt {
	kind: 'failed';
	result: SendFailure;
	/** Whether another attempt is safe, or the user says that it is. */
	retryable: boolean;
	/** Whether the service rejects the newest access token. */
	rejectsToken?: boolean;
	/** The service's Retry-After header. */
	retryAfter?: string;
}

/** What one attempt to send a transaction came to. */
export type AttemptResult =
	| { kind: 'created'; result: CreatedResult }
	/** 409 about this event. The caller decides if an earlier attempt caused it. */
	| { kind: 'conflict'; status: number; error: ErrorBody }
	| FailedAttempt;

interface AttemptOptions {
	url: string;
	/** ms */
	timeout: number;
	retryUnknownOutcome: boolean;
}

/** Sends a transaction once, and reads what came of it. Does not throw. */
export async function attemptToSend(
	context: IExecuteFunctions,
	credential: SharedCredential,
	transaction: Transaction,
	options: AttemptOptions,
): Promise<AttemptResult> {
	const { url, timeout, retryUnknownOutcome } = options;
	const sent = await sendRequest(context, credential, { url, body: transaction, timeout });
	switch (sent.kind) {
		case 'response':
			return readResponse(sent, transaction, options);
		case 'notSent':
			return failed(notSent(sent.problem.message, sent.problem.fix), sent.temporary);
		case 'noResponse':
			return failed(unknownOutcome(sent.reason, transaction), retryUnknownOutcome);
	}
}

const failed = (result: SendFailure, retryable: boolean): FailedAttempt => ({
	kind: 'failed',
	result,
	retryable,
});

function readResponse(
	response: ServiceResponse,
	transaction: Transaction,
	{ url, retryUnknownOutcome }: AttemptOptions,
): AttemptResult {
	const { status, headers, body } = response;
	if (status >= 200 && status < 300) {
		if (isWebPage(headers['content-type'], body))
			return failed(webPageInstead(status, transaction, url), false);
		const doubt = findDoubt(response, transaction);
		return doubt === undefined
			? { kind: 'created', result: created(status, body) }
			: failed(notConfirmed(status, doubt, transaction), false);
	}
	const error = parseErrorBody(body);
	if (status === 409 && isEventConflict(body, transaction))
		return { kind: 'conflict', status, error };
	const { outcome, retryable } = classifyStatus(status, retryUnknownOutcome);
	return {
		...failed(failureFromResponse(status, error, outcome, transaction), retryable),
		rejectsToken: rejectsToken(response),
		retryAfter: headers['retry-after'] as string | undefined,
	};
}

/** A web page with a success status: it doesn't come from the service, whatever sent it. */
function webPageInstead(status: number, transaction: Transaction, url: string): SendFailure {
	const reason = `${url} responded with a web page, which the service doesn't do`;
	const result = unknownOutcome(reason, transaction);
	return { ...result, status, fix: `Check the Base URL in the credential. ${result.fix}` };
}

/** A success status whose body says something else. */
function notConfirmed(status: number, doubt: string, transaction: Transaction): SendFailure {
	const reason = `the service responded with status ${status}, but the response doesn't confirm it, because ${doubt}`;
	return { ...unknownOutcome(reason, transaction), status };
}
