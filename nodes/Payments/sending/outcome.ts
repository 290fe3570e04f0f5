import type { CreatedResult, DuplicateResult, FailureOutcome, SendFailure } from '../results';
import { isDecision } from './retryPolicy';
import { parseErrorBody, type ServiceResponse } from './response/responseBody';

/** The part of a response that an item says something about. */
type Answer = Pick<ServiceResponse, 'status' | 'body'>;

const CHECK_BASE_URL = 'If every request ends so, check the Base URL in the credential.';

const LOOK_IT_UP =
	'Look up the Event ID and the External ID at the service. Correct the row only if it has neither.';

const FIX_BY_STATUS: Record<number, string> = {
	301: CHECK_BASE_URL,
	302: CHECK_BASE_URL,
	303: CHECK_BASE_URL,
	400: 'Correct the fields that are named, then run the workflow again.',
	401: 'Open the credential and test it. If the test succeeds, the client may not be allowed to create transactions.',
	403: "The client isn't permitted to create transactions. Check the Scope in the credential (PAYMENTS), and the client's rights in the dashboard.",
	404: 'Check the Base URL in the credential: the address of transactions is Base URL + /api/v1/transactions.',
	409: LOOK_IT_UP,
	429: "The service limits the rate of requests. Set the option 'Max Requests per Second', or raise 'Max Retry Time'.",
	503: "The service isn't available at the moment. Try again later, or raise the option 'Max Retry Time'.",
};

const MAX_LISTED_WARNINGS = 20;

/** Joins the service's own words in one line: code, message, and warnings. */
function wordsOfService(body: unknown): string {
	const { errorCode, message, warnings } = parseErrorBody(body);
	const statement = [errorCode, message].filter(Boolean).join(': ');
	const details = warnings
		.slice(0, MAX_LISTED_WARNINGS)
		.map(({ position, issue }) => [position, issue].filter(Boolean).join(': '));
	const unlisted = warnings.length - details.length;
	if (unlisted > 0) details.push(`… and ${unlisted} more`);
	return [statement, details.join('; ')].filter(Boolean).join(' – ');
}

/** For a message that ends with what the service said. */
function statusAndWords({ status, body }: Answer): string {
	const words = wordsOfService(body);
	return words ? `(status ${status}: ${words})` : `(status ${status})`;
}

export const created = ({ status, body }: Answer): CreatedResult => ({
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
export function duplicate({ status, body }: Answer, ownAttempt: boolean): DuplicateResult {
	const what = ownAttempt
		? 'The service has this Event ID. It may have been recorded by an earlier attempt of this execution'
		: 'The service has recorded this Event ID before';
	return {
		outcome: 'duplicate',
		message: `${what} ${statusAndWords({ status, body })}`,
		fix: 'If it is the same payment, nothing is left to do. If it is another payment, leave Event ID empty, or give it an Event ID of its own.',
		status,
		body,
		ownAttempt,
	};
}

/** 409: another request with the same Event ID isn't finished, or Retry-After asks for the same. */
export const conflictInProgress = (answer: Answer): SendFailure =>
	unknownOutcome(
		`the service asks to send the same Event ID again later ${statusAndWords(answer)}`,
		answer,
	);

/** 409 without a reason. */
export function silentConflict(answer: Answer): SendFailure {
	const failure = unknownOutcome('the service responded with status 409 without a reason', answer);
	const fix = `Look up the Event ID at the service. If your service means "recorded already" by it, set 'Conflict Without a Reason' in the credential. ${failure.fix}`;
	return { ...failure, fix };
}

/** The service has the Event ID with other content, so a corrected row can be a second payment. */
export const otherContent = (answer: Answer): SendFailure => ({
	...failureFromResponse(answer, 'rejected'),
	fix: LOOK_IT_UP,
});

/** The service answered with a status that is not a success. */
export function failureFromResponse(answer: Answer, outcome: FailureOutcome): SendFailure {
	const { status, body } = answer;
	const words = wordsOfService(body);
	if (outcome === 'unknown') {
		const reason = `the service responded with status ${status}${words ? ` (${words})` : ''}`;
		const failure = unknownOutcome(reason, answer);
		return { ...failure, fix: [FIX_BY_STATUS[status], failure.fix].filter(Boolean).join(' ') };
	}
	if (status >= 300 && status < 400) {
		return {
			outcome,
			message: `The service redirects the request to another address (status ${status})`,
			fix: "Enter the final address as Base URL in the credential: a payment isn't sent to an address that you didn't enter.",
			status,
			body,
		};
	}
	return {
		outcome,
		message: `The service rejected the transaction (status ${status})${words ? `: ${words}` : ''}`,
		fix:
			FIX_BY_STATUS[status] ??
			'Look up what the service says, correct it, then run the workflow again.',
		status,
		body,
	};
}

/** Nobody knows whether the service recorded it. */
export const unknownOutcome = (reason: string, answer?: Answer): SendFailure => ({
	outcome: 'unknown',
	message: `It isn't known whether the transaction was recorded: ${reason}`,
	fix: 'Run it again as it is: the Event ID stays the same, so the service can recognize it.',
	...(answer && { status: answer.status, body: answer.body }),
});

/** The service never received it. */
export const notSent = (message: string, fix: string): SendFailure => ({
	outcome: 'notSent',
	message,
	fix,
});

/**
 * Says what is known after another attempt failed. What an earlier attempt left open stays open,
 * whatever the later one says: only `created` and `duplicate` close it.
 *
 * @param earlier what was known before
 */
export function mergeFailures(earlier: SendFailure | undefined, last: SendFailure): SendFailure {
	if (earlier?.outcome !== 'unknown' || last.outcome === 'unknown') return last;
	const lastResponse = last.status === undefined ? earlier : last;
	const [first] = earlier.message.split(RETRY);
	// What the service refuses for what it is, it refuses again.
	const { status = 0 } = last;
	const isRefused =
		last.outcome === 'rejected' && (status === 409 || (status !== 429 && isDecision(status)));
	return {
		...lastResponse,
		outcome: earlier.outcome,
		message: `${first}${RETRY}${last.message}`,
		fix: isRefused ? LOOK_IT_UP : earlier.fix,
	};
}

/** Between the message of the attempt that left it open, and that of the last one. */
const RETRY = '. Retry: ';
