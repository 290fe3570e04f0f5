import { DateTime } from 'luxon';
import {
	isSafeObjectProperty,
	type IDataObject,
	type IExecuteFunctions,
	type INodeType,
} from 'n8n-workflow';

import {
	composeExpressions,
	formatDates,
	formatInText,
	isComposable,
	parseParameter as parse,
	readPath,
} from '../../../../nodes/Payments/input/expressions';
import { parseTemplate, type ExpressionText } from '../../../../nodes/Payments/input/template';
import { fc, propertyRuns, leastOf } from '../../../support/properties';
import { EngineCredentials, runNode } from '../../../support/engine/harness';

const parseParameter = (raw: unknown) => parse(raw, isSafeObjectProperty);

interface EngineValues {
	/** Of each expression, evaluated alone. */
	alone: unknown[];
	/** Of all expressions, composed into one. */
	together: unknown;
	/** Of the expressions in each text, composed into one. */
	inText: unknown[];
}

/** Asks n8n's engine for the values of expressions and of texts with expressions in them. */
async function ask(json: IDataObject, expressions: string[]): Promise<EngineValues> {
	let answer: EngineValues | undefined;
	const asking: INodeType = {
		description: {
			displayName: 'Ask',
			name: 'ask',
			group: [],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		},
		async execute(this: IExecuteFunctions) {
			const evaluate = (expression: string): unknown => {
				try {
					return formatDates(this.evaluateExpression(expression, 0));
				} catch (error) {
					return error;
				}
			};
			const codes = expressions.map((expression) => ({
				code: expression.replace(/^\{\{|\}\}$/g, ''),
				isInText: false,
			}));
			const codesInText = (expression: string) =>
				parseTemplate(expression).codes.map((code) => ({ code, isInText: true }));
			answer = {
				alone: expressions.map(evaluate),
				together: evaluate(composeExpressions(codes)),
				inText: expressions.map((expression) =>
					evaluate(composeExpressions(codesInText(expression))),
				),
			};
			return [[]];
		},
	};
	await runNode({
		node: { type: 'test.ask', parameters: {} },
		nodeType: asking,
		items: [{ json }],
		credentials: new EngineCredentials({}),
	}).finished;
	return answer!;
}

const ITEM = {
	amount: '10.50',
	count: 7,
	zero: 0,
	yes: true,
	no: false,
	nothing: null,
	empty: '',
	'a b': 'blank',
	"it's": 'quote',
	ü: 'umlaut',
	$dollar: 'd',
	_under: 'u',
	nested: { deep: { value: 'deep' }, list: [1, { x: 'in list' }, null] },
	list: ['first', ['inner']],
	length: 'own length',
	constructor: 'own constructor',
	constructorId: 'begins like it',
	'line\nbreak': 'two lines',
	caller: 'own caller',
} as unknown as IDataObject;

const PATHS = [
	'$json.amount',
	'$json.count',
	'$json.zero',
	'$json.yes',
	'$json.no',
	'$json.nothing',
	'$json.empty',
	'$json["a b"]',
	"$json['a b']",
	'$json["it\'s"]',
	'$json["ü"]',
	'$json.$dollar',
	'$json._under',
	'$json.nested',
	'$json.nested.deep',
	'$json.nested.deep.value',
	'$json["nested"]["deep"].value',
	'$json.nested.list[1].x',
	'$json.nested.list[2]',
	'$json.list[0]',
	'$json.list[1][0]',
	'$json.list[9]',
	'$json.missing',
	'$json["not there"]',
	'$json.missing.deeper',
	'$json.nothing.deeper',
	'$json.amount.deeper',
	'$json.length',
	'$json.constructor',
	'$json',
	'$json.list',
	'$json.nested.toString',
	'$json.nested.constructor',
	'$json.nested.__proto__',
	'$json.list.length',
	'$json.amount.length',
	'$json.nested.hasOwnProperty',
	'$json["__proto__"]',
	'$json.constructorId',
	'$json["constructorId"]',
	'$json.list[00]',
	'$json.list[01]',
	'$json["line\nbreak"]',
	'$json.caller',
];

