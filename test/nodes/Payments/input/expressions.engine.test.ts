import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Payments } from '../../../../nodes/Payments/Payments.node';
import { parameterReader } from '../../../../nodes/Payments/input/expressions';
import { EngineCredentials, runNode } from '../../../support/engine/harness';

/* What a parameter is, together with others, compared with what n8n's engine says of it alone. */

const ITEM = {
	amount: '10.50',
	count: 7,
	zero: 0,
	yes: true,
	no: false,
	nothing: null,
	blank: ' ',
	'a b': 'blank',
	nested: { deep: { value: 'deep' } },
	list: ['first', ['inner']],
	template: 'Template {{ name }}',
} as unknown as IDataObject;

/** What the engine gives a node that runs, which also evaluates when it has ended. */
let engine: IExecuteFunctions;
const keep = (context: IExecuteFunctions) => (engine = context);
beforeAll(async () => {
	const nodeType = {
		description: { ...new Payments().description, properties: [] },
		async execute(this: IExecuteFunctions) {
			keep(this);
			return [[]];
		},
	};
	await runNode({
		node: { type: 'n8n-nodes-payments.payments', parameters: {} },
		nodeType,
		items: [ITEM, { count: 8 }].map((json) => ({ json })),
		credentials: new EngineCredentials({}),
	}).finished;
});

/** Reads parameters for an item, and counts how often the engine was asked. */
function read(raws: unknown[], itemIndex = 0) {
	let evaluations = 0;
	const context = Object.create(engine) as IExecuteFunctions;
	context.evaluateExpression = (...args) => {
		evaluations++;
		return engine.evaluateExpression(...args);
	};
	const reader = parameterReader(context, new Map(raws.map((raw, index) => [`p${index}`, raw])));
	const byName = reader.read(itemIndex);
	return { values: raws.map((_, index) => byName.get(`p${index}`)!), evaluations };
}

/** Reads the same parameter as an ID, and as a reference. */
function readAs(raw: string) {
	const rawByName = new Map([
		['id', raw],
		['reference', raw],
	] as const);
	const byName = parameterReader(engine, rawByName, new Set(['id'] as const)).read(0);
	return { id: byName.get('id')!, reference: byName.get('reference')! };
}

/** Reads one parameter beside another, and the same alone. */
const readOne = (raw: unknown) => read([raw, '={{ $json.count }}']).values[0];

test.each([7, undefined, 'plain', '', '=plain', '=', '$json.a }}', '{{ $json.a'])(
	'%p has the same value for every item, and the engine is not asked',
	(raw) => {
		const value = typeof raw === 'string' ? raw.replace(/^=/, '') : raw;
		expect(read([raw])).toEqual({ values: [{ value }], evaluations: 0 });
	},
);

test.each(['{{ $json.a }}', 'INV-{{ $json.a }}', '{{}}'])(
	'%j needs the switch to Expression',
	(raw) => expect(readOne(raw).problem?.message).toContain('Fixed'),
);

test('all expressions of an item are evaluated at once, and again for the next item', () => {
	const raws = ['={{ $json.count }}', '=No. {{ $json.count }} of {{ 9 }}', 'typed'];
	const values = (...all: unknown[]) => all.map((value) => ({ value }));
	expect(read(raws, 0)).toEqual({ values: values(7, 'No. 7 of 9', 'typed'), evaluations: 1 });
	expect(read(raws, 1)).toEqual({ values: values(8, 'No. 8 of 9', 'typed'), evaluations: 1 });
});

test.each([
	'={{ $json.count * 2 }}',
	'={{ $json.amount // a comment\n }}',
	'={{ `t ${$json.count}` }}',
	'={{ $json.amount.replace(/\\D/g, "") }}',
	'={{ $json.amount; }}',
	'={{ $json.count',
	'={{ "\\}}" }}',
	'={{ $json.amount }} {{ $json["a b"] }}',
	'={{ $json.template }}',
	'=a {{ $json.count }} b }} c',
	'=line\nbreak {{ $json.count }}\n{{ $json.zero }}',
	'={{ $json.yes }}{{ $json.no }}{{ $json.zero }}',
	'=a {{ $json.list }} b',
	'=a {{ DateTime.fromMillis(0) }} b',
	'=a {{ new Date(0) }} b',
	'=a {{ 1e21 }} {{ 0.1 + 0.2 }}',
	'=\\ {{ $json.count }} \\',
])('a value is what the engine says: %s', (raw) => {
	const { value, problem } = readOne(raw);
	expect(problem).toBeUndefined();
	expect(value).toEqual(engine.evaluateExpression(raw.slice(1), 0));
});

