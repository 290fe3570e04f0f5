import { plainName, type ReceivedResponse } from '../../../shared/serviceResponse';
import { hasOwnWords, quoteWords } from '../../../shared/serviceWords';
import { announcesLimit } from '../../../shared/statedWait';
import { isWebPage, MAY_BE_BLOCKED } from '../../../shared/statuses';
import { findScopeProblem } from '../../../shared/token/bearerError';
import { asText, isObject, quote } from '../../../shared/values';
import type {
	Conclusion,
	CreatedResult,
	DuplicateResult,
	LastResponse,
	SendFailure,
} from '../../results';
import type { Transaction } from '../../Transaction';
import { hasCode, isReplay, namesOwn } from './codes';
import { MEANINGS, type Says } from './Says';

/* What a person reads of an answer: first what the service says, then what to do. */

const LOOK_UP = 'Look up the Event ID and the External ID at the service.';
const LOOK_UP_FIRST = `${LOOK_UP} Correct the row only if it has neither.`;
const RUN_AGAIN =
	'Run it again as it is: the Event ID stays the same, so the service can recognize it.';
const CORRECT =
	'Correct what the service names, then run it again. If it says that it has the transaction, look it up first.';
const ASK = "The service doesn't say why. Ask it, then run the workflow again.";
const AS_IT_IS = "Run it again later, as it is. To wait longer, raise the option 'Max Retry Time'.";
const LATER =
	"The service isn't available at the moment. Try again later, or raise the option 'Max Retry Time'.";
const MAY_BE_LIMIT =
	'It can be a limit of requests: run it again later, as it is. If it stays, ask the service.';
const CHECK_BASE_URL =
	'Check the Base URL in the credential: the address of transactions is Base URL + /api/v1/transactions.';
const TEST_CREDENTIAL =
	'Open the credential and test it. If the test succeeds, the client may not be allowed to create transactions.';
const REPEATED =
	"It gives the same answer to everything under this Event ID for as long as it keeps it. If it recognizes a transaction by its Event ID, turn off 'Send Idempotency-Key Header' in the credential, then run the workflow again. Otherwise, ask it how long that is.";

/** Returns what a response means for its transaction, in words. */
export function concludeResponse(
	says: Says,
	response: ReceivedResponse,
	sent: Transaction,
	because = '',
): Conclusion {
	switch (MEANINGS[says].outcome) {
		case 'created':
			return created(response, sent);
		case 'duplicate':
			return duplicate(response);
		case 'rejected':
			return rejected(says, response);
		case 'notSent':
			return rateLimited(response);
		case 'unknown':
			return unknown(says, response, because);
	}
}

/** What the output shows of a response. */
const lastResponse = ({ shown }: ReceivedResponse): LastResponse => ({
	status: shown.status,
	headers: shown.supportHeaders,
	body: shown.body,
	requestId: shown.requestId,
});

/**
 * 201 says that the transaction is recorded (RFC 9110, section 15.3.2), and so does 200 with the
 * transaction itself. Any other success says that it's accepted, such as 202 (section 15.3.3).
 */
function created(response: ReceivedResponse, sent: Transaction): CreatedResult {
	const { status, body } = response;
	const isRecorded = status === 201 || (status === 200 && namesOwn(body, sent));
	// A few words, because nothing is left to do. The summary says what is true of all.
	const word = isRecorded ? 'Recorded' : 'Accepted';
	const message = `${word}${quoteState(response, word)}`;
	return { outcome: 'created', isRecorded, message, ...lastResponse(response) };
}

/** Quotes the status of the transaction, unless it's the same word. */
function quoteState({ status, shown: { body } }: ReceivedResponse, word: string): string {
	const members = isObject(body) ? Object.entries(body) : [];
	const said = members.find(([name]) => plainName(name) === 'status')?.[1];
	const isText = typeof said === 'string' || typeof said === 'number';
	const isSame = said === status || asText(said).toLowerCase() === word.toLowerCase();
	return isText && !isSame ? `, status ${quote(said)}` : '';
}

