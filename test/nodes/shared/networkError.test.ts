import { request } from 'node:https';
import { createServer, type AddressInfo, type Socket } from 'node:net';

import {
	classifyNetworkError,
	findBlock,
	type NetworkError,
} from '../../../nodes/shared/networkError';

const URL_ = 'https://api.example.com/api/v1/transactions';

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
	expect(classifyNetworkError(error, URL_).requestSent).toBe(requestSent);
});

const connect = (address: string, port: number, code = 'ECONNREFUSED') => ({
	code,
	cause: { code, syscall: 'connect', address, port },
});
const lookUp = (hostname: string, code = 'ENOTFOUND') => ({
	code,
	cause: { code, syscall: 'getaddrinfo', hostname },
});

describe('a proxy that no connection can be made to is named, and the host is not blamed', () => {
	test.each([
		[URL_, connect('127.0.0.1', 3128), '127.0.0.1:3128', true],
		[URL_, connect('10.0.0.1', 80), '10.0.0.1:80', true],
		['http://api.example.com', connect('10.0.0.1', 443), '10.0.0.1:443', true],
		['http://127.0.0.1:8080', connect('::1', 3128), '[::1]:3128', true],
		[URL_, connect('10.0.0.1', 3128, 'EHOSTUNREACH'), '10.0.0.1:3128', true],
		[URL_, { errors: [connect('10.0.0.1', 3128, 'ETIMEDOUT')] }, '10.0.0.1:3128', true],
		[URL_, lookUp('proxy.example'), 'proxy.example', false],
		[URL_, lookUp('proxy.example', 'EAI_AGAIN'), 'proxy.example', true],
	])('%s: %j', (url, error, proxy, temporary) => {
		const { reason, ...failure } = classifyNetworkError(error, url);
		expect(failure).toEqual({ requestSent: 'no', temporary });
		expect(reason).toContain(`n8n's proxy ${proxy}`);
	});

	test.each([
		[URL_, connect('10.0.0.1', 443)],
		['http://api.example.com', connect('10.0.0.1', 80)],
		['http://localhost:8080/', connect('::1', 8080)],
		[URL_, lookUp('api.example.com')],
		[URL_, { code: 'ECONNREFUSED', syscall: 'connect' }],
		[URL_, { code: 'EADDRNOTAVAIL', syscall: 'bind', address: '10.0.0.1', port: 5 }],
		[URL_, { code: 'ECONNRESET', syscall: 'read', address: '10.0.0.1', port: 5 }],
	])('%s: %j is none', (url, error) =>
		expect(classifyNetworkError(error, url).reason).not.toContain('proxy'),
	);
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
	/** A fatal alert of TLS (RFC 8446, section 6). */
	const alert = (code: number) => (socket: Socket) =>
		void socket.once('data', () => socket.end(Buffer.from([0x15, 3, 3, 0, 2, 2, code])));

	test.each<[string, (socket: Socket) => void]>([
		['by closing the connection at once', (socket) => void socket.end()],
		['because it does not know the name', alert(112)],
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
			sent.on('error', resolve).end('a transaction');
		});
		server.close();
		expect(classifyNetworkError(error, URL_)).toEqual({
			requestSent: 'no',
			temporary: true,
			reason: expect.stringMatching(/no secure connection/),
		});
	});
});

const TIMED_OUT = /in time/;
const CLOSED = /closed/;
const BROKE_OFF = /broke off/;
const NOT_TRUSTED = /certificate .* isn't trusted/;
const NO_CONNECTION = /no connection/;

test.each([
	// Without a system call, the code decides.
	['ECONNREFUSED', undefined, 'no', true, /port/],
	['ENOTFOUND', undefined, 'no', false, /misspelled/],
	['EAI_AGAIN', undefined, 'no', true, /name.*looked up/],
	['EHOSTUNREACH', undefined, 'no', true, /can't be reached/],
	['ENETUNREACH', undefined, 'no', true, /can't be reached/],
	['CERT_HAS_EXPIRED', undefined, 'no', false, /certificate of .* has expired/],
	['CERT_NOT_YET_VALID', undefined, 'no', false, /certificate of .* isn't valid yet/],
	['ERR_TLS_CERT_ALTNAME_INVALID', undefined, 'no', false, /certificate of .* is for another host/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', undefined, 'no', false, /intermediate certificate/],
	['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', undefined, 'no', false, /authority that n8n doesn't know/],
	['SELF_SIGNED_CERT_IN_CHAIN', undefined, 'no', false, /authority that n8n doesn't know/],
	['DEPTH_ZERO_SELF_SIGNED_CERT', undefined, 'no', false, /certificate of .* is self-signed/],
	['CERT_REVOKED', undefined, 'no', false, NOT_TRUSTED],
	['HOSTNAME_MISMATCH', undefined, 'no', false, NOT_TRUSTED],
	['EPROTO', undefined, 'no', true, /no secure connection/],
	['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', undefined, 'no', false, /a client certificate/],
	['ERR_SSL_WRONG_VERSION_NUMBER', undefined, 'maybe', true, BROKE_OFF],
	['ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN', undefined, 'maybe', true, BROKE_OFF],
	['ETIMEDOUT', undefined, 'maybe', true, TIMED_OUT],
	['ECONNABORTED', undefined, 'maybe', true, TIMED_OUT],
	['ECONNRESET', undefined, 'maybe', true, CLOSED],
	['EPIPE', undefined, 'maybe', true, CLOSED],
	['HPE_INVALID_CONSTANT', undefined, 'maybe', true, /isn't HTTP/],
	['ERR_BAD_RESPONSE', undefined, 'maybe', true, BROKE_OFF],
	[undefined, undefined, 'maybe', true, BROKE_OFF],
	[5, undefined, 'maybe', true, BROKE_OFF],
	// The system call decides first.
	['ENOTFOUND', 'getaddrinfo', 'no', false, /misspelled/],
	['ECONNREFUSED', 'connect', 'no', true, /port/],
	['EHOSTUNREACH', 'connect', 'no', true, /can't be reached/],
	['ETIMEDOUT', 'connect', 'no', true, NO_CONNECTION],
	['EADDRNOTAVAIL', 'connect', 'no', true, NO_CONNECTION],
	['EADDRNOTAVAIL', 'bind', 'no', true, NO_CONNECTION],
	['EHOSTUNREACH', 'read', 'maybe', true, BROKE_OFF],
	['ENETUNREACH', 'write', 'maybe', true, BROKE_OFF],
	['EPROTO', 'write', 'no', true, /no secure connection/],
	['ECONNRESET', 'read', 'maybe', true, CLOSED],
	['EPIPE', 'write', 'maybe', true, CLOSED],
	['ECONNREFUSED', 'read', 'maybe', true, BROKE_OFF],
	['ENOTCONN', 'shutdown', 'maybe', true, BROKE_OFF],
] as const)('%p in %s: was it sent? %s', (code, syscall, requestSent, temporary, words) => {
	const { reason, ...failure } = classifyNetworkError({ code, syscall }, URL_);
	expect(failure).toEqual({ requestSent, temporary });
	expect(reason).toMatch(words);
	expect(reason).toContain('api.example.com');
	// n8n replaces a message that contains a system code by one of its own.
	expect(reason).not.toMatch(/E[A-Z]{4,}/);
});
