import type { IExecuteFunctions } from 'n8n-workflow';

import { isWebPage } from '../../shared/webPage';
import { classifyNetworkError } from '../../shared/networkError';
import { TokenRequestError } from '../../shared/token/tokenRequest';
import type { Transaction } from '../Transaction';
import { isEventConflict } from './conflict';
import { findDoubt } from './successResponse';
import {
	created,
	failureFromResponse,
	notSent,
	unknownOutcome,
	type CreatedResult,
	type SendFailure,
} from './outcome';
import {
	request,
	type FailedRequest,
	type ServiceResponse,
	type SharedCredential,
} from './request';
import { parseErrorBody, type ErrorBody } from './responseBody';
import { classifyFailure, type FailureClass, type RequestFailure } from './retryPolicy';

export const CHECK_CREDENTIAL = 'Open the credential, correct it and test it. Nothing was sent.';
const CHECK_DATABASE =
	"Check n8n's database (connection, disk space), then run the workflow again. Nothing was sent.";

export interface FailedAttempt extends FailureClass {
	kind: 'failed';
	result: SendFailure;
	/** The service's Retry-After header. */
	retryAfter?: string;
	/** Whether the reason concerns this transaction alone, so that others can succeed. */
	thisTransactionOnly?: boolean;
}

/** What one request came to. */
export type Attempt =
	| { kind: 'created'; result: CreatedResult }
	/** The service has recorded the event; since when, the caller knows. */
	| { kind: 'conflict'; status: number; error: ErrorBody }
	| FailedAttempt;

export interface AttemptOptions {
	url: string;
	/** ms */
	timeout: number;
	retryUnknownOutcome: boolean;
}

/** Sends a transaction once, and says what that came to. Does not throw. */
export async function attemptToSend(
	context: IExecuteFunctions,
	credential: SharedCredential,
	transaction: Transaction,
	options: AttemptOptions,
): Promise<Attempt> {
	const { url, timeout } = options;
	const send = async () =>
		await request(context, credential, { method: 'POST', url, body: transaction, timeout });
	let sent = await send();
	if (sent.outdatedToken) sent = await send();
	return sent.response
		? readResponse(sent.response, transaction, options)
		: readError(sent, transaction, options);
}

function readResponse(
	{ status, headers, body }: ServiceResponse,
	transaction: Transaction,
	{ url, retryUnknownOutcome }: AttemptOptions,
): Attempt {
	if (status >= 200 && status < 300) {
		if (isWebPage(headers['content-type'], body)) return webPageInstead(status, transaction, url);
		const doubt = findDoubt({ status, headers, body }, transaction);
		return doubt === undefined
			? { kind: 'created', result: created(status, body) }
			: notASuccess(status, doubt, transaction);
	}
	const error = parseErrorBody(body);
	if (status === 409 && isEventConflict(body, transaction))
		return { kind: 'conflict', status, error };
	const failure = classifyFailure({ kind: 'status', status }, retryUnknownOutcome);
	return {
		kind: 'failed',
		...failure,
		result: failureFromResponse(status, error, failure.outcome, transaction),
		retryAfter: headers['retry-after'] as string | undefined,
	};
}

/** A success status, but the response is a web page: the address isn't the service's, or something on the way answered. */
function webPageInstead(status: number, transaction: Transaction, url: string): FailedAttempt {
	const reason = `${url} answered with a web page, which the service does not do`;
	const result = unknownOutcome(reason, transaction);
	return {
		kind: 'failed',
		...classifyFailure({ kind: 'foreignResponse' }, false),
		result: {
			...result,
			status,
			fix: `Check the Base URL in the credential. ${result.fix}`,
		},
	};
}

/** A success status whose body says something else. */
function notASuccess(status: number, doubt: string, transaction: Transaction): FailedAttempt {
	const reason = `the service answered with status ${status}, but the response doesn't confirm it, because ${doubt}`;
	return {
		kind: 'failed',
		...classifyFailure({ kind: 'foreignResponse' }, false),
		result: { ...unknownOutcome(reason, transaction), status },
	};
}

function readError(
	{ error, stage }: FailedRequest,
	transaction: Transaction,
	{ url, retryUnknownOutcome }: AttemptOptions,
): FailedAttempt {
	const fail = (failure: RequestFailure, result: SendFailure): FailedAttempt => ({
		kind: 'failed',
		...classifyFailure(failure, retryUnknownOutcome),
		result,
	});
	if (stage === 'tokenStorage') {
		const message =
			"The transaction was not sent, because n8n's database could not store the access token";
		return fail({ kind: 'notSent', temporary: true }, notSent(message, CHECK_DATABASE));
	}
	if (error instanceof TokenRequestError) {
		const { problem, fix, temporary } = error.failure;
		const wholeFix = [fix, CHECK_CREDENTIAL].filter(Boolean).join(' ');
		return fail({ kind: 'notSent', temporary }, notSent(problem, wholeFix));
	}
	// n8n or the credential didn't let it out, for example because the credential is restricted to other domains.
	const isNetworkError = 'isAxiosError' in error || error.code !== undefined;
	if (stage !== 'request' || !isNetworkError) {
		const failure = notSent(error.message, CHECK_CREDENTIAL);
		return {
			...fail({ kind: 'notSent', temporary: false }, failure),
			thisTransactionOnly: stage === 'authentication',
		};
	}
	const failure = classifyNetworkError(error, new URL(url).host);
	const result =
		failure.requestSent === 'no'
			? notSent(`The transaction was not sent, because ${failure.reason}`)
			: unknownOutcome(failure.reason, transaction);
	return fail({ kind: 'network', failure }, result);
}
