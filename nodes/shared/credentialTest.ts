import {
	UserError,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type IHttpRequestHelper,
} from 'n8n-workflow';

import { classifyNetworkError, type NetworkError } from './networkError';

const TRANSACTIONS = '/api/v1/transactions';
const TIMEOUT = 15_000;

type HttpRequest = IHttpRequestHelper['helpers']['httpRequest'];

/** How the credential under test can send; n8n gives that to the token exchange only, which comes first in every test. */
const senders = new WeakMap<ICredentialDataDecryptedObject, HttpRequest>();

/** Remembers, for the test of these credentials, how to send. */
export const rememberHttpHelper = (
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
) => void senders.set(credentials, httpRequest);

/**
 * The Test button: the exchange comes first and says itself what is wrong, then `probeBaseUrl`. This is the request that n8n makes itself at
 * the end. The interface has no reading operation (service interface, section 4.3), so any answer but "token refused" shows that the service is there.
 */
export const test: ICredentialTestRequest = {
	request: {
		baseURL: `={{ $credentials.baseUrl.trim().replace(/\\/+$/, "").replace(/${TRANSACTIONS.replaceAll('/', '\\/')}$/, "") }}`,
		url: TRANSACTIONS,
		method: 'GET',
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
	},
};

/** What keeps an answer to the test's request from being the service's, if anything does. */
function problemWith(
	url: string,
	{ statusCode, headers }: { statusCode: number; headers: Record<string, unknown> },
): string | undefined {
	if (statusCode === 401)
		return 'The service issued a token, but the Base URL does not accept it. Check that Base URL and Auth URL belong to the same service.';
	return statusCode < 300 && /html/i.test(String(headers['content-type']))
		? unusable(`${url} is a web page`)
		: undefined;
}

const unusable = (reason: string) =>
	`A token could be had, but the Base URL cannot be used, because ${reason}. Check the Base URL.`;

const isTest = ({ method, url }: { method?: string; url: string }) =>
	method === 'GET' && url.endsWith(TRANSACTIONS);

/** Whether this is a test that goes on the stored token: it would say nothing about the secret, so an exchange comes first. */
export const needsFreshToken = (
	credentials: ICredentialDataDecryptedObject,
	request: { method?: string; url: string },
) => isTest(request) && !senders.has(credentials);

/**
 * Makes the test's request once beforehand, because n8n shows nothing but a system code when there is no answer, and before version 2 takes a
 * refused token for a success. Throws a sentence for the user; does nothing for any other request.
 */
export async function probeBaseUrl(
	credentials: ICredentialDataDecryptedObject,
	request: { method?: string; url: string; headers: Record<string, string> },
): Promise<void> {
	const { url, headers } = request;
	const httpRequest = senders.get(credentials);
	if (!isTest(request) || !httpRequest) return;
	const problem = await httpRequest({
		method: 'GET',
		url,
		headers,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		disableFollowRedirect: true,
		timeout: TIMEOUT,
	}).then(
		(answer) => problemWith(url, answer),
		(error: NetworkError) => unusable(classifyNetworkError(error, new URL(url).host).reason),
	);
	if (problem !== undefined) throw new UserError(problem);
}
