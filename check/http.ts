import axios, { AxiosHeaders, type AxiosError } from 'axios';
import http from 'node:http';
import https from 'node:https';
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

/** A larger body is a defect of the service, and none of its answers. */
const MAX_BODY_BYTES = 10_000_000;
/** From the last byte of the request to the end of the connection, if the check hangs up. */
const HANG_UP_AFTER_MS = 20;

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/** Sends requests, and ends the connection after the request, so that the response is lost. */
function hangingUp(hangUp: () => void) {
	return {
		request: (options: https.RequestOptions) => {
			const { request } = options.protocol === 'https:' ? https : http;
			const sent = request(options);
			sent.once('finish', () => setTimeout(hangUp, HANG_UP_AFTER_MS));
			return sent;
		},
	};
}

interface Request extends IHttpRequestOptions {
	/** Total time. */
	timeoutMs: number;
	/** Whether the connection is closed after the request, before its response. */
	hangsUp?: boolean;
}

/**
 * Sends one request as n8n's HTTP helper does, with the same HTTP client: JSON is parsed, and what
 * isn't JSON stays text. Follows no redirect.
 *
 * @throws what the HTTP client throws if there is no response that can be read
 */
export async function sendHttp(request: Request): Promise<IN8nHttpFullResponse> {
	const { method = 'POST', url, headers, body, encoding, timeoutMs, hangsUp } = request;
	const closed = new AbortController();
	const close = () => closed.abort();
	// The total time: the timeout of the HTTP client begins anew with each byte. A timer, because
	// Node 20 can lose an `AbortSignal.timeout` inside `AbortSignal.any` to its garbage collector.
	const timer = setTimeout(close, timeoutMs);
	const { hostname } = new URL(url);
	const { status, data, ...response } = await axios
		.request<IN8nHttpFullResponse['body']>({
			method,
			url,
			data: body,
			headers: headers as Record<string, string>,
			responseType: encoding === 'text' ? 'text' : undefined,
			validateStatus: () => true,
			maxRedirects: 0,
			maxContentLength: MAX_BODY_BYTES,
			signal: closed.signal,
			...(LOOPBACK.test(hostname) && { proxy: false }),
			...(hangsUp && { transport: hangingUp(close) }),
		})
		.finally(() => clearTimeout(timer));
	const named = AxiosHeaders.from(response.headers as Record<string, string>).toJSON();
	return { statusCode: status, headers: named, body: data };
}

/** Wraps an error as n8n does for a request with a credential. */
export const wrapped = (error: unknown): Error =>
	Object.assign(new Error((error as AxiosError).message), { cause: error });
