import { isWebPage, MAY_BE_BLOCKED, statusRow } from '../../shared/statuses';
import type { CreatedResult, DuplicateResult, SendFailure } from '../results';
import { readErrorBody } from './response/errorBody';
import type { ServiceResponse } from './response/responseBody';

/* The results of transactions: their messages, and what to do. */

const LOOK_UP = 'Look up the Event ID and the External ID at the service.';
const LOOK_UP_FIRST = `${LOOK_UP} Correct the row only if it has neither.`;
const RUN_AGAIN =
	'Run it again as it is: the Event ID stays the same, so the service can recognize it.';

export const created = ({ status, body }: ServiceResponse): CreatedResult => ({
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
export const duplicate = (
	{ status, body }: ServiceResponse,
	ownAttempt: boolean,
): DuplicateResult => ({
	outcome: 'duplicate',
	message: ownAttempt
		? 'Recorded, maybe by an earlier attempt of this execution, so not created again'
		: 'Recorded before, so not created again',
	fix: 'If it is the same payment, nothing is left to do: the service keeps the amount that it recorded first. Another payment needs an External ID of its own, such as with its month, and an Event ID of its own if you entered one.',
	status,
	body,
	ownAttempt,
});

/** HTTP refuses a request with this status. */
export function rejected(response: ServiceResponse): SendFailure {
	const { status, headers, body } = response;
	const { fix, meaning } = statusRow(status);
	const isPage = isWebPage(headers['content-type'], body);
	const words = wordsOfService(response);
	const what =
		meaning === 'redirect'
			? 'The service redirects the request to another address'
			: 'The service rejected the transaction';
	return {
		outcome: 'rejected',
		message: `${what} (status ${status})${words && `: ${words}`}`,
		fix: isPage && !fix.includes(MAY_BE_BLOCKED) ? `${fix} ${MAY_BE_BLOCKED}` : fix,
		status,
		body,
	};
}

/** 429: the service took fewer requests, and processed nothing (RFC 6585, section 4). */
export function rateLimited(response: ServiceResponse): SendFailure {
	const { status, body } = response;
	const message = `The service limits the rate of requests, and didn't take this one (${quoteResponse(response)})`;
	return { outcome: 'notSent', message, fix: statusRow(status).fix, status, body };
}

/** The service rejected the access token, with 401 or with another status. */
export const tokenRejected = (response: ServiceResponse): SendFailure => ({
	...rejected(response),
	fix: statusRow(401).fix,
});

/** Nobody knows whether the service recorded it. */
export const unknownOutcome = (reason: string, response?: ServiceResponse): SendFailure => ({
	outcome: 'unknown',
	message: `It isn't known whether the transaction was recorded: ${reason}`,
	fix: RUN_AGAIN,
	...(response && { status: response.status, body: response.body }),
});

/** The status doesn't say whether it was recorded. */
export function undecided(response: ServiceResponse): SendFailure {
	const failure = unknownOutcome(`the service responded with ${quoteResponse(response)}`, response);
	const { fix } = statusRow(response.status);
	return { ...failure, fix: fix === '' ? failure.fix : `${fix} ${failure.fix}` };
}

/** A success status, and something that keeps it from confirming the transaction. */
export function notConfirmed(response: ServiceResponse, because: string): SendFailure {
	const failure = unknownOutcome(
		`the service responded with status ${response.status}, but the response doesn't confirm it, because ${because}`,
		response,
	);
	const { headers, body } = response;
	return isWebPage(headers['content-type'], body)
		? { ...failure, fix: `Check the Base URL in the credential. ${failure.fix}` }
		: failure;
}

/** Another request with the same Event ID isn't finished, or Retry-After asks for the same. */
export const stillInProgress = (response: ServiceResponse): SendFailure =>
	unknownOutcome(
		`the service asks to send the same Event ID again later (${quoteResponse(response)})`,
		response,
	);

/** The service has the Event ID with other content. 409 isn't a refusal. */
export function otherContent(response: ServiceResponse, hasCustomEventId: boolean): SendFailure {
	if (hasCustomEventId && response.status === 409) return mayBeRecorded(response);
	if (hasCustomEventId) return { ...rejected(response), fix: LOOK_UP_FIRST };
	// What makes it another payment is part of the generated Event ID.
	return {
		...unknownOutcome(
			`the service has this Event ID with other content, such as another reference or time (${quoteResponse(response)})`,
			response,
		),
		fix: `${LOOK_UP} It may have rejected the payment the first time. So that each execution sends the same content, set 'Created At' and 'Received At' to values of the data.`,
	};
}

/**
 * 409 without a code that anybody stated, or another status that is about the Event ID. Some
 * services say so that they have recorded it.
 */
export function mayBeRecorded(response: ServiceResponse): SendFailure {
	const { status, body } = response;
	const { codes, messages } = readErrorBody(body, status);
	// "Conflict" is the name of the status. With 400 and 422, a code such as VALIDATION_ERROR can
	// mean any row with something to correct, which would then count as recorded.
	const code = status === 409 ? codes.find((one) => one.toLowerCase() !== 'conflict') : undefined;
	const [what, entry] =
		code !== undefined
			? [`the code ${code}`, code]
			: messages.length > 0
				? ['this message', 'the part of it that is always the same']
				: ['a 409 that says nothing', '409'];
	return {
		...unknownOutcome(`the service responded with ${quoteResponse(response)}`, response),
		fix: `${LOOK_UP_FIRST} If your service means "recorded already" by ${what}, add ${entry} to 'Codes for Recorded Already' in the credential.`,
	};
}

/** The service never received it. */
export const notSent = (message: string, fix: string): SendFailure => ({
	outcome: 'notSent',
	message,
	fix,
});

/**
 * Says what is known after the last attempt failed. What an earlier attempt left open stays open,
 * whatever a later one says: only `created` and `duplicate` close it.
 *
 * @param leftOpen how the first attempt ended that left it open
 */
export function mergeFailures(leftOpen: SendFailure | undefined, last: SendFailure): SendFailure {
	if (!leftOpen || last.outcome === 'unknown') return last;
	const { status, body } = last.status === undefined ? leftOpen : last;
	// What the service refuses now, it refuses again.
	const isFinal = last.outcome === 'rejected' && !statusRow(last.status!).isRetried;
	return {
		outcome: 'unknown',
		message: `${leftOpen.message}. Retry: ${last.message}`,
		fix: isFinal ? lookUpFirst(last.fix) : leftOpen.fix,
		...(status !== undefined && { status, body }),
	};
}

const lookUpFirst = (fix: string): string =>
	fix.startsWith(LOOK_UP) ? fix : `${LOOK_UP} If it has neither: ${fix}`;

/** Status, code, message, and what the service says of single fields. */
function quoteResponse(response: ServiceResponse): string {
	const words = wordsOfService(response);
	return `status ${response.status}${words && `: ${words}`}`;
}

const wordsOfService = ({ status, headers, body }: ServiceResponse): string =>
	isWebPage(headers['content-type'], body) ? 'a web page' : readErrorBody(body, status).quote;
