import { classifyNetworkError } from '../../../../nodes/shared/networkError';
import { parseRetryAfter, retryDelay } from '../../../../nodes/Payments/sending/retryPolicy';
import { fc, propertyRuns } from '../../../support/properties';

describe('a network error says whether the request was sent', () => {
	test.each([
		// Without a system call, the code decides.
		['ECONNREFUSED', undefined, 'no', true],
		['ENOTFOUND', undefined, 'no', true],
		['EAI_AGAIN', undefined, 'no', true],
		['EHOSTUNREACH', undefined, 'no', true],
		['ENETUNREACH', undefined, 'no', true],
		['CERT_HAS_EXPIRED', undefined, 'no', false],
		['DEPTH_ZERO_SELF_SIGNED_CERT', undefined, 'no', false],
		['ERR_TLS_CERT_ALTNAME_INVALID', undefined, 'no', false],
		['UND_ERR_CONNECT_TIMEOUT', undefined, 'no', true],
		['EPROTO', undefined, 'maybe', true],
		['ETIMEDOUT', undefined, 'maybe', true],
		['ECONNABORTED', undefined, 'maybe', true],
		['ECONNRESET', undefined, 'maybe', true],
		['EPIPE', undefined, 'maybe', true],
		['HPE_INVALID_CONSTANT', undefined, 'maybe', true],
		['ERR_BAD_RESPONSE', undefined, 'maybe', true],
		[undefined, undefined, 'maybe', true],
		// The system call decides first.
		['ENOTFOUND', 'getaddrinfo', 'no', true],
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
		['EPROTO', 'read', 'maybe', true],
		['EPROTO', 'write', 'maybe', true],
		['ECONNRESET', 'read', 'maybe', true],
		['EPIPE', 'write', 'maybe', true],
		['ECONNREFUSED', 'read', 'maybe', true],
		['ENOTCONN', 'shutdown', 'maybe', true],
	] as const)('%s in %s: %s', (code, syscall, requestSent, temporary) => {
		const failure = classifyNetworkError({ code, syscall }, 'api.example.com');
		expect(failure).toMatchObject({ requestSent, temporary });
		// n8n replaces a message that contains a system code by one of its own.
		expect(failure.reason).not.toMatch(/E[A-Z]{4,}/);
	});
});

test.each([
	['in the cause, as axios has it', { cause: { syscall: 'read' } }, 'maybe'],
	['two causes down', { cause: { cause: { syscall: 'write' } } }, 'maybe'],
	['in the errors of several addresses', { cause: { errors: [{ syscall: 'connect' }] } }, 'no'],
])('the system call is found %s', (_, error, requestSent) => {
	const failure = classifyNetworkError({ code: 'EHOSTUNREACH', ...error }, 'h');
	expect(failure).toMatchObject({ requestSent });
	const timeout = classifyNetworkError({ code: 'ETIMEDOUT', ...error }, 'h');
	expect(timeout).toMatchObject({ requestSent });
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
		['999999999', 999_999_999_000],
		['1234567890', undefined],
		['x5', undefined],
		['5x', undefined],
		['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
		['Thu Jan  1 00:00:30 2026 GMT', 30_000],
		['Thu Jan  1 00:00:30 2026', 30_000],
		['Thu, 01 Jan 2026 01:00:30 +0100', 30_000],
		['Th, 01 Jan 2026 00:00:30 GMT', undefined],
		['1 Jan 2026 00:00:30 GMT', undefined],
		['(comment) Thu, 01 Jan 2026 00:00:30 GMT', undefined],
	])('%p is %p ms', (header, wait) => expect(parseRetryAfter(header, now)).toBe(wait));
});

describe('the delay before the next attempt', () => {
	test.each([
		// Doubled each time, up to 20 s, and spread between half of it and all of it.
		[{ attemptCount: 1 }, 0, 250],
		[{ attemptCount: 1 }, 1, 500],
		[{ attemptCount: 2 }, 0.5, 750],
		[{ attemptCount: 6 }, 1, 16_000],
		[{ attemptCount: 7 }, 0, 10_000],
		[{ attemptCount: 7 }, 1, 20_000],
		[{ attemptCount: 30 }, 1, 20_000],
		// As the service asks for.
		[{ attemptCount: 4, retryAfter: 2000 }, 1, 2000],
		[{ attemptCount: 1, retryAfter: 0 }, 1, 0],
	])('%p with the random number %d: %p ms', (state, random, delay) => {
		expect(retryDelay(state, random)).toBe(delay);
	});
});

test('the wait honours Retry-After, and has bounds', () => {
	fc.assert(
		fc.property(
			fc.integer({ min: 1, max: 30 }),
			fc.option(fc.nat({ max: 100_000 }), { nil: undefined }),
			fc.double({ min: 0, max: 1, noNaN: true }),
			(attemptCount, retryAfter, random) => {
				const wait = retryDelay({ attemptCount, retryAfter }, random);
				expect(wait).toBeGreaterThanOrEqual(retryAfter ?? 250);
				expect(wait).toBeLessThanOrEqual(retryAfter ?? 20_000);
			},
		),
		{ numRuns: propertyRuns(10_000) },
	);
});