/** The service has the event already. */
function duplicate(response: ReceivedResponse): DuplicateResult {
	// With a success status, the body is the transaction.
	const isSuccess = response.status < 300;
	const said = isSuccess ? `status ${response.status}` : quoteResponse(response);
	return {
		outcome: 'duplicate',
		message: `The service had this Event ID already (${said}). If the row was changed since, the first values count`,
		fix: 'If the first values are right, nothing is left to do. Another transaction needs an External ID of its own, such as with its month, and an Event ID of its own if you entered one.',
		...lastResponse(response),
		ownAttempt: false,
	};
}

/** Says that an earlier attempt of this run of the node recorded it, or may have. */
export const byOwnAttempt = (result: DuplicateResult): DuplicateResult => ({
	...result,
	ownAttempt: true,
	message: `${result.message}. Maybe they are those of an earlier attempt of this execution`,
});

/** HTTP refuses a request with this status. */
function rejected(says: Says, response: ReceivedResponse): SendFailure {
	return {
		outcome: 'rejected',
		message: quoteAfter(whatHappened(says, response), response),
		fix: fixOf(says, response),
		...lastResponse(response),
	};
}

function whatHappened(says: Says, response: ReceivedResponse): string {
	if (isReplay(response))
		return 'The service repeats its stored answer to the first request with this Event ID, which it rejected';
	return says === 'redirect' ? 'The service redirects the request to another address' : 'Rejected';
}

function fixOf(says: Says, response: ReceivedResponse): string {
	if (says === 'unauthorized') return TEST_CREDENTIAL;
	if (isReplay(response)) return REPEATED;
	const hasWords = hasOwnWords(response.shown);
	const fix = setupFix(says, response, hasWords) ?? (hasWords ? CORRECT : ASK);
	return isWebPage(response) && !fix.includes(MAY_BE_BLOCKED) ? `${fix} ${MAY_BE_BLOCKED}` : fix;
}

/** Returns advice about the setup. What the service says in its own words can be about the row. */
function setupFix(says: Says, response: ReceivedResponse, hasWords: boolean): string | undefined {
	switch (says) {
		case 'redirect':
			return "Enter the final address as Base URL in the credential: a transaction isn't sent to an address that you didn't enter.";
		case 'proxySignIn':
			return 'Check the proxy settings of n8n.';
		case 'forbidden':
			return findScopeProblem(response.headers)?.fix ?? forbiddenFix(response, hasWords);
		case 'noSuchPath':
		case 'wrongMethod':
			return hasWords ? undefined : CHECK_BASE_URL;
		default:
			return undefined;
	}
}

function forbiddenFix({ headers, body }: ReceivedResponse, hasWords: boolean): string | undefined {
	// The service's own code for it (docs/interface.md, 10.4).
	if (hasWords && !hasCode(body, 'AUTHORIZATION_FAILED')) return undefined;
	if (!hasWords && announcesLimit(headers)) return MAY_BE_LIMIT;
	return `The client isn't permitted to create transactions. Check the Scope in the credential, and the client's rights in the dashboard. ${MAY_BE_BLOCKED}`;
}

/** 429: the service took fewer requests, and processed nothing (RFC 6585, section 4). */
const rateLimited = (response: ReceivedResponse): SendFailure => ({
	outcome: 'notSent',
	message: quoteAfter('Not processed, because of a limit', response),
	fix: AS_IT_IS,
	...lastResponse(response),
});

const MAYBE_RECORDED = 'Maybe recorded';

const unknownAs = (message: string, fix: string): SendFailure => ({
	outcome: 'unknown',
	message,
	fix,
});

/** Nobody knows whether the service recorded it. */
export const unknownOutcome = (because: string, fix = RUN_AGAIN): SendFailure =>
	unknownAs(`${MAYBE_RECORDED}: ${because}`, fix);

