import { runInNewContext } from 'node:vm';

import { parseEvents } from '../../nodes/PaymentsTrigger/events/parseEvents';
import { eventTypes, recommendedEventTypes } from '../../nodes/PaymentsTrigger/events/eventTypes';
import {
	outputOf,
	outputsFor,
	route,
	type OutputParameters,
} from '../../nodes/PaymentsTrigger/events/outputs';
import { PaymentsTrigger } from '../../nodes/PaymentsTrigger/PaymentsTrigger.node';

const members = { kind: 'event', id: 'id' };
const read = (body: string | Buffer, paths = members) =>
	parseEvents(Buffer.from(body as string), paths);
const list = (body: string, paths = members) => {
	const events = read(body, paths);
	if (typeof events === 'string') throw new Error(events);
	return events;
};

describe('kinds', () => {
	test('alphabetical, each with a sentence, among them the recommended ones', () => {
		const names = Object.keys(eventTypes);
		expect(names).toEqual([...names].sort());
		expect(names).toHaveLength(38);
		expect(new Set(Object.values(eventTypes)).size).toBe(38);
		for (const recommended of recommendedEventTypes)
			expect(eventTypes).toHaveProperty([recommended]);
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
		expect(read(JSON.stringify(json))).toEqual([{ kind: 'PAYMENT.CREATED', id: 'evt_1', json }]);
	});

	test('a list is an event each; a number can be an id; an empty or missing id is none', () => {
		expect(
			list('[{"event":"A","id":7},{"event":"B","id":""},{"event":"C"}]').map(({ kind, id }) => [
				kind,
				id,
			]),
		).toEqual([
			['A', '7'],
			['B', undefined],
			['C', undefined],
		]);
	});

	test('kind and id can stand deeper', () => {
		expect(
			list('{"meta":{"type":"A","ids":{"event":"x"}}}', {
				kind: 'meta.type',
				id: 'meta.ids.event',
			})[0],
		).toMatchObject({ kind: 'A', id: 'x' });
	});

	test('a byte order mark and UTF-8 beyond ASCII are read', () => {
		expect(list('\ufeff{"event":"Zahlung.Ü€😀"}')[0].kind).toBe('Zahlung.Ü€😀');
	});

	test.each<[string, string | Buffer, string]>([
		['nothing', '', 'empty'],
		['a word', 'hello', 'notJson'],
		['half of JSON', '{"event":', 'notJson'],
		['two objects', '{"event":"A"}{"event":"B"}', 'notJson'],
		['a form', 'event=A&id=1', 'notJson'],
		['XML', '<event>A</event>', 'notJson'],
		['broken UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), 'notJson'],
		['UTF-16', Buffer.from('{"event":"A"}', 'utf16le'), 'notJson'],
		['zero bytes', Buffer.alloc(10), 'notJson'],
		['blanks', ' \n ', 'notJson'],
		['null', 'null', 'noKind'],
		['a number', '5', 'noKind'],
		['a text', '"PAYMENT.CREATED"', 'noKind'],
		['an object without kind', '{"id":"evt_1"}', 'noKind'],
		['an empty kind', '{"event":""}', 'noKind'],
		['a kind that is no text', '{"event":{"name":"A"}}', 'noKind'],
		['an empty list', '[]', 'noKind'],
		['a list in a list', '[[{"event":"A"}]]', 'noKind'],
		['a list with one element that is no event', '[{"event":"A"},5]', 'noKind'],
		['a kind in the prototype', '{"__proto__":{"event":"A"}}', 'noKind'],
	])('%s is no event', (_, body, why) => expect(read(body)).toBe(why));

	test('what every object inherits is no kind', () => {
		expect(read('{}', { kind: 'constructor.name', id: 'id' })).toBe('noKind');
		expect(read('[{}]', { kind: 'toString.name', id: 'id' })).toBe('noKind');
	});
});

const choices: Array<[string, OutputParameters, string[], Record<string, number>]> = [
	['the kinds that were chosen', { events: ['B', 'A'] }, [''], { A: 0, B: 0, C: -1, '*': -1 }],
	['all', { events: ['*', 'A'] }, [''], { A: 0, C: 0, '': 0 }],
	['nothing', { events: [] }, [''], { A: -1 }],
	[
		'typed kinds',
		{ events: ['A'], options: { otherEvents: ' X.Y ,Z\nA' } },
		[''],
		{ A: 0, 'X.Y': 0, Z: 0, 'x.y': -1 },
	],
	[
		'one output per kind',
		{ events: ['B', 'A'], options: { outputPerKind: true } },
		['B', 'A'],
		{ A: 1, B: 0, C: -1 },
	],
	[
		'one output per kind, typed ones last, none twice',
		{ events: ['B'], options: { outputPerKind: true, otherEvents: 'X,B,X' } },
		['B', 'X'],
		{ B: 0, X: 1 },
	],
	[
		'one output per kind and one for the others',
		{ events: ['*', 'A'], options: { outputPerKind: true, otherEvents: 'X' } },
		['A', 'X', 'Other Events'],
		{ A: 0, X: 1, C: 2, 'Other Events': 2 },
	],
	[
		'one output for all',
		{ events: ['*'], options: { outputPerKind: true } },
		['All Events'],
		{ A: 0 },
	],
];

describe('choosing and routing', () => {
	test.each(choices)('%s', (_, choice, names, indexes) => {
		expect(outputsFor(choice).map(({ displayName }) => displayName ?? '')).toEqual(names);
		const indexOf = outputOf(choice);
		expect(Object.fromEntries(Object.keys(indexes).map((kind) => [kind, indexOf(kind)]))).toEqual(
			indexes,
		);
	});

	test('events keep their order within an output', () => {
		const choice: OutputParameters = { events: ['A', '*'], options: { outputPerKind: true } };
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
