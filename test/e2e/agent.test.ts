import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { outputOf } from '../../host/n8n/executions';
import { toolDescription } from '../../nodes/Payments/editor/toolDescription';
import { paymentsApiData, readExample } from '../../host/n8n/credentials';
import { startChatModel, type ChatModel } from '../support/servers/chatModel';
import { sharedN8n, useService } from './shared';
import { callTool, PAYMENT, TOOL } from './toolCalls';

const n8n = sharedN8n();
const service = useService(n8n);
let model: ChatModel;

beforeAll(async () => {
	model = await startChatModel([
		{ tool: TOOL, args: PAYMENT },
		{ tool: TOOL, args: PAYMENT }, // as agents do when they are not sure
		{ tool: TOOL, args: { ...PAYMENT, amount: '120,00' } },
		{ tool: TOOL, args: { ...PAYMENT, amount: '150.01', invoice: 'INV-2026-0402' } },
		// Within the limit by itself, but not with the first one, which counts once.
		{ tool: TOOL, args: { ...PAYMENT, amount: '80.01', invoice: 'INV-2026-0403' } },
		{ say: 'Invoice INV-2026-0401 is recorded.' },
	]);
});
afterAll(async () => {
	await model.stop();
});

test("n8n's agent calls the node as its tool, repeats the call, and one transaction exists", async () => {
	const openAi = await n8n.createCredential('OpenAI account', 'openAiApi', {
		apiKey: 'not-a-key',
		url: model.url,
	});
	const example = readExample('ai-agent');
	const chat = example.nodes.find(({ type }) => type.endsWith('.chatTrigger'))!;
	// The example talks in the editor only; the test comes from outside.
	chat.parameters = { ...chat.parameters, public: true };
	const workflow = await n8n.importWorkflow(example, [service.credential, openAi]);
	await n8n.activate(workflow);
	const { production } = await n8n.webhookUrls(workflow, chat.name);
	const { status, data } = await axios.post<{ output: string }>(
		production.replace(/(\/chat)?$/, '/chat'),
		{
			action: 'sendMessage',
			sessionId: randomUUID(),
			chatInput: 'Record the payment of invoice INV-2026-0401: 120 euros to the harbour bakery.',
		},
		{ proxy: false, validateStatus: null },
	);
	await n8n.deactivate(workflow);
	expect([status, data.output]).toEqual([200, 'Invoice INV-2026-0401 is recorded.']);

	// What the model is told: a tool of this name, with the fields that are asked of it, and no
	// others.
	const [{ tools }] = model.requests;
	expect(tools!.map((tool) => tool.function.name)).toEqual([TOOL]);
	expect(Object.keys(tools![0].function.parameters.properties).sort()).toEqual(
		Object.keys(PAYMENT).sort(),
	);
	expect(tools![0].function.description).toBe(toolDescription.default);

	// What the model heard back of each of its calls.
	const heard = model.requests
		.at(-1)!
		.messages.filter(({ role }) => role === 'tool')
		.map(({ content }) => content);
	expect(heard).toEqual([
		expect.stringContaining('"outcome":"created"') as string,
		expect.stringContaining('"outcome":"duplicate"') as string,
		expect.stringMatching(/'Amount': .*120,00/) as string,
		expect.stringMatching(/150\.01 EUR.* 150 EUR.*'Max Amount'/) as string,
		expect.stringMatching(/execution.* 200\.01 EUR/) as string,
	]);

	const { items } = await service.sandbox.client.listTransactions();
	expect(
		items.map(({ seen, transaction }) => [
			seen,
			transaction.externalId,
			transaction.amount,
			transaction.sender.externalEntityId,
		]),
	).toEqual([[2, 'INV-2026-0401', '120.00', 'north-windmills']]);
	const [run] = (await n8n.ended(workflow, 1)).results;
	expect(outputOf(await n8n.execution(run.id), 'AI Agent')).toHaveLength(1);
});

