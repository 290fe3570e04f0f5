import { deduplicatorOf, identifyDelivery } from '../../../nodes/PaymentsTrigger/deduplicate';
import { fc, propertyRuns } from '../../support/properties';

const WINDOW_MS = 60_000;
const HALF_AN_HOUR_MS = 30 * 60_000;

let now: number;
beforeEach(() => {
	now = Date.now();
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

let triggers = 0;

/** One trigger, to which deliveries are made one after the other. */
function newTrigger() {
	const name = `trigger ${++triggers}`;
	const begin = (delivery: string, windowMs = WINDOW_MS) =>
		deduplicatorOf(name, windowMs).begin(delivery);
	const end = (delivery: string, isAcknowledged: boolean) =>
		deduplicatorOf(name, WINDOW_MS).end(delivery, isAcknowledged);
	return {
		begin,
		end,
		acknowledge: (delivery: string) => {
			begin(delivery);
			end(delivery, true);
		},
		/** What a delivery would be, without making it. */
		stateOf: (delivery: string, windowMs?: number) => {
			const state = begin(delivery, windowMs);
			if (state === 'new') end(delivery, false);
			return state;
		},
	};
}

test('a delivery is being processed until it is answered, and a duplicate after a success only', () => {
	const { begin, end, stateOf } = newTrigger();
	for (const isAcknowledged of [false, true]) {
		expect(begin('1')).toBe('new');
		expect(stateOf('1')).toBe('inFlight');
		end('1', isAcknowledged);
	}
	expect(stateOf('1')).toBe('duplicate');
});

test('a delivery that n8n never answers is being processed for half an hour, and an answer after that counts', () => {
	const { begin, end, stateOf } = newTrigger();
	begin('1');
	now += HALF_AN_HOUR_MS;
	expect(stateOf('1')).toBe('inFlight');
	now += 1;
	expect(begin('1')).toBe('new');
	end('1', true);
	expect(stateOf('1')).toBe('duplicate');
});

test('what is too old is forgotten, to the millisecond; the window can change meanwhile', () => {
	const { acknowledge, stateOf } = newTrigger();
	acknowledge('1');
	acknowledge('2');
	now += 1000;
	expect(stateOf('1', 1000)).toBe('duplicate');
	expect(stateOf('2', 999)).toBe('new');
});

test('each trigger has deliveries of its own', () => {
	const [one, other] = [newTrigger(), newTrigger()];
	one.begin('1');
	expect(other.stateOf('1')).toBe('new');
});

test('of 10,001 deliveries, the oldest is forgotten', () => {
	const { acknowledge, stateOf } = newTrigger();
	for (let i = 0; i <= 10_000; i++) acknowledge(String(i));
	expect(['0', '1', '10000'].map((id) => stateOf(id))).toEqual(['new', 'duplicate', 'duplicate']);
});

test('under any sequence it agrees with a plain list: an acknowledged delivery counts from the last time it came', () => {
	const step = fc.record({
		key: fc.constantFrom('a', 'b', 'c'),
		isAcknowledged: fc.boolean(),
		pause: fc.oneof(fc.nat(20_000), fc.nat(90_000), fc.constantFrom(WINDOW_MS, WINDOW_MS + 1)),
	});
	fc.assert(
		fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
			const { begin, end } = newTrigger();
			const acknowledgedAt = new Map<string, number>();
			for (const { key, isAcknowledged, pause } of steps) {
				now += pause;
				const isDuplicate = now - (acknowledgedAt.get(key) ?? -Infinity) <= WINDOW_MS;
				expect(begin(key)).toBe(isDuplicate ? 'duplicate' : 'new');
				if (!isDuplicate) end(key, isAcknowledged);
				if (isDuplicate || isAcknowledged) acknowledgedAt.set(key, now);
			}
		}),
		{ numRuns: propertyRuns(500) },
	);
});

describe('what identifies a delivery', () => {
	const COMPLETED = '{"event":"PAYMENT.STATUS_UPDATED","id":"pay_1","status":"COMPLETED"}';
	const keyOf = (body: string, signedId?: string) => identifyDelivery(Buffer.from(body), signedId);

	test.each([
		['another status of the same payment', COMPLETED.replace('COMPLETED', 'RETURNED')],
		['another event type', COMPLETED.replace('STATUS_UPDATED', 'UPDATED')],
		['an eventId that is the same', '{"event":"A","eventId":"pay_1"}'],
		['one more blank', `${COMPLETED} `],
		['numbers that JavaScript reads as one', COMPLETED.replace('"pay_1"', '9007199254740993')],
		['an empty body', ''],
	])('without a signed ID, %s is another delivery', (_, body) => {
		expect(keyOf(body)).not.toBe(keyOf(COMPLETED));
		expect(keyOf(body)).not.toBe(keyOf('{"event":"A","eventId":"pay_1","n":1}'));
	});

	test('the same bytes are the same delivery', () => {
		expect(keyOf(COMPLETED)).toBe(keyOf(COMPLETED));
	});

	test('with a signed ID, only the same ID and the same bytes are a duplicate', () => {
		const RETURNED = COMPLETED.replace('COMPLETED', 'RETURNED');
		expect(keyOf(COMPLETED, 'pay_1')).toBe(keyOf(COMPLETED, 'pay_1'));
		const others = [
			keyOf(RETURNED, 'pay_1'),
			keyOf(COMPLETED, 'pay_2'),
			keyOf(COMPLETED),
			keyOf(COMPLETED, ''),
			keyOf('', `pay_1${COMPLETED}`),
			keyOf(COMPLETED.slice(1), `pay_1${COMPLETED[0]}`),
			keyOf(`1"\n${COMPLETED}`, 'pay_'),
			keyOf(COMPLETED.replace('{', '{"pay_1"\n'), ''),
		];
		expect(others).not.toContain(keyOf(COMPLETED, 'pay_1'));
		expect(new Set(others).size).toBe(others.length);
	});
});
