import { randomUUID } from 'node:crypto';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { toolDescription } from '../../nodes/Payments/editor/aiTexts';
import type { Credential } from '../../host/n8n/client';
import { paymentsApiData, readExample } from '../../host/n8n/credentials';
import { n8nInstallation } from '../../host/n8n/installation';
import { useChatModel, type Turn } from '../support/servers/chatModel';
import { sharedN8n, useService } from './shared';
import { askAgent, PAYMENT, TOOL } from './tool';

/* The Payments node as a tool: what docs/ai-agents.md says, in all three kinds of callers. */

const n8n = sharedN8n();
const service = useService(n8n);
const startModel = useChatModel(n8n);
beforeEach(async () => await service.sandbox.reset());

const text = (pattern: RegExp) => expect.stringMatching(pattern) as string;
const call = (changes: Partial<typeof PAYMENT> = {}): Turn => ({
	tool: TOOL,
	args: { ...PAYMENT, ...changes },
});
const DONE = { say: 'Done.' };
const recorded = async () =>
	(await service.sandbox.listTransactions()).items.map(({ seen, transaction }) => [
		...[transaction.externalId, transaction.amount],
		...[transaction.sender.externalEntityId, seen],
	]);
const ONCE = [PAYMENT.invoice, PAYMENT.amount, 'harbour-bakery'];
const limitedCredential = async (limits: IDataObject) =>
	await n8n.createCredential('For agents', 'paymentsApi', {
		...paymentsApiData({ url: service.sandbox.url, ...service.client }),
		...limits,
	} as never);

test.each([
	[2, 'stopWorkflow'],
	[3.1, 'continueRegularOutput'],
] as const)(
	'AI Agent %s with On Error %s: one transaction, and outcome, reason, and fix of each call',
	async (agentVersion, onError) => {
		const model = await startModel([
			call(),
			call(), // as agents do when they are not sure
			call({ amount: '150.01', invoice: 'RE-2' }),
			// Within the limit by itself, but not with the first one, which counts once.
			call({ amount: '80.01', invoice: 'RE-3' }),
			call({ amount: '120,00', invoice: 'RE-4' }),
			call({ amount: '1.00', invoice: 'TEST_INVALID' }),
			call({ amount: '1.01', invoice: 'TEST_UNKNOWN' }),
			DONE,
		]);
		const example = readExample('agent-that-asks-a-person');
		const { 'Ask a Person': toAgent, 'AI Agent': _, ...connections } = example.connections;
		example.connections = { ...connections, 'Create Transaction': toAgent };
		example.nodes = example.nodes.filter(({ name }) => !['Ask a Person', 'Answer'].includes(name));
		for (const node of example.nodes) {
			if (node.type.endsWith('.chatTrigger')) node.parameters = { options: {} };
			if (node.type.endsWith('.paymentsTool')) node.onError = onError;
			if (node.type.endsWith('.agent')) node.typeVersion = agentVersion;
		}
		const { answer } = await askAgent(n8n, example, [service.credential, model.credential]);
		expect(answer).toEqual({ output: 'Done.' });

		// A tool of this name, with the fields that are asked of the model, and no others.
		const { tools = [] } = model.requests[0];
		expect(tools.map((tool) => tool.function.name)).toEqual([TOOL]);
		expect(Object.keys(tools[0].function.parameters.properties).sort()).toEqual(
			Object.keys(PAYMENT).sort(),
		);
		expect(tools[0].function.description).toBe(toolDescription.default);
		const heard = model.heard().flatMap((content) => JSON.parse(content!) as IDataObject[]);
		expect(heard).toMatchObject([
			{ outcome: 'created', externalId: PAYMENT.invoice },
			{ outcome: 'duplicate' },
			{ outcome: 'invalid', message: text(/150\.01 EUR.* 150 EUR.*'Max Amount'/) },
			{ outcome: 'invalid', message: text(/ 200\.01 EUR.*'Max Total per Execution'/) },
			{ outcome: 'invalid', message: text(/'Amount'.*120,00/), fix: text(/1234\.50/) },
			{ outcome: 'rejected', message: text(/400/), fix: text(/Correct/) },
			{ outcome: 'unknown', message: text(/response/), fix: text(/again/) },
		]);
		expect((await recorded()).at(-1)).toEqual([...ONCE, 2]);
	},
);

