import type { FastifyReply } from 'fastify';
import { STATUS_CODES } from 'node:http';
import type { Call } from '../http/gate';
import { errorCodeOf } from '../state/serviceError';
import type { FaultName, FaultResponse } from '../types';

const html = (status: number) =>
	`<!doctype html><html><head><title>${status} ${STATUS_CODES[status] ?? ''}</title></head><body><h1>Please sign in to the network</h1></body></html>`;

/** What each fault does instead of sending a body with `status`. */
const faults: Record<FaultName, (reply: FastifyReply, status: number) => void> = {
	reset: (reply) => {
		reply.hijack();
		reply.raw.socket?.resetAndDestroy();
	},
	hang: (reply) => void reply.hijack(),
	html: (reply, status) =>
		void reply.code(status).type('text/html; charset=utf-8').send(html(status)),
};

/** The OAuth error of a status. */
function tokenErrorOf(status: number): string {
	if (status === 401) return 'invalid_client';
	return status >= 500 ? 'server_error' : 'invalid_request';
}

/** The body of a status that was set without one. */
function defaultBody(status: number, on: Call['on']): object {
	if (status < 400) return {};
	const reason = STATUS_CODES[status] ?? 'Unknown status';
	const message = `${reason} (a fault of the sandbox)`;
	if (on === 'token') return { error: tokenErrorOf(status), error_description: message };
	return { errorCode: errorCodeOf(status), message };
}

/**
 * Sends what a fault makes of a response.
 *
 * @param correct the correct response, when the request was processed
 */
export function sendFaultResponse(
	{ reply, on }: Call,
	response: FaultResponse,
	correct: { status: number; body?: unknown } = { status: 200, body: {} },
): void {
	const status = response.status ?? correct.status;
	const usualBody = response.status === undefined ? correct.body : defaultBody(status, on);
	const body = response.body ?? usualBody;
	const isText = typeof body === 'string';
	const payload = isText ? body : JSON.stringify(body);
	const { fault, retryAfter, headers = {} } = response;
	if (retryAfter !== undefined) void reply.header('retry-after', String(retryAfter));
	if (fault) return faults[fault](reply.headers(headers), status);
	const type = isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
	void reply.code(status).type(type).headers(headers).send(payload);
}
