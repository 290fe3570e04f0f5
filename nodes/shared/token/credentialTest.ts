import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IN8nHttpFullResponse,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { ALLOW_HOSTS, classifyNetworkError, findBlock, type NetworkError } from '../networkError';
import { asSentences, type Problem } from '../result';
import { transactionsUrl } from '../serviceUrl';
import {
	isNotNow,
	isRedirect,
	isWebPage,
	MAY_BE_BLOCKED,
	statusSays,
	type StatusSays,
} from '../statuses';
import { USER_AGENT } from '../userAgent';
import { findScopeProblem } from './bearerError';
import { requestToken, type HttpRequest } from './tokenRequest';
import { findMissingScope } from './tokenResponse';

const TIMEOUT_MS = 15_000;
const HEADERS = { Accept: 'application/json', ...USER_AGENT };

/**
 * Tests a credential when somebody saves it: what its own fields say, then the token, its scope,
 * and whether transactions can be sent to the Base URL.
 *
 * @param findFieldProblem checks the other fields, without the service
 * @returns the function that n8n calls, because the node's credential names it in `testedBy`. Its
 *   messages contain no secret.
 */
export const credentialTest = (
	findFieldProblem: (data: ICredentialDataDecryptedObject) => Problem | undefined,
) =>
	async function (
		this: ICredentialTestFunctions,
		{ data = {} }: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { helpers } = this;
		const send: HttpRequest = async ({ method, url, headers, body }) =>
			// Deprecated in nodes, but n8n gives a credential test no other (`ICredentialTestFunctions`).
			(await helpers.request({
				...{ method, uri: url, headers, body, timeout: TIMEOUT_MS },
				...{ simple: false, resolveWithFullResponse: true },
				...{ followRedirect: false, followAllRedirects: false },
			})) as IN8nHttpFullResponse;
		const problem = findFieldProblem(data) ?? (await findServiceProblem(data, send));
		return problem
			? { status: 'Error', message: asSentences(problem) }
			: { status: 'OK', message: 'Connection successful!' };
	};

async function findServiceProblem(
	credentials: ICredentialDataDecryptedObject,
	send: HttpRequest,
): Promise<Problem | undefined> {
	const url = transactionsUrl(credentials);
	if (url.problem) return url.problem;
	// A new one, so that the secret is tested, too.
	const token = await requestToken(credentials, send);
	if (token.problem) return token.problem;
	return (
		findMissingScope(credentials, token.value) ??
		(await probeBaseUrl(url.value, token.value.bearerToken, send))
	);
}

async function probeBaseUrl(
	url: string,
	bearerToken: string,
	send: HttpRequest,
): Promise<Problem | undefined> {
	try {
		const headers = { ...HEADERS, Authorization: `Bearer ${bearerToken}` };
		const response = await send({ method: 'GET', url, headers });
		// Many servers answer so if a path accepts only POST. A POST without a token or content can't
		// create anything.
		if (response.statusCode === 404 && (await declinesEmptyPost(url, send))) return undefined;
		return findProbeProblem(url, response);
	} catch (error) {
		const block = findBlock(error);
		if (block !== undefined)
			return butProblem(`n8n blocked the request to 'Base URL': ${block}`, ALLOW_HOSTS);
		const { reason } = classifyNetworkError(error as NetworkError, url);
		return butProblem(`'Base URL' can't be used, because ${reason}`, 'Check the Base URL.');
	}
}

/** Whether a service declines an empty POST without an access token, as one at this path would. */
async function declinesEmptyPost(url: string, send: HttpRequest): Promise<boolean> {
	const headers = { ...HEADERS, 'Content-Type': 'application/json' };
	const response = await send({ method: 'POST', url, headers, body: '{}' });
	return DECLINES.includes(statusSays(response.statusCode)) && !isWebPage(response);
}

const DECLINES: StatusSays[] = ['refused', 'badForm', 'conflict', 'unauthorized', 'forbidden'];

const butProblem = (message: string, fix: string): Problem => ({
	message: `The service issued an access token, but ${message}`,
	fix,
});

/** What says of an address that transactions can't be sent to it, whatever the service supports. */
const PROBE_FIXES: Partial<Record<StatusSays, string>> = {
	unauthorized: 'Check that Base URL and Auth URL belong to the same service.',
	noSuchPath: 'Check the Base URL: the address of transactions is Base URL + /api/v1/transactions.',
	proxySignIn: 'Check the proxy settings of n8n.',
};

function probeFix(status: number): string | undefined {
	if (isNotNow(status)) return 'Test the credential again in a minute.';
	if (isRedirect(status))
		return "Check the Base URL. Enter the final address as Base URL: a transaction isn't sent to an address that you didn't enter.";
	return PROBE_FIXES[statusSays(status)];
}

/**
 * Says why transactions can't be sent to an address, from the response to a GET with a new access
 * token. The interface has no reading operation (docs/interface.md, 4.3), so the statuses by which
 * a service declines the request are a good sign.
 *
 * @param url the address that was requested, for the message
 */
export function findProbeProblem(
	url: string,
	response: Pick<IN8nHttpFullResponse, 'statusCode' | 'headers'>,
): Problem | undefined {
	const { statusCode, headers } = response;
	const says = statusSays(statusCode);
	const scope = findScopeProblem(headers);
	if (scope) return butProblem(`${scope.message} (status ${statusCode})`, scope.fix);
	const fix = probeFix(statusCode);
	if (fix !== undefined) return butProblem(`${url} responded with status ${statusCode}`, fix);
	// A web server says so with a page of its own, also for a service behind it.
	if (says === 'wrongMethod' || !isWebPage(response)) return undefined;
	return butProblem(
		`${url} responded with a web page (status ${statusCode})`,
		`Check the Base URL.${says === 'forbidden' ? ` ${MAY_BE_BLOCKED}` : ''}`,
	);
}
