import { randomUUID } from 'node:crypto';

import axios from 'axios';
import type { IDataObject, INode } from 'n8n-workflow';

import type { Credential, N8nClient } from '../../host/n8n/client';
import { readExample } from '../../host/n8n/credentials';
import { startChatModel, type ChatRequest } from '../support/servers/chatModel';

/** The name under which the model of the example sees the Payments node. */
export const TOOL = 'Create_Transaction';

/** What the model of the example fills in. */
export const PAYMENT = {
	recipient: 'lena-fischer',
	recipient_account: 'lena-fischer-account',
	recipient_country: 'DE',
	amount: '120.00',
	currency: 'EUR',
	invoice: 'INV-2026-0401',
	date: '2026-11-20',
};

interface CallOptions {
	n8n: N8nClient;
	credential: Credential;
	/** Parameters of the tool that are not those of the example. */
	parameters?: IDataObject;
	/** Settings of the tool that are not those of the example, such as its On Error. */
	settings?: Partial<INode>;
	/** Version of the AI Agent node, if it's not that of the example. */
	agentVersion?: number;
}

/**
 * Lets a model call the tool of the example agent-that-asks-a-person with each of the arguments,
 * without asking. Returns what it got back, and the tools that it was told of.
 */
export async function callTool(
	{ n8n, credential, parameters, settings, agentVersion }: CallOptions,
	calls: Array<typeof PAYMENT>,
): Promise<{ heard: IDataObject[]; tools: ChatRequest['tools'] }> {
	const model = await startChatModel([
		...calls.map((args) => ({ tool: TOOL, args })),
		{ say: 'Done.' },
	]);
	const openAi = await n8n.createCredential('Scripted model', 'openAiApi', {
		apiKey: 'not-a-key',
		url: model.url,
	});
	const example = readExample('agent-that-asks-a-person');
	const { 'Ask a Person': toAgent, 'AI Agent': _, ...connections } = example.connections;
	example.connections = { ...connections, 'Create Transaction': toAgent };
	example.nodes = example.nodes.filter(({ name }) => !['Ask a Person', 'Answer'].includes(name));
	for (const node of example.nodes) {
		// The example talks in the editor only; the test comes from outside.
		if (node.type.endsWith('.chatTrigger')) node.parameters = { public: true, options: {} };
		if (node.type.endsWith('.paymentsTool'))
			Object.assign(node, settings, { parameters: { ...node.parameters, ...parameters } });
		if (node.type.endsWith('.agent') && agentVersion) node.typeVersion = agentVersion;
	}
	const chat = example.nodes.find(({ type }) => type.endsWith('.chatTrigger'))!;
	chat.webhookId = randomUUID();
	const workflow = await n8n.importWorkflow(example, [credential, openAi]);
	await n8n.activate(workflow);
	const { production } = await n8n.webhookUrls(workflow, chat.name);
	const { data } = await axios.post<{ output: string }>(
		production.replace(/(\/chat)?$/, '/chat'),
		{ action: 'sendMessage', sessionId: randomUUID(), chatInput: 'Record the payments.' },
		{ proxy: false, validateStatus: null },
	);
	await n8n.deactivate(workflow);
	await model.stop();
	expect(data).toEqual({ output: 'Done.' });
	const heard = model.requests
		.at(-1)!
		.messages.filter(({ role }) => role === 'tool')
		.flatMap(({ content }) => JSON.parse(content ?? 'null') as IDataObject[]);
	return { heard, tools: model.requests[0].tools };
}
