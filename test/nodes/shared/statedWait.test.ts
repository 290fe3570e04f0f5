import { statedWait } from '../../../nodes/shared/statedWait';
import { fc } from '../../support/properties';

const now = Date.UTC(2026, 0, 1);
const of = (headers: Record<string, unknown>, status = 429) => statedWait({ status, headers }, now);

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
])('Retry-After: %p is %p ms, whatever the status', (header, wait) => {
	expect(of({ 'retry-after': header })).toBe(wait);
	expect(of({ 'retry-after': header }, 409)).toBe(wait);
});

test.each([
	['Thu, 01 Jan 2026 00:05:00 GMT', 'Thu, 01 Jan 2026 00:05:02 GMT', 2000],
	['Wed, 31 Dec 2025 23:00:00 GMT', 'Wed, 31 Dec 2025 23:00:10 GMT', 10_000],
	['Thu, 01 Jan 2026 01:00:00 GMT', 'Thu, 01 Jan 2026 00:59:00 GMT', undefined],
	['yesterday', 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
	[undefined, 'Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
])('with the service’s Date %p, Retry-After: %p is %p ms', (date, header, wait) => {
	expect(of({ date, 'retry-after': header })).toBe(wait);
});

describe('when a limit ends, where Retry-After says nothing', () => {
	test.each([
		// IETF draft on RateLimit header fields, version 8 and later.
		['"default";r=0;t=30', 30_000],
		['"default";t=30;r=0', 30_000],
		['"default"; r=0; t=30;pk=:YWJj:', 30_000],
		['default;r=0;t=30', 30_000],
		// Of the limits that are reached, the one that takes longest.
		['"second";r=0;t=1, "minute";r=0;t=40', 40_000],
		['"minute";r=12;t=40, "second";r=0;t=1', 1000],
		['"a,t=9;r=0";r=0;t=7', 7000],
		['"minute";t=40', 40_000],
		// Version 7.
		['limit=100, remaining=0, reset=50', 50_000],
		['limit=100,remaining=0,reset=50', 50_000],
		// It isn't this limit, or nothing that can be read.
		['"default";r=50;t=30', undefined],
		['limit=100, remaining=7, reset=50', undefined],
		['"default";r=0', undefined],
		['"default";r=0;t=0', undefined],
		['', undefined],
		['100', undefined],
	])('RateLimit: %s is %p ms', (header, wait) => expect(of({ ratelimit: header })).toBe(wait));

	const date = 'Thu, 01 Jan 2026 00:10:00 GMT';
	const at = now / 1000 + 600;
	const resets: Array<[string, number | undefined]> = [
		['30', 30_000],
		['0.5', 500],
		['10, 20', 20_000],
		[String(at + 30), 30_000],
		[`${at + 30}.5`, 30_500],
		[String((at + 30) * 1000), 30_000],
		['2026-01-01T00:10:30Z', 30_000],
		['2026-01-01T01:10:30.000+01:00', 30_000],
		['Thu, 01 Jan 2026 00:10:30 GMT', 30_000],
		['0', undefined],
		[String(at - 30), undefined],
		['2026-01-01T00:09:30Z', undefined],
		['soon', undefined],
		['-30', undefined],
	];
	test.each(
		['ratelimit-reset', 'x-ratelimit-reset', 'x-rate-limit-reset'].flatMap((name) =>
			resets.map(([value, wait]): [string, string, number | undefined] => [name, value, wait]),
		),
	)('%s: %s is %p ms', (name, value, wait) => expect(of({ date, [name]: value })).toBe(wait));

	test('up to a minute', () => {
		expect(of({ 'x-ratelimit-reset': '3600' })).toBe(60_000);
		expect(of({ ratelimit: '"day";r=0;t=80000' })).toBe(60_000);
		expect(of({ 'retry-after': '3600' })).toBe(3_600_000);
	});

	test('not while requests remain, nor where no limit was reached', () => {
		expect(of({ 'x-ratelimit-remaining': '3', 'x-ratelimit-reset': '30' })).toBeUndefined();
		expect(of({ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' })).toBe(30_000);
		expect(of({ 'x-ratelimit-reset': '30' }, 503)).toBe(30_000);
		expect(of({ 'x-ratelimit-reset': '30' }, 409)).toBeUndefined();
		expect(of({ 'x-ratelimit-reset': '30' }, 500)).toBeUndefined();
	});

	test('Retry-After counts first, and what it can’t say, the others do', () => {
		expect(of({ 'retry-after': '2', ratelimit: '"default";r=0;t=30' })).toBe(2000);
		expect(of({ 'retry-after': 'soon', ratelimit: '"default";r=0;t=30' })).toBe(30_000);
		expect(of({ ratelimit: '"default";r=0;t=30', 'x-ratelimit-reset': '5' })).toBe(30_000);
	});
});

test('whatever they say, it is no wait or a time to come', () => {
	const names = fc.constantFrom('retry-after', 'ratelimit', 'ratelimit-reset', 'date');
	const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\d;rt=., "T:Z-]*$/));
	fc.assert(
		fc.property(fc.dictionary(names, text), (headers) => {
			const wait = of(headers);
			expect(wait === undefined || (wait > 0 && Number.isFinite(wait))).toBe(true);
		}),
	);
});
