import { toolDescription } from '../../nodes/Payments/editor/aiTexts';
import { sharedN8n, useService } from './shared';
import { callTool, PAYMENT, TOOL } from './toolCalls';

const n8n = sharedN8n();
const service = useService(n8n);
beforeEach(async () => {
	await service.sandbox.client.reset();
});

const text = (pattern: RegExp) => expect.stringMatching(pattern) as string;

test("n8n's agent calls the node as its tool, repeats the call, and one transaction exists", async () => {
	const { heard, tools = [] } = await callTool({ n8n, credential: service.credential }, [
		PAYMENT,
		PAYMENT, // as agents do when they are not sure
		{ ...PAYMENT, amount: '150.01', invoice: 'INV-2026-0402' },
		// Within the limit by itself, but not with the first one, which counts once.
		{ ...PAYMENT, amount: '80.01', invoice: 'INV-2026-0403' },
	]);
	// What the model is told: a tool of this name, with the fields that are asked of it, and no
	// others.
	expect(tools.map((tool) => tool.function.name)).toEqual([TOOL]);
	expect(Object.keys(tools[0].function.parameters.properties).sort()).toEqual(
		Object.keys(PAYMENT).sort(),
	);
	expect(tools[0].function.description).toBe(toolDescription.default);

	expect(heard).toMatchObject([
		{ outcome: 'created' },
		{ outcome: 'duplicate' },
		{ outcome: 'invalid', message: text(/150\.01 EUR.* 150 EUR.*'Max Amount'/) },
		{ outcome: 'invalid', message: text(/ 200\.01 EUR.*'Max Total per Execution'/) },
	]);
	const { items } = await service.sandbox.client.listTransactions();
	expect(
		items.map(({ seen, transaction }) => [
			seen,
			transaction.externalId,
			transaction.amount,
			transaction.sender.externalEntityId,
		]),
	).toEqual([[2, 'INV-2026-0401', '120.00', 'harbour-bakery']]);
});

test.each([
	[2, 'stopWorkflow'],
	[3.1, 'continueRegularOutput'],
] as const)(
	'AI Agent %s with On Error %s: the model gets outcome, reason, and fix of each call',
	async (agentVersion, onError) => {
		const { heard } = await callTool(
			{ n8n, credential: service.credential, settings: { onError }, agentVersion },
			[
				PAYMENT,
				{ ...PAYMENT, amount: '120,00' },
				{ ...PAYMENT, amount: '1.00', invoice: 'TEST_INVALID' },
				{ ...PAYMENT, amount: '1.01', invoice: 'TEST_UNKNOWN' },
			],
		);
		expect(heard).toMatchObject([
			{ outcome: 'created', externalId: PAYMENT.invoice },
			{ outcome: 'invalid', message: text(/'Amount'.*120,00/), fix: text(/dot/) },
			{ outcome: 'rejected', message: text(/400/), fix: text(/Correct/) },
			{ outcome: 'unknown', message: text(/response/), fix: text(/again/) },
		]);
	},
);
