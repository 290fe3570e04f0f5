import { setTimeout } from 'node:timers/promises';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { createTransactions } from '../../../nodes/Payments/createTransactions';
import { fieldsFromJson, rows, SAMPLE } from '../../support/builders/transactions';
import { startFakeService } from '../../support/servers/fakeService';
import { waitUntil } from '../../../host/waitUntil';
import { useBench, type Outcome, type PaymentsBench } from '../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));

const stored = async () =>
	(await bench.sandbox.client.listTransactions({ limit: 200 })).items.map(
		({ transaction }) => transaction,
	);
const hintsOf = ({ run: { data } }: Outcome) => data.resultData.runData.Payments[0].hints;

test('the body is the one of the specification', async () => {
	const { json } = await bench.run([{ ...SAMPLE, row_number: 2 }]);
	expect(await stored()).toEqual([SAMPLE]);
	expect(json[0]).not.toHaveProperty('row_number');
});

test('a text whose expression has no value in an item is no payment, and the other items are', async () => {
	const { json } = await bench.run(
		rows(3, (index) => (index === 1 ? {} : { no: index })),
		fieldsFromJson({ reference: '=No. {{ $json.no }} of {{ $json.amount }}' }),
		{ onError: 'continueRegularOutput' },
	);
	expect(json[1].message).toMatch(/^'Reference': .*\{\{ \$json\.no \}\}/);
	const references = (await stored()).map(({ reference }) => reference);
	expect(references.sort()).toEqual(['No. 0 of 1.50', 'No. 2 of 3.50']);
});

test('one item in, one item out, paired', async () => {
	const { outputs } = await bench.run(rows(25));
	expect(outputs[0].map(({ json, pairedItem }) => [json.externalId, pairedItem])).toEqual(
		rows(25).map(({ externalId }, item) => [externalId, { item }]),
	);
});

test('all items are checked before the first request', async () => {
	const { error } = await bench.run(
		rows(5, (index) =>
			index === 2 ? { amount: '1,5' } : index === 4 ? { currency: 'EURO', reference: '' } : {},
		),
	);
	expect(error?.message).toMatch(/^'Amount': "1,5" .*\[External ID "pmt_2"\]\. Nothing was sent$/);
	expect(error?.description).toMatch(
		/2 of 5 items[^]*\[External ID "pmt_4"\] 'Currency': [^]*\[External ID "pmt_4"\] 'Reference': /,
	);
	expect((await bench.sandbox.client.getCounts()).transactions.requests).toBe(0);
	// For the editor: logs and error workflows read the description, which is text.
	expect(error?.context?.descriptionTemplate).toMatch(
		/^2 of 5 items[^]*correct\.<br>\[External ID "pmt_2"\] 'Amount': "1,5"/,
	);
	expect(error?.description).not.toContain('<');
});

test.each([
	[
		{ dryRun: '={{ $itemIndex === 0 }}' },
		"The option 'Dry Run' is true for the first item, and false for item 2. It holds for all items",
	],
	[
		{ maxAmount: '={{ $json.no.deeper }}' },
		"The option 'Max Amount' for item 1: The expression can't be evaluated: ",
	],
	[
		{ timeout: '={{ $itemIndex === 1 ? $json.no.deeper : 30 }}' },
		"The option 'Timeout (Seconds)' for item 2: The expression can't be evaluated: ",
	],
	[{ dryRun: '{{ true }}' }, "The option 'Dry Run': The text has an expression in braces"],
])('an option that is not what it may be: %j', async (options, message) => {
	const { error } = await bench.run(rows(2), { specifyTransaction: 'item', options });
	expect(`${error?.message}. ${error?.description}`).toContain(message);
	expect((await bench.sandbox.client.getCounts()).transactions.requests).toBe(0);
});

