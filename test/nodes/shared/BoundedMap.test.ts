import { BoundedMap } from '../../../nodes/shared/BoundedMap';
import { FastClock, useTimersOf } from '../../support/fastClock';
import { fc, propertyRuns } from '../../support/properties';

const KEYS = ['a', 'b', 'c', 'd', 'e'];
const START = 1_748_432_324_513.7;

let clock: FastClock;
let timers: ReturnType<typeof useTimersOf>;
beforeEach(() => {
	clock = new FastClock();
	timers = useTimersOf(clock);
});
afterEach(() => jest.restoreAllMocks());

test('under any sequence it agrees with a plain list of its youngest entries', () => {
	const step = fc.record({
		what: fc.constantFrom('set', 'set', 'set', 'delete'),
		key: fc.constantFrom(...KEYS),
		value: fc.option(fc.nat(), { nil: undefined }),
		pauseMs: fc.nat(600),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			let now = START;
			jest.spyOn(Date, 'now').mockImplementation(() => now);
			const map = new BoundedMap<string, number | undefined>({ maxSize: 3, maxAgeMs: 1000 });
			let model: Array<{ key: string; value?: number; at: number }> = [];
			for (const { what, key, value, pauseMs } of steps) {
				now += pauseMs;
				model = model.filter((one) => one.key !== key);
				if (what === 'delete') map.delete(key);
				else {
					map.set(key, value);
					model = [...model, { key, value, at: now }].slice(-3);
				}
				const current = model.filter(({ at }) => now - at <= 1000);
				const expected = KEYS.map((other) => current.find((one) => one.key === other));
				expect(KEYS.map((other) => map.has(other))).toEqual(expected.map((one) => !!one));
				expect(KEYS.map((other) => map.get(other))).toEqual(expected.map((one) => one?.value));
			}
		}),
		{ numRuns: propertyRuns(300) },
	);
});

describe('entries that nobody asks for', () => {
	/** A map whose timers and times are those of a clock, from a fraction of a millisecond on. */
	function mapWithClock(maxAgeMs: number) {
		let offset = START;
		const bounds = { maxSize: 3, maxAgeMs };
		jest.spyOn(Date, 'now').mockImplementation(() => clock.now() + offset);
		const map = new BoundedMap<string, number>(bounds);
		return {
			map,
			bounds,
			advance: async (ms: number) => await clock.until(clock.sleep(ms)),
			putClockBack: (ms: number) => (offset -= ms),
			/** What it holds, whether or not it would return it. */
			held: () => [...(map as unknown as { entries: Map<string, unknown> }).entries.keys()],
		};
	}

	test('vanish, each in its time, also after a fraction of a millisecond', async () => {
		const { map, advance, held } = mapWithClock(300.4);
		map.set('a', 1);
		await advance(100);
		map.set('b', 2);
		expect(timers).toHaveBeenCalledTimes(1);
		await advance(200);
		expect(held()).toEqual(['a', 'b']);
		await advance(3);
		expect(held()).toEqual(['b']);
		await advance(97);
		expect(held()).toEqual(['b']);
		await advance(3);
		expect(held()).toEqual([]);
		// It goes on after it was empty.
		map.set('c', 3);
		await advance(303);
		expect(held()).toEqual([]);
	});

	test('vanish in the time that counts by then', async () => {
		const { map, bounds, advance, held } = mapWithClock(300);
		map.set('a', 1);
		bounds.maxAgeMs = 1000;
		await advance(1000);
		expect(held()).toEqual(['a']);
		await advance(3);
		expect(held()).toEqual([]);
	});

	test('stay while a clock that was put back says that they are young', async () => {
		const YEAR_MS = 365 * 24 * 3_600_000;
		const { map, advance, held, putClockBack } = mapWithClock(300);
		map.set('a', 1);
		putClockBack(YEAR_MS);
		map.set('b', 2);
		await advance(1000);
		expect(held()).toEqual(['a', 'b']);
		putClockBack(-YEAR_MS);
		await advance(302);
		expect(held()).toEqual([]);
	});
});
