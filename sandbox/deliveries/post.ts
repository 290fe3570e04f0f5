import { Agent as HttpAgent, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Attempt } from '../types';

/** Without a response for this long, an attempt counts as not delivered. */
const TIMEOUT_MS = 30_000;
const MAX_RESPONSE_CHARACTERS = 1000;

const httpAgent = new HttpAgent({ keepAlive: true });
const httpsAgent = new HttpsAgent({ keepAlive: true });

/**
 * Sends a request and reads its response, as Node.js does it: a redirect isn't followed, because it
 * isn't a 2xx, and no proxy of the environment is used, because it can't reach local receivers. An
 * HTTP client on top of it takes four times as long, in which deliveries pile up in memory.
 */
async function send(
	url: string,
	body: string,
	headers: Record<string, string>,
): Promise<{ status: number; text: string }> {
	return await new Promise((resolve, reject) => {
		const isHttps = new URL(url).protocol === 'https:';
		const request = (isHttps ? httpsRequest : httpRequest)(url, {
			method: 'POST',
			headers,
			agent: isHttps ? httpsAgent : httpAgent,
			timeout: TIMEOUT_MS,
		});
		request.on('timeout', () =>
			request.destroy(new Error(`No response for ${TIMEOUT_MS / 1000} seconds`)),
		);
		request.on('error', reject);
		request.on('response', (response) => {
			let text = '';
			response.setEncoding('utf8');
			response.on('data', (part: string) => {
				if (text.length < MAX_RESPONSE_CHARACTERS) text += part;
			});
			response.on('error', reject);
			response.on('end', () =>
				resolve({ status: response.statusCode!, text: text.slice(0, MAX_RESPONSE_CHARACTERS) }),
			);
		});
		request.end(body);
	});
}

/**
 * Makes one attempt of a delivery. Never rejects: no response is a result, too.
 *
 * @param body the exact text to send
 * @param signature headers that sign it
 * @param at time of the attempt
 */
export async function post(
	url: string,
	body: string,
	signature: Record<string, string>,
	at: number,
): Promise<Attempt> {
	const requestHeaders = {
		'content-type': 'application/json',
		'user-agent': 'payments-sandbox/1.0',
		...signature,
	};
	const started = performance.now();
	const latencyMs = () => Math.round((performance.now() - started) * 10) / 10;
	try {
		const { status, text } = await send(url, body, requestHeaders);
		return { at, latencyMs: latencyMs(), status, requestHeaders, responseBody: text };
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = [code, message].filter(Boolean).join(': ');
		return { at, latencyMs: latencyMs(), status: null, requestHeaders, error: reason };
	}
}
