import fastify from 'fastify';
import type { AddressInfo } from 'node:net';

/** What a scripted model does in one turn: it calls a tool, or says something. */
export type Turn = { tool: string; args: Record<string, string> } | { say: string };

interface ChatMessage {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string | null;
}

interface ChatRequest {
	model: string;
	messages: ChatMessage[];
	tools?: Array<{
		function: {
			name: string;
			description: string;
			parameters: { properties: Record<string, unknown>; required?: string[] };
		};
	}>;
}

export interface ChatModel {
	/** Where it listens, as the Base URL of n8n's OpenAI credential. */
	url: string;
	/** What it was asked, in order. */
	requests: ChatRequest[];
	stop(): Promise<void>;
}

/**
 * A language model with a script: an endpoint on 127.0.0.1 that speaks OpenAI's chat completions (platform.openai.com, API reference,
 * Chat: https://platform.openai.com/docs/api-reference/chat), and in each conversation takes the script's turns one after the other.
 * Answers 500 when it is asked more often than the script has turns.
 */
export async function startChatModel(script: Turn[]): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const app = fastify();
	app.post<{ Body: ChatRequest }>('/v1/chat/completions', async ({ body }, reply) => {
		const turn = script[requests.length];
		requests.push(body);
		if (!turn)
			return await reply
				.status(500)
				.send({ error: { message: 'The script has no further turn.' } });
		const call = (number: number, { tool, args }: Extract<Turn, { tool: string }>) => ({
			id: `call_${number}`,
			type: 'function',
			function: { name: tool, arguments: JSON.stringify(args) },
		});
		const message =
			'tool' in turn
				? { role: 'assistant', content: null, tool_calls: [call(requests.length, turn)] }
				: { role: 'assistant', content: turn.say };
		return {
			id: `chatcmpl-${requests.length}`,
			object: 'chat.completion',
			created: Math.floor(Date.now() / 1000),
			model: body.model,
			choices: [{ index: 0, message, finish_reason: 'tool' in turn ? 'tool_calls' : 'stop' }],
			usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		};
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/v1`,
		requests,
		stop: async () => await app.close(),
	};
}
