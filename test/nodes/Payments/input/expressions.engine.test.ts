import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Payments } from '../../../../nodes/Payments/Payments.node';
import { parameterReader } from '../../../../nodes/Payments/input/expressions';
import type { Result } from '../../../../nodes/shared/result';
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
	"it's": 'quote',
	nested: { deep: { value: 'deep' }, list: [1, { x: 'in list' }, null] },
	list: ['first', ['inner']],
	template: 'Template {{ name }}',
} as unknown as IDataObject;

interface Answer {
	values: Array<Result<unknown>>;
	/** What n8n says of each; an error if it throws. */
	alone: unknown[];
	/** How often the engine was asked for the values. */
	evaluations: number;
}

async function read(raws: unknown[], items: IDataObject[] = [ITEM]): Promise<Answer> {
	let answer: Answer | undefined;
	const nodeType = {
		description: { ...new Payments().description, properties: [] },
		async execute(this: IExecuteFunctions) {
			let evaluations = 0;
			const context = Object.create(this) as IExecuteFunctions;
			context.evaluateExpression = (expression, itemIndex) => {
				evaluations++;
				return this.evaluateExpression(expression, itemIndex);
			};
			const reader = parameterReader(
				context,
				new Map(raws.map((raw, index) => [`p${index}`, raw])),
			);
			const values = items.flatMap((_, itemIndex) => [...reader.read(itemIndex)]);
			const alone = raws.map((raw) => {
				if (typeof raw !== 'string' || !raw.startsWith('=')) return raw;
				try {
					return this.evaluateExpression(raw.slice(1), 0) as unknown;
				} catch (error) {
					return error;
				}
			});
			const byName = values.sort(([one], [other]) => Number(one.slice(1)) - Number(other.slice(1)));
			answer = { values: byName.map(([, value]) => value), alone, evaluations };
			return [[]];
		},
	};
	await runNode({
		node: { type: 'n8n-nodes-payments.payments', parameters: {} },
		nodeType,
		items: items.map((json) => ({ json })),
		credentials: new EngineCredentials({}),
	}).finished;
	return answer!;
}

/** Reads one parameter beside another, and the same alone. */
const readOne = async (raw: unknown) => (await read([raw, '={{ $json.count }}'])).values[0];

test.each([7, undefined, 'plain', '', '=plain', '=', '$json.a }}', '{{ $json.a'])(
	'%p has the same value for every item, and the engine is not asked',
	async (raw) => {
		const { values, evaluations } = await read([raw]);
		expect(values).toEqual([{ value: typeof raw === 'string' ? raw.replace(/^=/, '') : raw }]);
		expect(evaluations).toBe(0);
	},
);

test.each(['{{ $json.a }}', 'INV-{{ $json.a }}', '{{}}'])(
	'%j needs the switch to Expression',
	async (raw) => expect((await readOne(raw)).problem?.message).toContain('Fixed'),
);

test('all expressions of an item are evaluated at once, and again for the next item', async () => {
	const raws = [
		'={{ $json.n }}',
		'=No. {{ $json.n }} of {{ $json.n + 1 }}',
		'typed',
		'={{ $itemIndex }}',
	];
	const { values, evaluations } = await read(raws, [{ n: 1 }, { n: 2 }]);
	expect(evaluations).toBe(2);
	expect(values.map(({ value }) => value)).toEqual([
		1,
		2,
		'No. 1 of 2',
		'No. 2 of 3',
		'typed',
		'typed',
		0,
		1,
	]);
});

describe('a value is what the engine says', () => {
	test.each([
		'={{ $json.amount }}',
		'={{ $json.count * 2 }}',
		'={{ $json.amount // a comment\n }}',
		'={{ /* another */ $json.count }}',
		'={{ "a,b".split(",")[1] }}',
		'={{ `t ${$json.count}` }}',
		'={{ $json.amount.replace(/\\D/g, "") }}',
		'={{ $json.amount; }}',
		'={{ $json.count',
		'={{ "\\}}" }}',
		'=INV-{{ $json.count }}',
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
	])('%s', async (raw) => {
		const { values, alone } = await read([raw, '={{ $json.count }}']);
		expect(values[0].problem).toBeUndefined();
		expect(values[0].value ?? null).toEqual(alone[0] ?? null);
	});

	test.each([
		['={{ new Date(0) }}', '1970-01-01T00:00:00.000Z'],
		['={{ DateTime.fromMillis(0, { zone: "utc" }) }}', '1970-01-01T00:00:00.000Z'],
		['={{ DateTime.fromISO("none") }}', 'Invalid DateTime'],
	])('a date becomes text: %s', async (raw, value) =>
		expect(await readOne(raw)).toEqual({ value }),
	);
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
		'=No. {{ 5 + }}',
	])('%s', async (raw) => {
		const { values } = await read([raw, '={{ $json.count }}']);
		expect(values[0].problem?.message).toMatch(/can't be evaluated: ./);
		expect(values[0].problem?.fix).toContain('Correct');
		expect(values[1]).toEqual({ value: 7 });
	});

	test.each(['=a\\\\{{ $json.count }}', '=\\{{ $json.count }}', '=a \\\\ {{ $json.count }}'])(
		'backslashes that n8n reads in two ways: %s',
		async (raw) => {
			const { problem } = await readOne(raw);
			expect(problem?.message).toContain('backslash');
			expect(problem?.fix).toContain('one expression');
		},
	);
});

describe('an expression inside a text must have a value', () => {
	test.each([
		['that the item lacks', 'INV-{{ $json.missing }}', '{{ $json.missing }}'],
		['that is blank', 'INV-{{ $json.blank }}', '{{ $json.blank }}'],
		['that is null', 'INV-{{ $json.nothing }}', '{{ $json.nothing }}'],
		['beside one that has one', '{{ $json.amount }}/{{ $json.missing }}', '{{ $json.missing }}'],
		['that became text', 'INV-{{ String($json.missing) }}', '{{ String($json.missing) }}'],
		['an object', 'INV-{{ $json.nested }}', '{{ $json.nested }}'],
	])('%s: %s', async (_, text, expression) => {
		const { problem } = await readOne(`=${text}`);
		expect(problem?.message).toContain(`The expression ${expression} inside the text`);
	});
});

test('what ends the code of one expression in another is not evaluated together with it', async () => {
	const { values } = await read(['={{ 1 /* }}', '={{ */ + 2 }}', '={{ $json.count }}']);
	expect(values.map(({ problem }) => problem !== undefined)).toEqual([true, true, false]);
});
