import { readFileSync } from 'node:fs';

import Ajv from 'ajv';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { waitUntil } from '../../../../host/waitUntil';
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
	required: ['outcome', 'message'],
	additionalProperties: false,
});

test('items of all outcomes have the fields that the editor shows before the first execution', async () => {
	await run(rows(1, () => ({ eventId: 'mine' })));
	await bench.sandbox.client.setFaults({
		idempotencyKeys: false,
		next: [{ status: 422 }, { status: 500 }],
	});
	const { json } = await run(
		rows(5, (index) => ({
			eventId: ['e1', 'e2', 'mine', 'e4', 'e5'][index],
			...(index === 2 ? { externalId: 'pmt_0', amount: '1.50', reference: 'Invoice 0' } : {}),
			...(index === 4 ? { amount: '1,5' } : {}),
		})),
		{ maxConcurrentRequests: 1, includeResponse: true },
	);
	const dryRun = await run(rows(1), { dryRun: true });
	const notSent = await run(rows(1), { timeout: 0 });
	const all = [...json, ...dryRun.json, ...notSent.json];
	expect(all.map(({ outcome }) => outcome)).toEqual(
		'rejected unknown duplicate created invalid dryRun notSent'.split(' '),
	);
	expect(FIELDS).toHaveLength(15);
	for (const item of all) {
		expect(Object.keys(item)).toEqual(FIELDS.filter((name) => name in item));
		expect([item, fits(item), fits.errors]).toEqual([item, true, null]);
	}
	const successes = all.filter(({ fix }) => fix === undefined).map(({ outcome }) => outcome);
	expect(successes).toEqual(['duplicate', 'created', 'dryRun']);
	expect(all.map(({ statusCode }) => statusCode)).toEqual([422, 500, 409, 202, ...Array(3)]);
});

test('the option shows what was sent and answered of what is created, too, without the access token', async () => {
	const service = await startFakeService(({ headers }, response) => {
		const echoed = { 'X-Request-Id': `r1 ${headers.authorization}`, 'Set-Cookie': 'session=1' };
		response.writeHead(202, { ...echoed, 'content-type': 'application/json' }).end('{"id":1}');
	});
	service.tokenMembers = { access_token: 'an-access-token-of-a-service' };
	await bench.seed({ authUrl: service.url, baseUrl: service.url });
	const [shown] = (await run(rows(1), { includeResponse: true })).json;
	const date = expect.any(String) as string;
	const sent = JSON.parse(service.received.at(-1)!.body) as { eventId: string };
	expect(shown).toMatchObject({
		sentEventId: sent.eventId,
		statusCode: 202,
		response: '{"id":1}',
		responseHeaders: { 'x-request-id': 'r1 Bearer •••', date },
	});
	expect(Object.keys((await run(rows(1))).json[0]).at(-1)).toBe('recipientPaymentChannelId');
	const [checked] = (await run(rows(1), { includeResponse: true, dryRun: true })).json;
	expect(Object.keys(checked).at(-1)).toBe('sentEventId');
	await service.stop();
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
	const invalid = await bench.run([{}], ITEM);
	expect(invalid.error).toMatchObject({ name: 'NodeOperationError' });
	const unusable = await bench.run(rows(2), { ...ITEM, options: { timeout: 0 } });
	expect(unusable.error?.message).toMatch(/'Timeout \(Seconds\)'/);
});

test("the service's log has the request of an item by all that the item has", async () => {
	const [item] = (await run(rows(1, () => ({ reference: 'TEST_INVALID' })))).json;
	const eventId = item.sentEventId as string;
	const { items } = await waitUntil('the request is in the log', async () => {
		const found = await bench.sandbox.client.listRequests({ eventId });
		return found.items.length > 0 && found;
	});
	expect(items).toMatchObject([
		{
			id: item.requestId,
			externalId: item.externalId,
			status: item.statusCode,
			headers: { 'user-agent': expect.stringMatching(/^n8n-nodes-payments\/\d/) as string },
		},
	]);
	expect(items).toHaveLength(item.attempts as number);
	expect(Math.abs(items[0].at - Date.parse(item.lastAttemptAt as string))).toBeLessThan(10_000);
});

test('the error output has what the input has, and names everything to correct', async () => {
	const wrong = { note: 'mine', externalId: 17, amount: '1,5', currency: 'EURO' };
	const items = rows(2, (index) => (index === 0 ? wrong : {}));
	const { outputs } = await run(items, {}, { onError: 'continueErrorOutput' });
	expect(outputs.map((all) => all.map(itemOf))).toEqual([[1], [0]]);
	const [{ json }] = outputs[1];
	expect(json).not.toHaveProperty('error');
	expect(json).toMatchObject({
		...wrong,
		outcome: 'invalid',
		recipient: SAMPLE.recipient,
		message: expect.stringMatching(/^'Amount'.*1,5.*; 'Currency'.*EURO/) as string,
		fix: expect.stringMatching(/^'Amount':\s.*\. 'Currency': /) as string,
	});
});

