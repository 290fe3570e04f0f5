import type { Problem } from '../../shared/result';
import { isWebPage } from '../../shared/webPage';

/** The part of a response that shows whether the service is there. */
export interface ProbeResponse {
	statusCode: number;
	headers: Record<string, unknown>;
}

/**
 * The service has the path, but doesn't offer reading, or not to this client (RFC 9110, section
 * 15).
 */
const SERVICE_IS_THERE = new Set([403, 405, 415, 422, 501]);
/** Not Found, Gone, and Misdirected Request (RFC 9110, sections 15.5.5, 15.5.11, 15.5.20). */
const NO_SUCH_PATH = new Set([404, 410, 421]);
/**
 * Statuses below 500 of a server that can't answer at the moment. They say nothing about the path.
 */
const NOT_NOW = new Set([408, 425, 429]);

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
	if (SERVICE_IS_THERE.has(statusCode)) return undefined;
	if (statusCode === 401)
		return {
			message: "The service issued an access token, but the Base URL doesn't accept it",
			fix: 'Check that Base URL and Auth URL belong to the same service.',
		};
	if (statusCode >= 300 && statusCode < 400)
		return {
			message: `${url} redirects to another address (status ${statusCode}), and transactions are sent only to the address that you enter`,
			fix: 'Enter the final address as Base URL.',
		};
	if (NO_SUCH_PATH.has(statusCode))
		return {
			message: `The server at the Base URL has no ${url} (status ${statusCode}), so it isn't the payments service`,
			fix: 'Check the Base URL: enter it without the path /api/v1/transactions.',
		};
	if (statusCode === 407)
		return {
			message: `A proxy between n8n and ${url} asks for a sign-in (status 407)`,
			fix: 'Check the proxy settings of n8n.',
		};
	if (NOT_NOW.has(statusCode) || statusCode >= 500)
		return {
			message: `${url} can't respond at the moment (status ${statusCode})`,
			fix: 'Test the credential again in a minute.',
		};
	if (isWebPage(headers['content-type'], undefined))
		return {
			message: `The service issued an access token, but 'Base URL' can't be used, because ${url} is a web page`,
			fix: 'Check the Base URL.',
		};
	return undefined;
}

/** Statuses by which a service declines an empty POST without an access token. */
const DECLINES_EMPTY_POST = new Set([400, 401, 403, 415, 422]);

/**
 * Whether the response to an empty POST without an access token shows that the service is there.
 */
export const isServiceThere = ({ statusCode }: ProbeResponse): boolean =>
	DECLINES_EMPTY_POST.has(statusCode);
