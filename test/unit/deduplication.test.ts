import fc from 'fast-check';

import { DeliveryDeduplicator } from '../../nodes/PaymentsTrigger/deduplication/DeliveryDeduplicator';

const withClock = (count = 3, age = 1000) => {
	const clock = { now: 0 };
	return { clock, seen: new DeliveryDeduplicator({ count, age }, () => clock.now) };
};

test('an event is remembered when, and only when, its delivery succeeded', () => {
	const { seen } = withClock();
	const failed = seen.begin(['a']);
	expect(seen.stateOf('a')).toBe('underWay');
	failed(false);
	expect(seen.stateOf('a')).toBe('new');
	seen.begin(['a'])(true);
	expect([seen.stateOf('a'), seen.stateOf('b')]).toEqual(['taken', 'new']);
});

test('what is too old is forgotten, to the millisecond', () => {
	const { clock, seen } = withClock();
	seen.begin(['a'])(true);
	clock.now = 1000;
	expect(seen.stateOf('a')).toBe('taken');
	clock.now = 1001;
	expect(seen.stateOf('a')).toBe('new');
});

test('the oldest gives way to the youngest; an event taken anew is young again', () => {
	const { seen } = withClock(2);
	for (const key of ['a', 'b', 'a', 'c']) seen.begin([key])(true);
	expect(['a', 'b', 'c'].map((key) => seen.stateOf(key))).toEqual(['taken', 'new', 'taken']);
});

test('under any sequence it agrees with a plain list, and holds no more than its bounds', () => {
	const step = fc.record({
		key: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
		succeeded: fc.boolean(),
		pause: fc.nat(600),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const { clock, seen } = withClock();
			let model: Array<{ key: string; at: number }> = [];
			for (const { key, succeeded, pause } of steps) {
				clock.now += pause;
				seen.begin([key])(succeeded);
				if (succeeded)
					model = [...model.filter((one) => one.key !== key), { key, at: clock.now }].slice(-3);
				for (const other of ['a', 'b', 'c', 'd', 'e', 'f']) {
					const known = model.some((one) => one.key === other && clock.now - one.at <= 1000);
					expect(seen.stateOf(other)).toBe(known ? 'taken' : 'new');
				}
			}
		}),
		{ numRuns: 500 },
	);
});
