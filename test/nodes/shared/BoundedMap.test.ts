import { BoundedMap } from '../../../nodes/shared/BoundedMap';
import { waitUntil } from '../../../host/waitUntil';
import { fc, propertyRuns } from '../../support/properties';

const KEYS = ['a', 'b', 'c', 'd', 'e'];

function withClock(maxAgeMs = 1000) {
	const clock = { now: 1_748_432_324_513.7 };
	const map = new BoundedMap<string, number | undefined>({ maxSize: 3, maxAgeMs }, () => clock.now);
	return { clock, map };
}

test('under any sequence it agrees with a plain list of its youngest entries', () => {
	const step = fc.record({
		what: fc.constantFrom('set', 'set', 'set', 'delete', 'clear'),
		key: fc.constantFrom(...KEYS),
		value: fc.option(fc.nat(), { nil: undefined }),
		pauseMs: fc.nat(600),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const { clock, map } = withClock();
			let model: Array<{ key: string; value?: number; at: number }> = [];
			for (const { what, key, value, pauseMs } of steps) {
				clock.now += pauseMs;
				if (what === 'clear') {
					map.clear();
					model = [];
				} else {
					model = model.filter((one) => one.key !== key);
					if (what === 'delete') map.delete(key);
					else {
						map.set(key, value);
						model = [...model, { key, value, at: clock.now }].slice(-3);
					}
				}
				const current = model.filter(({ at }) => clock.now - at <= 1000);
				for (const other of KEYS) {
					const expected = current.find((one) => one.key === other);
					expect([map.has(other), map.get(other)]).toEqual([!!expected, expected?.value]);
				}
				expect(map.size).toBeLessThanOrEqual(3);
			}
		}),
		{ numRuns: propertyRuns(300) },
	);
});

test('entries that nobody asks for vanish, each in its time, also after a fraction of a millisecond', async () => {
	const map = new BoundedMap<string, number>({ maxSize: 3, maxAgeMs: 300.4 });
	map.set('a', 1);
	await new Promise((resolve) => setTimeout(resolve, 100));
	map.set('b', 2);
	// `size` would make them vanish.
	const held = () => (map as unknown as { setAt: Map<string, number> }).setAt.size;
	expect(held()).toBe(2);
	await waitUntil('both have vanished', () => held() === 0, { timeoutMs: 20_000, intervalMs: 5 });
});
