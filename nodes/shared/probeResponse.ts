import { isWebPage } from './webPage';

/** What of a response shows whether the service is there. */
export interface ProbeResponse {
	statusCode: number;
	headers: Record<string, unknown>;
}

/** Statuses of a service that has the path, and doesn't offer reading there or not to this client (RFC 9110, section 15). */
const SERVICE_IS_THERE = new Set([403, 405, 415, 422, 501]);
/** Statuses that say "no such path here": 404, 410 Gone, and 421 Misdirected Request (RFC 9110, sections 15.5.5, 15.5.11, 15.5.20). */
const NO_SUCH_PATH = new Set([404, 410, 421]);
/** Statuses below 500 that say nothing about the path, because the server doesn't answer at the moment. */
const NOT_NOW = new Set([408, 425, 429]);

/**
 * Reads the response to `GET {Base URL}/api/v1/transactions`, sent with a fresh access token. The interface names no reading operation
 * (service interface, section 4.3), so the statuses by which a service declines the request count as a good sign.
 *
 * @param url the URL that was requested, for the message
 * @returns a message for the user when transactions can't be sent there; `undefined` when the service is there
 */
export function describeProbeResponse(
	url: string,
	{ statusCode, headers }: ProbeResponse,
): string | undefined {
	if (SERVICE_IS_THERE.has(statusCode)) return undefined;
	if (statusCode === 401)
		return 'The service issued an access token, but the Base URL does not accept it. Check that Base URL and Auth URL belong to the same service.';
	if (statusCode >= 300 && statusCode < 400)
		return `${url} redirects to another address (status ${statusCode}), and transactions are sent only to the address that you enter. Enter the final address as Base URL.`;
	if (NO_SUCH_PATH.has(statusCode))
		return `The server at the Base URL has no ${url} (status ${statusCode}), so it isn't the payments service. Check the Base URL: enter it without the path /api/v1/transactions.`;
	if (statusCode === 407)
		return `A proxy between n8n and ${url} asks for a sign-in (status 407). Check the proxy settings of n8n.`;
	if (NOT_NOW.has(statusCode) || statusCode >= 500)
		return `${url} can't answer at the moment (status ${statusCode}). Test the credential again in a minute.`;
	if (isWebPage(headers['content-type'], undefined))
		return `The service issued an access token, but 'Base URL' can't be used, because ${url} is a web page. Check the Base URL.`;
	return undefined;
}

/** Statuses by which a service declines an empty POST without an access token. */
const DECLINES_EMPTY_POST = new Set([400, 401, 403, 415, 422]);

/** Reads the response to a POST without an access token and with an empty object. */
export const isServiceThere = ({ statusCode }: ProbeResponse): boolean =>
	DECLINES_EMPTY_POST.has(statusCode);
