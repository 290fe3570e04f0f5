import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';

import { markAsPaymentsNode, useOf } from '../../shared/credential/credentialUse';
import {
	ALLOW_HOSTS,
	classifyNetworkError,
	findBlock,
	type NetworkError,
} from '../../shared/networkError';
import type { Problem } from '../../shared/result';
import {
	hasNewerToken,
	ownToken,
	replaceToken,
	TokenRequestError,
} from '../../shared/token/tokenRequest';
import { asText, isObject } from '../../shared/values';
import { readV1Error, resendWithStatusErrors } from './n8nV1';
import { cleanBody, type ServiceResponse } from './response/responseBody';

export const CREDENTIAL = 'paymentsApi';

/** What came of one request. */
export type RequestResult =
	/** The service answered. If `sendRequest` returns a 401, even the newest token was rejected. */
	| ({ kind: 'response' } & ServiceResponse)
	/** The service didn't receive it. */
	| { kind: 'notSent'; problem: Problem; temporary: boolean }
	/** No complete response in time, so the request may have been carried out. */
	| { kind: 'noResponse'; reason: string };

/**
 * The decrypted credential, which all requests of an execution share. Each gets a copy. When n8n
 * fetches a token, it changes `accessToken` of the copy, which is then copied back.
 */
export type SharedCredential = ICredentialDataDecryptedObject;

const CHECK_CREDENTIAL = 'Open the credential, correct it and test it.';
const CHECK_DATABASE =
	"Check n8n's database (connection, disk space), then run the workflow again.";

type IgnoredStatusErrors = IHttpRequestOptions['ignoreHttpStatusErrors'];

/** Returns every status but 401, which n8n must throw to fetch a new token. */
const ALL_BUT_401 = { ignore: true, except: [401] } satisfies IgnoredStatusErrors;

const POST_OPTIONS = {
	method: 'POST',
	json: true,
	// The body is text, because the HTTP client would first copy an object member by member.
	headers: { 'Content-Type': 'application/json' },
	returnFullResponse: true,
	// A redirect would carry payment and token to an address that the user did not enter.
	disableFollowRedirect: true,
} satisfies Partial<IHttpRequestOptions>;

/** A request to the service. */
interface ServiceRequest {
	url: string;
	/** Becomes JSON. */
	body: object;
	/** ms, from the connection to the last byte of the response. */
	timeout: number;
}

/**
 * Sends one request with the token of the credential, and once more if the service rejected it and
 * there is a newer one. Does not throw. credentialUse.ts draws which functions of the credential
 * n8n calls.
 *
 * @param shared the decrypted credential, read once for the execution. Gets the tokens n8n fetches.
 */
export async function sendRequest(
	context: IExecuteFunctions,
	shared: SharedCredential,
	request: ServiceRequest,
): Promise<RequestResult> {
	const first = await sendWithToken(context, shared, request);
	if (!first.retryWithNewerToken) return first.result;
	return (await sendWithToken(context, shared, request)).result;
}

/** Sends one request with the newest token that is known. */
async function sendWithToken(
	context: IExecuteFunctions,
	shared: SharedCredential,
	{ url, body, timeout }: ServiceRequest,
): Promise<{
	result: RequestResult;
	/** Whether the service rejected the token, and the next request gets a newer one. */
	retryWithNewerToken: boolean;
}> {
	const tokenBefore = shared.accessToken;
	const startedAt = Date.now();
	// A copy for each request, because after a 401, n8n must see the token that was rejected, and not
	// one that another request has fetched meanwhile.
	const data = { ...shared };
	markAsPaymentsNode(data, timeout);
	// n8n uses only the data. It knows from the node which credential to store a new token with.
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };

	const send = async (ignoreHttpStatusErrors: IgnoredStatusErrors): Promise<IN8nHttpFullResponse> =>
		(await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			{ ...POST_OPTIONS, url, body: JSON.stringify(body), ignoreHttpStatusErrors },
			{ credentialsDecrypted },
		)) as IN8nHttpFullResponse;

	const result = await sendAndRead(data, { url, startedAt, timeout }, async () => {
		const response = await send(ALL_BUT_401);
		return response.statusCode === 401 ? await resendWithStatusErrors(send) : response;
	});

	// For the requests that follow, unless another one has fetched a token meanwhile.
	if (shared.accessToken === tokenBefore) shared.accessToken = data.accessToken;
	if (result.kind !== 'response' || !rejectsToken(result))
		return { result, retryWithNewerToken: false };
	const retryWithNewerToken =
		result.status === 401 ? hasNewerToken(data, startedAt) : replaceToken(data);
	return { result, retryWithNewerToken };
}

