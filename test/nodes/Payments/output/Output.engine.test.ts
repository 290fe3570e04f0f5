import { readFileSync } from 'node:fs';

import Ajv from 'ajv';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { startFakeService } from '../../../support/servers/fakeService';
import { fieldsFromJson, rows, SAMPLE } from '../../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/* What the node puts out, in n8n's engine. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

const ITEM = { specifyTransaction: 'item' };
const run = async (items: IDataObject[], options: IDataObject = {}, node: Partial<INode> = {}) =>
	await bench.run(items, { ...ITEM, options }, { onError: 'continueRegularOutput', ...node });
const requests = async () => (await bench.sandbox.client.getCounts()).transactions.requests;
const itemOf = ({ pairedItem }: INodeExecutionData) => (pairedItem as { item: number }).item;

const SCHEMA = JSON.parse(
	readFileSync('nodes/Payments/__schema__/v1.0.0/transaction/create.json', 'utf8'),
) as { properties: object };
const FIELDS = Object.keys(SCHEMA.properties);
const fits = new Ajv({ strict: false }).compile({
	...SCHEMA,
	required: ['outcome', 'message', 'fix'],
	additionalProperties: false,
});

test('items of all outcomes have the fields that the editor shows before the first execution', async () => {
	await run(rows(1, () => ({ eventId: 'mine' })));
	await bench.sandbox.client.setFaults({
		idempotencyKeys: false,
		next: [{ status: 422 }, { status: 500 }],
	});
	const { json } = await run(
		[
			...rows(1, () => ({ externalId: 'first', eventId: 'e1' })),
			...rows(1, () => ({ externalId: 'second', eventId: 'e2' })),
			...rows(1, () => ({ eventId: 'mine' })),
			...rows(1, () => ({ externalId: 'third', eventId: 'e4' })),
			{ amount: '1,5', eventId: 'e5' },
		],
		{ maxConcurrentRequests: 1, includeResponseHeaders: true },
	);
	const dryRun = await run(rows(1), { dryRun: true });
	const notSent = await run(rows(1), { timeout: 0 });
	const all = [...json, ...dryRun.json, ...notSent.json];
	expect(all.map(({ outcome }) => outcome)).toEqual(
		'rejected unknown duplicate created invalid dryRun notSent'.split(' '),
	);
	expect(FIELDS).toHaveLength(11);
	for (const item of all) {
		expect(Object.keys(item)).toEqual(FIELDS.filter((name) => name in item));
		expect([item, fits(item), fits.errors]).toEqual([item, true, null]);
	}
	for (const { outcome, fix } of all)
		expect([outcome, /whether money moved/.test(fix as string)]).toEqual([
			outcome,
			outcome === 'created',
		]);
	expect(all.map(({ statusCode }) => statusCode)).toEqual([422, 500, 409, 202, ...Array(3)]);
});

test('headers of the response help support, without the access token, if the option is on', async () => {
	const service = await startFakeService(({ headers }, response) => {
		const echoed = { 'X-Request-Id': `r1 ${headers.authorization}`, 'Set-Cookie': 'session=1' };
		response.writeHead(202, echoed).end();
	});
	service.tokenMembers = { access_token: 'an-access-token-of-a-service' };
	await bench.seed({ authUrl: service.url, baseUrl: service.url });
	const [shown] = (await run(rows(1), { includeResponseHeaders: true })).json;
	expect(shown.responseHeaders).toEqual({
		'x-request-id': 'r1 Bearer •••',
		date: expect.any(String) as string,
	});
	expect((await run(rows(1))).json[0]).not.toHaveProperty('responseHeaders');
	await service.stop();
});

