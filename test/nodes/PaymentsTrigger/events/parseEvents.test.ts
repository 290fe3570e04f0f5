import { runInNewContext } from 'node:vm';

import { parseEvents, parseJson } from '../../../../nodes/PaymentsTrigger/events/parseEvents';
import {
	ALL_EVENTS,
	eventTypes,
	recommendedEventTypes,
} from '../../../../nodes/PaymentsTrigger/events/eventTypes';
import {
	createOutputIndex,
	outputName,
	outputsFor,
	route,
	type OutputParameters,
} from '../../../../nodes/PaymentsTrigger/events/outputs';
import { PaymentsTrigger } from '../../../../nodes/PaymentsTrigger/PaymentsTrigger.node';
import { fc } from '../../../support/properties';

const fields = { eventType: 'event', eventId: 'id' };
const read = (body: string | Buffer, paths = fields) =>
	parseEvents(parseJson(Buffer.from(body as string)).value, paths).value;
/** Which of the two steps finds no event. */
const reasonOf = (body: string | Buffer, paths = fields) => {
	const json = parseJson(Buffer.from(body as string));
	if (json.problem) return 'notJson';
	return parseEvents(json.value, paths).problem && 'noEventType';
};
const list = (body: string, paths = fields) => {
	const events = read(body, paths);
	if (!events) throw new Error('no events');
	return events;
};

describe('event types', () => {
	test('are alphabetical, each with a name and a meaning, among them the recommended ones', () => {
		const constants = Object.keys(eventTypes);
		expect(constants).toEqual([...constants].sort());
		expect(constants).toHaveLength(38);
		const descriptions = Object.values(eventTypes);
		expect(new Set(descriptions.map(({ name }) => name)).size).toBe(38);
		expect(new Set(descriptions.map(({ meaning }) => meaning)).size).toBe(38);
		for (const recommended of recommendedEventTypes)
			expect(eventTypes).toHaveProperty([recommended]);
		expect(eventTypes['PAYMENT.STATUS_UPDATED']).toEqual({
			name: 'Payment Status Updated',
			meaning: 'the status of a payment changed',
		});
		expect(eventTypes['INDIVIDUAL_END_USER.UPDATED']).toEqual({
			name: 'Individual End User Updated',
			meaning: 'anything about an individual end user changed',
		});
	});

	test('the list leads with the recommended ones; the others are alphabetical', () => {
		const { properties } = new PaymentsTrigger().description;
		const { options = [], required } = properties.find(({ name }) => name === 'events')!;
		expect(required).toBe(true);
		const names = options.map(({ name }) => name);
		const leading = ['Payment Created', 'Payment Status Updated', 'Virtual Account Status Updated'];
		expect(names.slice(0, 3)).toEqual(leading);
		const rest = names.slice(3);
		expect(rest).toEqual([...rest].sort());
		expect(rest[0]).toBe('All Events');
		expect(options[3]).toMatchObject({ value: '*' });
		expect(ALL_EVENTS).toBe('*');
		expect(options[0]).toMatchObject({
			value: 'PAYMENT.CREATED',
			description: 'PAYMENT.CREATED: a payment was created',
		});
	});
});

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

	test('type and id can be nested', () => {
		expect(
			list('{"meta":{"type":"A","ids":{"event":"x"}}}', {
				eventType: 'meta.type',
				eventId: 'meta.ids.event',
			})[0],
		).toMatchObject({ eventType: 'A', id: 'x' });
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
		['an empty kind', '{"event":""}', 'noEventType'],
		['a kind that is no text', '{"event":{"name":"A"}}', 'noEventType'],
		['an empty list', '[]', 'noEventType'],
		['a list in a list', '[[{"event":"A"}]]', 'noEventType'],
		['a list with one element that is no event', '[{"event":"A"},5]', 'noEventType'],
		['a kind in the prototype', '{"__proto__":{"event":"A"}}', 'noEventType'],
	])('%s is no event', (_, body, why) => expect(reasonOf(body)).toBe(why));

	test('bytes of another encoding are no text, even if what is around them can be read', () => {
		expect(reasonOf(Buffer.from('{"event":"Zahlung.Über"}', 'latin1'))).toBe('notJson');
	});

	test.each([
		['{"event":null}', 'event.type'],
		['{"event":"AB"}', 'event.0'],
		['{"event":5}', 'event.type'],
		['{"event":{"type":null}}', 'event.type.name'],
		['null', 'event'],
		['"AB"', '0'],
		['[null]', 'event'],
		['["AB"]', '0'],
		['[["A"]]', '0'],
		['{"event":{"type":""}}', 'event.type'],
	])('%s has no event type at %s', (body, eventType) => {
		expect(reasonOf(body, { eventType, eventId: 'id' })).toBe('noEventType');
	});

	test('what every object inherits is no event type', () => {
		expect(reasonOf('{}', { eventType: 'constructor.name', eventId: 'id' })).toBe('noEventType');
		expect(reasonOf('[{}]', { eventType: 'toString.name', eventId: 'id' })).toBe('noEventType');
	});
});