test.each([
	[2, 'stopWorkflow'],
	[2.2, 'continueRegularOutput'],
	[3, 'continueRegularOutput'],
	[3.1, 'stopWorkflow'],
] as const)(
	'AI Agent %s with On Error %s: the model gets outcome, reason, and fix of each call',
	async (agentVersion, onError) => {
		await service.sandbox.client.reset();
		const heard = await callTool(
			{ n8n, credential: service.credential, settings: { onError }, agentVersion },
			[
				PAYMENT,
				{ ...PAYMENT, amount: '120,00' },
				{ ...PAYMENT, amount: '1.00', invoice: 'TEST_INVALID' },
				{ ...PAYMENT, amount: '1.01', invoice: 'TEST_UNKNOWN' },
			],
		);
		const text = (pattern: RegExp) => expect.stringMatching(pattern) as string;
		expect(heard).toEqual([
			expect.objectContaining({ outcome: 'created', externalId: PAYMENT.invoice }),
			expect.objectContaining({
				outcome: 'invalid',
				message: text(/'Amount'.*120,00/),
				fix: text(/dot/),
			}),
			expect.objectContaining({
				outcome: 'rejected',
				message: text(/400/),
				fix: text(/Correct/),
			}),
			expect.objectContaining({
				outcome: 'unknown',
				message: text(/response/),
				fix: text(/again/),
			}),
		]);
	},
);

test('a tool with an error output sends nothing, because the model would not hear of it', async () => {
	await service.sandbox.client.reset();
	const settings = { onError: 'continueErrorOutput' as const };
	const options = { n8n, credential: service.credential, settings, agentVersion: 3.1 };
	expect(JSON.stringify(await callTool(options, [PAYMENT]))).toMatch(
		/Nothing was sent.*'On Error'/,
	);
	expect((await service.sandbox.client.getCounts()).transactions.requests).toBe(0);
});

describe.each([2, 3.1])('AI Agent %s: every failure is an item', (agentVersion) => {
	const call = async (parameters: IDataObject, credential = service.credential) =>
		await callTool({ n8n, credential, parameters, agentVersion }, [PAYMENT]);
	const told = (message: RegExp) => [
		expect.objectContaining({
			outcome: 'notSent',
			message: expect.stringMatching(message) as string,
			fix: expect.stringMatching(/Tell the user/) as string,
		}) as object,
	];
	beforeEach(async () => {
		await service.sandbox.client.reset();
	});
	afterEach(async () => {
		expect((await service.sandbox.client.getCounts()).transactions.requests).toBe(0);
	});

	test('an option that cannot be used', async () => {
		expect(await call({ options: { timeout: 0 } })).toEqual(told(/'Timeout \(Seconds\)'/));
	});

	test('limits of the credential that cannot be read', async () => {
		const data = paymentsApiData({ url: service.sandbox.url, ...service.client });
		const credential = await n8n.createCredential('Unreadable limits', 'paymentsApi', {
			...data,
			maxAmounts: 'five euros',
		});
		expect(await call({}, credential)).toEqual(told(/credential can't be used/));
	});

	test('a custom API call', async () => {
		expect(await call({ operation: '__CUSTOM_API_CALL__' })).toEqual(told(/custom API call/));
	});

	test('a payment beyond a limit: the model is not told how to pay less', async () => {
		const [item] = await call({ options: { maxAmount: 'EUR 1' } });
		expect(item).toMatchObject({ outcome: 'invalid', amount: PAYMENT.amount });
		expect(item.fix).toMatch(/Don't change or split the payment\. Tell the user/);
		expect(item.fix).not.toMatch(/Lower|Correct the amount|Remove/);
	});
});

test('a model gets the ten fields of an item', async () => {
	await service.sandbox.client.reset();
	expect(await callTool({ n8n, credential: service.credential }, [PAYMENT])).toEqual([
		{
			outcome: 'created',
			externalId: PAYMENT.invoice,
			amount: PAYMENT.amount,
			currency: PAYMENT.currency,
			recipient: PAYMENT.recipient_account,
			message: 'Transaction created',
			fix: 'Nothing to do.',
			eventId: expect.any(String) as string,
			statusCode: 202,
			response: expect.objectContaining({ status: 'ACCEPTED' }) as object,
		},
	]);
});
