import { readRequest, startHttpServer, type HttpServer } from './httpServer';

/** One turn of a script: the model calls a tool, or says something. */
export type Turn = { tool: string; args: Record<string, unknown> } | { say: string };

export interface ChatMessage {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string | null;
	tool_calls?: Array<{
		id: string;
		type?: 'function';
		function: { name: string; arguments: string };
	}>;
	tool_call_id?: string;
}

export interface ChatRequest {
	model: string;
	/** Whether the answer is wanted as server-sent events. */
	stream?: boolean;
	messages: ChatMessage[];
	tools?: Array<{
		function: {
			name: string;
			description: string;
			parameters: { properties: Record<string, unknown>; required?: string[] };
		};
	}>;
}

/** `url` is the Base URL of n8n's OpenAI credential. */
export interface ChatModel extends HttpServer {
	/** The requests in the order of arrival. */
	requests: ChatRequest[];
}

/**
 * Starts a language model with a script: an endpoint on 127.0.0.1 that implements OpenAI's chat
 * completions (https://platform.openai.com/docs/api-reference/chat) and answers each request with
 * the next turn of the script. Answers 500 when it gets more requests than the script has turns.
 */
export async function startChatModel(script: Turn[]): Promise<ChatModel> {
	const requests: ChatRequest[] = [];
	const server = await startHttpServer(async (incoming, response) => {
		const { body, url } = await readRequest(incoming);
		if (!url.endsWith('/chat/completions')) {
			response.writeHead(404).end(); // n8n's Agents then use chat completions
			return;
		}
		const request = JSON.parse(body) as ChatRequest;
		const turn = script.at(requests.length);
		requests.push(request);
		const answer = turn
			? completion(turn, requests.length, request.model)
			: { error: { message: 'The script has no further turn.' } };
		if (turn && request.stream) {
			response.writeHead(200, { 'content-type': 'text/event-stream' });
			response.end(streamed(turn, requests.length, request.model));
			return;
		}
		response.writeHead(turn ? 200 : 500, { 'content-type': 'application/json' });
		response.end(JSON.stringify(answer));
	});
	return { ...server, url: `${server.url}/v1`, requests };
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

/** Formats a turn as server-sent events: the whole message in the first one. */
function streamed(turn: Turn, number: number, model: string): string {
	const { choices, ...rest } = completion(turn, number, model);
	const [{ message, finish_reason: finishReason }] = choices;
	const toolCalls = message.tool_calls?.map((call, index) => ({ index, ...call }));
	const chunks = [
		{ delta: { ...message, tool_calls: toolCalls }, finish_reason: null },
		{ delta: {}, finish_reason: finishReason },
	];
	const events = chunks.map((choice) =>
		JSON.stringify({
			...rest,
			object: 'chat.completion.chunk',
			choices: [{ index: 0, ...choice }],
		}),
	);
	return [...events, '[DONE]'].map((data) => `data: ${data}\n\n`).join('');
}

function messageOf(turn: Turn, number: number): ChatMessage {
	if ('say' in turn) return { role: 'assistant', content: turn.say };
	const { tool: name, args } = turn;
	const call = { name, arguments: JSON.stringify(args) };
	return {
		role: 'assistant',
		content: null,
		tool_calls: [{ id: `call_${number}`, type: 'function' as const, function: call }],
	};
}
