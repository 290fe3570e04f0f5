import type { N8nClient } from '../../../host/n8n/client';
import { readRequest, startHttpServer } from './httpServer';

/** One turn of a script: the model calls a tool, or says something. */
export type Turn = { tool: string; args: Record<string, unknown> } | { say: string };

interface ChatRequest {
	model: string;
	/** Whether the answer is wanted as server-sent events. */
	stream?: boolean;
	messages: Array<{ role: string; content: string | null }>;
	tools?: Array<{
		function: {
			name: string;
			description: string;
			parameters: { properties: Record<string, unknown> };
		};
	}>;
}

/**
 * Starts a language model with a script: an endpoint on 127.0.0.1 that implements OpenAI's chat
 * completions (https://platform.openai.com/docs/api-reference/chat) and answers each request with
 * the next turn of the script. Answers 500 when it gets more requests than the script has turns.
 */
async function startChatModel(script: Turn[]) {
	const requests: ChatRequest[] = [];
	const { url, stop } = await startHttpServer(async (incoming, response) => {
		const { body, url: path } = await readRequest(incoming);
		if (!path.endsWith('/chat/completions')) {
			response.writeHead(404).end(); // n8n's Agents then use chat completions
			return;
		}
		const request = JSON.parse(body) as ChatRequest;
		const turn = script.at(requests.length);
		requests.push(request);
		if (!turn) {
			response.writeHead(500, { 'content-type': 'application/json' });
			response.end('{"error":{"message":"The script has no further turn."}}');
			return;
		}
		const type = request.stream ? 'text/event-stream' : 'application/json';
		response.writeHead(200, { 'content-type': type });
		const answer = completion(turn, requests.length, request.model);
		response.end(request.stream ? streamed(answer) : JSON.stringify(answer));
	});
	return {
		url: `${url}/v1`,
		stop,
		/** The requests in the order of arrival. */
		requests,
		/** What the model got back of its calls. */
		heard: () =>
			requests
				.at(-1)!
				.messages.filter(({ role }) => role === 'tool')
				.map(({ content }) => content),
	};
}

/** For a test file: starts models with a credential for each, and stops them after their test. */
export function useChatModel(n8n: N8nClient) {
	const started: Array<() => Promise<void>> = [];
	afterEach(async () => {
		for (const stop of started.splice(0)) await stop();
	});
	return async (script: Turn[]) => {
		const model = await startChatModel(script);
		started.push(model.stop);
		const data = { apiKey: 'not-a-key', url: model.url };
		return { ...model, credential: await n8n.createCredential('Model', 'openAiApi', data) };
	};
}

/** Formats a turn as the response to the request with that number. */
function completion(turn: Turn, number: number, model: string) {
	const finishReason = 'say' in turn ? 'stop' : 'tool_calls';
	return {
		id: `chatcmpl-${number}`,
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model,
		choices: [{ index: 0, message: messageOf(turn, number), finish_reason: finishReason }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}

function messageOf(turn: Turn, number: number) {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const call = { name: turn.tool, arguments: JSON.stringify(turn.args) };
	const toolCalls = [{ id: `call_${number}`, type: 'function', function: call }];
	return { role: 'assistant', content: null, tool_calls: toolCalls };
}

/** Formats a response as server-sent events: the whole message in the first one. */
function streamed({ choices, ...rest }: ReturnType<typeof completion>): string {
	const [{ message, finish_reason: finishReason }] = choices;
	const toolCalls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const chunks = [
		{ delta: { ...message, tool_calls: toolCalls }, finish_reason: null },
		{ delta: {}, finish_reason: finishReason },
	].map((choice) => ({
		...rest,
		object: 'chat.completion.chunk',
		choices: [{ index: 0, ...choice }],
	}));
	const events = [...chunks.map((chunk) => JSON.stringify(chunk)), '[DONE]'];
	return events.map((data) => `data: ${data}\n\n`).join('');
}
