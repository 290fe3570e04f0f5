import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { Payments } from '../../../../nodes/Payments/Payments.node';
import type { Input } from '../../../../nodes/Payments/Input';
import { inputReader } from '../../../../nodes/Payments/input/inputReader';
import type { TransactionSource } from '../../../../nodes/Payments/Transaction';
import { EngineCredentials, runNode } from '../../../support/engine/harness';

/* What the node reads from its parameters, and how often it asks n8n's engine for it. */

/**
 * Reads the transaction of each item as the node does, and lists the expressions that the engine
 * evaluates for it.
 */
async function read(parameters: IDataObject, items: IDataObject[]) {
	const inputs: Input[] = [];
	const evaluated: string[] = [];
	const nodeType = Object.assign(new Payments(), {
		async execute(this: IExecuteFunctions) {
			const context = Object.create(this) as IExecuteFunctions;
			context.evaluateExpression = (expression, itemIndex) => {
				evaluated.push(expression);
				return this.evaluateExpression(expression, itemIndex);
			};
			const readInput = inputReader(context, parameters.specifyTransaction as TransactionSource);
			items.forEach((_, itemIndex) => inputs.push(readInput(itemIndex)));
			return [[]];
		},
	});
	const { data } = await runNode({
		node: { type: 'n8n-nodes-payments.payments', parameters: parameters as never },
		nodeType,
		items: items.map((json) => ({ json })),
		credentials: new EngineCredentials({}),
	}).finished;
	expect(data.resultData.error).toBeUndefined();
	return { inputs, evaluated };
}

const LEFT_OUT = 'left out';
const required = new Payments().description.properties.filter(({ required }) => required);
/** Parameters of the node for which only some fields are given. */
const fieldsOf = (fields: IDataObject): IDataObject => ({
	specifyTransaction: 'fields',
	...Object.fromEntries(required.map(({ name }) => [name, LEFT_OUT])),
	...fields,
});

/** Reads some fields of one item. */
async function readFields(fields: IDataObject, json: IDataObject = {}) {
	const { inputs, evaluated } = await read(fieldsOf(fields), [json]);
	const [input] = inputs;
	const given = Object.entries((input.value ?? {}) as IDataObject).filter(
		([, value]) => value !== LEFT_OUT && value !== '',
	);
	return { ...input, value: Object.fromEntries(given), evaluated };
}

const readJson = async (transactionJson: string, json: IDataObject = {}) =>
	(await read({ specifyTransaction: 'json', transactionJson }, [json])).inputs[0];

/**
 * What `readFields` returns when an expression throws.
 *
 * @param first a part of the expression with which all are evaluated at once
 * @param others the expressions that are evaluated after it, one by one
 */
const notEvaluated = (field: string, first: string, others: string[]) => ({
	unread: [
		{
			field,
			message: expect.stringMatching(/evaluated: ./) as string,
			fix: expect.stringContaining('Correct the expression') as string,
		},
	],
	value: expect.not.objectContaining({ [field]: expect.anything() as unknown }) as object,
	evaluated: [expect.stringContaining(first) as string, ...others],
});

