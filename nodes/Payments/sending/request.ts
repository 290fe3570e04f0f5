import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { NetworkError } from '../../shared/networkError';
import { stageOf, type RequestStage } from '../../shared/requestStage';
import { hasOutdatedToken } from '../../shared/token/tokenRequest';
import { readV1Error, resendWithStatusErrors } from './n8nV1';

export const CREDENTIAL = 'paymentsApi';

/** What came back, whatever its status. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** One request through n8n: a response, or the error that came instead. */
type Result =
	| { response: ServiceResponse; error?: undefined }
	| { response?: undefined; error: NetworkError & Error };

export type RequestResult = Result & {
	/** Whether the service rejected the token and could accept a newer one. */
	outdatedToken: boolean;
	/** How far the request came. */
	stage: RequestStage | undefined;
};

export type FailedRequest = Extract<RequestResult, { error: Error }>;

/** The decrypted credential, with the token that all requests of an execution share. */
export type SharedCredential = ICredentialDataDecryptedObject;

type IgnoredStatusErrors = IHttpRequestOptions['ignoreHttpStatusErrors'];

/** Every status comes back as a response; 401 alone is thrown, because only then n8n fetches a new token. */
const ALL_BUT_401 = { ignore: true, except: [401] } satisfies IgnoredStatusErrors;

const AS_JSON = {
	json: true,
	// With a body of text, because the HTTP client would copy an object member by member before it makes text of it.
	headers: { 'Content-Type': 'application/json' },
	returnFullResponse: true,
	// A redirect would carry payment and token to an address that the user did not enter.
	disableFollowRedirect: true,
} satisfies Partial<IHttpRequestOptions>;

/**
 * Sends one request with the credential's token. Does not throw.
 *
 * What n8n does, and which functions of the credential it calls:
 *
 *     request() → httpRequestWithAuthentication
 *       1. no token yet: preAuthentication → token request → n8n stores the token
 *       2. authenticate → adds the token
 *       3. the request goes out
 *       4. any status but 401: returned
 *          401: thrown → preAuthentication → token request → n8n stores the token → authenticate → the request goes out again
 *       5. a second 401, no response, or a failure of any of these steps: thrown, wrapped in a NodeApiError
 *
 * @param shared the decrypted credential, read once for the execution; a token that n8n fetches is put into it
 */
export async function request(
	context: IExecuteFunctions,
	shared: SharedCredential,
	{ body, ...options }: Omit<IHttpRequestOptions, 'body'> & { body: object },
): Promise<RequestResult> {
	const tokenBefore = shared.accessToken;
	const startedAt = Date.now();
	// A copy for each request: after a 401 n8n must see the token that was rejected, not one that another request has fetched meanwhile.
	const data = { ...shared };
	// n8n takes the data alone; which credential it stores a new token with, it knows from the node.
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };

	const send = async (ignoreHttpStatusErrors: IgnoredStatusErrors): Promise<FullResponse> =>
		(await context.helpers.httpRequestWithAuthentication.call(
			context,
			CREDENTIAL,
			{ ...options, ...AS_JSON, ignoreHttpStatusErrors, body: JSON.stringify(body) },
			{ credentialsDecrypted },
		)) as FullResponse;

	const result = await readResult(async () => {
		const response = await send(ALL_BUT_401);
		return response.statusCode === 401 ? await resendWithStatusErrors(send) : response;
	});

	const hasNewer = shared.accessToken !== tokenBefore && shared.accessToken !== data.accessToken;
	const isRejected = result.response?.status === 401;
	const outdatedToken = isRejected && (hasNewer || hasOutdatedToken(data, startedAt));
	if (shared.accessToken === tokenBefore) shared.accessToken = data.accessToken;
	return { ...result, outdatedToken, stage: stageOf(data) };
}

/** What n8n's HTTP helper returns with `returnFullResponse`. */
interface FullResponse {
	statusCode: number;
	headers: Record<string, unknown>;
	body: unknown;
}

async function readResult(send: () => Promise<FullResponse>): Promise<Result> {
	try {
		const { statusCode, headers, body } = await send();
		return { response: { status: statusCode, headers, body } };
	} catch (error) {
		return readV1Error(error as Error) ?? readError(error as Error);
	}
}

/** n8n wraps what the HTTP client threw: the error is `cause`, and the response, if there was one, is on `cause.response`. */
function readError(error: Error): Result {
	const inner = (error.cause instanceof Error ? error.cause : error) as Error & {
		response?: { status: number; headers: Record<string, unknown>; data: unknown };
	};
	const { response } = inner;
	if (!response) return { error: inner };
	return { response: { status: response.status, headers: response.headers, body: response.data } };
}