test('an invalid item shows what the input has, and names everything to correct', async () => {
	const [row] = rows(1, () => ({ amount: '1,5', currency: 'EURO', externalId: 17 }));
	const { json } = await run([row, ...rows(1)]);
	expect(json[0]).toMatchObject({
		outcome: 'invalid',
		externalId: 17,
		amount: '1,5',
		currency: 'EURO',
		recipient: SAMPLE.recipient.externalPaymentChannelId,
		message: expect.stringMatching(/^'Amount'.*1,5.*; 'Currency'.*EURO/) as string,
		fix: expect.stringMatching(
			/^External ID 17: 'Amount': .*\. 'Currency': .*wasn't sent/,
		) as string,
	});
});

test('what the service answered stops the execution with its status, anything else does not have one', async () => {
	await bench.sandbox.client.setFaults({ next: [{ status: 422 }] });
	const rejected = await bench.run(rows(1), ITEM);
	expect(rejected.error).toMatchObject({
		name: 'NodeApiError',
		httpCode: '422',
		message: expect.stringContaining('status 422') as string,
		description: expect.stringContaining('External ID "pmt_0"') as string,
	});
	const invalid = await bench.run(
		rows(1, () => ({ amount: 'x' })),
		ITEM,
	);
	expect(invalid.error).toMatchObject({ name: 'NodeOperationError' });
});

test('the error output has the fields of the input first, and then the same', async () => {
	const { outputs } = await run(
		rows(2, (index) => ({ note: 'mine', ...(index === 0 && { amount: '1,5' }) })),
		{},
		{ onError: 'continueErrorOutput' },
	);
	expect(outputs.map((items) => items.map(itemOf))).toEqual([[1], [0]]);
	const [{ json }] = outputs[1];
	expect(json.note).toBe('mine');
	expect(Object.keys(json)).toEqual(expect.arrayContaining(['outcome', 'recipient', 'fix']));
	expect(json).toMatchObject({ outcome: 'invalid', amount: '1,5' });
	expect(json).not.toHaveProperty('error');
});

