import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import {
	ALLOW_HOSTS,
	classifyNetworkError,
	findBlock,
	type NetworkError,
} from '../../shared/networkError';
import { asSentences, type Problem } from '../../shared/result';
import { transactionsUrl } from '../../shared/serviceUrl';
import { isWebPage, MAY_BE_BLOCKED, meaningOf, type StatusMeaning } from '../../shared/statuses';
import { requestToken } from '../../shared/token/tokenRequest';
import { findMissingScope } from '../../shared/token/tokenResponse';
import { parseCredentialLimits } from '../limits/credentialLimits';
import { parseRecordedCodes } from '../recordedCodes';

const TIMEOUT_MS = 15_000;

type HttpRequest = (options: IHttpRequestOptions) => Promise<IN8nHttpFullResponse>;

/**
 * Tests a credential when somebody saves it: limits, token, scope, and whether transactions can be
 * sent to the Base URL. n8n calls it because the node's credential names it in `testedBy`.
 *
 * @returns a message that contains no secret
 */
export async function testPaymentsApi(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const problem = await findCredentialProblem(data, httpRequestOf(this));
	return problem
		? { status: 'Error', message: asSentences(problem) }
		: { status: 'OK', message: 'Connection successful!' };
}

const httpRequestOf =
	({ helpers }: ICredentialTestFunctions): HttpRequest =>
	async ({ method, url, headers, body }) => {
		const request = { method, uri: url, headers, body, timeout: TIMEOUT_MS };
		// Deprecated in nodes, but n8n gives a credential test no other (`ICredentialTestFunctions`).
		const response = (await helpers.request({
			...request,
			simple: false,
			resolveWithFullResponse: true,
			followRedirect: false,
			followAllRedirects: false,
		})) as IN8nHttpFullResponse;
		return response;
	};

async function findCredentialProblem(
	credentials: ICredentialDataDecryptedObject,
	httpRequest: HttpRequest,
): Promise<Problem | undefined> {
	const limits = parseCredentialLimits(credentials);
	if (limits.problem) return limits.problem;
	const recordedCodes = parseRecordedCodes(credentials.recordedCodes);
	if (recordedCodes.problem) return recordedCodes.problem;
	const url = transactionsUrl(credentials);
	if (url.problem) return url.problem;
	// A new one, so that the secret is tested, too.
	const token = await requestToken(credentials, httpRequest);
	if (token.problem) return token.problem;
	const missingScope = findMissingScope(credentials, token.value);
	if (missingScope) return missingScope;
	return await probeBaseUrl(url.value, token.value.bearerToken, httpRequest);
}

async function probeBaseUrl(
	url: string,
	bearerToken: string,
	httpRequest: HttpRequest,
): Promise<Problem | undefined> {
	try {
		const headers = { Authorization: `Bearer ${bearerToken}` };
		const response = await httpRequest({ method: 'GET', url, headers });
		// Many servers answer so if a path accepts only POST. A POST without a token or content can't
		// create anything.
		if (response.statusCode === 404) {
			const write = { headers: { 'Content-Type': 'application/json' }, body: '{}' };
			const { statusCode, headers: types } = await httpRequest({ method: 'POST', url, ...write });
			const isDeclined = DECLINES_EMPTY_POST.includes(meaningOf(statusCode));
			if (isDeclined && !isWebPage(types['content-type'], undefined)) return undefined;
		}
		return findProbeProblem(url, response);
	} catch (error) {
		const block = findBlock(error);
		if (block !== undefined)
			return {
				message: `The service issued an access token, but n8n blocked the request to 'Base URL': ${block}`,
				fix: ALLOW_HOSTS,
			};
		const { reason } = classifyNetworkError(error as NetworkError, url);
		return {
			message: `The service issued an access token, but 'Base URL' can't be used, because ${reason}`,
			fix: 'Check the Base URL.',
		};
	}
}

/** How a service declines an empty POST without an access token. */
const DECLINES_EMPTY_POST: readonly StatusMeaning[] = ['declined', 'unauthorized', 'forbidden'];

/** What says of an address that transactions can't be sent to it, whatever the service supports. */
const PROBE_FIXES: Partial<Record<StatusMeaning, string>> = {
	unauthorized: 'Check that Base URL and Auth URL belong to the same service.',
	redirect:
		"Check the Base URL. Enter the final address as Base URL: a transaction isn't sent to an address that you didn't enter.",
	noSuchPath: 'Check the Base URL: the address of transactions is Base URL + /api/v1/transactions.',
	proxySignIn: 'Check the proxy settings of n8n.',
	notNow: 'Test the credential again in a minute.',
};

/**
 * Says why transactions can't be sent to an address, from the response to a GET with a new access
 * token. The interface has no reading operation (docs/interface.md, 4.3), so the statuses by which
 * a service declines the request are a good sign.
 *
 * @param url the address that was requested, for the message
 */
export function findProbeProblem(
	url: string,
	{ statusCode, headers }: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'>,
): Problem | undefined {
	const meaning = meaningOf(statusCode);
	const fix = PROBE_FIXES[meaning];
	if (fix !== undefined)
		return {
			message: `The service issued an access token, but ${url} responded with status ${statusCode}`,
			fix,
		};
	// A web server says so with a page of its own, also for a service behind it.
	const canBePage = meaning === 'wrongMethod';
	if (canBePage || !isWebPage(headers['content-type'], undefined)) return undefined;
	return {
		message: `The service issued an access token, but ${url} responded with a web page (status ${statusCode})`,
		fix: `Check the Base URL.${meaning === 'forbidden' ? ` ${MAY_BE_BLOCKED}` : ''}`,
	};
}
