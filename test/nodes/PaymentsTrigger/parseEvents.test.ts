import { parseEvents, parseJson } from '../../../nodes/PaymentsTrigger/parseEvents';
import { fc } from '../../support/properties';

const read = (body: string | Buffer, signedId?: string) =>
	parseEvents(parseJson(Buffer.from(body as string)).value, signedId).value;
/** Which of the two steps finds no event. */
const reasonOf = (body: string | Buffer) => {
	const json = parseJson(Buffer.from(body as string));
	if (json.problem) return 'notJson';
	return parseEvents(json.value).problem && 'noEventType';
};
const list = (body: string, signedId?: string) => {
	const events = read(body, signedId);
	if (!events) throw new Error('no events');
	return events;
};

describe('reading events', () => {
	test('an object is one event and goes out as it came', () => {
		const json = {
			id: 'evt_1',
			event: 'PAYMENT.CREATED',
			data: { amount: '1.10', big: 12345678 },
			previousValues: {},
			createdAt: 1,
		};
		expect(read(JSON.stringify(json))).toEqual([
			{ eventType: 'PAYMENT.CREATED', id: 'evt_1', json },
		]);
	});

	test('a list is an event each; a number can be an id; an empty or missing id is none', () => {
		expect(
			list('[{"event":"A","id":7},{"event":"B","id":""},{"event":"C"}]').map(
				({ eventType, id }) => [eventType, id],
			),
		).toEqual([
			['A', '7'],
			['B', undefined],
			['C', undefined],
		]);
	});

	test('a number that JavaScript cannot represent exactly is no id: two of them would be the same', () => {
		const ids = (numbers: string[]) =>
			list(`[${numbers.map((number) => `{"event":"A","id":${number}}`).join(',')}]`).map(
				({ id }) => id,
			);
		expect(ids(['9007199254740991', '-9007199254740991'])).toEqual([
			'9007199254740991',
			'-9007199254740991',
		]);
		expect(ids(['9007199254740992', '9007199254740993', '1e400', '-1e400', '0.1'])).toEqual(
			Array.from({ length: 5 }, () => undefined),
		);
	});

	test('property: different integers never have the same id', () => {
		fc.assert(
			fc.property(fc.bigInt(-(2n ** 70n), 2n ** 70n), fc.bigInt(1n, 1000n), (one, difference) => {
				const [first, second] = list(
					`[{"event":"A","id":${one}},{"event":"A","id":${one + difference}}]`,
				);
				expect(first.id !== undefined && first.id === second.id).toBe(false);
				if (first.id !== undefined) expect(first.id).toBe(String(one));
			}),
		);
	});

	test.each([
		['event', { event: 'A' }, 'A'],
		['type, as in Standard Webhooks', { type: 'A' }, 'A'],
		['both: event counts', { type: 'B', event: 'A' }, 'A'],
		['an event that is an object', { event: { id: 1 }, type: 'A' }, 'A'],
		['an event that is null', { event: null, type: 'A' }, 'A'],
		['an event that is a number', { event: 5, type: 'A' }, 'A'],
		['an event that is empty', { event: '', type: 'A' }, 'A'],
		['a type that is an object', { event: 'A', type: {} }, 'A'],
	])('the event type is %s', (_, json, eventType) => {
		expect(list(JSON.stringify(json))).toEqual([{ eventType, id: undefined, json }]);
	});

	test.each([
		['id', { id: 'a' }, 'a'],
		['eventId', { eventId: 'a' }, 'a'],
		['both: id counts', { eventId: 'b', id: 'a' }, 'a'],
		['an id that is an object', { id: {}, eventId: 'a' }, 'a'],
		['an id that is null', { id: null, eventId: 'a' }, 'a'],
		['an id that is empty', { id: '', eventId: 'a' }, 'a'],
		['an id that is no integer', { id: 0.5, eventId: 7 }, '7'],
		['neither', { event_id: 'a' }, undefined],
	])('without a signed ID, the ID is %s', (_, json, id) => {
		expect(list(JSON.stringify({ event: 'A', ...json }))[0].id).toBe(id);
	});

	test('the signed ID names a delivery of one event, whatever its id is about', () => {
		for (const json of [
			{ event: 'A', id: 'pay_1' },
			{ event: 'A', id: null },
		]) {
			for (const body of [json, [json]]) {
				expect(list(JSON.stringify(body), 'msg_1')).toEqual([
					{ eventType: 'A', id: 'msg_1', json },
				]);
			}
		}
	});

	test('an event without id gets the signed one', () => {
		expect(list('{"type":"A","data":{}}', 'msg_1')).toEqual([
			{ eventType: 'A', id: 'msg_1', json: { id: 'msg_1', type: 'A', data: {} } },
		]);
	});

	test('the signed ID of several events tells them not apart, so it is the ID of none', () => {
		const events = [{ type: 'A' }, { type: 'A', id: 'a' }];
		expect(list(JSON.stringify(events), 'msg_1').map(({ id, json }) => [id, json])).toEqual([
			[undefined, events[0]],
			['a', events[1]],
		]);
	});

	test('a byte order mark and UTF-8 beyond ASCII are read', () => {
		expect(list('\ufeff{"event":"Zahlung.Ü€😀"}')[0].eventType).toBe('Zahlung.Ü€😀');
	});

	test.each<[string, string | Buffer, string]>([
		['nothing', '', 'notJson'],
		['a word', 'hello', 'notJson'],
		['half of JSON', '{"event":', 'notJson'],
		['two objects', '{"event":"A"}{"event":"B"}', 'notJson'],
		['a form', 'event=A&id=1', 'notJson'],
		['XML', '<event>A</event>', 'notJson'],
		['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'notJson'],
		['UTF-16', Buffer.from('{"event":"A"}', 'utf16le'), 'notJson'],
		['zero bytes', Buffer.alloc(10), 'notJson'],
		['blanks', ' \n ', 'notJson'],
		['null', 'null', 'noEventType'],
		['a number', '5', 'noEventType'],
		['a text', '"PAYMENT.CREATED"', 'noEventType'],
		['an object without kind', '{"id":"evt_1"}', 'noEventType'],
		['an empty kind', '{"event":"","type":""}', 'noEventType'],
		['kinds that are no text', '{"event":{"name":"A"},"type":7}', 'noEventType'],
		['an empty list', '[]', 'noEventType'],
		['a list in a list', '[[{"event":"A"}]]', 'noEventType'],
		['a list with one element that is no event', '[{"event":"A"},5]', 'noEventType'],
		['a kind in the prototype', '{"__proto__":{"event":"A"}}', 'noEventType'],
	])('%s is no event', (_, body, why) => expect(reasonOf(body)).toBe(why));

	test('bytes of another encoding are no text, even if what is around them can be read', () => {
		expect(reasonOf(Buffer.from('{"event":"Zahlung.Über"}', 'latin1'))).toBe('notJson');
	});

	test('what every object inherits is no event type', () => {
		expect(reasonOf('{"constructor":"A"}')).toBe('noEventType');
		expect(reasonOf('[{}]')).toBe('noEventType');
	});
});
