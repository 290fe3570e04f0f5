import { Pacer } from '../../../../nodes/Payments/sending/pacer';
import { fc, propertyRuns } from '../../../support/properties';

/** How much longer one request may take to arrive than another. */
const JITTER_MS = 50;

test('a service never counts more requests in a second than the limit, whatever each takes to arrive', () => {
	const requests = fc.array(
		fc.record({
			startsLateBy: fc.oneof(fc.constant(0), fc.nat(100)),
			takes: fc.oneof(fc.constant(0), fc.nat(JITTER_MS)),
		}),
		{ maxLength: 150 },
	);
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 50 }), requests, (maxPerSecond, all) => {
			const pacer = new Pacer(maxPerSecond);
			const arrivals = all.map(({ startsLateBy, takes }) => {
				const startedAt = pacer.nextAt + startsLateBy;
				pacer.started(startedAt);
				return startedAt + takes;
			});
			arrivals.sort((a, b) => a - b);
			for (const [index, at] of arrivals.entries())
				expect(at - (arrivals[index - maxPerSecond] ?? -Infinity)).toBeGreaterThanOrEqual(1000);
		}),
		{ numRuns: propertyRuns(300) },
	);
});

test('without a limit, nothing waits', () => {
	const pacer = new Pacer(0);
	pacer.started(1_000_000);
	expect(pacer.nextAt).toBe(0);
});
