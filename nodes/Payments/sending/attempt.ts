import type { IExecuteFunctions } from 'n8n-workflow';

import { isWebPage } from '../../shared/webPage';
import type { Transaction } from '../Transaction';
import { isEventConflict } from './conflict';
import {
	created,
	failureFromResponse,
	notSent,
	unknownOutcome,
	type CreatedResult,
	type SendFailure,
} from './outcome';
import { sendRequest, type ServiceResponse, type SharedCredential } from './request';
import { parseErrorBody, type ErrorBody } from './responseBody';
import { classifyFailure, type FailureClass } from './retryPolicy';
import { findDoubt } from './successResponse';

export interface FailedAttempt extends FailureClass {
	kind: 'failed';
	result: SendFailure;
	/** The service's Retry-After header. */
	retryAfter?: string;
}

/** What one request came to. */
export type Attempt =
	| { kind: 'created'; result: CreatedResult }
	/** 409 about this event. The caller decides if an earlier attempt caused it. */
	| { kind: 'conflict'; status: number; error: ErrorBody }
	| FailedAttempt;

export interface AttemptOptions {
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
): Promise<Attempt> {
	const { url, timeout, retryUnknownOutcome } = options;
	const sent = await sendRequest(context, credential, { url, body: transaction, timeout });
	switch (sent.kind) {
		case 'response':
			return readResponse(sent, transaction, options);
		case 'notSent':
			return {
				kind: 'failed',
				...classifyFailure({ kind: 'notSent', temporary: sent.temporary }, retryUnknownOutcome),
				result: notSent(sent.problem.message, sent.problem.fix),
			};
		case 'noResponse':
			return {
				kind: 'failed',
				...classifyFailure({ kind: 'noResponse' }, retryUnknownOutcome),
				result: unknownOutcome(sent.reason, transaction),
			};
	}
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
