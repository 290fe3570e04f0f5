import { setTimeout } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createTransactions } from '../../../nodes/Payments/createTransactions';
import { rows, SAMPLE } from '../../support/builders/transactions';
import { startFakeService } from '../../support/servers/fakeService';
import { waitUntil } from '../../../host/waitUntil';
import { useBench, type Outcome, type PaymentsBench } from '../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));

const stored = async () =>
	(await bench.sandbox.client.listTransactions({ limit: 200 })).items.map(
		({ transaction }) => transaction,
	);
const counts = async () => (await bench.sandbox.client.getCounts()).transactions;
const hintsOf = ({ run: { data } }: Outcome) => data.resultData.runData.Payments[0].hints;
const CONTINUE = { onError: 'continueRegularOutput' } as const;

test('the body is the one of the specification', async () => {
	const { json } = await bench.run([{ ...SAMPLE, row_number: 2 }]);
	expect(await stored()).toEqual([SAMPLE]);
	expect(json[0]).not.toHaveProperty('row_number');
});

test('one item in, one item out, paired', async () => {
	const { outputs } = await bench.run(rows(25));
	expect(outputs[0].map(({ json, pairedItem }) => [json.externalId, pairedItem])).toEqual(
		rows(25).map(({ externalId }, item) => [externalId, { item }]),
	);
	expect((await bench.run([])).outputs.flat()).toEqual([]);
});

test('all items are checked before the first request', async () => {
	const { error } = await bench.run(
		rows(5, (index) =>
			index === 2 ? { amount: '1,5' } : index === 4 ? { currency: 'EURO', reference: '' } : {},
		),
	);
	expect(error?.message).toBe('2 of 5 items to correct. Nothing was sent');
	expect(error?.description).toMatch(
		/^• 'Amount' \[External ID "pmt_2"\]: "1,5" [^]*'Reference' \[External ID "pmt_4"\]: [^]*'Currency' \[External ID "pmt_4"\]: /,
	);
	expect((await counts()).requests).toBe(0);
	// For the editor: logs and error workflows read the description, which is text.
	expect(error?.context?.descriptionTemplate).toMatch(/^• 'Amount' [^]*\.<br>• 'Currency' /);
	expect(error?.description).not.toContain('<');
	// n8n would add the number of the item, counted from 0.
	expect(error?.context).not.toHaveProperty('itemIndex', expect.anything());
});

test.each([
	[
		{ dryRun: '={{ $itemIndex === 0 }}' },
		"The option 'Dry Run' is true for the first item, and false for item 2. It holds for all items",
	],
	[
		{ timeout: '={{ $itemIndex === 1 ? $json.no.deeper : 30 }}' },
		"The option 'Timeout (Seconds)' for item 2: The expression can't be evaluated: ",
	],
	[
		{ maxRequestsPerSecond: '={{ null }}' },
		"The option 'Max Requests per Second' is null. Enter a number",
	],
	[{ timeout: '={{ $json.nope }}' }, "The option 'Timeout (Seconds)' is undefined. Enter"],
	[{ maxAmount: '={{ null }}' }, "The option 'Max Amount' is null. Enter an amount"],
	[{ decimalSeparator: '={{ null }}' }, "The option 'Decimal Separator' is null. Select"],
	[{ dryRun: '{{ true }}' }, "The option 'Dry Run': The text has an expression in braces"],
])('an option that is not what it may be: %j', async (options, message) => {
	const { error } = await bench.run(rows(2), { specifyTransaction: 'item', options });
	expect(`${error?.message}. ${error?.description}`).toContain(message);
	expect((await counts()).requests).toBe(0);
});

