import axios from 'axios';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Attempt } from '../types';

/** Without a response for this long, an attempt counts as not delivered. */
const TIMEOUT_MS = 30_000;
const MAX_RESPONSE_CHARACTERS = 1000;

const http = axios.create({
	timeout: TIMEOUT_MS,
	// A redirect isn't a 2xx, so it doesn't acknowledge a delivery.
	maxRedirects: 0,
	// A proxy of the environment can't reach local receivers.
	proxy: false,
	responseType: 'text',
	transformRequest: (body: string) => body,
	transformResponse: (body: string) => body,
	validateStatus: () => true,
	httpAgent: new HttpAgent({ keepAlive: true }),
	httpsAgent: new HttpsAgent({ keepAlive: true }),
});

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
		const { status, data } = await http.post<string>(url, body, { headers: requestHeaders });
		const responseBody = data.slice(0, MAX_RESPONSE_CHARACTERS);
		return { at, latencyMs: latencyMs(), status, requestHeaders, responseBody };
	} catch (error) {
		const { code, message } = error as NodeJS.ErrnoException;
		const reason = [code, message].filter(Boolean).join(': ');
		return { at, latencyMs: latencyMs(), status: null, requestHeaders, error: reason };
	}
}
