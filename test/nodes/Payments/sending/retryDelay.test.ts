import {
	backoff,
	parseRetryAfter,
	retryDelay,
} from '../../../../nodes/Payments/sending/retryDelay';
import { fc } from '../../../support/properties';

describe('Retry-After', () => {
	const now = Date.UTC(2026, 0, 1);
	test.each([
		['2', 2000],
		[' 120 ', 120_000],
		['2.5', 2500],
		['0.25', 250],
		['1.', 1000],
		['999999999', 999_999_999_000],
		['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
		['Thursday, 01-Jan-26 00:00:30 GMT', 30_000],
		['Thu Jan  1 00:00:30 2026 GMT', 30_000],
		['Thu Jan  1 00:00:30 2026', 30_000],
		['Thu, 01 Jan 2026 01:00:30 +0100', 30_000],
		// Of several, the longest.
		['1, 5, 2', 5000],
		['Thu, 01 Jan 2026 00:00:30 GMT, 5', 30_000],
		['45, Thu, 01 Jan 2026 00:00:30 GMT', 45_000],
		['Thu, 01 Jan 2026 00:00:30 GMT, Thursday, 01-Jan-26 00:00:50 GMT', 50_000],
		['soon, 5', 5000],
		// No wait that can be read: a backoff.
		['0', undefined],
		['Wed, 31 Dec 2025 23:59:00 GMT', undefined],
		['', undefined],
		[undefined, undefined],
		['-5', undefined],
		['2s', undefined],
		['1e3', undefined],
		['PT30S', undefined],
		['1234567890', undefined],
		['2026-01-01', undefined],
		['Th, 01 Jan 2026 00:00:30 GMT', undefined],
		['1 Jan 2026 00:00:30 GMT', undefined],
		['(comment) Thu, 01 Jan 2026 00:00:30 GMT', undefined],
	])('%p is %p ms', (header, wait) => expect(parseRetryAfter(header, now)).toBe(wait));

	test('whatever it says, it is no wait or a time to come', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), (header) => {
				const wait = parseRetryAfter(header, now);
				expect(wait === undefined || (wait > 0 && Number.isFinite(wait))).toBe(true);
			}),
		);
	});
});

test('the backoff doubles, up to 5 s', () => {
	expect([1, 2, 3, 4, 5, 6, 30].map(backoff)).toEqual([500, 1000, 2000, 4000, 5000, 5000, 5000]);
});

test.each([
	// Spread between half of the backoff and all of it.
	[{ attemptCount: 1 }, 0, 250],
	[{ attemptCount: 1 }, 1, 500],
	[{ attemptCount: 2 }, 0.5, 750],
	[{ attemptCount: 30 }, 1, 5000],
	// As the service asks for.
	[{ attemptCount: 4, retryAfter: 2000 }, 1, 2000],
	[{ attemptCount: 1, retryAfter: 60_000 }, 0, 60_000],
])('the wait after %p, with the random number %d, is %p ms', (state, random, delay) => {
	expect(retryDelay(state, random)).toBe(delay);
});
