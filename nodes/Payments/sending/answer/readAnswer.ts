import type { ReceivedResponse, ServiceResponse } from '../../../shared/serviceResponse';
import { statedWait } from '../../../shared/statedWait';
import { isWebPage, statusSays } from '../../../shared/statuses';
import type { ClientToken } from '../../../shared/token/ClientToken';
import { bearerErrorIn } from '../../../shared/token/bearerError';
import type { Conclusion } from '../../results';
import type { Transaction } from '../../Transaction';
import type { Sent } from '../request';
import { codeSays, hasCode, isReplay, namesOtherEvent } from './codes';
import { MEANINGS, type Answer, type Says } from './Says';
import { findDenial } from './successBody';
import { concludeResponse, notSent, unknownOutcome } from './words';

export interface ReadOptions {
	retryUnknownOutcome: boolean;
	/** What the credential states (Codes for Recorded Already). */
	recordedCodes: readonly string[];
}

/** The access token that requests carry. */
type TokenInUse = Pick<ClientToken, 'accept' | 'reject'>;

/** Reads what came of a request: what it says about its transaction, and about the access token. */
export function readAnswer(
	sent: Sent,
	transaction: Transaction,
	options: ReadOptions,
	token: TokenInUse,
): Answer {
	switch (sent.says) {
		case 'response': {
			const answer = readResponse(sent.response, transaction, options);
			if (answer.shows === 'decision') token.accept(sent.token);
			if (answer.says !== 'unauthorized') return answer;
			return { ...answer, rejectedToken: token.reject(sent.token) };
		}
		case 'noAnswer':
			return answerOf(sent.says, unknownOutcome(sent.because), options);
		case 'notSent':
		case 'cannotBeSent': {
			const { message, fix, requestId } = sent.problem;
			const failure = { ...notSent(message, fix), requestId };
			return { ...answerOf(sent.says, failure, options), waitMs: sent.waitMs };
		}
	}
}

function answerOf(says: Says, conclusion: Conclusion, options: ReadOptions): Answer {
	const { shows, again } = MEANINGS[says];
	const isSentAgain = again === 'yes' || (again === 'ifAllowed' && options.retryUnknownOutcome);
	const read = { says, shows, isSentAgain };
	return conclusion.outcome === 'created' || conclusion.outcome === 'duplicate'
		? { ...read, taken: conclusion }
		: { ...read, failure: conclusion };
}

/** Reads what a response says about its transaction. */
export function readResponse(
	response: ReceivedResponse,
	transaction: Transaction,
	options: ReadOptions,
): Answer {
	const { says, because } = responseSays(response, transaction, options.recordedCodes);
	const conclusion = concludeResponse(says, response, transaction, because);
	const answer = answerOf(says, conclusion, options);
	if (answer.taken) return answer;
	// A server in front of the service. Also the service's own may say so that it's overloaded.
	const isElsewhere = (answer.shows === 'undecided' || says === 'refused') && isWebPage(response);
	return {
		...answer,
		shows: isElsewhere ? 'elsewhere' : answer.shows,
		waitMs: statedWait(response, Date.now()),
	};
}

interface Said {
	says: Says;
	/** Why a success doesn't confirm the transaction. */
	because?: string;
}

/**
 * Returns what a response says: by its status, and by codes of the service's own or that the
 * credential states. No other word decides.
 */
function responseSays(
	response: ServiceResponse,
	sent: Transaction,
	stated: readonly string[],
): Said {
	if (rejectsToken(response)) return { says: 'unauthorized' };
	// With insufficient_scope, 401 is the 403 for which the RFC asks.
	const said = response.status === 401 ? 'forbidden' : statusSays(response.status);
	if (said === 'success') return successSays(response, sent);
	const code = codeSays(response, sent, stated);
	return code === 'recorded' ? recordedSays(response, sent) : { says: code ?? said };
}

/**
 * A success status says that the service took the transaction now, or before, if the service says
 * that it repeats its first response, in a header or by 208 Already Reported (RFC 5842, section
 * 7.1).
 */
function successSays(response: ServiceResponse, sent: Transaction): Said {
	const because = findDenial(response, sent);
	if (because === undefined) {
		const isRepeated = isReplay(response) || response.status === 208;
		return isRepeated ? recordedSays(response, sent) : { says: 'success' };
	}
	// JSON is the service's. Anything else can come from what stands in front of it.
	return { says: typeof response.body === 'object' ? 'denied' : 'unconfirmed', because };
}

const recordedSays = ({ body }: ServiceResponse, sent: Transaction): Said => ({
	says: namesOtherEvent(body, sent) ? 'otherEvent' : 'recorded',
});

/**
 * Whether the response rejects the access token. RFC 6750, section 3.1, asks for 401 with
 * invalid_token. Some services answer with 400 or 403. A token of another scope is valid.
 */
function rejectsToken({ status, headers, body }: ServiceResponse): boolean {
	const { error } = bearerErrorIn(headers);
	if (status === 401) return error !== 'insufficient_scope';
	const isNamed = error === 'invalid_token' || hasCode(body, 'invalid_token');
	return isNamed && (status === 400 || status === 403);
}
