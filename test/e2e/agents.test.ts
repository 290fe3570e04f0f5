import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Credential } from '../../host/n8n/client';
import { paymentsApiData, readExample } from '../../host/n8n/credentials';
import { startChatModel, type ChatModel, type Turn } from '../support/servers/chatModel';
import { sharedN8n, useService } from './shared';
import { PAYMENT, TOOL } from './toolCalls';

/*
 * The Payments node as a tool in n8n's Agents, which are no workflows: what docs/ai-agents.md says
 * of them. The AI Agent node is in agent.test.ts.
 */

const n8n = sharedN8n();
const service = useService(n8n);

const CALL = { tool: TOOL, args: PAYMENT };
const DONE = { say: 'Done.' };

let projectPath: string;
let limited: Credential;
let model: ChatModel;

beforeAll(async () => {
	const { id } = await n8n.send<{ id: string }>('GET', '/projects/personal');
	projectPath = `/projects/${id}/agents/v2`;
	limited = await n8n.createCredential('For agents', 'paymentsApi', {
		...paymentsApiData({ url: service.sandbox.url, ...service.client }),
		maxAmounts: 'EUR 150',
	});
});
beforeEach(async () => await service.sandbox.client.reset());
afterEach(async () => await model.stop());

const { parameters: EXAMPLE } = readExample('agent-that-asks-a-person').nodes.find(({ type }) =>
	type.endsWith('.paymentsTool'),
)!;
/** Max Total per Execution can't be used in Agents. */
const PARAMETERS: INodeParameters = { ...EXAMPLE, options: {} };

interface AgentTool extends IDataObject {
	nodeType?: string;
	nodeTypeVersion?: number;
	description?: string;
	requireApproval?: boolean;
	parameters?: INodeParameters;
}

interface Suspension {
	runId: string;
	toolCallId: string;
	input: { type: string; toolName: string; args: object };
}

/** Creates an agent with one tool, and a model that has this script. Returns what talks to it. */
async function createAgent(script: Turn[], tool: AgentTool = {}) {
	const {
		nodeType = 'n8n-nodes-payments.paymentsTool',
		nodeTypeVersion = 1,
		parameters = PARAMETERS,
		...rest
	} = tool;
	model = await startChatModel(script);
	const openAi = await n8n.createCredential('Scripted model', 'openAiApi', {
		apiKey: 'not-a-key',
		url: model.url,
	});
	const { id } = await n8n.send<{ id: string }>('POST', projectPath, { name: 'Payer' });
	const agentPath = `${projectPath}/${id}`;
	const { config, configHash } = await n8n.send<{ config: object; configHash: string }>(
		'GET',
		`${agentPath}/config`,
	);
	const node = {
		nodeType,
		nodeTypeVersion,
		nodeParameters: parameters,
		credentials: { paymentsApi: { id: limited.id, name: limited.name } },
	};
	await n8n.send('PUT', `${agentPath}/config`, {
		baseConfigHash: configHash,
		config: {
			...config,
			name: 'Payer',
			model: 'openai/gpt-4.1-mini',
			credential: openAi.id,
			instructions: 'Record the payments that the user names.',
			tools: [{ type: 'node', name: TOOL, node, ...rest }],
		},
	});
	return {
		chat: async () => await eventsOf(`${agentPath}/chat`, { message: 'Record the payment.' }),
		decide: async ({ runId, toolCallId }: Suspension, approved: boolean) =>
			await eventsOf(`${agentPath}/chat/resume`, { runId, toolCallId, resumeData: { approved } }),
	};
}

/** Posts to an agent, and returns the events of its answer. */
async function eventsOf(path: string, body: object): Promise<IDataObject[]> {
	const { data } = await axios.post<string>(`${n8n.url}/rest${path}`, body, {
		proxy: false,
		responseType: 'text',
		headers: { Cookie: n8n.session },
	});
	return data
		.split('\n')
		.filter((line) => line.startsWith('data: '))
		.map((line) => JSON.parse(line.slice('data: '.length)) as IDataObject);
}

