import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { classifyNetworkError, type NetworkError } from './networkError';
import { describeProbeResponse, type ProbeResponse } from './probeResponse';
import { TRANSACTIONS_PATH, transactionsUrl } from './serviceUrl';

/*
 * What n8n does when somebody presses Test (or saves the credential):
 *
 *   n8n                                    this package                          service
 *   ── preAuthentication(credentials) ───▶ rememberHttpHelper, getToken ───────▶ POST {Auth URL}/passport/oauth/token
 *   ── authenticate(test.request) ───────▶ probeBaseUrl ───────────────────────▶ GET {Base URL}/api/v1/transactions
 *                                          throws what is wrong, as a sentence
 *   ── test.request, now with a token ─────────────────────────────────────────▶ GET {Base URL}/api/v1/transactions
 *
 * The probe is needed because n8n shows a system code such as ECONNREFUSED when its own request gets no response, and n8n 1 counts a status 401
 * of that request as a success. n8n's own request therefore accepts every status.
 * n8n leaves out preAuthentication when a token is stored. `authenticate` then throws `ForceTokenRefresh`, and n8n calls both once more.
 */

const TIMEOUT_MS = 15_000;

/** Marks the request of the credential test, so that no other GET of the same URL is taken for it. Never sent to the service. */
const TEST_HEADER = 'x-n8n-credential-test';

/** The request that n8n makes to test the credential. The interface has no reading operation (service interface, section 4.3). */
export const test: ICredentialTestRequest = {
	request: {
		baseURL: '={{$credentials.baseUrl}}',
		url: TRANSACTIONS_PATH,
		method: 'GET',
		headers: { [TEST_HEADER]: 'true' },
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	},
};

type HttpRequest = IHttpRequestHelper['helpers']['httpRequest'];

const httpHelpers = new WeakMap<ICredentialDataDecryptedObject, HttpRequest>();

/** Keeps n8n's HTTP helper for the probe of these credentials: n8n hands it to `preAuthentication`, and not to `authenticate`. */
export const rememberHttpHelper = (
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
) => void httpHelpers.set(credentials, httpRequest);

/** Whether a request is the one of the credential test. */
export const isCredentialTest = ({ headers }: Pick<IHttpRequestOptions, 'headers'>): boolean =>
	Object.hasOwn(headers ?? {}, TEST_HEADER);

/** Whether `preAuthentication` has fetched a token for this test; a stored token would say nothing about the client secret. */
export const hasFreshToken = (credentials: ICredentialDataDecryptedObject): boolean =>
	httpHelpers.has(credentials);

/**
 * Sends the request of the credential test once, and throws when its result shows that transactions can't be sent to the Base URL.
 *
 * @param bearer the header with the access token
 * @returns the request for n8n to send. Nothing in it comes from the request that carried the marker: anybody can set that header.
 * @throws UserError with a message for the user that contains no secret
 */
export async function probeBaseUrl(
	credentials: ICredentialDataDecryptedObject,
	bearer: { Authorization: string },
): Promise<IHttpRequestOptions> {
	const { url, problem } = transactionsUrl(credentials);
	if (problem !== undefined) throw new UserError(problem);
	const probe: IHttpRequestOptions = {
		method: 'GET',
		url,
		headers: bearer,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: TIMEOUT_MS,
	};
	const httpRequest = httpHelpers.get(credentials);
	const finding = httpRequest && (await findProblem(httpRequest, probe));
	if (finding !== undefined) throw new UserError(finding);
	return probe;
}

async function findProblem(
	httpRequest: HttpRequest,
	probe: IHttpRequestOptions,
): Promise<string | undefined> {
	try {
		const response = (await httpRequest({ ...probe })) as ProbeResponse;
		return describeProbeResponse(probe.url, response);
	} catch (error) {
		const { reason } = classifyNetworkError(error as NetworkError, new URL(probe.url).host);
		return `The service issued an access token, but 'Base URL' can't be used, because ${reason}. Check the Base URL.`;
	}
}