test('Retry On Fail leaves an item alone that the node puts out, because Max Retry Time retries', async () => {
	await bench.sandbox.client.setFaults({ next: [{ status: 422 }] });
	const { json } = await run(rows(1), {}, { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 });
	expect(json).toMatchObject([{ outcome: 'rejected' }]);
	expect(await requests()).toBe(1);
});

interface Unusable {
	parameters?: IDataObject;
	node?: Partial<INode>;
	credential?: IDataObject;
}
test.each<[string, Unusable, RegExp]>([
	['an option', { parameters: { options: { timeout: 0 } } }, /'Timeout \(Seconds\)'/],
	[
		'settings that contradict each other',
		{ parameters: { options: { onDuplicate: 'stop' } }, node: { retryOnFail: true } },
		/'Retry On Fail'/,
	],
	['no credential', { node: { credentials: {} } }, /credential/i],
	['limits', { credential: { maxAmounts: 'five euros' } }, /credential can't be used/],
	[
		'codes',
		{ credential: { recordedCodes: 'A, "already exists' } },
		/'Codes for Recorded Already'.*entry 2/,
	],
	['a custom API call', { parameters: { operation: '__CUSTOM_API_CALL__' } }, /custom API call/],
])('%s that cannot be used: nothing is sent, and each item says so', async (_, setup, message) => {
	await bench.seed(setup.credential);
	const { outputs, error } = await bench.run(
		rows(2),
		{ ...ITEM, ...setup.parameters },
		{ ...setup.node, onError: 'continueErrorOutput' },
	);
	expect(error).toBeUndefined();
	expect(outputs.map((items) => items.map(itemOf))).toEqual([[], [0, 1]]);
	for (const { json } of outputs[1]) {
		expect(json).toMatchObject({ outcome: 'notSent' });
		expect(json.message).toMatch(message);
	}
	expect(outputs[1][1].json).toMatchObject({
		externalId: 'pmt_1',
		message: expect.not.stringContaining('pmt_1') as string,
	});
	expect(await requests()).toBe(0);
});

test.each([
	['columns', ITEM],
	['fields', fieldsFromJson()],
])('what keeps all items back leaves them what the input says, in %s', async (_, parameters) => {
	await bench.seed({ clientId: '={{ $json.client }}' });
	const { json } = await bench.run(
		rows(2, (client) => (client === 1 ? { client, externalId: 4711, amount: '1,5' } : { client })),
		parameters,
		{ onError: 'continueRegularOutput' },
	);
	const kept = {
		outcome: 'notSent',
		recipientPaymentChannelId: SAMPLE.recipient.externalPaymentChannelId,
	};
	expect(json).toMatchObject([
		{ ...kept, externalId: 'pmt_0', amount: '1.50' },
		{ ...kept, externalId: 4711, amount: '1,5' },
	]);
	expect(await requests()).toBe(0);
});

describe('as the tool of an agent', () => {
	/** n8n knows a tool by the name of its type. */
	const TOOL = { type: 'n8n-nodes-payments.paymentsTool' };
	const call = async (
		changes: IDataObject,
		options: IDataObject = {},
		onError?: 'stopWorkflow',
	) => {
		const items = rows(1, () => changes);
		const { json, error } = await bench.run(items, { ...ITEM, options }, { ...TOOL, onError });
		expect(error).toBeUndefined();
		return json[0];
	};

	test('an error output is a contradiction, because n8n would drop what is paid', async () => {
		const { run } = await bench.run(rows(1), ITEM, { ...TOOL, onError: 'continueErrorOutput' });
		const [{ error }] = run.data.resultData.runData.Payments;
		expect(error?.message).toMatch(/^Nothing was sent.*'On Error'/);
		expect(await requests()).toBe(0);
	});

	test.each([undefined, 'stopWorkflow'] as const)(
		'what stops an execution is an item, with On Error %p',
		async (onError) => {
			const json = await call({}, { timeout: 0 }, onError);
			expect(json).toMatchObject({ outcome: 'notSent', externalId: 'pmt_0' });
			expect(json.fix).toMatch(/Tell the user/);
		},
	);

	test.each<[string, IDataObject, IDataObject]>([
		['of the credential', { maxAmounts: '5' }, {}],
		['of an option', {}, { maxTotal: 'EUR 5' }],
	])('beyond a limit %s, the model is not told how to pay less', async (_, limits, options) => {
		await bench.seed(limits);
		const json = await call({ amount: '5.01' }, options);
		expect(json).toMatchObject({ outcome: 'invalid' });
		expect(json.fix).toMatch(/Don't\schange\sor\ssplit\sthe\stransaction\.\sTell\sthe\suser/);
		expect(json.fix).not.toMatch(/lower|remove|use one|correct the|raise|add/i);
		expect(await requests()).toBe(0);
	});
});