/**
 * Says whether a response rejects the access token. RFC 6750, section 3.1, asks for 401 with this
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

interface RequestContext {
	url: string;
	startedAt: number;
	timeout: number;
}

async function sendAndRead(
	data: SharedCredential,
	about: RequestContext,
	send: () => Promise<IN8nHttpFullResponse>,
): Promise<RequestResult> {
	try {
		const { statusCode, headers, body } = await send();
		return responseOf(data, { status: statusCode, headers, body });
	} catch (error) {
		const v1 = readV1Error(error as Error);
		if (v1 && 'response' in v1) return responseOf(data, v1.response);
		return v1 ? readError(data, about, v1.error) : readThrown(data, about, error as Error);
	}
}

const responseOf = (data: SharedCredential, response: ServiceResponse): RequestResult => ({
	kind: 'response',
	...response,
	body: cleanBody(response.body, ownToken(data)?.bearerToken ?? ''),
});

/** Created and Accepted say it without a body. */
const isSuccessInDoubt = (status: number) =>
	status >= 200 && status < 300 && status !== 201 && status !== 202;

/**
 * n8n wraps what the HTTP client threw: `cause` is the error, and `cause.response` the response. If
 * its status is a success, the body is what could not be read.
 */
function readThrown(data: SharedCredential, about: RequestContext, error: Error): RequestResult {
	const inner = (error.cause instanceof Error ? error.cause : error) as Error & {
		response?: { status: number; headers: Record<string, unknown>; data: unknown };
	};
	const { response } = inner;
	if (!response || isSuccessInDoubt(response.status)) return readError(data, about, inner, error);
	const { status, headers, data: body } = response;
	return responseOf(data, { status, headers, body });
}

function readError(
	data: SharedCredential,
	{ url, startedAt, timeout }: RequestContext,
	error: Error & NetworkError,
	thrown: Error = error,
): RequestResult {
	const { stage } = useOf(data);
	if (stage === 'tokenStorage') {
		const message =
			"The transaction wasn't sent, because n8n's database could not store the access token";
		return notSent({ message, fix: CHECK_DATABASE }, true);
	}
	if (error instanceof TokenRequestError) {
		const { message, fix, temporary } = error.problem;
		return notSent({ message, fix: `${fix} ${CHECK_CREDENTIAL}` }, temporary);
	}
	const block = findBlock(error) ?? findBlock(thrown);
	if (block !== undefined) {
		const message = `The transaction wasn't sent, because n8n blocked the request: ${block}`;
		return notSent({ message, fix: ALLOW_HOSTS }, false);
	}
	const isNetworkError = 'isAxiosError' in error || error.code !== undefined;
	// n8n or the credential didn't let it out.
	if (stage !== 'request' || !isNetworkError)
		return notSent({ message: error.message, fix: CHECK_CREDENTIAL }, false);
	const { host } = new URL(url);
	const isTimeout = error.code === 'ERR_CANCELED' && Date.now() - startedAt >= timeout;
	if (isTimeout) return { kind: 'noResponse', reason: `${host} didn't respond in time` };
	const { requestSent, temporary, reason } = classifyNetworkError(error, host);
	if (requestSent === 'maybe') return { kind: 'noResponse', reason };
	const message = `The transaction wasn't sent, because ${reason}`;
	const fix = 'Check the connection to the service, then run the workflow again.';
	return notSent({ message, fix }, temporary);
}

const notSent = ({ message, fix }: Problem, temporary: boolean): RequestResult => ({
	kind: 'notSent',
	problem: { message, fix: `${fix} Nothing was sent.` },
	temporary,
});
