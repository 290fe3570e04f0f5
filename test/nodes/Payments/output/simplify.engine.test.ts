import { readFileSync } from 'node:fs';

import Ajv from 'ajv';
import type { IDataObject, INode } from 'n8n-workflow';

import { rows } from '../../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/*
 * What the node puts out by default, in n8n's engine: the parameters that the editor stores don't
 * name a default.
 */

let bench: PaymentsBench;
useBench((one) => (bench = one));

/** Runs with the node's own default instead of the one of the tests. */
const run = async (
	items: IDataObject[],
	parameters: IDataObject = {},
	node: Partial<INode> = { onError: 'continueRegularOutput' },
) =>
	await bench.run(
		items,
		{ specifyTransaction: 'item', simplify: undefined, ...parameters } as IDataObject,
		node,
	);

test('by default an item has at most 10 flat fields, and those that the editor shows before the first execution', async () => {
	const { json } = await run(rows(2));
	const schema = JSON.parse(
		readFileSync('nodes/Payments/__schema__/v1.0.0/transaction/create.json', 'utf8'),
	) as { properties: object };
	for (const item of json) {
		expect(Object.keys(item)).toEqual(Object.keys(schema.properties));
		expect(Object.keys(item).length).toBeLessThanOrEqual(10);
	}
	const validate = new Ajv({ strict: false }).compile({
		...schema,
		required: Object.keys(schema.properties),
		additionalProperties: false,
	});
	expect([validate(json[0]), validate.errors]).toEqual([true, null]);
	expect(json[0]).toMatchObject({
		outcome: 'created',
		status: 'ACCEPTED',
		amount: '1.50',
		recipientEntityId: 'eus_v8jkx67no9g0dbglam',
	});
});

test('a list of all outcomes can be routed by its outcome, and no field is empty', async () => {
	await run(rows(1, () => ({ eventId: 'mine' })));
	await bench.sandbox.client.setFaults({ next: [{ status: 422 }] });
	const { json } = await run(
		[
			...rows(1, () => ({ externalId: 'other' })),
			...rows(1, () => ({ eventId: 'mine' })),
			...rows(1, () => ({ amount: '1,5', externalId: 'third' })),
		],
		{ options: { maxConcurrentRequests: 1 } },
	);
	expect(json.map(({ outcome }) => outcome)).toEqual(['rejected', 'duplicate', 'invalid']);
	expect(json.flatMap((item) => Object.values(item)).filter((value) => value === null)).toEqual([]);
	expect(json[0]).toMatchObject({ statusCode: 422, error: expect.any(String) as string });
	expect(json[1]).not.toHaveProperty('error');
	expect(json[2]).toMatchObject({ amount: '1,5', description: expect.any(String) as string });
	for (const item of json) expect(Object.keys(item).length).toBeLessThanOrEqual(10);
});

test('turned off, an item has everything', async () => {
	const { json } = await run(rows(1), { simplify: false });
	expect(json[0]).toMatchObject({
		sender: { countryCode: 'BE' },
		receivedAt: expect.any(Number) as number,
	});
});

test('the error output has the fields of the input, and the reason', async () => {
	const { outputs } = await run(
		rows(1, () => ({ amount: '1,5', row_number: 7 })),
		{},
		{ onError: 'continueErrorOutput' },
	);
	expect(outputs[0]).toEqual([]);
	expect(outputs[1][0].json).toMatchObject({
		row_number: 7,
		outcome: 'invalid',
		message: expect.stringContaining('amount: ') as string,
		description: expect.stringContaining("wasn't sent") as string,
		error: expect.any(String) as string,
	});
});

test('Retry On Fail sends a rejected transaction again, as with all fields', async () => {
	await bench.sandbox.client.setFaults({ next: [{ status: 422 }] });
	const { json } = await run(
		rows(1),
		{},
		{
			onError: 'continueRegularOutput',
			retryOnFail: true,
			maxTries: 2,
			waitBetweenTries: 1,
		},
	);
	expect(json).toMatchObject([{ outcome: 'created' }]);
});

describe('as the tool of an agent', () => {
	/** n8n knows a tool by the name of its type. */
	const tool = async (parameters: IDataObject, items = rows(1)) =>
		(
			await bench.run(
				items,
				{ specifyTransaction: 'item', ...parameters },
				{ type: 'n8n-nodes-payments.paymentsTool', onError: 'continueRegularOutput' },
				1,
			)
		).json[0];

	test('Simplify has no meaning: the output is simplified by default', async () => {
		const json = await tool({ simplify: false });
		expect(json).toMatchObject({
			outcome: 'created',
			recipientEntityId: expect.any(String) as string,
		});
		expect(json).not.toHaveProperty('sender');
	});

	test('raw', async () => {
		expect(await tool({ output: 'raw' })).toMatchObject({ sender: { countryCode: 'BE' } });
	});

	test.each([
		[undefined, ['outcome', 'eventId', 'message', 'externalId']],
		[[], ['outcome', 'eventId']],
		[
			['status', 'amount'],
			['outcome', 'eventId', 'status', 'amount'],
		],
		[['statusCode'], ['outcome', 'eventId', 'statusCode']],
	])('selected fields: %j', async (outputFields, expected) => {
		const json = await tool({ output: 'selectedFields', outputFields } as IDataObject);
		expect(Object.keys(json)).toEqual(expected);
	});

	test.each([undefined, 'stopWorkflow'] as const)(
		'an item has the reason and the fix of all problems, with On Error %s',
		async (onError) => {
			const { json, error } = await bench.run(
				rows(1, () => ({ amount: '1,5', currency: 'EURO' })),
				{ specifyTransaction: 'item' },
				{ type: 'n8n-nodes-payments.paymentsTool', onError },
				1,
			);
			expect(error).toBeUndefined();
			expect(json[0]).toMatchObject({ outcome: 'invalid' });
			expect(json[0].description).toMatch(/amount: .*\ncurrency: /);
		},
	);

	test('selected fields of a transaction that is not recorded have the reason', async () => {
		const json = await tool(
			{ output: 'selectedFields', outputFields: ['amount'] },
			rows(1, () => ({ amount: '1,5' })),
		);
		expect(json).toMatchObject({ outcome: 'invalid', eventId: null, amount: '1,5' });
		expect(json.error).toContain('amount: "1,5" ');
	});
});

test('Output has no meaning where the node is not a tool', async () => {
	const { json } = await run(rows(1), { output: 'selectedFields', outputFields: [] });
	expect(json[0]).toHaveProperty('recipientEntityId');
});