function unknown(says: Says, response: ReceivedResponse, because: string): SendFailure {
	const conclusion = isReplay(response)
		? unknownOutcome(
				`the service repeats its stored answer to the first request (${quoteResponse(response)})`,
				`${LOOK_UP} ${REPEATED}`,
			)
		: withoutResponse(says, response, because);
	return { ...conclusion, ...lastResponse(response) };
}

function withoutResponse(says: Says, response: ReceivedResponse, because: string): SendFailure {
	const said = quoteResponse(response);
	const maybe = quoteAfter(MAYBE_RECORDED, response);
	switch (says) {
		case 'otherContent':
			return otherContent(said);
		case 'otherEvent':
			return unknownOutcome(
				`the service responded about another Event ID (${said})`,
				LOOK_UP_FIRST,
			);
		case 'conflict':
			return unknownAs(
				maybe,
				MAY_MEAN_RECORDED.test(said) ? `${LOOK_UP_FIRST} ${STATE_IT}` : LOOK_UP_FIRST,
			);
		case 'inProgress':
			return unknownOutcome(`the service asks to send the same Event ID again later (${said})`);
		case 'denied':
		case 'unconfirmed':
			return unknownAs(
				quoteAfter(
					`${MAYBE_RECORDED}: the response doesn't confirm it, because ${because}`,
					response,
				),
				isWebPage(response) ? `${CHECK_BASE_URL} ${RUN_AGAIN}` : RUN_AGAIN,
			);
		case 'unavailable':
			return unknownAs(maybe, `${LATER} ${RUN_AGAIN}`);
		case 'seeOther':
			return unknownAs(maybe, `${CHECK_BASE_URL} ${RUN_AGAIN}`);
		default:
			return unknownAs(maybe, RUN_AGAIN);
	}
}

/** What is certain comes first. The service may have rejected the first values. */
const otherContent = (said: string): SendFailure => ({
	outcome: 'unknown',
	message: `Event ID known with other values: this change wasn't recorded (${said})`,
	fix: `${LOOK_UP} If it recorded the first values, ask how it corrects them. If you changed nothing, take 'Created At' from the data.`,
});

/** What a service says if it has a transaction already. */
const MAY_MEAN_RECORDED = /exist|duplicate|already|idempotency|unique/i;
const STATE_IT =
	"If this answer always means that the service has the transaction already, add its code to 'Codes for Recorded Already' in the credential.";

/** Nothing was processed. */
export const notSent = (message: string, fix: string): SendFailure => ({
	outcome: 'notSent',
	message,
	fix,
});

/**
 * Says what is known if an earlier attempt left it open, and the last one doesn't settle that.
 *
 * @param leftOpen how the first attempt ended that left it open
 */
export function stillUnknown(leftOpen: SendFailure, last: SendFailure): SendFailure {
	const { status, headers, body, requestId } = last.status === undefined ? leftOpen : last;
	// What the service refuses now, it refuses again.
	const isFinal = last.outcome === 'rejected';
	return {
		outcome: 'unknown',
		message: `${leftOpen.message}. Retry: ${last.message}`,
		fix: isFinal ? `${LOOK_UP} If it has neither: ${last.fix}` : leftOpen.fix,
		...(status !== undefined && { status, headers, body, requestId }),
	};
}

/** Adds to a failure how often, and for how long, the transaction was tried. */
export function triedInVain(failure: SendFailure, attempts: number, ms: number): SendFailure {
	const times = attempts === 1 ? 'once' : `${attempts} times`;
	const message = `${failure.message} (tried ${times} in ${Math.round(ms / 1000)} s)`;
	return { ...failure, message };
}

/** The status, and what the service says with it. */
function quoteResponse({ status, shown }: ReceivedResponse): string {
	const words = quoteWords(shown);
	return `status ${status}${words && `: ${words}`}`;
}

/** Says what happened, and then what the service says. */
function quoteAfter(what: string, { status, shown }: ReceivedResponse): string {
	const words = quoteWords(shown);
	return `${what} (status ${status})${words && `: ${words}`}`;
}
