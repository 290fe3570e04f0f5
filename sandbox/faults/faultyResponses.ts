import type { FastifyReply } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { errorCodeOf } from '../state/serviceError';
import type { FaultName, FaultResponse } from '../types';

const html = (status: number) =>
	`<!doctype html><html><head><title>${status} ${STATUS_CODES[status] ?? ''}</title></head><body><h1>Please sign in to the network</h1></body></html>`;

/** The first half of a text, at least one character. */
const half = (text: string) => text.slice(0, Math.max(1, Math.floor(text.length / 2)));

/** Writes to the socket directly and ends it, so that the response needn't be valid HTTP. */
function writeRaw(reply: FastifyReply, text: string): void {
	reply.hijack();
	reply.raw.socket?.end(text);
}

const head = (status: number, headers: Record<string, string | number>) =>
	`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${Object.entries(headers)
		.map(([name, value]) => `${name}: ${value}\r\n`)
		.join('')}`;

const json = 'application/json; charset=utf-8';

/** What each fault does instead of sending `payload` with `status`. */
const faults: Record<FaultName, (reply: FastifyReply, status: number, payload: string) => void> = {
	reset: (reply) => {
		reply.hijack();
		reply.raw.socket?.resetAndDestroy();
	},
	close: (reply) => writeRaw(reply, ''),
	hang: (reply) => void reply.hijack(),
	garbage: (reply) => writeRaw(reply, '\u0000\u0001SSH-2.0-this is no HTTP\r\n\r\n'),
	halfHeaders: (reply, status) =>
		writeRaw(reply, head(status, { 'content-type': json }).slice(0, -8)),
	dropAfter: (reply) => writeRaw(reply, ''),
	hangAfter: (reply) => void reply.hijack(),
	halfBody: (reply, status, payload) =>
		writeRaw(
			reply,
			`${head(status, { 'content-type': json, 'content-length': Buffer.byteLength(payload) })}\r\n${half(payload)}`,
		),
	emptyBody: (reply, status) => void reply.code(status).send(),
	notJson: (reply, status, payload) => void reply.code(status).type(json).send(half(payload)),
	html: (reply, status) =>
		void reply.code(status).type('text/html; charset=utf-8').send(html(status)),
	wrongContentType: (reply, status, payload) =>
		void reply.code(status).type('text/plain; charset=utf-8').send(payload),
	brokenGzip: (reply, status, payload) =>
		void reply
			.code(status)
			.headers({ 'content-encoding': 'gzip', 'content-type': json })
			.send(payload),
};

/** The OAuth error of a status. */
function tokenErrorOf(status: number): string {
	if (status === 401) return 'invalid_client';
	return status >= 500 ? 'server_error' : 'invalid_request';
}

/** The body of a status that was set without one. */
function defaultBody(status: number, on: 'transactions' | 'token'): object {
	if (status < 400) return {};
	const reason = STATUS_CODES[status] ?? 'Unknown status';
	const message = `${reason}: a fault of the sandbox is set to respond with ${status}.`;
	if (on === 'token') return { error: tokenErrorOf(status), error_description: message };
	return { errorCode: errorCodeOf(status), message };
}

/**
 * Sends what a fault makes of a response.
 *
 * @param correct the correct response, when the request was processed
 */
export function sendFaultResponse(
	reply: FastifyReply,
	on: 'transactions' | 'token',
	response: FaultResponse,
	correct: { status: number; body: unknown } = { status: 200, body: {} },
): void {
	const status = response.status ?? correct.status;
	const usualBody = response.status === undefined ? correct.body : defaultBody(status, on);
	const body = response.body ?? usualBody;
	const isText = typeof body === 'string';
	const payload = isText ? body : JSON.stringify(body);
	if (response.retryAfter !== undefined)
		void reply.header('retry-after', String(response.retryAfter));
	if (response.fault) {
		faults[response.fault](reply.headers(response.headers ?? {}), status, payload);
		return;
	}
	void reply
		.code(status)
		.type(isText ? 'text/plain; charset=utf-8' : json)
		.headers(response.headers ?? {})
		.send(payload);
}