describe('an event that the service has already', () => {
	test('is the same payment when its ID was generated', async () => {
		await bench.sandbox.client.setFaults({ idempotencyKeys: false });
		await bench.run(rows(3));
		const { json } = await bench.run(rows(3));
		expect(json).toMatchObject(
			Array(3).fill({
				outcome: 'duplicate',
				response: expect.objectContaining({ errorCode: 'EVENT_ALREADY_EXISTS' }),
			}),
		);
		expect((await bench.sandbox.client.getCounts()).transactions).toMatchObject({
			created: 3,
			duplicates: 3,
		});
	});

	// Stripe answers another body for a known key with `idempotency_error`
	// (docs.stripe.com/api/idempotent_requests).
	test('is sent again with the same bytes', async () => {
		const service = await startFakeService((_, response) => void response.writeHead(202).end());
		await bench.seed({ authUrl: service.url, baseUrl: service.url });
		for (let execution = 0; execution < 2; execution++) await bench.run(rows(1));
		const [first, second] = service.received
			.filter(({ url }) => url === '/api/v1/transactions')
			.map(({ body }) => body);
		expect(second).toBe(first);
		await service.stop();
	});

	describe('and the service reads the Idempotency-Key', () => {
		const recorded = async () => (await bench.sandbox.client.getCounts()).transactions;

		test('the same content gets the first response again, and is a duplicate', async () => {
			await bench.run(rows(3));
			const { json } = await bench.run(rows(3));
			expect(json).toMatchObject(
				Array(3).fill({ outcome: 'duplicate', statusCode: 202, response: { status: 'ACCEPTED' } }),
			);
			expect(await recorded()).toMatchObject({ created: 3, duplicates: 3 });
		});

		test('other content is unknown, and not recorded again', async () => {
			await bench.run(rows(1));
			const { json } = await bench.run(
				rows(1, () => ({ reference: 'Corrected' })),
				undefined,
				{ onError: 'continueRegularOutput' },
			);
			expect(json).toMatchObject([
				{ outcome: 'unknown', response: { errorCode: 'IDEMPOTENCY_KEY_REUSED' } },
			]);
			expect(await recorded()).toMatchObject({ created: 1 });
		});

		test('unless the credential turns the header off', async () => {
			await bench.seed({ sendIdempotencyKey: false });
			await bench.run(rows(1));
			const { json } = await bench.run(rows(1, () => ({ reference: 'Corrected' })));
			expect(json).toMatchObject([{ outcome: 'duplicate', statusCode: 409 }]);
		});
	});

	test.each([
		[{ eventId: '5609C570-3b45-4bec-a326-9d50ee465156' }, '5609C570-3b45-4bec-a326-9d50ee465156'],
		[{ eventId: 'müller/42' }, 'c4ed0347-4b43-53d5-8936-e916e87e5e6d'],
	])('each attempt for %j has the same key and the same bytes', async (changes, key) => {
		let requests = 0;
		const service = await startFakeService((_, response) => {
			const status = requests++ === 0 ? 503 : 202;
			response.writeHead(status, { 'retry-after': '0' }).end();
		});
		await bench.seed({ authUrl: service.url, baseUrl: service.url });
		await bench.run(rows(1, () => changes));
		const sent = service.received.filter(({ url }) => url === '/api/v1/transactions');
		expect(sent.map(({ headers }) => headers['idempotency-key'])).toEqual([key, key]);
		expect(sent[1].body).toBe(sent[0].body);
		await service.stop();
	});

	test('two amounts for one External ID are named before anything is sent', async () => {
		const { error } = await bench.run([...rows(2), ...rows(1, () => ({ amount: '2600' }))]);
		expect(error?.message).toMatch(/^'External ID': .*'Amount'.* in item 3 of 3 \[item 1 of 3\]/);
		// n8n would add the number of the item, counted from 0.
		expect(error?.context).not.toHaveProperty('itemIndex', expect.anything());
		expect(error?.description).toMatch(/\[item 1 of 3\].* in item 3 of 3/);
		expect(error?.description).toMatch(/\[item 3 of 3\].* in item 1 of 3/);
		expect((await bench.sandbox.client.getCounts()).transactions.requests).toBe(0);
	});
});

test('a dry run shows what would go out and sends nothing', async () => {
	const outcome = await bench.run([{ ...SAMPLE }], {
		specifyTransaction: 'item',
		options: { dryRun: true },
	});
	const { amount, currency, eventId, externalId } = SAMPLE;
	const sent = { amount, currency, eventId, externalId };
	const message = expect.stringMatching(/^Dry run/) as string;
	expect(outcome.json).toMatchObject([{ ...sent, outcome: 'dryRun', message }]);
	const { host } = new URL(bench.sandbox.url);
	const hint = `1 would be sent, EUR 2,501.00. Dry run: nothing was sent · at ${host}`;
	expect(hintsOf(outcome)).toEqual([{ message: hint, type: 'info', location: 'outputPane' }]);
	expect(await bench.sandbox.client.getCounts()).toMatchObject({
		transactions: { requests: 0 },
		tokens: { requests: 0 },
	});
});

