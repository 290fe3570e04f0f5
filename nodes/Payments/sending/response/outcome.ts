import { isWebPage, MAY_BE_BLOCKED, meaningOf, type StatusMeaning } from '../../../shared/statuses';
import { isObject, quote } from '../../../shared/values';
import type { CreatedResult, DuplicateResult, LastResponse, SendFailure } from '../../results';
import { hasCode } from './codes';
import { nameOf, requestIdIn, supportHeaders, type ServiceResponse } from './responseBody';
import { hasOwnWords, quoteWords } from './serviceWords';
import { statusRow } from './statusRow';

/* The results of transactions: first what the service says, then what to do. */

const LOOK_UP = 'Look up the Event ID and the External ID at the service.';
const LOOK_UP_FIRST = `${LOOK_UP} Correct the row only if it has neither.`;
const RUN_AGAIN =
	'Run it again as it is: the Event ID stays the same, so the service can recognize it.';
const CORRECT =
	'Correct what the service names, or settle it with the service, then run the workflow again. If it says that it has the transaction already, look it up before you correct the row.';
const ASK = "The service doesn't say why. Ask it, then run the workflow again.";
const AS_IT_IS =
	"Nothing was processed: run it again later, as it is. To wait longer, raise the option 'Max Retry Time'.";
const LATER =
	"The service isn't available at the moment. Try again later, or raise the option 'Max Retry Time'.";
const CHECK_BASE_URL =
	'Check the Base URL in the credential: the address of transactions is Base URL + /api/v1/transactions.';

/** Advice that is right whatever else the service says. */
const FIXES: Partial<Record<StatusMeaning, string>> = {
	redirect:
		"Enter the final address as Base URL in the credential: a transaction isn't sent to an address that you didn't enter.",
	unauthorized:
		'Open the credential and test it. If the test succeeds, the client may not be allowed to create transactions.',
	proxySignIn: 'Check the proxy settings of n8n.',
};

/** Advice about the setup, if the service says nothing of its own: that can be about the row. */
const SETUP_FIXES: Partial<Record<StatusMeaning, string>> = {
	forbidden: `The client isn't permitted to create transactions. Check the Scope in the credential, and the client's rights in the dashboard. ${MAY_BE_BLOCKED}`,
	noSuchPath: CHECK_BASE_URL,
	wrongMethod: CHECK_BASE_URL,
};

function fixOf(response: ServiceResponse): string {
	const { status, headers, body } = response;
	const meaning = meaningOf(status);
	const hasWords = hasOwnWords(response);
	// The service's own code for it (docs/interface.md, 10.4).
	const isAboutSetup = !hasWords || (status === 403 && hasCode(body, 'AUTHORIZATION_FAILED'));
	const setupFix = isAboutSetup ? SETUP_FIXES[meaning] : undefined;
	const fix = setupFix ?? FIXES[meaning] ?? (hasWords ? CORRECT : ASK);
	const isPage = isWebPage(headers['content-type'], body);
	return isPage && !fix.includes(MAY_BE_BLOCKED) ? `${fix} ${MAY_BE_BLOCKED}` : fix;
}

/** What the output shows of a response. */
const lastResponse = ({ status, headers, body }: ServiceResponse): LastResponse => ({
	status,
	headers: supportHeaders(headers),
	body,
	requestId: requestIdIn(headers),
});

/** The service accepted it. What it does with it comes later, as an event. */
export const created = (response: ServiceResponse): CreatedResult => ({
	outcome: 'created',
	message: `Transaction created: the service recorded it${quoteStatus(response)}`,
	...lastResponse(response),
});

/** Quotes the status of the transaction. */
function quoteStatus({ status, body }: ServiceResponse): string {
	const members = isObject(body) ? Object.entries(body) : [];
	const said = members.find(([name]) => nameOf(name) === 'status')?.[1];
	const isText = typeof said === 'string' || typeof said === 'number';
	return isText && said !== status ? `, with the status ${quote(said)}` : '';
}

/**
 * The service has recorded the event before.
 *
 * @param ownAttempt whether an earlier attempt of this run of the node recorded it, or may have
 */
export function duplicate(response: ServiceResponse, ownAttempt: boolean): DuplicateResult {
	const since = ownAttempt ? ', maybe from an earlier attempt of this execution' : '';
	// With a success status, the body is the transaction.
	const isSuccess = response.status < 300;
	const said = isSuccess ? `status ${response.status}` : quoteResponse(response);
	return {
		outcome: 'duplicate',
		message: `The service had this Event ID already${since} (${said}). If the row was changed since, the first values count`,
		fix: 'If the first values are right, nothing is left to do. Another transaction needs an External ID of its own, such as with its month, and an Event ID of its own if you entered one.',
		...lastResponse(response),
		ownAttempt,
	};
}