test('Retry On Fail leaves an item alone that the node puts out, because Max Retry Time retries', async () => {
	await bench.sandbox.client.setFaults({ next: [{ status: 422 }] });
	const { json } = await run(rows(1), {}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
	expect(json).toMatchObject([{ outcome: 'rejected' }]);
	expect(await requests()).toBe(1);
});

test.each<[string, IDataObject, Partial<INode>, IDataObject, RegExp]>([
	['an option', { options: { timeout: 0 } }, {}, {}, /'Timeout \(Seconds\)'/],
	[
		'an option whose expression throws',
		{ options: { timeout: '={{ $("Nobody").item.json.x }}' } },
		{},
		{},
		/doesn't exist/,
	],
	[
		'settings that contradict each other',
		{ options: { onDuplicate: 'stop' } },
		{ retryOnFail: true },
		{},
		/'Retry On Fail'/,
	],
	[
		'limits of the credential that nobody can read',
		{},
		{},
		{ maxAmounts: 'five euros' },
		/credential can't be used/,
	],
	[
		'codes of the credential that nobody can read',
		{},
		{},
		{ recordedCodes: 'A, "already exists' },
		/'Codes for Recorded Already'.*entry 2/,
	],
	['a custom API call', { operation: '__CUSTOM_API_CALL__' }, {}, {}, /custom API call/],
	['no credential', {}, { credentials: {} }, {}, /credential/i],
])(
	'%s: nothing is sent, and each item says so',
	async (_, parameters, node, credential, message) => {
		await bench.seed(credential);
		const { outputs, error } = await bench.run(
			rows(2),
			{ ...ITEM, ...parameters },
			{
				...node,
				onError: 'continueErrorOutput',
			},
		);
		expect(error).toBeUndefined();
		expect(outputs.map((items) => items.map(itemOf))).toEqual([[], [0, 1]]);
		for (const { json } of outputs[1]) {
			expect(json).toMatchObject({ outcome: 'notSent' });
			expect(json.message).toMatch(message);
		}
		if (parameters.operation === undefined)
			expect(outputs[1].map(({ json }) => json.externalId)).toEqual(['pmt_0', 'pmt_1']);
		expect(await requests()).toBe(0);
	},
);

test('what keeps all items back leaves them what the input says of them', async () => {
	await bench.seed({ clientId: '={{ $json.client }}' });
	const unlike = rows(3, (index) => ({
		client: index,
		amount: index === 2 ? '1,5' : '1.50',
		...(index === 1 ? { externalId: 4711 } : {}),
	}));
	for (const parameters of [ITEM, fieldsFromJson()]) {
		const { json } = await bench.run(unlike, parameters, { onError: 'continueRegularOutput' });
		expect(json.map(({ externalId, amount }) => [externalId, amount])).toEqual([
			['pmt_0', '1.50'],
			[4711, '1.50'],
			['pmt_2', '1,5'],
		]);
		expect(json[0]).toMatchObject({
			outcome: 'notSent',
			recipient: SAMPLE.recipient.externalPaymentChannelId,
		});
		expect(json[1].fix).toMatch(/^External ID 4711: /);
	}
	expect(await requests()).toBe(0);
});

test('what keeps all items back stops the execution, unless it continues on fail or is a tool', async () => {
	const unusable = { ...ITEM, options: { timeout: 0 } };
	expect((await bench.run(rows(2), unusable)).error?.message).toMatch(/'Timeout \(Seconds\)'/);
	for (const onError of [undefined, 'stopWorkflow'] as const) {
		const node = { type: 'n8n-nodes-payments.paymentsTool', onError };
		const { json, error } = await bench.run(rows(1), unusable, node);
		expect(error).toBeUndefined();
		expect(json[0]).toMatchObject({ outcome: 'notSent', externalId: 'pmt_0' });
		expect(json[0].fix).toMatch(/Tell the user/);
	}
});

describe('as the tool of an agent', () => {
	/** n8n knows a tool by the name of its type. */
	const tool = async (changes: IDataObject, options: IDataObject = {}) => {
		const node = { type: 'n8n-nodes-payments.paymentsTool' };
		const { json, error } = await bench.run(
			rows(1, () => changes),
			{ ...ITEM, options },
			node,
		);
		expect(error).toBeUndefined();
		return json[0];
	};

	test('an error output is a contradiction, because n8n would drop what is paid', async () => {
		const node = {
			type: 'n8n-nodes-payments.paymentsTool',
			onError: 'continueErrorOutput',
		} as const;
		const { run } = await bench.run(rows(1), ITEM, node);
		const [{ error }] = run.data.resultData.runData.Payments;
		expect(error?.message).toMatch(/^Nothing was sent.*'On Error'/);
		expect(await requests()).toBe(0);
	});

	test('what is written wrong can be corrected, and the rest is for the user', async () => {
		const json = await tool({ amount: '1,5', currency: 'EURO' });
		expect(json.outcome).toBe('invalid');
		expect(json.message).toMatch(/'Amount'.*'Currency'/);
		expect(json.fix).toMatch(/^'Amount': .*dot[^]*Tell the user/);
	});

	test.each<[string, IDataObject, IDataObject, IDataObject]>([
		['the amount', { amount: '5.01' }, { maxAmounts: '5' }, {}],
		['the recipient', {}, { allowedRecipients: 'somebody' }, {}],
		['the amount of the option', { amount: '5.01' }, {}, { maxAmount: 'EUR 5' }],
		['the total', { amount: '5.01' }, {}, { maxTotal: 'EUR 5' }],
	])(
		'beyond a limit of %s, the model is not told how to pay less',
		async (_, changes, limits, options) => {
			await bench.seed(limits);
			const json = await tool(changes, options);
			expect(json).toMatchObject({ outcome: 'invalid' });
			expect(json.fix).toMatch(/Don't change or split the transaction\. Tell the user/);
			expect(json.fix).not.toMatch(
				/lower|remove|use one|correct the (amount|currency|payment channel)|raise|add/i,
			);
			expect(await requests()).toBe(0);
		},
	);
});
