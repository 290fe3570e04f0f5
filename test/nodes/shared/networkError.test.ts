import { request } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import {
	classifyNetworkError,
	findBlock,
	type NetworkError,
} from '../../../nodes/shared/networkError';

const reasonOf = (error: object) => classifyNetworkError(error, 'api.example.com').reason;
const BROKE_OFF = /broke off/;

test.each([
	['ENOTFOUND', /misspelled/],
	['EAI_AGAIN', /name.*looked up/],
	['ECONNREFUSED', /port/],
	['CERT_HAS_EXPIRED', /certificate/],
	['ETIMEDOUT', /in time/],
	['ECONNRESET', /closed/],
	['HPE_INVALID_CONSTANT', /HTTP/],
	[5, BROKE_OFF],
])('%p: %s', (code, reason) => expect(reasonOf({ code })).toMatch(reason));

const nested = (depth: number): object =>
	depth === 0 ? { syscall: 'connect' } : { cause: nested(depth - 1) };
const inErrors = (depth: number): object =>
	depth === 0 ? { syscall: 'connect' } : { errors: [inErrors(depth - 1), { syscall: 'read' }] };

test.each([
	['in the error', nested(0), 'no'],
	['three causes down', nested(3), 'no'],
	['in the errors of errors', inErrors(3), 'no'],
	['its own, before that of its cause', { syscall: 'read', cause: nested(0) }, 'maybe'],
	[
		'the cause, before the other errors',
		{ cause: { syscall: 'read' }, errors: [nested(0)] },
		'maybe',
	],
	['no list of errors', { errors: { 0: nested(0) } }, 'maybe'],
	['no cause', { cause: null, errors: [nested(0)] }, 'no'],
	['a text as cause', { cause: 'connect' }, 'maybe'],
	['a cause that refers to itself', selfReference(), 'maybe'],
])('the system call, %s: %s', (_, error, requestSent) => {
	expect(classifyNetworkError(error, 'h').requestSent).toBe(requestSent);
});

function selfReference(): object {
	const error: { cause?: unknown } = {};
	error.cause = error;
	return error;
}

describe('a block by n8n itself', () => {
	test.each([
		['a restricted domain', new Error('Domain not allowed: This credential is restricted.')],
		['the same as a cause', new Error('x', { cause: new Error('Domain not allowed: This.') })],
		['SSRF protection', Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' })],
	])('%s', (_, error) => expect(findBlock(error)).toMatch(/^(Domain not allowed|blocked)/));

	test.each([undefined, 'Domain not allowed', new Error('connect ECONNREFUSED'), {}])(
		'%p is none',
		(error) => expect(findBlock(error)).toBeUndefined(),
	);
});

describe('a TLS handshake that the host ends: nothing was sent', () => {
	/** Fatal alerts of TLS (RFC 8446, section 6). */
	const alert = (code: number) => (socket: Socket) =>
		void socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, code])));

	test.each<[string, (socket: Socket) => void]>([
		['by closing the connection at once', (socket) => void socket.end()],
		[
			'by closing it after the first message',
			(socket) => void socket.once('data', () => socket.end()),
		],
		['because it does not know the name', alert(112)],
		['because nothing fits', alert(40)],
		['because of an internal error', alert(80)],
		['because it speaks another protocol', (socket) => void socket.end('HTTP/1.1 400 \r\n\r\n')],
	])('%s', async (_, end) => {
		const server = createServer((socket) => {
			socket.on('error', () => {});
			end(socket);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const { port } = server.address() as AddressInfo;
		const error = await new Promise<NetworkError>((resolve) => {
			const sent = request({ host: '127.0.0.1', port, method: 'POST', agent: false });
			sent.on('error', resolve).end('a payment');
		});
		server.close();
		const { requestSent, temporary, reason } = classifyNetworkError(error, 'api.example.com');
		expect({ requestSent, temporary }).toEqual({ requestSent: 'no', temporary: true });
		expect(reason).toMatch(/no secure connection/);
	});
});

test.each([
	['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', /requires a client certificate/],
	['ERR_SSL_WRONG_VERSION_NUMBER', BROKE_OFF],
])('%s is no certificate that is not trusted', (code, reason) => {
	expect(reasonOf({ code })).toMatch(reason);
	expect(reasonOf({ code })).not.toMatch(/isn't trusted/);
});

describe('a network error says whether the request was sent', () => {
	test.each([
		// Without a system call, the code decides.
		['ECONNREFUSED', undefined, 'no', true],
		['ENOTFOUND', undefined, 'no', false],
		['EAI_AGAIN', undefined, 'no', true],
		['EHOSTUNREACH', undefined, 'no', true],
		['ENETUNREACH', undefined, 'no', true],
		['CERT_HAS_EXPIRED', undefined, 'no', false],
		['DEPTH_ZERO_SELF_SIGNED_CERT', undefined, 'no', false],
		['ERR_TLS_CERT_ALTNAME_INVALID', undefined, 'no', false],
		['UND_ERR_CONNECT_TIMEOUT', undefined, 'no', true],
		['EPROTO', undefined, 'no', true],
		['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', undefined, 'no', false],
		['ERR_SSL_WRONG_VERSION_NUMBER', undefined, 'maybe', true],
		['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', undefined, 'maybe', true],
		['ETIMEDOUT', undefined, 'maybe', true],
		['ECONNABORTED', undefined, 'maybe', true],
		['ECONNRESET', undefined, 'maybe', true],
		['EPIPE', undefined, 'maybe', true],
		['HPE_INVALID_CONSTANT', undefined, 'maybe', true],
		['ERR_BAD_RESPONSE', undefined, 'maybe', true],
		[undefined, undefined, 'maybe', true],
		// The system call decides first.
		['ENOTFOUND', 'getaddrinfo', 'no', false],
		['ECONNREFUSED', 'connect', 'no', true],
		['EHOSTUNREACH', 'connect', 'no', true],
		['ETIMEDOUT', 'connect', 'no', true],
		['ECONNRESET', 'connect', 'no', true],
		['EADDRNOTAVAIL', 'connect', 'no', true],
		['EADDRNOTAVAIL', 'bind', 'no', true],
		['EHOSTUNREACH', 'read', 'maybe', true],
		['EHOSTUNREACH', 'write', 'maybe', true],
		['ENETUNREACH', 'read', 'maybe', true],
		['ENETUNREACH', 'write', 'maybe', true],
		['EPROTO', 'write', 'no', true],
		['ECONNRESET', 'read', 'maybe', true],
		['EPIPE', 'write', 'maybe', true],
		['ECONNREFUSED', 'read', 'maybe', true],
		['ENOTCONN', 'shutdown', 'maybe', true],
	] as const)('%s in %s: %s', (code, syscall, requestSent, temporary) => {
		const failure = classifyNetworkError({ code, syscall }, 'api.example.com');
		expect(failure).toMatchObject({ requestSent, temporary });
		expect(failure.reason).toContain('api.example.com');
		// n8n replaces a message that contains a system code by one of its own.
		expect(failure.reason).not.toMatch(/E[A-Z]{4,}/);
	});
});