/** HTTP refuses a request with this status. */
export function rejected(response: ServiceResponse): SendFailure {
	const { status } = response;
	const what =
		meaningOf(status) === 'redirect'
			? 'The service redirects the request to another address'
			: 'The service rejected the transaction';
	const words = quoteWords(response);
	const message = `${what} (status ${status})${words && `: ${words}`}`;
	return { outcome: 'rejected', message, fix: fixOf(response), ...lastResponse(response) };
}

/** 429: the service took fewer requests, and processed nothing (RFC 6585, section 4). */
export function rateLimited(response: ServiceResponse): SendFailure {
	const message = `The service limits the rate of requests, and didn't take this one (${quoteResponse(response)})`;
	return { outcome: 'notSent', message, fix: AS_IT_IS, ...lastResponse(response) };
}

/** The service rejected the access token, with 401 or with another status. */
export const tokenRejected = (response: ServiceResponse): SendFailure => ({
	...rejected(response),
	fix: FIXES.unauthorized!,
});

/** Nobody knows whether the service recorded it. */
export const unknownOutcome = (reason: string, response?: ServiceResponse): SendFailure => ({
	outcome: 'unknown',
	message: `It isn't known whether the transaction was recorded: ${reason}`,
	fix: RUN_AGAIN,
	...(response && lastResponse(response)),
});

/** The status doesn't say whether it was recorded. */
export function undecided(response: ServiceResponse): SendFailure {
	const failure = unknownOutcome(`the service responded with ${quoteResponse(response)}`, response);
	if (response.status === 503) return { ...failure, fix: `${LATER} ${RUN_AGAIN}` };
	const isRedirect = meaningOf(response.status) === 'redirect';
	return isRedirect ? { ...failure, fix: `${CHECK_BASE_URL} ${RUN_AGAIN}` } : failure;
}

/** A success status, and something that keeps it from confirming the transaction. */
export function notConfirmed(response: ServiceResponse, because: string): SendFailure {
	const failure = unknownOutcome(
		`the service responded with ${quoteResponse(response)}, which doesn't confirm it, because ${because}`,
		response,
	);
	const { headers, body } = response;
	return isWebPage(headers['content-type'], body)
		? { ...failure, fix: `${CHECK_BASE_URL} ${RUN_AGAIN}` }
		: failure;
}

/** Another request with the same Event ID isn't finished, or Retry-After asks for the same. */
export const stillInProgress = (response: ServiceResponse): SendFailure =>
	unknownOutcome(
		`the service asks to send the same Event ID again later (${quoteResponse(response)})`,
		response,
	);

/** The service has the Event ID with other content. It may have rejected that. */
export const otherContent = (response: ServiceResponse): SendFailure => ({
	...unknownOutcome(
		`the service has this Event ID with other content (${quoteResponse(response)})`,
		response,
	),
	fix: `${LOOK_UP} If it has recorded the transaction, the first values count, and sending it again changes nothing: ask the service how it corrects one. If you changed nothing, take 'Created At' from the data, so that each execution sends the same content.`,
});

/** 409 that doesn't say in a known way what it means. */
export function mayBeRecorded(response: ServiceResponse): SendFailure {
	const words = quoteWords(response);
	return {
		...unknownOutcome(`the service responded with ${quoteResponse(response)}`, response),
		fix: MAY_MEAN_RECORDED.test(words) ? `${LOOK_UP_FIRST} ${STATE_IT}` : LOOK_UP_FIRST,
	};
}

/** What a service says if it has a transaction already. */
const MAY_MEAN_RECORDED = /exist|duplicate|already|idempotency|unique/i;
const STATE_IT =
	"If this answer always means that the service has the transaction already, add its code, or a part of its sentence in double quotes, to 'Codes for Recorded Already' in the credential.";

/** The service never received it. */
export const notSent = (message: string, fix: string): SendFailure => ({
	outcome: 'notSent',
	message,
	fix,
});

/**
 * Says what is known after the last attempt failed. What an earlier attempt left open stays open,
 * whatever a later one says: only `created` and `duplicate` settle it.
 *
 * @param leftOpen how the first attempt ended that left it open
 */
export function mergeFailures(leftOpen: SendFailure | undefined, last: SendFailure): SendFailure {
	if (!leftOpen || last.outcome === 'unknown') return last;
	const { status, headers, body, requestId } = last.status === undefined ? leftOpen : last;
	// What the service refuses now, it refuses again.
	const isFinal = last.outcome === 'rejected' && !statusRow(last.status!).isRetried;
	return {
		outcome: 'unknown',
		message: `${leftOpen.message}. Retry: ${last.message}`,
		fix: isFinal ? `${LOOK_UP} If it has neither: ${last.fix}` : leftOpen.fix,
		...(status !== undefined && { status, headers, body, requestId }),
	};
}

/** The status, and what the service says with it. */
function quoteResponse(response: ServiceResponse): string {
	const words = quoteWords(response);
	return `status ${response.status}${words && `: ${words}`}`;
}
