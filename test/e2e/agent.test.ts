import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import { randomUUID } from 'node:crypto';
import { outputOf } from '../../host/n8n/executions';
import { readExample } from '../../host/n8n/credentials';
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
				description: text(/dot/),
			}),
			expect.objectContaining({
				outcome: 'rejected',
				message: text(/400/),
				description: text(/Correct/),
			}),
			expect.objectContaining({
				outcome: 'unknown',
				message: text(/response/),
				description: text(/again/),
			}),
		]);
	},
);

describe('Output decides what the model gets', () => {
	const call = async (parameters: IDataObject, ...calls: Array<typeof PAYMENT>) =>
		await callTool({ n8n, credential: service.credential, parameters }, calls);
	beforeEach(async () => {
		await service.sandbox.client.reset();
	});

	test('simplified by default', async () => {
		expect(await call({}, PAYMENT)).toEqual([
			{
				outcome: 'created',
				message: 'Transaction created',
				eventId: expect.any(String) as string,
				externalId: PAYMENT.invoice,
				status: 'ACCEPTED',
				amount: PAYMENT.amount,
				currency: PAYMENT.currency,
				reference: PAYMENT.invoice,
				recipientEntityId: expect.any(String) as string,
			},
		]);
	});

	test('raw', async () => {
		expect(await call({ output: 'raw' }, PAYMENT)).toMatchObject([
			{
				recipient: { externalEntityId: PAYMENT.recipient },
				receivedAt: expect.any(Number) as number,
			},
		]);
	});

	test('selected fields', async () => {
		const parameters = { output: 'selectedFields', outputFields: ['status'] };
		const eventId = expect.any(String) as string;
		expect(await call(parameters, PAYMENT, { ...PAYMENT, amount: '120,00' })).toEqual([
			{ outcome: 'created', eventId, status: 'ACCEPTED' },
			{ outcome: 'invalid', eventId: null, error: expect.stringMatching('120,00') as string },
		]);
	});
});
