import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
} from 'n8n-workflow';

import { ALLOW_HOSTS, classifyNetworkError, findBlock, type NetworkError } from '../networkError';
import { findProbeProblem, isServiceThere, type ProbeResponse } from './probeResponse';
import { asSentences, type Problem } from '../result';
import { TRANSACTIONS_PATH, transactionsUrl } from '../serviceUrl';

/*
 * What happens when somebody tests or saves the credential (credentialUse.ts draws the calls):
 *
 *   n8n                                this package                     service
 *   ── authenticate(test.request) ───▶ probeBaseUrl ──────────────────▶ GET …/api/v1/transactions
 *                                      404? ──────────────────────────▶ POST without a token
 *                                      throws a message if it can't be used
 *   ── test.request, with a token ────────────────────────────────────▶ GET …/api/v1/transactions
 *
 * The probe is needed because n8n shows a system code such as ECONNREFUSED if its own request gets
 * no response, and n8n 1 counts a 401 as a success. So n8n's own request accepts every status. If a
 * token is stored, n8n doesn't call preAuthentication, and the client secret isn't tested. Then
 * `authenticate` throws `ForceTokenRefresh`, and n8n calls both again.
 */

const TIMEOUT_MS = 15_000;

/** Marks the request of the credential test. Never sent to the service. */
const TEST_HEADER = 'x-n8n-credential-test';

/** The request with which n8n tests the credential. */
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
 * Checks that transactions can be sent to the Base URL.
 *
 * @param httpRequest n8n's HTTP helper
 * @param bearer the header with the access token
 * @returns the request for n8n to send. Nothing in it comes from the marked request, because
 *   anybody can set the marker.
 * @throws UserError with a message that contains no secret
 */
export async function probeBaseUrl(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
	bearer: { Authorization: string },
): Promise<IHttpRequestOptions> {
	const { value: url, problem } = transactionsUrl(credentials);
	if (problem) throw new UserError(asSentences(problem));
	const read = { ...probe('GET', url), headers: bearer };
	const found = await findProblem(httpRequest, read);
	if (found) throw new UserError(asSentences(found));
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
): Promise<Problem | undefined> {
	const { url } = read;
	try {
		const response = (await httpRequest({ ...read })) as ProbeResponse;
		// Many servers answer so if a path accepts only POST. A POST without a token or content can't
		// create anything.
		if (response.statusCode === 404) {
			// As text, because n8n leaves out an empty object.
			const headers = { 'Content-Type': 'application/json' };
			const write = { ...probe('POST', url), headers, body: '{}' };
			if (isServiceThere((await httpRequest(write)) as ProbeResponse)) return undefined;
		}
		return findProbeProblem(url, response);
	} catch (error) {
		const block = findBlock(error);
		if (block !== undefined)
			return {
				message: `The service issued an access token, but n8n blocked the request to 'Base URL': ${block}`,
				fix: ALLOW_HOSTS,
			};
		const { reason } = classifyNetworkError(error as NetworkError, new URL(url).host);
		return {
			message: `The service issued an access token, but 'Base URL' can't be used, because ${reason}`,
			fix: 'Check the Base URL.',
		};
	}
}
