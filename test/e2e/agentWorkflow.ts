import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../host/n8n/client';

/** A public chat whose agent has a model and these tools. */
export const agentWorkflow = (
	name: string,
	tools: INode[],
	agentOptions: INodeParameters = {},
): WorkflowJson => ({
	name,
	nodes: [
		{
			id: 'chat',
			name: 'Chat',
			type: '@n8n/n8n-nodes-langchain.chatTrigger',
			typeVersion: 1.1,
			position: [0, 0],
			webhookId: crypto.randomUUID(),
			parameters: { public: true, options: {} },
		},
		{
			id: 'agent',
			name: 'AI Agent',
			type: '@n8n/n8n-nodes-langchain.agent',
			typeVersion: 2.2,
			position: [200, 0],
			parameters: { options: agentOptions },
		},
		{
			id: 'model',
			name: 'Model',
			type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
			typeVersion: 1.2,
			position: [200, 200],
			parameters: { model: { __rl: true, mode: 'id', value: 'gpt-4.1-mini' }, options: {} },
			credentials: { openAiApi: { id: '', name: '' } },
		},
		...tools,
	],
	connections: {
		Chat: { main: [[{ node: 'AI Agent', type: 'main', index: 0 }]] },
		Model: { ai_languageModel: [[{ node: 'AI Agent', type: 'ai_languageModel', index: 0 }]] },
		...Object.fromEntries(
			tools.map((tool) => [
				tool.name,
				{ ai_tool: [[{ node: 'AI Agent', type: 'ai_tool', index: 0 }]] },
			]),
		),
	},
	settings: { executionOrder: 'v1' },
});