describe('a dragged field is read as the engine reads it', () => {
	test.each(PATHS)('%s', async (code) => {
		const parameter = parseParameter(`={{ ${code} }}`);
		const read = parameter.kind === 'dragged' ? readPath(ITEM, parameter.path) : undefined;
		const [engine] = (await ask(ITEM, [`{{ ${code} }}`])).alone;
		// Where the outcome is not certain nothing is read, and the node asks the engine.
		if (read) expect(read.value ?? null).toEqual(engine ?? null);
	});

	test('those that the editor writes for the fields of an item are all read without the engine', () => {
		const plain = PATHS.slice(0, 24)
			.map((code) => parseParameter(`={{ ${code} }}`))
			.filter(
				(parameter) => parameter.kind !== 'dragged' || readPath(ITEM, parameter.path) === undefined,
			);
		expect(plain).toEqual([]);
	});

	test('over items and paths of any type', async () => {
		const key = fc.oneof(
			fc.constantFrom('a', 'b', 'c d', 'length', 'constructor', 'toString'),
			fc
				.string({ maxLength: 5 })
				.filter((text) => !/["\\\n\r\u2028\u2029{}]/.test(text) && text !== '__proto__'),
		);
		const item = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { maxKeys: 4 });
		const numRuns = propertyRuns(500);
		let read = 0;
		await fc.assert(
			fc.asyncProperty(
				item,
				fc.array(fc.oneof(key, fc.nat({ max: 3 })), { minLength: 1, maxLength: 3 }),
				async (json, steps) => {
					const code = `$json${steps.map((step) => (typeof step === 'number' ? `[${step}]` : `["${step}"]`)).join('')}`;
					const parameter = parseParameter(`={{ ${code} }}`);
					const known = parameter.kind === 'dragged' ? readPath(json, parameter.path) : undefined;
					if (!known) return;
					read++;
					const [engine] = (await ask(json as IDataObject, [`{{ ${code} }}`])).alone;
					expect(known.value ?? null).toEqual(engine ?? null);
				},
			),
			{ numRuns },
		);
		expect(read).toBeGreaterThanOrEqual(leastOf(1 / 5, numRuns));
	});
});

describe('expressions that are evaluated together come to what each comes to alone', () => {
	const same = async (expressions: string[]) => {
		const { alone, together } = await ask(ITEM, expressions);
		// When the engine gives no list of the right length, the node asks for each by itself.
		if (Array.isArray(together) && together.length === expressions.length)
			expect(together.map((value: unknown) => value ?? null)).toEqual(
				alone.map((value) => value ?? null),
			);
		return Array.isArray(together) && together.length === expressions.length;
	};

	test.each([
		[['{{ $json.amount + "x" }}', '{{ $json.count * 2 }}', '{{ $json.yes ? "a" : "b" }}'], true],
		[['{{ $json.missing }}', '{{ $json.nothing }}', '{{ undefined }}', '{{ "" }}'], true],
		[['{{ [1, 2, 3].length }}', '{{ { a: 1 }.a }}', '{{ ({ b: [1] }) }}'], true],
		[['{{ $json.amount // a comment\n }}', '{{ /* another */ $json.count }}'], true],
		[['{{ "a,b".split(",")[1] }}', '{{ `t ${$json.count}` }}', "{{ 'it\\'s' }}"], true],
		[
			['{{ new Date(0) }}', '{{ DateTime.fromMillis(0, { zone: "utc" }) }}', '{{ $json.count }}'],
			true,
		],
		[['{{ $json.missing.deeper.still }}', '{{ $json.count }}'], false],
		[['{{ $json.count; 5 }}', '{{ $json.amount }}'], false],
		[['{{ 1), (2 }}', '{{ $json.amount }}'], false],
		[['{{ $json.amount.trim }}', '{{ $json.amount }}'], false],
		[['{{ new Date("none") }}', '{{ $json.amount }}'], false],
		[
			[
				'{{ $now.toFormat("yyyy") }}',
				'{{ $json.list }}',
				'{{ $json.nested }}',
				'{{ NaN }}',
				'{{ -0 }}',
			],
			true,
		],
		// Without its end it is no expression: the node takes it for text.
		[['{{ $json.count }} and {{ $json.amount }}', '{{ $json.amount }}'], false],
	])('%p', async (expressions, inOneGo) => expect(await same(expressions)).toBe(inOneGo));
});

describe('a text with expressions in it is the one that the engine makes', () => {
	test.each([
		['INV-{{ $json.count }}'],
		['{{ $json.amount }} {{ $json["a b"] }}'],
		['a {{ $json.count }} b }} c'],
		['a \\\\{{ $json.count }} \\\\ b'],
		['{ "a": { "b": "{{ $json.count }}" }}'],
		['line\nbreak {{ $json.count }}\n{{ $json.zero }}'],
		['{{ $json.yes }}{{ $json.no }}{{ $json.zero }}'],
		['{{ $json.list }} {{ [1, [2, null], undefined] }}'],
		['a {{ $json.nested }}'],
		['a {{ {b: 1} }}'],
		['a {{ new Date(0) }}'],
		['a {{ DateTime.fromMillis(0) }} b'],
		['a {{ $now.toFormat("yyyy") }} b'],
		['a {{ new Date("none") }}{{ DateTime.fromISO("none") }}'],
		['a {{ -0 }} {{ 10n }} {{ 1e21 }} {{ 0.1 + 0.2 }}'],
		['a {{ `t ${$json.count}` }} {{ "it\'s" }}'],
		['a {{ $json.count // a comment\n }} b'],
		['a {{ $json.missing }} {{ $json.nothing }} {{ $json.empty }} {{ NaN }}'],
		['unclosed {{ $json.count'],
	])('%s', async (expression) => {
		const { alone, inText } = await ask(ITEM, [expression]);
		const { texts } = parseTemplate(expression);
		const values = inText[0] as ExpressionText[];
		expect(texts.map((text, index) => text + (values[index] ?? '')).join('')).toBe(alone[0]);
	});

	test.each([
		['a {{ "x\\}}" }} b'],
		['a {{ $json.count; 5 }} b'],
		['a {{ $json.missing.deeper }} {{ $json.count }}'],
	])('%s is left to the engine', async (expression) => {
		const { codes } = parseTemplate(expression);
		const [values] = (await ask(ITEM, [expression])).inText;
		expect(codes.every(isComposable) && Array.isArray(values)).toBe(false);
	});

	test('an expression without a value, and a function, have no text', async () => {
		const [values] = (
			await ask(ITEM, [
				'{{ $json.missing }} {{ null }} {{ NaN }} {{ undefined }} {{ $json.amount.trim }} {{ "" }}',
			])
		).inText;
		expect(values).toEqual([null, null, null, null, null, '']);
	});

	test('values that the node reads itself become the same text', async () => {
		const plain = fc.oneof(fc.string(), fc.integer(), fc.double(), fc.boolean(), fc.constant(null));
		await fc.assert(
			fc.asyncProperty(plain, async (value) => {
				const json = { value } as IDataObject;
				const { alone } = await ask(json, ['[{{ $json.value }}]']);
				expect(alone).toEqual([`[${formatInText(value) ?? ''}]`]);
			}),
			{ numRuns: propertyRuns(200) },
		);
	});
});

test('a date that is none is not taken for an empty field', async () => {
	const none = DateTime.fromISO('none');
	expect(formatDates(none)).toBe(none);
	const { together } = await ask({}, ['{{ DateTime.fromISO("none") }}', '{{ 1 }}']);
	expect(together).toEqual([expect.objectContaining({ isValid: false }), 1]);
});
