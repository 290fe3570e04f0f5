import {
	UserError,
	type ICredentialDataDecryptedObject,
	type IExecuteFunctions,
	type IN8nHttpFullResponse,
} from 'n8n-workflow';

import {
	ALLOW_HOSTS,
	classifyNetworkError,
	findBlock,
	type NetworkError,
} from '../../shared/networkError';
import { DEPARTURE, mayHaveLeft, type Departure } from '../../shared/departure';
import type { Problem } from '../../shared/result';
import {
	receive,
	UNREADABLE,
	type ReceivedResponse,
	type ServiceResponse,
} from '../../shared/serviceResponse';
import { ForceTokenRefresh, TokenRequestError, usableToken } from '../../shared/token/tokenRequest';
import { USER_AGENT } from '../../shared/userAgent';

const CREDENTIAL = 'paymentsApi';

/** What came of one request. */
export type Sent =
	| {
			says: 'response';
			response: ReceivedResponse;
			/** The access token that the request carried. */
			token: string;
	  }
	/** No complete response in time, so the request may have been carried out. */
	| { says: 'noAnswer'; because: string }
	/** The request didn't leave, and can later, or can't. */
	| { says: 'notSent' | 'cannotBeSent'; problem: KeptProblem; waitMs?: number };

interface KeptProblem extends Problem {
	/** Of the token request. */
	requestId?: string;
}

const CHECK_CREDENTIAL = 'Open the credential, correct it and test it.';
const CHECK_DATABASE =
	"Check n8n's database (connection, disk space), then run the workflow again.";

const POST_OPTIONS = {
	method: 'POST',
	json: true,
	returnFullResponse: true,
	// 401, too: which token it rejects, only this package knows.
	ignoreHttpStatusErrors: true,
	// A redirect would carry transaction and token to an address that the user did not enter.
	disableFollowRedirect: true,
} as const;

/** A request to the service. */
interface ServiceRequest {
	url: string;
	/** Becomes JSON. */
	body: object;
	/** Beside those that each request has. */
	headers: Record<string, string>;
	/** ms, from the connection to the last byte of the response. */
	timeout: number;
}

/**
 * Sends one request with an access token of the credential. Does not throw.
 *
 * n8n calls these functions of the credential for it:
 *
 *     authenticate         adds the token; if there is none, it makes n8n call …
 *     preAuthentication    which requests one. n8n stores it, and calls …
 *     authenticate         again
 */
export async function sendRequest(
	context: IExecuteFunctions,
	credential: ICredentialDataDecryptedObject,
	{ url, body, headers: more, timeout }: ServiceRequest,
): Promise<Sent> {
	const departure: Departure = {};
	const headers = {
		'Content-Type': 'application/json',
		Accept: 'application/json',
		...USER_AGENT,
		...more,
		[DEPARTURE]: departure,
	};
	// The body is text, because the HTTP client would first copy an object member by member.
	const options = { ...POST_OPTIONS, url, body: JSON.stringify(body), headers, timeout };
	const respond = ({ status, headers, body }: ServiceResponse): Sent => {
		// If n8n copied the headers so that nobody knows the token, it's most likely this one.
		const token = departure.token ?? usableToken(credential) ?? '';
		return { says: 'response', response: receive({ status, headers, body }, token), token };
	};
	try {
		const response = (await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			options,
			// n8n uses only the data. It knows from the node which credential to store a new token with.
			{ credentialsDecrypted: { id: '', name: '', type: CREDENTIAL, data: credential } },
		)) as IN8nHttpFullResponse;
		const { statusCode: status, ...rest } = response;
		return respond({ status, ...rest });
	} catch (error) {
		const block = findBlock(error);
		if (block !== undefined) {
			const message = `Not sent: n8n blocked the request: ${block}`;
			return notSent({ message, fix: ALLOW_HOSTS }, false);
		}
		// n8n wraps what the HTTP client threw.
		const { cause } = error as Error;
		const thrown = (cause instanceof Error ? cause : error) as HttpError;
		if (thrown.response) return respond({ ...thrown.response, body: UNREADABLE });
		const kept = readKept(thrown, departure);
		if (kept) return kept;
		const isCanceled = context.getExecutionCancelSignal()?.aborted === true;
		return readLost(thrown, url, isCanceled);
	}
}

type HttpError = Error &
	NetworkError & {
		/** A response whose body could not be read. */
		response?: { status: number; headers: Record<string, unknown> };
	};

/** Its lifetime is shorter than it takes to store it. */
const TOKEN_ENDED = {
	message: 'Not sent: the new access token ended before it could be used',
	fix: 'Ask the provider for access tokens that are valid for longer, then run the workflow again.',
};

/**
 * Says why the request didn't leave, if that is known: the credential or n8n's database kept it.
 * What isn't known to have stayed here may have left.
 */
function readKept(error: Error, departure: Departure): Sent | undefined {
	if (error instanceof TokenRequestError) {
		const { message, fix, temporary, requestId } = error.problem;
		const problem = { message, fix: `${fix} ${CHECK_CREDENTIAL}`, requestId };
		return { ...notSent(problem, temporary), waitMs: error.waitMs };
	}
	if (error instanceof ForceTokenRefresh) return notSent(TOKEN_ENDED, true);
	if (error instanceof UserError)
		return notSent({ message: error.message, fix: CHECK_CREDENTIAL }, false);
	if (mayHaveLeft(departure)) return undefined;
	const message = "Not sent: n8n's database could not store the access token";
	return notSent({ message, fix: CHECK_DATABASE }, true);
}

/** The request may have left, and there is no response. */
function readLost(error: HttpError, url: string, isCanceled: boolean): Sent {
	const { host } = new URL(url);
	if (error.code === 'ERR_CANCELED' && !isCanceled)
		return { says: 'noAnswer', because: `${host} didn't respond in time` };
	const { requestSent, temporary, reason } = classifyNetworkError(error, url);
	if (requestSent === 'maybe') return { says: 'noAnswer', because: reason };
	const message = `Not sent: ${reason}`;
	const fix = 'Check the connection to the service, then run the workflow again.';
	return notSent({ message, fix }, temporary);
}

const notSent = (problem: KeptProblem, temporary: boolean) => ({
	says: temporary ? ('notSent' as const) : ('cannotBeSent' as const),
	problem: { ...problem, fix: `${problem.fix} Nothing was sent.` },
});