test('a number that was cleared in the editor is not set, and Decimal Separator can be set to Dot', async () => {
	const options = { maxRequestsPerSecond: null, timeout: '', decimalSeparator: 'dot' };
	const parameters = { specifyTransaction: 'item', options };
	const three = rows(1, () => ({ amount: '1.250', baseAmount: '1.250' }));
	await bench.run(three, parameters as unknown as IDataObject);
	expect(await stored()).toMatchObject([{ amount: '1.25', baseAmount: '1.25' }]);
	const { error } = await bench.run(three);
	expect(error?.message).toMatch(/^'Amount', 'Base Amount': "1\.250" can be 1250 or 1\.250/);
});

describe('an event that the service has already is not recorded again', () => {
	const CORRECTED = { reference: 'Corrected' };
	const NO_HEADER = { sendIdempotencyKey: false };

	test.each<[string, IDataObject, IDataObject, IDataObject, string, number, string | undefined]>([
		[
			'it reads no key',
			{ idempotencyKeys: false },
			{},
			{},
			'duplicate',
			409,
			'EVENT_ALREADY_EXISTS',
		],
		['it repeats its first response', {}, {}, {}, 'duplicate', 202, undefined],
		['the content is another', {}, {}, CORRECTED, 'unknown', 409, 'IDEMPOTENCY_KEY_REUSED'],
		['no header is sent', {}, NO_HEADER, CORRECTED, 'duplicate', 409, 'EVENT_ALREADY_EXISTS'],
	])('%s', async (_, faults, credential, changes, outcome, statusCode, errorCode) => {
		await bench.sandbox.client.setFaults(faults);
		await bench.seed(credential);
		await bench.run(rows(1));
		const again = rows(1, () => changes);
		const parameters = { specifyTransaction: 'item', options: { includeResponse: true } };
		const [{ response, ...json }] = (await bench.run(again, parameters, CONTINUE)).json;
		expect(json).toMatchObject({ outcome, statusCode });
		expect((JSON.parse(response as string) as IDataObject).errorCode).toBe(errorCode);
		expect(await counts()).toMatchObject({ requests: 2, created: 1 });
	});

	// Stripe answers another body for a known key with `idempotency_error`
	// (docs.stripe.com/api/idempotent_requests).
	test.each([
		[{}, expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-5/) as string],
		[{ eventId: 'müller/42' }, 'c4ed0347-4b43-53d5-8936-e916e87e5e6d'],
	])('each attempt for %j, and each execution, has the same key and bytes', async (row, key) => {
		let requests = 0;
		const service = await startFakeService((_, response) => {
			const status = requests++ === 0 ? 503 : 202;
			response.writeHead(status, { 'retry-after': '0' }).end();
		});
		await bench.seed({ authUrl: service.url, baseUrl: service.url });
		for (let execution = 0; execution < 2; execution++) await bench.run(rows(1, () => row));
		const sent = service.received.filter(({ url }) => url === '/api/v1/transactions');
		expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual([key, key, key]);
		expect(new Set(sent.map(({ body }) => body)).size).toBe(1);
		await service.stop();
	});
});

test('a dry run shows what would go out and sends nothing', async () => {
	const outcome = await bench.run([{ ...SAMPLE }], {
		specifyTransaction: 'item',
		options: { dryRun: true },
	});
	const { amount, currency, externalId } = SAMPLE;
	const sent = { amount, currency, externalId };
	const message = expect.stringMatching(/^Dry run/) as string;
	expect(outcome.json).toMatchObject([{ ...sent, outcome: 'dryRun', message }]);
	const { host } = new URL(bench.sandbox.url);
	const hint = expect.stringContaining(`1 would be sent, EUR 2,501.00 · at ${host}. Nothing was`);
	expect(hintsOf(outcome)).toEqual([{ message: hint, type: 'info', location: 'outputPane' }]);
	expect(await bench.sandbox.client.getCounts()).toMatchObject({
		transactions: { requests: 0 },
		tokens: { requests: 0 },
	});
});