/* n8n's Agents are no workflows. */
describe("n8n's Agents", () => {
	let projectPath: string;
	let limited: Credential;
	beforeAll(async () => {
		const { id } = await n8n.send<{ id: string }>('GET', '/projects/personal');
		projectPath = `/projects/${id}/agents/v2`;
		limited = await limitedCredential({ maxAmounts: 'EUR 150' });
	});

	const { parameters: EXAMPLE } = readExample('agent-that-asks-a-person').nodes.find(({ type }) =>
		type.endsWith('.paymentsTool'),
	)!;
	interface AgentTool extends IDataObject {
		type?: string;
		version?: number;
		parameters?: INodeParameters;
	}
	interface Suspension {
		runId: string;
		toolCallId: string;
		input: { type: string; args: object };
	}

	/** Creates an agent with one tool, and a model that has this script. Returns what talks to it. */
	async function createAgent(script: Turn[], tool: AgentTool = {}) {
		const {
			type: nodeType = 'n8n-nodes-payments.paymentsTool',
			version: nodeTypeVersion = 1,
			// Max Total per Execution can't be used in Agents.
			parameters: nodeParameters = { ...EXAMPLE, options: {} },
			...rest
		} = tool;
		const model = await startModel(script);
		const { id } = await n8n.send<{ id: string }>('POST', projectPath, { name: 'Payer' });
		const path = `${projectPath}/${id}`;
		const before = await n8n.send<{ config: object; configHash: string }>('GET', `${path}/config`);
		const credentials = { paymentsApi: { id: limited.id, name: limited.name } };
		const node = { nodeType, nodeTypeVersion, nodeParameters, credentials };
		await n8n.send('PUT', `${path}/config`, {
			baseConfigHash: before.configHash,
			config: {
				...before.config,
				...{ name: 'Payer', model: 'openai/gpt-4.1-mini', credential: model.credential.id },
				instructions: 'Record the payments that the user names.',
				tools: [{ type: 'node', name: TOOL, node, ...rest }],
			},
		});
		/** Posts to the agent. Returns the call that waits for an approval, if there is one. */
		const post = async (to: string, body: object): Promise<Suspension | undefined> => {
			const { data } = await axios.post<string>(`${n8n.url}/rest${path}/${to}`, body, {
				...{ proxy: false, responseType: 'text', headers: { Cookie: n8n.session } },
			});
			const events = [...data.matchAll(/^data: (.*)$/gm)].map(
				([, json]) => JSON.parse(json) as { type: string; payload: Suspension },
			);
			return events.find(({ type }) => type === 'tool-call-suspended')?.payload;
		};
		return {
			...model,
			chat: async () => await post('chat', { message: 'Record the payment.' }),
			approve: async ({ runId, toolCallId }: Suspension) =>
				await post('chat/resume', { runId, toolCallId, resumeData: { approved: true } }),
		};
	}

	test('with requireApproval, the call waits, shows its parameters, and records once it is approved; the model reads the description in the agent', async () => {
		const agent = await createAgent([call(), DONE], {
			requireApproval: true,
			description: 'Records one invoice.',
			parameters: { ...EXAMPLE, options: {}, toolDescription: "The tool's own description" },
		});
		const suspension = await agent.chat();
		expect(suspension?.input).toMatchObject({ type: 'approval', args: PAYMENT });
		expect(await recorded()).toEqual([]);
		await agent.approve(suspension!);
		expect(agent.heard()).toEqual([text(/"outcome":"created"/)]);
		expect(await recorded()).toEqual([[...ONCE, 1]]);

		const tool = agent.requests[0].tools!.find((one) => one.function.name === TOOL)!;
		expect(tool.function.description).toBe('Records one invoice.');
		expect(tool.function.parameters.properties).toMatchObject({
			amount: { description: 'Decimal number with a dot, such as 120.00' },
		});
		expect(JSON.stringify(agent.requests[0])).not.toContain("The tool's own description");
	});

	test("without it, nobody is asked, and a repeated call records once; a limit of the credential binds, and the model isn't told how to get past it", async () => {
		const agent = await createAgent([call(), call(), call({ amount: '150.01' }), DONE]);
		expect(await agent.chat()).toBeUndefined();
		const [created, duplicate, invalid] = agent.heard();
		expect([created, duplicate]).toEqual([text(/"outcome":"created"/), text(/:"duplicate"/)]);
		expect(invalid).toMatch(/"outcome":"invalid".*'Max Amount per Transaction'/);
		expect(invalid).toMatch(/Don't\schange\sor\ssplit\sthe\stransaction/);
		expect(await recorded()).toEqual([[...ONCE, 2]]);
	});

	test('n8n refuses the credential in another tool of an agent, and nothing is sent', async () => {
		const agent = await createAgent([{ tool: TOOL, args: {} }, DONE], {
			...{ type: 'n8n-nodes-base.httpRequestTool', version: 4.2 },
			parameters: {
				url: `${service.sandbox.url}/api/v1/transactions`,
				...{ authentication: 'predefinedCredentialType', nodeCredentialType: 'paymentsApi' },
			},
		});
		await agent.chat();
		expect(agent.heard()).toEqual([text(/restricted/)]);
		expect((await service.sandbox.listRequests({ limit: 10 })).items).toEqual([]);
	});
});

/* The example mcp-server, called by the official MCP client, which n8n brings. */

interface McpClient {
	connect(transport: object): Promise<void>;
	listTools(): Promise<{ tools: Array<{ name: string; inputSchema: { properties: object } }> }>;
	callTool(call: { name: string; arguments: object }): Promise<{ content: [{ text: string }] }>;
	close(): Promise<void>;
}
const sdk = createRequire(join(n8nInstallation().folder, 'package.json'));
const { Client } = sdk('@modelcontextprotocol/sdk/client/index.js') as {
	Client: new (info: { name: string; version: string }) => McpClient;
};
const { StreamableHTTPClientTransport } = sdk(
	'@modelcontextprotocol/sdk/client/streamableHttp.js',
) as {
	StreamableHTTPClientTransport: new (url: URL, options: { requestInit: RequestInit }) => object;
};

test('an MCP client with the token finds the tool, records once, and is told of a limit', async () => {
	const token = randomUUID();
	const workflow = await n8n.importWorkflow(readExample('mcp-server'), [
		await n8n.createCredential('MCP clients', 'httpBearerAuth', { token }),
		await limitedCredential({ allowedRecipients: PAYMENT.recipient_account }),
	]);
	await n8n.activate(workflow);
	const connect = async (guess: string) => {
		const client = new Client({ name: 'test', version: '1.0.0' });
		const requestInit = { headers: { authorization: `Bearer ${guess}` } };
		const url = new URL('/mcp/payments', n8n.url);
		await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
		return client;
	};
	await expect(connect('guessed')).rejects.toThrow(/Authorization data is wrong/);
	const client = await connect(token);
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name)).toEqual([TOOL]);
	expect(Object.keys(tools[0].inputSchema.properties).sort()).toEqual(Object.keys(PAYMENT).sort());

	const create = async (changes: Partial<typeof PAYMENT> = {}) => {
		const { content } = await client.callTool({
			name: TOOL,
			arguments: { ...PAYMENT, ...changes },
		});
		return [JSON.parse(content[0].text) as IDataObject | IDataObject[]].flat()[0];
	};
	expect(await create()).toMatchObject({ outcome: 'created', externalId: PAYMENT.invoice });
	expect(await create()).toMatchObject({ outcome: 'duplicate' });
	expect(await create({ recipient_account: 'vac_x', invoice: 'INV-2' })).toMatchObject({
		outcome: 'invalid',
		message: text(/'Allowed Recipients'/),
	});
	expect(await recorded()).toEqual([[...ONCE, 2]]);
	await client.close();
	await n8n.deactivate(workflow);
});
