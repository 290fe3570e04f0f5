import { parseEvents, parseJson } from '../../../nodes/PaymentsTrigger/parseEvents';

/** Which of the two steps finds no event. */
const reasonOf = (body: string | Buffer) => {
	const json = parseJson(Buffer.from(body as string));
	if (json.problem) return 'notJson';
	return parseEvents(json.value).problem && 'noEventType';
};
const list = (body: string, signedId?: string) =>
	parseEvents(parseJson(Buffer.from(body)).value, signedId).value!;

test.each([
	['{"id":"1","data":{},"event":"A","createdAt":1}', 'event data id createdAt'],
	['{"id":"1","type":"A","event":"B","data":{}}', 'event type data id'],
	['{"object":"event","type":"A","__proto__":{"a":1}}', 'type object __proto__'],
	['{"createdAt":1,"event":"A","id":"1"}', 'event id createdAt'],
])('type, data, and id come first: %s', (body, names) => {
	const [{ json }] = list(body);
	expect(Object.keys(json)).toEqual(names.split(' '));
	expect(json).toEqual(JSON.parse(body));
});

test.each([
	['event', { event: 'A' }, 'A'],
	['type, as in Standard Webhooks', { type: 'A' }, 'A'],
	['both: event counts', { type: 'B', event: 'A' }, 'A'],
	['an event that is an object', { event: { id: 1 }, type: 'A' }, 'A'],
	['an event that is empty', { event: '', type: 'A' }, 'A'],
	['an event of blanks', { event: ' \t', type: 'A' }, 'A'],
	['as it was sent, in any case and with blanks', { event: ' a.Created ' }, ' a.Created '],
	['a type that is an object', { event: 'A', type: {} }, 'A'],
])('the event type is %s', (_, json, eventType) => {
	expect(list(JSON.stringify(json))).toEqual([{ eventType, json }]);
});

const asBodies = [(json: object) => json, (json: object) => [json]];

test.each([
	['no id', { type: 'A', data: {} }],
	['null', { type: 'A', id: null, data: {} }],
	['an empty id', { type: 'A', id: '' }],
	['an id of blanks', { type: 'A', id: ' \t' }],
])('a single event with %s gets the signed one, if there is one', (_, event) => {
	for (const asBody of asBodies) {
		const body = JSON.stringify(asBody(event));
		expect(list(body, 'msg_1')[0].json).toEqual({ ...event, id: 'msg_1' });
		expect(list(body)[0].json).toEqual(event);
	}
});

test('a signed ID stands where the own one would', () => {
	const [{ json }] = list('{"type":"A","createdAt":1,"data":{}}', 'msg_1');
	expect(Object.keys(json)).toEqual(['type', 'data', 'id', 'createdAt']);
});

test.each(['pay_1', ' pay_1 ', '0', 'null', 7, 0, -1, true, false, {}, []])(
	'a single event keeps its own id %j',
	(id) => {
		for (const asBody of asBodies) {
			const body = JSON.stringify(asBody({ type: 'A', id }));
			expect(list(body, 'msg_1')[0].json).toEqual({ type: 'A', id });
		}
	},
);

test('the signed ID of several events is the ID of none', () => {
	const events = [{ type: 'A' }, { type: 'A', id: 'a' }, { type: 'A', id: null }];
	expect(list(JSON.stringify(events), 'msg_1').map(({ json }) => json)).toEqual(events);
});

test('a byte order mark and UTF-8 beyond ASCII are read', () => {
	expect(list('\ufeff{"event":"Zahlung.Ü€😀"}')[0].eventType).toBe('Zahlung.Ü€😀');
});

const LATIN_1 = Buffer.from('{"event":"Zahlung.Über"}', 'latin1');
test.each<[string, string | Buffer, string]>([
	['nothing', '', 'notJson'],
	['half of JSON', '{"event":', 'notJson'],
	['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'notJson'],
	['Latin-1, although what is around it can be read', LATIN_1, 'notJson'],
	['UTF-16', Buffer.from('{"event":"A"}', 'utf16le'), 'notJson'],
	['a hundred thousand brackets', '['.repeat(100_000), 'notJson'],
	['null', 'null', 'noEventType'],
	['a text', '"PAYMENT.CREATED"', 'noEventType'],
	['an object without kind', '{"id":"evt_1"}', 'noEventType'],
	['an empty kind', '{"event":"","type":""}', 'noEventType'],
	['a kind of blanks', '{"event":" \\n"}', 'noEventType'],
	['kinds that are no text', '{"event":{"name":"A"},"type":7}', 'noEventType'],
	['an empty list', '[]', 'noEventType'],
	['a list in a list', '[[{"event":"A"}]]', 'noEventType'],
	['a list with one element that is no event', '[{"event":"A"},5]', 'noEventType'],
	['a kind in the prototype', '{"__proto__":{"event":"A"}}', 'noEventType'],
	['what every object inherits', '{"constructor":"A"}', 'noEventType'],
])('%s is no event', (_, body, why) => expect(reasonOf(body)).toBe(why));
