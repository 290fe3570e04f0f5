import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { ALLOW_HOSTS, classifyNetworkError, findBlock, type NetworkError } from './networkError';
import { describeProbeResponse, isServiceThere, type ProbeResponse } from './probeResponse';
import { TRANSACTIONS_PATH, transactionsUrl } from './serviceUrl';

/*
 * What n8n does when somebody presses Test (or saves the credential), as drawn in credentialUse.ts, and in the middle of it:
 *
 *   n8n                                    this package                          service
 *   ── authenticate(test.request) ───────▶ probeBaseUrl ───────────────────────▶ GET {Base URL}/api/v1/transactions
 *                                          404? ───────────────────────────────▶ POST without a token
 *                                          throws what is wrong, as a sentence
 *   ── test.request, now with a token ─────────────────────────────────────────▶ GET {Base URL}/api/v1/transactions
 *
 * The probe is needed because n8n shows a system code such as ECONNREFUSED when its own request gets no response, and n8n 1 counts a status 401
 * of that request as a success. n8n's own request therefore accepts every status.
 * n8n leaves out preAuthentication when a token is stored, which says nothing about the client secret. `authenticate` then throws
 * `ForceTokenRefresh`, and n8n calls both once more.
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

/** Whether a request is the one of the credential test. */
export const isCredentialTest = ({ headers }: Pick<IHttpRequestOptions, 'headers'>): boolean =>
	Object.hasOwn(headers ?? {}, TEST_HEADER);

/**
 * Sends the request of the credential test once, and throws when its result shows that transactions can't be sent to the Base URL.
 *
 * @param httpRequest n8n's HTTP helper
 * @param bearer the header with the access token
 * @returns the request for n8n to send. Nothing in it comes from the request that carried the marker: anybody can set that header.
 * @throws UserError with a message for the user that contains no secret
 */
export async function probeBaseUrl(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
	bearer: { Authorization: string },
): Promise<IHttpRequestOptions> {
	const { url, problem } = transactionsUrl(credentials);
	if (problem !== undefined) throw new UserError(problem);
	const read = { ...probe('GET', url), headers: bearer };
	const finding = await findProblem(httpRequest, read);
	if (finding !== undefined) throw new UserError(finding);
	return read;
}

const probe = (method: 'GET' | 'POST', url: string): IHttpRequestOptions => ({
	method,
	url,
	returnFullResponse: true,
	ignoreHttpStatusErrors: true,
	disableFollowRedirect: true,
	timeout: TIMEOUT_MS,
});

async function findProblem(
	httpRequest: HttpRequest,
	read: IHttpRequestOptions,
): Promise<string | undefined> {
	const { url } = read;
	try {
		const response = (await httpRequest({ ...read })) as ProbeResponse;
		// Many servers answer so for a path that takes POST only. Without a token and without content, a POST can't create anything.
		if (response.statusCode === 404) {
			// As text: n8n leaves an empty object out.
			const headers = { 'Content-Type': 'application/json' };
			const write = { ...probe('POST', url), headers, body: '{}' };
			if (isServiceThere((await httpRequest(write)) as ProbeResponse)) return undefined;
		}
		return describeProbeResponse(url, response);
	} catch (error) {
		const block = findBlock(error);
		if (block !== undefined)
			return `The service issued an access token, but n8n blocked the request to 'Base URL': ${block}. ${ALLOW_HOSTS}`;
		const { reason } = classifyNetworkError(error as NetworkError, new URL(url).host);
		return `The service issued an access token, but 'Base URL' can't be used, because ${reason}. Check the Base URL.`;
	}
}
