import fc from 'fast-check';

import { classifyNetworkError } from '../../nodes/shared/networkError';
import { parseErrorBody } from '../../nodes/Payments/transport/responseBody';
import {
	classifyFailure,
	parseRetryAfter,
	retryDelay,
} from '../../nodes/Payments/transport/retryPolicy';

const statuses = Array.from({ length: 200 }, (_, index) => 400 + index);
const UNCLEAR_BELOW_500 = [408];
const DEFINITE_FROM_500 = [501, 503, 505, 511];

test.each(statuses)('status %i', (status) => {
	const fault = { kind: 'status', status } as const;
	const unclear =
		UNCLEAR_BELOW_500.includes(status) || (status >= 500 && !DEFINITE_FROM_500.includes(status));
	const busy = status === 429 || status === 503;
	expect(classifyFailure(fault, false)).toEqual({
		doubt: unclear ? 'unknown' : 'rejected',
		resend: busy,
	});
	expect(classifyFailure(fault, true)).toEqual({
		doubt: unclear ? 'unknown' : 'rejected',
		resend: busy || unclear,
	});
});

test.each([
	['ECONNREFUSED', 'notSent', true],
	['ENOTFOUND', 'notSent', true],
	['EAI_AGAIN', 'notSent', true],
	['EHOSTUNREACH', 'notSent', true],
	['ENETUNREACH', 'notSent', true],
	['CERT_HAS_EXPIRED', 'notSent', false],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'notSent', false],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'notSent', false],
	['EPROTO', 'notSent', false],
	['UND_ERR_CONNECT_TIMEOUT', 'notSent', true],
	['ETIMEDOUT', 'unknown', true],
	['ECONNABORTED', 'unknown', true],
	['ECONNRESET', 'unknown', true],
	['EPIPE', 'unknown', true],
	['HPE_INVALID_CONSTANT', 'unknown', true],
	['ERR_BAD_RESPONSE', 'unknown', true],
	[undefined, 'unknown', true],
] as const)('network fault %s', (code, reach, temporary) => {
	const fault = classifyNetworkError({ code }, 'api.example.com');
	expect(fault).toMatchObject({ reach, temporary });
	expect(classifyFailure({ kind: 'network', fault }, false).resend).toBe(
		reach === 'notSent' && temporary,
	);
	// n8n replaces a message that contains a system code by one of its own.
	expect(fault.reason).not.toMatch(/E[A-Z]{4,}/);
});

test('a connection that was never made, though the code is one of a late timeout', () => {
	expect(classifyNetworkError({ code: 'ETIMEDOUT', syscall: 'connect' }, 'h')).toMatchObject({
		reach: 'notSent',
	});
});

describe('Retry-After', () => {
	const now = Date.UTC(2026, 0, 1);
	test.each([
		['0', 0],
		['2', 2000],
		[' 120 ', 120_000],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Wed, 31 Dec 2025 23:59:00 GMT', 0],
		['', undefined],
		[undefined, undefined],
		['-5', undefined],
		['soon', undefined],
		['1.5', undefined],
		['2026-01-01', undefined],
	])('%p is %p ms', (header, wait) => expect(parseRetryAfter(header, now)).toBe(wait));
});

test('the wait honours Retry-After, stays inside the budget and grows', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 30 }),
			fc.option(fc.nat({ max: 100 }), { nil: undefined }),
			fc.nat({ max: 60_000 }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			(attempt, seconds, elapsed, random) => {
				const budget = 60_000;
				const wait = retryDelay(
					{
						attempt,
						retryAfter: seconds === undefined ? undefined : String(seconds),
						elapsed,
						budget,
					},
					0,
					random,
				);
				if (wait === undefined) return;
				expect(elapsed + wait).toBeLessThanOrEqual(budget);
				expect(wait).toBeGreaterThanOrEqual(seconds === undefined ? 250 : seconds * 1000);
				if (seconds === undefined) expect(wait).toBeLessThanOrEqual(20_000);
			},
		),
		{ numRuns: 10_000 },
	);
	expect(
		retryDelay({ attempt: 1, retryAfter: '61', elapsed: 0, budget: 60_000 }, 0, 0),
	).toBeUndefined();
});

test('a refusal of any form is read without a throw, and a web page is not quoted', () => {
	fc.assert(
		fc.property(fc.anything(), (body) =>
			expect(Array.isArray(parseErrorBody(body).warnings)).toBe(true),
		),
		{ numRuns: 20_000 },
	);
	expect(parseErrorBody('<html>secret</html>').message).toBeUndefined();
	expect(
		parseErrorBody({
			errorCode: 'E',
			message: 'm',
			warnings: [{ position: 'p', issue: 'i' }, 'x'],
		}),
	).toEqual({ errorCode: 'E', message: 'm', warnings: [{ position: 'p', issue: 'i' }] });
	expect(parseErrorBody({ error: 'invalid_request', error_description: 'd' })).toEqual({
		errorCode: 'invalid_request',
		message: 'd',
		warnings: [],
	});
});
