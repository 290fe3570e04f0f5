import { DateTime } from 'luxon';
import { runInNewContext } from 'node:vm';

import {
	composeExpressions,
	formatDates,
	formatInText,
	isComposable,
	parseParameter,
	readPath,
} from '../../../../nodes/Payments/input/expressions';

const isSafe = (name: string) => name !== 'unsafe' && name !== '7';
const parse = (raw: unknown) => parseParameter(raw, isSafe);

describe('a parameter as it was typed', () => {
	test.each([
		[7, 7],
		[undefined, undefined],
		['plain', 'plain'],
		['', ''],
		['=plain', 'plain'],
		['=', ''],
		['{{ $json.a', '{{ $json.a'],
		['$json.a }}', '$json.a }}'],
		['=\\{{ $json.a }}', '\\{{ $json.a }}'],
	])('%p has the same value for every item', (raw, value) =>
		expect(parse(raw)).toEqual({ kind: 'static', value }),
	);

	test.each(['{{ $json.a }}', 'INV-{{ $json.a }}', '{{}}', '{{\n}}', 'a = {{ $json.a }}'])(
		'%j needs the switch to Expression',
		(raw) => expect(parse(raw)).toEqual({ kind: 'expressionInFixedField' }),
	);

	test.each<[string, Array<string | number>]>([
		['={{ $json }}', []],
		['={{$json.a}}', ['a']],
		['= {{ $json.a }}\n', ['a']],
		['={{ $json.a.b_1.$c._d }}', ['a', 'b_1', '$c', '_d']],
		['={{ $json.A.Z.z }}', ['A', 'Z', 'z']],
		['={{ $json["a b"]["it\'s"] }}', ['a b', "it's"]],
		["={{ $json['a b']['\"'] }}", ['a b', '"']],
		['={{ $json[""].a }}', ['', 'a']],
		["={{ $json[''] }}", ['']],
		['={{ $json[0].a[12] }}', [0, 'a', 12]],
		['={{ $json[123456789] }}', [123456789]],
		['={{ $json["constructor"] }}', ['constructor']],
	])('%j is a field that was dragged', (raw, path) =>
		expect(parse(raw)).toEqual({ kind: 'dragged', path, expression: raw.slice(1) }),
	);

	test.each([
		' $json.a + 1 ',
		' $json.a.toUpperCase() ',
		' $json[key] ',
		' $jsonx.a ',
		' $json?.a ',
		' $json. ',
		' $json.1a ',
		' $json[01] ',
		' $json[1234567890] ',
		' $json["a] ',
		" $json['a] ",
		' $json["a\\u0062"] ',
		" $json['a\\u0062'] ",
		' $json["a\nb"] ',
		" $json['a\rb'] ",
		' x$json.a ',
		' json.a ',
		'',
		// n8n rejects this word behind a dot, also where a longer name begins with it.
		' $json.constructor ',
		' $json["a"]. constructorId ',
		' $json["a.  constructor"] ',
		// The engine returns another value for these.
		' $json.unsafe ',
		' $json.a["unsafe"].b ',
		' $json[7] ',
	])('%j is left to the engine', (code) => {
		const expression = `{{${code}}}`;
		expect(parse(`=${expression}`)).toEqual({ kind: 'expression', code, expression });
	});

	test.each<[string, string[], string[], boolean, Array<string[] | undefined>]>([
		['a {{ $json.a }}', ['a ', ''], [' $json.a '], true, [['a']]],
		['{{ $json.a }} b', ['', ' b'], [' $json.a '], true, [['a']]],
		['{{ $json.a }}{{ 1 }}', ['', '', ''], [' $json.a ', ' 1 '], true, [['a'], undefined]],
		['{{ $json.a', ['', ''], [' $json.a'], false, [['a']]],
	])('%j is a text with expressions in it', (expression, texts, codes, isClosed, paths) => {
		const template = { texts, codes, isClosed };
		expect(parse(`=${expression}`)).toEqual({ kind: 'template', template, paths, expression });
	});
});

