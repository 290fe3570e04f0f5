import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
} from 'n8n-workflow';

import type { NetworkError } from '../../shared/networkError';

export const CREDENTIAL = 'paymentsApi';

/** What came back, whatever its status. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, unknown>;
	body: unknown;
}

/** One request through n8n: an answer, or the error that stood in its way. */
export type RequestResult =
	| { answer: ServiceResponse; error?: undefined }
	| { answer?: undefined; error: NetworkError & Error };

/** The token that all requests of a run share. */
export type SharedCredential = ICredentialDataDecryptedObject;

/**
 * Sends one request with the credential's token. n8n fetches a token when there is none, and after a 401 once more.
 * Does not throw. `newerToken` says that another request has fetched a token since this one took its own.
 *
 * @param shared the decrypted credential, read once for the run; a token that n8n fetches is put into it
 */
export async function request(
	context: IExecuteFunctions,
	shared: SharedCredential,
	{ body, ...options }: Omit<IHttpRequestOptions, 'body'> & { body: object },
): Promise<RequestResult & { newerToken: boolean }> {
	const before = shared.accessToken;
	// A copy for each request: after a 401 n8n must see the token that was rejected, not one that another request has fetched meanwhile.
	const data = { ...shared };
	// n8n takes the data alone; which credential it stores a new token with, it knows from the node.
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data };
	const send = async (
		ignoreHttpStatusErrors: IHttpRequestOptions['ignoreHttpStatusErrors'],
	): Promise<RequestResult> =>
		await context.helpers.httpRequestWithAuthentication
			.call(
				context,
				CREDENTIAL,
				{ ...options, ...AS_JSON, ignoreHttpStatusErrors, body: JSON.stringify(body) },
				{ credentialsDecrypted },
			)
			.then(
				async ({
					statusCode,
					headers,
					body: answered,
				}: {
					statusCode: number;
					headers: Record<string, unknown>;
					body: unknown;
				}): Promise<RequestResult> => {
					// n8n 1 knows no exceptions: this 401 was not thrown, so no new token was fetched. Nothing was recorded; sent anew, it is thrown.
					if (statusCode === 401) return await send(false);
					return { answer: { status: statusCode, headers, body: answered } };
				},
				unwrap,
			);
	const sent = await send(ALL_BUT_401);
	const newerToken = shared.accessToken !== before && shared.accessToken !== data.accessToken;
	if (shared.accessToken === before) shared.accessToken = data.accessToken;
	return { ...sent, newerToken };
}

/** Every status comes back as an answer; 401 alone is thrown, because only then n8n fetches a new token. */
const ALL_BUT_401 = {
	ignore: true,
	except: [401],
} satisfies IHttpRequestOptions['ignoreHttpStatusErrors'];

const AS_JSON = {
	json: true,
	// With a body of text, because the HTTP client would copy an object member by member before it makes text of it.
	headers: { 'Content-Type': 'application/json' },
	returnFullResponse: true,
	// A redirect would carry payment and token to an address that the user did not enter.
	disableFollowRedirect: true,
} satisfies Partial<IHttpRequestOptions>;

/** What n8n makes of an error of the HTTP client. */
interface Wrapped extends Error {
	cause?: unknown;
	/** The status, or the system's error code. */
	httpCode?: string | null;
	context?: { data?: unknown };
}

/** n8n wraps what the HTTP client threw; the answer, if there was one, hangs on the inner error. n8n 1 drops that error, and keeps its code and the body. */
function unwrap(error: Wrapped): RequestResult {
	if (!(error.cause instanceof Error) && error.httpCode) {
		const status = Number(error.httpCode);
		if (Number.isInteger(status))
			return { answer: { status, headers: {}, body: error.context?.data } };
		return { error: Object.assign(error, { code: error.httpCode }) };
	}
	const inner = (error.cause instanceof Error ? error.cause : error) as Error & {
		response?: { status: number; headers: Record<string, unknown>; data: unknown };
	};
	const { response } = inner;
	return response
		? { answer: { status: response.status, headers: response.headers, body: response.data } }
		: { error: inner };
}
