import type { Problem } from '../../shared/result';
import { statusRow, type StatusMeaning } from '../../shared/statuses';
import { isWebPage } from '../../shared/webPage';

/** The part of a response that shows whether the service is there. */
export interface ProbeResponse {
	statusCode: number;
	headers: Record<string, unknown>;
}

/**
 * Says why transactions can't be sent to an address, from the response to a GET with a new access
 * token. The interface has no reading operation (docs/interface.md, 4.3), so the statuses
 * by which a service declines the request are a good sign.
 *
 * @param url the address that was requested, for the message
 */
export function findProbeProblem(
	url: string,
	{ statusCode, headers }: ProbeResponse,
): Problem | undefined {
	const status = `(status ${statusCode})`;
	switch (statusRow(statusCode).meaning) {
		case 'unauthorized':
			return {
				message: "The service issued an access token, but the Base URL doesn't accept it",
				fix: 'Check that Base URL and Auth URL belong to the same service.',
			};
		case 'redirect':
			return {
				message: `${url} redirects to another address ${status}, and transactions are sent only to the address that you enter`,
				fix: 'Enter the final address as Base URL.',
			};
		case 'noSuchPath':
			return {
				message: `The server at the Base URL has no ${url} ${status}, so it isn't the payments service`,
				fix: 'Check the Base URL: enter it without the path /api/v1/transactions.',
			};
		case 'proxySignIn':
			return {
				message: `A proxy between n8n and ${url} asks for a sign-in ${status}`,
				fix: 'Check the proxy settings of n8n.',
			};
		case 'notNow':
			return {
				message: `${url} can't respond at the moment ${status}`,
				fix: 'Test the credential again in a minute.',
			};
		case 'forbidden':
		case 'wrongMethod':
			return undefined;
		default:
			if (!isWebPage(headers['content-type'], undefined)) return undefined;
			return {
				message: `The service issued an access token, but 'Base URL' can't be used, because ${url} is a web page`,
				fix: 'Check the Base URL.',
			};
	}
}

/** How a service declines an empty POST without an access token. */
const DECLINES_EMPTY_POST: readonly StatusMeaning[] = [
	'declined',
	'unauthorized',
	'forbidden',
	'wrongForm',
];

/**
 * Whether the response to an empty POST without an access token shows that the service is there.
 */
export const isServiceThere = ({ statusCode }: ProbeResponse): boolean =>
	DECLINES_EMPTY_POST.includes(statusRow(statusCode).meaning);
