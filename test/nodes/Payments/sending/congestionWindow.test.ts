import {
	CongestionWindow,
	type Feedback,
} from '../../../../nodes/Payments/sending/congestionWindow';
import { fc, propertyRuns } from '../../../support/properties';

const DECIDED: Feedback = { kind: 'decided' };
const UNDECIDED: Feedback = { kind: 'undecided' };

test.each([
	[200, 50],
	[50, 50],
	[5, 5],
	[1, 1],
])('with the maximum %i, it starts with %i', (maximum, limit) => {
	expect(new CongestionWindow(maximum).limit).toBe(limit);
});

test('one more for each decision, up to the maximum', () => {
	const window = new CongestionWindow(60);
	for (let count = 0; count < 20; count++) window.finished(DECIDED, 0, 10);
	expect(window.limit).toBe(60);
});

test('after a reduction, one more for each round trip (congestion avoidance)', () => {
	const window = new CongestionWindow(200);
	window.finished(UNDECIDED, 0, 10);
	for (let count = 0; count < 25; count++) window.finished(DECIDED, 20, 30);
	expect(window.limit).toBe(25);
	window.finished(DECIDED, 20, 30);
	expect(window.limit).toBe(26);
});

test('what started before a reduction does not let the window grow', () => {
	const window = new CongestionWindow(200);
	window.finished(UNDECIDED, 0, 10);
	for (let count = 0; count < 40; count++) window.finished(DECIDED, 0, 30);
	expect(window.limit).toBe(25);
});

test('halved once per round trip, and never below 1', () => {
	const window = new CongestionWindow(200);
	for (let count = 0; count < 50; count++) window.finished(UNDECIDED, 0, 10);
	expect(window.limit).toBe(25);
	window.finished(UNDECIDED, 10, 20);
	expect(window.limit).toBe(12);
	for (let at = 20; at < 200; at += 10) window.finished(UNDECIDED, at, at + 10);
	expect(window.limit).toBe(1);
});

test('nobody starts before Retry-After, whichever response had the longest', () => {
	const window = new CongestionWindow(200);
	window.finished({ kind: 'undecided', retryAfter: 5000 }, 0, 10);
	window.finished({ kind: 'undecided', retryAfter: 1000 }, 0, 20);
	window.finished(DECIDED, 0, 30);
	expect(window.closedUntil).toBe(5010);
});

test('after two reductions without a decision between, it closes: 1 s, 2 s, 4 s, … 20 s', () => {
	const window = new CongestionWindow(200);
	const waits: number[] = [];
	let now = 10;
	for (let count = 0; count < 8; count++) {
		window.finished(UNDECIDED, now, now);
		waits.push(Math.max(0, window.closedUntil - now));
		now = Math.max(now, window.closedUntil) + 1;
	}
	expect(waits).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 20_000, 20_000]);
	window.finished(DECIDED, 1e6, 1e6);
	window.finished(UNDECIDED, 1e6, 1e6);
	expect(window.closedUntil).toBeLessThanOrEqual(1e6);
});

test('whatever happens, the window is between 1 and the maximum', () => {
	const feedback = fc.record({
		kind: fc.constantFrom('decided' as const, 'undecided' as const),
		retryAfter: fc.option(fc.nat(5000), { nil: undefined }),
	});
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 200 }), fc.array(feedback), (maximum, all) => {
			const window = new CongestionWindow(maximum);
			for (const [now, one] of all.entries()) {
				window.finished(one, now - 1, now);
				expect(window.limit).toBeGreaterThanOrEqual(1);
				expect(window.limit).toBeLessThanOrEqual(maximum);
			}
		}),
		{ numRuns: propertyRuns(1000) },
	);
});