const suspensionIn = (events: IDataObject[]) =>
	events.find(({ type }) => type === 'tool-call-suspended')?.payload as Suspension | undefined;

/** What the model got back of its calls. */
const heard = () =>
	model.requests
		.at(-1)!
		.messages.filter(({ role }) => role === 'tool')
		.map(({ content }) => content);

const countRequests = async () => (await service.sandbox.client.getCounts()).transactions.requests;

test('with requireApproval, the call waits, shows its parameters, and pays once it is approved', async () => {
	const agent = await createAgent([CALL, DONE], { requireApproval: true });
	const suspension = suspensionIn(await agent.chat());
	expect(suspension?.input).toMatchObject({ type: 'approval', args: PAYMENT });
	expect(await countRequests()).toBe(0);

	await agent.decide(suspension!, true);
	expect(heard()).toEqual([expect.stringContaining('"outcome":"created"')]);
	const { items } = await service.sandbox.client.listTransactions();
	expect(items.map(({ transaction }) => [transaction.externalId, transaction.amount])).toEqual([
		[PAYMENT.invoice, PAYMENT.amount],
	]);
});

test('a call that is declined sends nothing, and the model hears it', async () => {
	const agent = await createAgent([CALL, DONE], { requireApproval: true });
	const suspension = suspensionIn(await agent.chat());
	await agent.decide(suspension!, false);
	expect(heard()).toEqual([expect.stringContaining('was not approved')]);
	expect(await countRequests()).toBe(0);
});

test('without requireApproval, nobody is asked, and a repeated call pays once', async () => {
	const agent = await createAgent([CALL, CALL, DONE]);
	expect(suspensionIn(await agent.chat())).toBeUndefined();
	expect(heard()).toEqual([
		expect.stringContaining('"outcome":"created"'),
		expect.stringContaining('"outcome":"duplicate"'),
	]);
});

test("a limit of the credential binds, and the model isn't told how to get past it", async () => {
	const args = { ...PAYMENT, amount: '150.01' };
	const agent = await createAgent([{ tool: TOOL, args }, DONE]);
	await agent.chat();
	const [result] = heard();
	expect(result).toContain('"outcome":"invalid"');
	expect(result).toContain("'Max Amount per Transaction'");
	expect(result).toContain("Don't change or split the transaction");
	expect(await countRequests()).toBe(0);
});

test.each([
	[undefined, 'Execute the n8n-nodes-payments.paymentsTool node'],
	['Pays one invoice.', 'Pays one invoice.'],
])(
	'described as %p in the agent, the model reads %p, and what $fromAI says',
	async (description, seen) => {
		const parameters = { ...PARAMETERS, toolDescription: "The tool's own description" };
		const agent = await createAgent([DONE], { parameters, ...(description && { description }) });
		await agent.chat();
		const tool = model.requests[0].tools!.find((one) => one.function.name === TOOL)!;
		expect(tool.function.description).toBe(seen);
		expect(tool.function.parameters.properties).toMatchObject({
			amount: { description: 'Decimal number with a dot, such as 120.00' },
		});
		expect(JSON.stringify(model.requests[0])).not.toContain("The tool's own description");
	},
);

test('n8n refuses the credential in another tool of an agent, and nothing is sent', async () => {
	const agent = await createAgent([{ tool: TOOL, args: {} }, DONE], {
		nodeType: 'n8n-nodes-base.httpRequestTool',
		nodeTypeVersion: 4.2,
		parameters: {
			url: `${service.sandbox.url}/api/v1/transactions`,
			authentication: 'predefinedCredentialType',
			nodeCredentialType: 'paymentsApi',
		},
	});
	await agent.chat();
	expect(heard()).toEqual([expect.stringContaining('restricted')]);
	expect((await service.sandbox.client.listRequests({ limit: 10 })).items).toEqual([]);
});