test.each([
	['={{ new Date(0) }}', '1970-01-01T00:00:00.000Z'],
	['={{ DateTime.fromMillis(0, { zone: "utc" }) }}', '1970-01-01T00:00:00.000Z'],
	['={{ DateTime.fromISO("none") }}', 'Invalid DateTime'],
])('a date becomes text: %s', (raw, value) => expect(readOne(raw)).toEqual({ value }));

describe('a part of an ID that has no value is named, and the same in a reference is right', () => {
	test.each([
		['={{ $json.no }}', 'gives false'],
		['={{ $json.yes }}', 'gives true'],
		['={{ [false] }}', 'gives a list'],
		['={{ $json.list }}', 'gives a list'],
		['={{ new Date(0) }}', 'gives an object'],
		['={{ DateTime.fromMillis(0) }}', 'gives an object'],
		["={{ '#N/A' }}", 'gives "#N/A"'],
		["={{ 'NULL' }}", 'gives "NULL"'],
		["={{ ' N/A ' }}", 'gives " N/A "'],
		["={{ 'None' }}", 'gives "None"'],
		["={{ 'false' }}", 'gives "false"'],
		["={{ '2.02611E+11' }}", 'gives "2.02611E+11"'],
		['={{ 1e21 }}', 'gives "1e+21"'],
		['={{ 2 ** 53 }}', 'gives 9007199254740992, a number'],
	])('INV-%s', (code, found) => {
		const text = code.replace('=', '=INV-');
		const { id, reference } = readAs(text);
		expect(id.problem?.message).toContain(` inside the text ${found}`);
		expect(id.problem?.fix).toMatch(/filter out.*another word/);
		expect(reference.problem).toBeUndefined();
	});

	test.each([
		['={{ $json.nothing }}', 'has no value'],
		['={{ $json.missing }}', 'has no value'],
		['={{ [] }}', 'has no value'],
		['={{ NaN }}', 'gives "NaN"'],
		['={{ $json.nested }}', 'gives '],
	])('INV-%s, in either of them', (code, found) => {
		for (const { problem } of Object.values(readAs(code.replace('=', '=INV-'))))
			expect(problem?.message).toContain(` inside the text ${found}`);
	});

	test.each(['7', '7.10', 'falsework', '100.00', 0, 7, 10.5])('INV-%p is right', (part) => {
		const { id, reference } = readAs(`=INV-{{ ${JSON.stringify(part)} }}`);
		expect([id, reference]).toEqual([{ value: `INV-${part}` }, { value: `INV-${part}` }]);
	});
});

describe('an expression that cannot be evaluated is named, and the others are read', () => {
	test.each([
		'={{ $json.missing.deeper }}',
		'={{ $("Nowhere").item.json.a }}',
		'={{ new Date("none") }}',
		'={{ $json.amount.trim }}',
		'={{ 1), (2 }}',
		'={{ 1), () => (2 }}',
		'={{ 5 + }}',
		'={{ }}',
		'=No. {{ $json.count }}/{{ $json.missing.deeper }}',
	])('%s', (raw) => {
		const { values } = read([raw, '={{ $json.count }}']);
		expect(values[0].problem?.message).toMatch(/can't be evaluated: ./);
		expect(values[0].problem?.fix).toContain('Correct');
		expect(values[1]).toEqual({ value: 7 });
	});

	test('also if two together would end each other', () => {
		const { values } = read(['={{ 1 /* }}', '={{ */ + 2 }}', '={{ $json.count }}']);
		expect(values.map(({ problem }) => problem !== undefined)).toEqual([true, true, false]);
	});

	test.each(['=a\\\\{{ $json.count }}', '=\\{{ $json.count }}', '=a \\\\ {{ $json.count }}'])(
		'backslashes that n8n reads in two ways: %s',
		(raw) => {
			const { problem } = readOne(raw);
			expect(problem?.message).toContain('backslash');
			expect(problem?.fix).toContain('one expression');
		},
	);
});

test.each([
	['that the item lacks', 'INV-{{ $json.missing }}', '{{ $json.missing }}'],
	['that is blank', 'INV-{{ $json.blank }}', '{{ $json.blank }}'],
	['that is null', 'INV-{{ $json.nothing }}', '{{ $json.nothing }}'],
	['beside one that has one', '{{ $json.amount }}/{{ $json.missing }}', '{{ $json.missing }}'],
	['that became text', 'INV-{{ String($json.missing) }}', '{{ String($json.missing) }}'],
	['an object', 'INV-{{ $json.nested }}', '{{ $json.nested }}'],
])('inside a text, an expression must have a value, and not one %s: %s', (_, text, expression) =>
	expect(readOne(`=${text}`).problem?.message).toContain(
		`The expression ${expression} inside the text`,
	),
);