test('the hint says what needs somebody, adds what is new, and names the host', async () => {
	const hintOfRun = async () =>
		hintsOf(
			await bench.run(
				rows(2),
				{ specifyTransaction: 'item', options: { maxConcurrentRequests: 1 } },
				CONTINUE,
			),
		);
	await bench.sandbox.client.setFaults({ next: [{ status: 400 }] });
	const at = `at ${new URL(bench.sandbox.url).host}`;
	const [rejected, repeated] = [await hintOfRun(), await hintOfRun()];
	expect(rejected).toMatchObject([
		{
			type: 'warning',
			message: expect.stringContaining(`1 rejected: pmt_0 · 1 created, EUR 2.50 · ${at}. `),
		},
	]);
	expect(repeated).toMatchObject([
		{
			type: 'info',
			message: expect.stringContaining(`1 created, EUR 1.50 · 1 duplicate · ${at}. `),
		},
	]);
});

test('an execution that is canceled before the first request sends none', async () => {
	let output: INodeExecutionData[][] | undefined;
	const items = rows(2, (index) => (index === 1 ? { amount: 'x' } : {}));
	const { finished, cancel } = bench.begin(items, undefined, CONTINUE, 1, {
		async execute(this: IExecuteFunctions) {
			cancel();
			return (output = await createTransactions.call(this));
		},
	});
	await finished;
	await waitUntil('the node ends', () => output !== undefined);
	expect(output).toMatchObject([[{ json: { outcome: 'invalid' } }]]);
	expect((await counts()).requests).toBe(0);
});

test('cancelling stops new requests at once, and what was begun comes out', async () => {
	await bench.sandbox.client.setFaults({ latencyMs: 50 });
	let output: Promise<INodeExecutionData[][]> | undefined;
	const items = rows(200, (index) => (index === 199 ? { amount: 'x' } : {}));
	const { finished, cancel } = bench.begin(items, undefined, CONTINUE, 1, {
		async execute(this: IExecuteFunctions) {
			return await (output = createTransactions.call(this));
		},
	});
	await waitUntil('some are sent', async () => (await counts()).requests >= 5, { intervalMs: 5 });
	cancel();
	await finished.catch(() => undefined);
	await waitUntil('all are answered', async () => (await counts()).inFlight === 0);
	const { requests } = await counts();
	await setTimeout(150);
	expect((await counts()).requests).toBe(requests);
	expect(requests).toBeLessThan(200);
	const outcomes = (await output)![0].map(({ json }) => json.outcome);
	expect(outcomes.pop()).toBe('invalid');
	// Some that had begun were stopped before the service saw them.
	expect(outcomes.length).toBeGreaterThanOrEqual(requests);
	expect(outcomes.filter((outcome) => outcome !== 'created' && outcome !== 'unknown')).toEqual([]);
	expect(outcomes.length).toBeGreaterThanOrEqual(5);
	expect(Object.keys(outcomes)).toHaveLength(outcomes.length);
	expect(outcomes.length).toBeLessThan(200);
});

// n8n's Agents call a tool so (`EphemeralNodeExecutor`). test/e2e/agents.test.ts has them.
test('without an execution, a total that nobody could count sends nothing, and names what to use', async () => {
	const tool = { type: 'n8n-nodes-payments.paymentsTool' };
	const call = async (options: IDataObject) =>
		await bench.run(rows(1), { specifyTransaction: 'item', options }, tool, 1, {
			async execute(this: IExecuteFunctions) {
				this.getExecutionId = () => undefined as unknown as string;
				return await createTransactions.call(this);
			},
		});
	const [{ outcome, message, fix }] = (await call({ maxTotal: 'EUR 100' })).json;
	expect(outcome).toBe('notSent');
	expect(message).toContain("'Max Total per Execution'");
	expect(fix).toMatch(/'Max\sAmount'.*limits of the credential.*Nothing was sent/);
	expect((await counts()).requests).toBe(0);
	expect((await call({ maxAmount: 'EUR 100' })).json).toMatchObject([{ outcome: 'created' }]);
});
