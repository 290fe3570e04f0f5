import { deduplicate } from '../../../nodes/PaymentsTrigger/deduplicate';
import { fc, propertyRuns } from '../../support/properties';

const WINDOW_MS = 60_000;
const HALF_AN_HOUR_MS = 30 * 60_000;

let now: number;
beforeEach(() => {
	now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

const event = (id?: string, eventType = 'A') => ({ eventType, id });

let triggers = 0;

/** One trigger, to which events are delivered one after the other. */
function newTrigger() {
	const name = `trigger ${++triggers}`;
	const deliver = (events: Array<ReturnType<typeof event>>, windowMs = WINDOW_MS) => {
		const isNew = deduplicate(name, events, windowMs);
		return { ids: isNew ? isNew.events.map(({ id }) => id) : 'inFlight', end: isNew?.end };
	};
	return {
		deliver,
		/** Delivers an event whose delivery is answered with a success. */
		acknowledge: (id: string) => deliver([event(id)]).end!(true),
		idsOf: (...args: Parameters<typeof deliver>) => {
			const { ids, end } = deliver(...args);
			end?.(false);
			return ids;
		},
	};
}

test('an event is being processed until its delivery is answered, and a duplicate after a success only', () => {
	const { deliver, idsOf } = newTrigger();
	for (const succeeded of [false, true]) {
		const { ids, end } = deliver([event('1')]);
		expect(ids).toEqual(['1']);
		expect(idsOf([event('1')])).toBe('inFlight');
		end!(succeeded);
	}
	expect(idsOf([event('1')])).toEqual([]);
});

test('a delivery that n8n never answers holds its event back for half an hour', () => {
	const { deliver, idsOf } = newTrigger();
	deliver([event('1')]);
	now += HALF_AN_HOUR_MS;
	expect(idsOf([event('1')])).toBe('inFlight');
	now += 1;
	expect(idsOf([event('1')])).toEqual(['1']);
});

test('an answer after that still counts', () => {
	const { deliver, idsOf } = newTrigger();
	const { end } = deliver([event('1')]);
	now += HALF_AN_HOUR_MS + 1;
	end!(true);
	expect(idsOf([event('1')])).toEqual([]);
});

test('what is too old is forgotten, to the millisecond; the window can change meanwhile', () => {
	const { acknowledge, idsOf } = newTrigger();
	acknowledge('1');
	now += 1000;
	expect(idsOf([event('1')], 1000)).toEqual([]);
	expect(idsOf([event('1')], 999)).toEqual(['1']);
});

test('an event twice in one delivery runs once; without an ID, or of another type, it is another', () => {
	const { deliver, idsOf } = newTrigger();
	const { ids, end } = deliver([event('1'), event('1'), event(), event(), event('1', 'B')]);
	expect(ids).toEqual(['1', undefined, undefined, '1']);
	end!(true);
	expect(idsOf([event(), event('1'), event('2')])).toEqual([undefined, '2']);
});

test('types and IDs with blanks are not mixed up', () => {
	const { deliver, idsOf } = newTrigger();
	deliver([event('C', 'A B')]).end!(true);
	expect(idsOf([event('B C', 'A')])).toEqual(['B C']);
});

test('one event that is being processed holds back the whole delivery', () => {
	const { deliver, idsOf } = newTrigger();
	deliver([event('1')]);
	expect(idsOf([event('2'), event('1')])).toBe('inFlight');
	expect(idsOf([event('2')])).toEqual(['2']);
});

test('each trigger has events of its own', () => {
	const [one, other] = [newTrigger(), newTrigger()];
	one.deliver([event('1')]);
	expect(other.idsOf([event('1')])).toEqual(['1']);
});

test('of 10,001 events, the oldest is forgotten', () => {
	const { acknowledge, idsOf } = newTrigger();
	for (let i = 0; i <= 10_000; i++) acknowledge(String(i));
	expect(idsOf([event('0'), event('1'), event('10000')])).toEqual(['0']);
});

test('under any sequence it agrees with a plain list', () => {
	const KEYS = ['a', 'b', 'c', 'd', 'e', 'f'];
	const step = fc.record({
		key: fc.constantFrom(...KEYS),
		succeeded: fc.boolean(),
		pause: fc.nat(40_000),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const { deliver, idsOf } = newTrigger();
			const acknowledgedAt = new Map<string, number>();
			for (const { key, succeeded, pause } of steps) {
				now += pause;
				const { end } = deliver([event(key)]);
				end?.(succeeded);
				const isDuplicate = now - (acknowledgedAt.get(key) ?? -Infinity) <= WINDOW_MS;
				if (succeeded && !isDuplicate) acknowledgedAt.set(key, now);
				for (const other of KEYS) {
					const known = now - (acknowledgedAt.get(other) ?? -Infinity) <= WINDOW_MS;
					expect(idsOf([event(other)])).toEqual(known ? [] : [other]);
				}
			}
		}),
		{ numRuns: propertyRuns(500) },
	);
});