describe('a dragged field', () => {
	const inherited = Object.create({ inherited: 1 }) as object;
	const date = new Date(0);

	test.each<[unknown, Array<string | number>, unknown]>([
		[{ a: 1 }, ['a'], 1],
		[{ a: { b: [5] } }, ['a', 'b', 0], 5],
		[{ a: null }, ['a'], null],
		[{ a: undefined }, ['a'], undefined],
		[{ a: { b: 1 } }, ['a'], { b: 1 }],
		[{ a: [1] }, ['a'], [1]],
		[Object.create(null), [], Object.create(null)],
		[{}, ['missing'], undefined],
		[{ a: [] }, ['a', 3], undefined],
		[{ length: 3 }, ['length'], 3],
	])('%p, %p', (json, path, value) => expect(readPath(json, path)).toStrictEqual({ value }));

	test.each<[string, unknown, Array<string | number>]>([
		['a step into nothing', {}, ['missing', 'deeper']],
		['a step into null', { a: null }, ['a', 'b']],
		['a step into text', { a: 'text' }, ['a', 'length']],
		['a step into a function', { a: () => 1 }, ['a', 'name']],
		['an inherited member', inherited, ['inherited']],
		['a member of an inherited one', { a: inherited }, ['a', 'inherited', 'b']],
		['the length of a list', { a: [1] }, ['a', 'length', 'x']],
		['a date', { a: date }, ['a']],
		['a member of a class', inherited, []],
		['a function', { a: () => 1 }, ['a']],
		['a symbol', { a: Symbol('s') }, ['a']],
		['a bigint', { a: 1n }, ['a']],
	])('%s is left to the engine', (_, json, path) => expect(readPath(json, path)).toBeUndefined());
});

describe('a date', () => {
	const instant = Date.UTC(2025, 0, 2, 3, 4, 5, 678);

	test('of JavaScript or Luxon is ISO 8601 text', () => {
		expect(formatDates(new Date(instant))).toBe('2025-01-02T03:04:05.678Z');
		expect(formatDates(DateTime.fromMillis(instant, { zone: 'Europe/Berlin' }))).toBe(
			'2025-01-02T04:04:05.678+01:00',
		);
	});

	test.each([
		'text',
		5,
		null,
		undefined,
		{ toISO: 'no function' },
		{ a: 1 },
		new Date('none'),
		DateTime.fromISO('none'),
	])('that is none stays as it is: %p', (value) => expect(formatDates(value)).toBe(value));
});

/** Values, and the texts that n8n puts in their place. */
const TEXTS: Array<[unknown, string | null]> = [
	['text', 'text'],
	['', ''],
	[0, '0'],
	[-0, '0'],
	[7.5, '7.5'],
	[0n, ''],
	[true, 'true'],
	[false, 'false'],
	[[1, [2, null]], '1,2,'],
	[{ a: 1 }, '[object Object]'],
	[undefined, null],
	[null, null],
	[NaN, null],
	[() => 1, null],
];

test.each(TEXTS)('%p inside a text becomes %j', (value, text) =>
	expect(formatInText(value)).toBe(text),
);

test.each([
	['$json.a', true],
	['{ a: { b: 1 } }', true],
	['"{{"', false],
	['"}}"', false],
	['{a: {b: 1}}', false],
])('whether %j can be evaluated together with others: %p', (code, expected) =>
	expect(isComposable(code)).toBe(expected),
);

describe('expressions that are evaluated together', () => {
	const evaluate = (codes: Array<[code: string, isInText: boolean]>, data: object = {}) => {
		const expression = composeExpressions(codes.map(([code, isInText]) => ({ code, isInText })));
		const [, code] = /^\{\{ (.*) \}\}$/s.exec(expression)!;
		return runInNewContext(code, { ...data, Date }) as unknown;
	};

	test('give a list of their values, dates as text', () => {
		const toISO = () => 'ISO text';
		const data = {
			date: new Date(0),
			time: { toISO },
			none: { toISO: () => null },
			no: { toISO: 1 },
		};
		const codes = [
			'1 + 1',
			'"a" // comment',
			'date',
			'time',
			'none',
			'no',
			'null',
			'undefined',
			'0',
		];
		expect(
			evaluate(
				codes.map((code) => [code, false]),
				data,
			),
		).toEqual([
			2,
			'a',
			'1970-01-01T00:00:00.000Z',
			'ISO text',
			data.none,
			data.no,
			null,
			undefined,
			0,
		]);
	});

	test('give texts where they are inside one', () => {
		const data = Object.fromEntries(TEXTS.map(([value], index) => [`v${index}`, value]));
		expect(
			evaluate(
				TEXTS.map((_, index) => [`v${index}`, true]),
				data,
			),
		).toEqual(TEXTS.map(([, text]) => text));
	});

	test('give no list when one is a function', () => {
		const data = { f: () => 1 };
		expect(evaluate([['f', false]], data)).toBeNull();
		expect(
			evaluate(
				[
					['1', false],
					['f', false],
				],
				data,
			),
		).toBeNull();
		expect(
			evaluate(
				[
					['f', true],
					['1', false],
				],
				data,
			),
		).toEqual([null, 1]);
	});
});