test.each<[IDataObject[], string, string]>([
	[[], '2 created, EUR 2,000.50 new', 'info'],
	[[{ status: 400 }], '1 rejected: pmt_0 · 1 created, EUR 1,999.00 new', 'warning'],
])(
	'the hint says what needs somebody, adds what is new, and names the host: %j',
	async (next, said, type) => {
		const items = rows(2, (index) => ({ amount: ['1.50', '1999.00'][index] }));
		await bench.sandbox.client.setFaults({ next });
		const outcome = await bench.run(
			items,
			{ specifyTransaction: 'item', options: { maxConcurrentRequests: 1 } },
			{ onError: 'continueRegularOutput' },
		);
		const message = `${said} · at ${new URL(bench.sandbox.url).host}`;
		expect(hintsOf(outcome)).toEqual([{ message, type, location: 'outputPane' }]);
	},
);

test('no input, no request', async () => {
	expect((await bench.run([])).outputs.flat()).toEqual([]);
});

test('an execution that is canceled before the first request sends none', async () => {
	let output: INodeExecutionData[][] | undefined;
	const items = rows(2, (index) => (index === 1 ? { amount: 'x' } : {}));
	const node = { onError: 'continueRegularOutput' } as const;
	const { finished, cancel } = bench.begin(items, undefined, node, 1, {
		async execute(this: IExecuteFunctions) {
			cancel();
			return (output = await createTransactions.call(this));
		},
	});
	await finished;
	await waitUntil('the node ends', () => output !== undefined);
	expect(output).toMatchObject([[{ json: { outcome: 'invalid' } }]]);
	expect((await bench.sandbox.client.getCounts()).transactions.requests).toBe(0);
});

test('cancelling stops new requests at once, and what was begun comes out', async () => {
	await bench.sandbox.client.setFaults({ latencyMs: 50 });
	let output: Promise<INodeExecutionData[][]> | undefined;
	const items = rows(200, (index) => (index === 199 ? { amount: 'x' } : {}));
	const node = { onError: 'continueRegularOutput' } as const;
	const { finished, cancel } = bench.begin(items, undefined, node, 1, {
		async execute(this: IExecuteFunctions) {
			return await (output = createTransactions.call(this));
		},
	});
	const sent = async () => (await bench.sandbox.client.getCounts()).transactions;
	await waitUntil('some are sent', async () => (await sent()).requests >= 5, { intervalMs: 5 });
	cancel();
	await finished.catch(() => undefined);
	await waitUntil('all are answered', async () => (await sent()).inFlight === 0);
	const { requests } = await sent();
	await setTimeout(300);
	expect((await sent()).requests).toBe(requests);
	expect(requests).toBeLessThan(200);
	const outcomes = (await output)![0].map(({ json }) => json.outcome);
	expect(outcomes.at(-1)).toBe('invalid');
	expect(['created', 'unknown']).toEqual(expect.arrayContaining(outcomes.slice(0, -1)));
	expect(Object.keys(outcomes)).toHaveLength(outcomes.length);
	expect(outcomes.length).toBeLessThan(200);
});

describe('custom execution data', () => {
	const dataOf = async (count: number, parameters = {}) => {
		const items = rows(count, (index) => ({ externalId: `find-${index}` }));
		const { run: finished, json } = await bench.run(items, {
			specifyTransaction: 'item',
			...parameters,
		});
		return { metadata: finished.data.resultData.metadata, json };
	};

	test.each([1, 5])('%d items: the execution can be found by its payments', async (count) => {
		const { metadata, json } = await dataOf(count);
		expect(metadata).toEqual({
			externalId: json.map(({ externalId }) => externalId as string).join(', '),
			eventId: json.map(({ eventId }) => eventId as string).join(', '),
		});
	});

	test('of a loop, the first that n8n has room for', async () => {
		const parameters = fieldsFromJson({ externalId: '={{ $json.externalId }}-{{ $runIndex }}' });
		const { data } = await bench.begin(rows(1), parameters, {}, 7).finished;
		const { externalId, eventId } = data.resultData.metadata!;
		expect(externalId).toBe('pmt_0-0, pmt_0-1, pmt_0-2, pmt_0-3, pmt_0-4');
		expect(eventId.split(', ')).toHaveLength(5);
	});

	test('none for six items, or when nothing is sent', async () => {
		expect((await dataOf(6)).metadata).toBeUndefined();
		expect((await dataOf(1, { options: { dryRun: true } })).metadata).toBeUndefined();
	});
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
	expect(fix).toMatch(/'Max Amount'.*limits of the credential.*Nothing was sent/);
	expect((await bench.sandbox.client.getCounts()).transactions.requests).toBe(0);
	expect((await call({ maxAmount: 'EUR 100' })).json).toMatchObject([{ outcome: 'created' }]);
});