describe('the engine is asked', () => {
	test.each<[string, IDataObject, IDataObject]>([
		['typed text', { amount: '10.00', currency: 'EUR' }, { amount: '10.00', currency: 'EUR' }],
		['a dragged field', { amount: '={{ $json.a }}' }, { amount: '5' }],
		[
			'a text with dragged fields',
			{ reference: '=No. {{ $json.no }}{{ $json.yes }}' },
			{ reference: 'No. 7true' },
		],
		[
			'a text with a dragged field that is zero',
			{ reference: '=No. {{ $json.zero }}' },
			{ reference: 'No. 0' },
		],
	])('never for %s', async (_, fields, value) => {
		const { evaluated, ...input } = await readFields(fields, { a: '5', no: 7, yes: true, zero: 0 });
		expect(input.value).toEqual(value);
		expect(evaluated).toEqual([]);
	});

	test('once for one expression, as it was typed', async () => {
		const { value, evaluated } = await readFields({ amount: '={{ $json.a + "0" }}' }, { a: '5.0' });
		expect(value).toEqual({ amount: '5.00' });
		expect(evaluated).toEqual(['{{ $json.a + "0" }}']);
	});

	test('once for a dragged field that may be something else to the engine', async () => {
		const { value, evaluated } = await readFields(
			{ amount: '={{ $json.a.length }}' },
			{ a: 'abc' },
		);
		expect(value).toEqual({ amount: 3 });
		expect(evaluated).toEqual(['{{ $json.a.length }}']);
	});

	test('once for all expressions of an item, and again for the next', async () => {
		const fields = {
			amount: '={{ $json.a + "0" }}',
			currency: '={{ "EU" + "R" }}',
			reference: '=No. {{ $json.no + 1 }} of {{ $json.no }}',
			externalId: '=INV-{{ $json.no }}',
		};
		const items = [
			{ a: '5.0', no: 1 },
			{ a: '6.0', no: 2 },
		];
		const { inputs, evaluated } = await read(fieldsOf(fields), items);
		expect(inputs).toMatchObject([
			{ value: { amount: '5.00', currency: 'EUR', reference: 'No. 2 of 1', externalId: 'INV-1' } },
			{ value: { amount: '6.00', currency: 'EUR', reference: 'No. 3 of 2', externalId: 'INV-2' } },
		]);
		expect(evaluated).toHaveLength(2);
	});

	test('once for a text with one expression that is not a dragged field', async () => {
		const fields = { reference: '=No. {{ $json.no + 1 }}' };
		const { value, evaluated } = await readFields(fields, { no: 1 });
		expect(value).toEqual({ reference: 'No. 2' });
		expect(evaluated).toHaveLength(1);
	});

	test('for each field when one of them throws, and its message names the field', async () => {
		const fields = { amount: '={{ $json.a + "0" }}', currency: '={{ $("Nowhere").item.json.a }}' };
		const others = ['{{ $json.a + "0" }}', '{{ $("Nowhere").item.json.a }}'];
		expect(await readFields(fields, { a: '5.0' })).toMatchObject(
			notEvaluated('currency', '$json.a + "0"', others),
		);
	});

	test('for each field when one of them is more than an expression', async () => {
		const fields = { amount: '={{ "5", "6" }}', currency: '={{ 1), ("EUR" }}' };
		const { unread, evaluated } = await readFields(fields);
		expect(unread?.[0].message).toMatch(/evaluated: ./);
		expect(evaluated).toHaveLength(3);
	});

	test('apart for an expression with braces in it', async () => {
		const fields = {
			amount: '={{ "5" + "0" }}',
			currency: '={{ "EU" + "R" }}',
			reference: '=No. {{ "\\}}" }} {{ $json.no + 1 }}',
		};
		const { value, evaluated } = await readFields(fields, { no: 1 });
		expect(value).toEqual({ amount: '50', currency: 'EUR', reference: 'No. }} 2' });
		expect(evaluated[0]).toContain('"EU" + "R"');
		expect(evaluated[0]).not.toContain('No.');
		expect(evaluated.at(-1)).toBe('No. {{ "\\}}" }} {{ $json.no + 1 }}');
	});

	test('for a text when a dragged field in it is an object', async () => {
		const { value, evaluated } = await readFields(
			{ reference: '=No. {{ $json.list }}' },
			{ list: [1, 2] },
		);
		expect(value).toEqual({ reference: 'No. 1,2' });
		expect(evaluated.at(-1)).toBe('No. {{ $json.list }}');
	});
});

test('a text names its expression that throws', async () => {
	const reference = '=No. {{ 1 + 1 }} {{ $("Nowhere").item.json.a }}';
	const others = ['{{ 1 + 1 }}', '{{ $("Nowhere").item.json.a }}'];
	expect(await readFields({ reference })).toMatchObject(notEvaluated('reference', '1 + 1', others));
});

test.each([
	['=No. {{ $json.nothing }}', []],
	['=No. {{ $json.list }}/{{ $json.nothing }}', ['{{ $json.list }}', '{{ $json.nothing }}']],
])('a text names its expression without a value: %s', async (reference, asked) => {
	const { unread, evaluated } = await readFields({ reference }, { nothing: null, list: [1] });
	expect(unread?.[0].message).toContain('{{ $json.nothing }}');
	expect(evaluated).toEqual(asked);
});

test('an input says which fields have expressions, and the columns of those that were dragged', async () => {
	const fields = {
		amount: '={{ $json.a.b }}',
		currency: '={{ "EUR" }}',
		reference: 'typed',
		externalId: '={{ $json }}',
	};
	const input = await readFields(fields, { a: { b: '5' } });
	expect(input.expressionFields).toEqual(new Set(['amount', 'currency', 'externalId']));
	expect(input.columnByField).toEqual(new Map([['amount', 'a.b']]));
});

test('a field with a list holds its value in an object', async () => {
	const locator = (value: unknown) => ({ __rl: true, mode: 'id', value }) as IDataObject;
	const fields = {
		senderCountryCode: locator('BE'),
		recipientCountryCode: locator('={{ $json.c }}'),
	};
	expect(await readFields(fields, { c: 'DK' })).toMatchObject({
		value: { 'sender.countryCode': 'BE', 'recipient.countryCode': 'DK' },
	});
});

describe('JSON', () => {
	test('is text, or an expression that gives an object', async () => {
		expect(await readJson('{ "amount": "5" }')).toEqual({ value: { amount: '5' } });
		expect(await readJson('={{ $json }}', { amount: '6' })).toEqual({ value: { amount: '6' } });
		expect(await readJson('={ "amount": "{{ $json.a }}" }', { a: '7' })).toEqual({
			value: { amount: '7' },
		});
	});

	test('that is none says so', async () => {
		expect(await readJson('{ amount }')).toEqual({
			problem: {
				field: 'transaction',
				message: expect.stringContaining('JSON') as string,
				fix: expect.stringContaining('{{ $json }}') as string,
			},
		});
	});

	test('with a problem has it', async () => {
		expect(await readJson('{ "amount": "{{ $json.a }}" }')).toMatchObject({
			problem: { field: 'transaction', fix: expect.stringContaining('to Expression') as string },
		});
	});
});