const choices: Array<[string, OutputParameters, string[], Record<string, number>]> = [
	['the kinds that were chosen', { events: ['B', 'A'] }, [''], { A: 0, B: 0, C: -1, '*': -1 }],
	['all', { events: ['*', 'A'] }, [''], { A: 0, C: 0, '': 0 }],
	['kinds with blanks around them', { events: [' B', 'A\n'] }, [''], { A: 0, B: 0, C: -1 }],
	['nothing', { events: [] }, [''], { A: -1 }],
	['text in place of a list', { events: 'A' }, [''], { A: -1 }],
	[
		'text in place of a list, one output per event type',
		{ events: 'A', options: { oneOutputPerEventType: true, additionalEventTypes: 'X' } },
		['X'],
		{ A: -1, X: 0 },
	],
	[
		'typed kinds',
		{ events: ['A'], options: { additionalEventTypes: ' X.Y ,Z\nA' } },
		[''],
		{ A: 0, 'X.Y': 0, Z: 0, 'x.y': -1 },
	],
	[
		'one output per kind',
		{ events: ['B', 'A'], options: { oneOutputPerEventType: true } },
		['B', 'A'],
		{ A: 1, B: 0, C: -1 },
	],
	[
		'one output per kind, typed ones last, none twice',
		{ events: ['B'], options: { oneOutputPerEventType: true, additionalEventTypes: 'X,B,X' } },
		['B', 'X'],
		{ B: 0, X: 1 },
	],
	[
		'one output per kind and one for the others',
		{ events: ['*', 'A'], options: { oneOutputPerEventType: true, additionalEventTypes: 'X' } },
		['A', 'X', 'Other Events'],
		{ A: 0, X: 1, C: 2, 'Other Events': 2 },
	],
	[
		'one output for all',
		{ events: ['*'], options: { oneOutputPerEventType: true } },
		['All Events'],
		{ A: 0 },
	],
];

describe('choosing and routing', () => {
	test.each(choices)('%s', (_, choice, names, indexes) => {
		expect(outputsFor(choice).map(({ displayName }) => displayName ?? '')).toEqual(names);
		const indexOf = createOutputIndex(choice);
		expect(Object.fromEntries(Object.keys(indexes).map((kind) => [kind, indexOf(kind)]))).toEqual(
			indexes,
		);
	});

	test.each([
		['PAYMENT.CREATED', 'Payment Created'],
		['PAYMENT.STATUS_UPDATED', 'Payment Status'],
		['PAYMENT.UPDATED', 'Payment Updated'],
		['VIRTUAL_ACCOUNT.STATUS_UPDATED', 'VA Status'],
		['INDIVIDUAL_END_USER.LINKED_CRYPTO_WALLETS_UPDATED', 'IEU Linked Crypto Wallets'],
		['invoice.paid', 'invoice.paid'],
		['CARD', 'CARD'],
		['_.A', '_.A'],
		['A__B.C_', 'AB C'],
	])('the output of %s is named %s', (eventType, name) => expect(outputName(eventType)).toBe(name));

	test('the names of all event types in the list differ where the canvas cuts them off', () => {
		const names = Object.keys(eventTypes).map((eventType) => outputName(eventType).slice(0, 9));
		expect(new Set(names).size).toBe(names.length);
	});

	test('events keep their order within an output', () => {
		const choice: OutputParameters = {
			events: ['A', '*'],
			options: { oneOutputPerEventType: true },
		};
		const outputs = route(
			list('[{"event":"B","n":1},{"event":"A","n":2},{"event":"C","n":3},{"event":"A","n":4}]'),
			choice,
		);
		expect(outputs.map((output) => output.map(({ json }) => json.n))).toEqual([
			[2, 4],
			[1, 3],
		]);
	});

	test.each(choices)(
		'the editor, which runs the expression on its own, draws the same outputs: %s',
		(_, choice) => {
			const { outputs } = new PaymentsTrigger().description;
			const [, source] = /^=\{\{(.*)\}\}$/s.exec(outputs as string)!;
			const drawn: unknown = JSON.parse(
				runInNewContext(`JSON.stringify(${source})`, { $parameter: choice }) as string,
			);
			expect(drawn).toEqual(JSON.parse(JSON.stringify(outputsFor(choice))));
		},
	);
});
