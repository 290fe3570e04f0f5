import type { FastifyReply } from 'fastify';
import { STATUS_CODES } from 'node:http';
import { errorCodeOf } from '../state/serviceError';
import type { FaultName, FaultResponse } from '../types';

const html = (status: number) =>
	`<!doctype html><html><head><title>${status} ${STATUS_CODES[status] ?? ''}</title></head><body><h1>Please sign in to the network</h1></body></html>`;

/** The first half of a text, never nothing. */
const half = (text: string) => text.slice(0, Math.max(1, Math.floor(text.length / 2)));

/** Writes to the socket by hand, past everything that would make it a proper answer. */
function raw(reply: FastifyReply, text: string): void {
	reply.hijack();
	reply.raw.socket?.end(text);
}

const head = (status: number, headers: Record<string, string | number>) =>
	`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${Object.entries(headers)
		.map(([name, value]) => `${name}: ${value}\r\n`)
		.join('')}`;

const json = 'application/json; charset=utf-8';

/** Each fault by its name: what it does instead of sending `payload` with `status`. */
const faults: Record<FaultName, (reply: FastifyReply, status: number, payload: string) => void> = {
	reset: (reply) => {
		reply.hijack();
		reply.raw.socket?.resetAndDestroy();
	},
	close: (reply) => raw(reply, ''),
	hang: (reply) => void reply.hijack(),
	garbage: (reply) => raw(reply, '\u0000\u0001SSH-2.0-this is no HTTP\r\n\r\n'),
	halfHeaders: (reply, status) => raw(reply, head(status, { 'content-type': json }).slice(0, -8)),
	dropAfter: (reply) => raw(reply, ''),
	hangAfter: (reply) => void reply.hijack(),
	halfBody: (reply, status, payload) =>
		raw(
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

/** What stands in the body of a status that was asked for without one. */
function defaultBody(status: number, on: 'transactions' | 'token'): unknown {
	if (status < 400) return {};
	const message = `${STATUS_CODES[status] ?? 'Unknown status'}: the sandbox was asked to answer ${status}.`;
	if (on === 'token')
		return {
			error: status === 401 ? 'invalid_client' : status >= 500 ? 'server_error' : 'invalid_request',
			error_description: message,
		};
	return { errorCode: errorCodeOf(status), message };
}

/** Gives the faulty answer. `right` is the right one where the request was carried out. */
export function sendFaultResponse(
	reply: FastifyReply,
	on: 'transactions' | 'token',
	answer: FaultResponse,
	right: { status: number; body: unknown } = { status: 200, body: {} },
): void {
	const status = answer.status ?? right.status;
	const body = answer.body ?? (answer.status === undefined ? right.body : defaultBody(status, on));
	if (answer.retryAfter !== undefined) {
		const date = new Date(Date.now() + answer.retryAfter * 1000).toUTCString();
		void reply.header(
			'retry-after',
			answer.retryAfterFormat === 'date' ? date : String(answer.retryAfter),
		);
	}
	const payload = typeof body === 'string' ? body : JSON.stringify(body);
	if (answer.fault)
		return faults[answer.fault](reply.headers(answer.headers ?? {}), status, payload);
	void reply
		.code(status)
		.type(typeof body === 'string' ? 'text/plain; charset=utf-8' : json)
		.headers(answer.headers ?? {})
		.send(payload);
}
