import axios, { AxiosError } from 'axios';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import type { Attempt } from '../types';

/** A receiver that does not answer for so long has not taken the delivery. */
const TIMEOUT_MS = 30_000;
const SHOWN_CHARACTERS = 1000;

const http = axios.create({
	timeout: TIMEOUT_MS,
	// A redirect is no 2xx, so it is no acceptance; and a proxy of the environment must not stand between two local processes.
	maxRedirects: 0,
	proxy: false,
	responseType: 'text',
	transformRequest: (body: string) => body,
	transformResponse: (body: string) => body,
	validateStatus: () => true,
	httpAgent: new HttpAgent({ keepAlive: true }),
	httpsAgent: new HttpsAgent({ keepAlive: true }),
});

/** Sends one delivery once. Never rejects: that no answer came is a result, too. */
export async function post(
	url: string,
	body: string,
	signature: Record<string, string>,
): Promise<Attempt> {
	const requestHeaders = {
		'content-type': 'application/json',
		'user-agent': 'payments-sandbox/1.0',
		...signature,
	};
	const at = Date.now();
	const started = performance.now();
	const latencyMs = () => Math.round((performance.now() - started) * 10) / 10;
	try {
		const { status, data } = await http.post<string>(url, body, { headers: requestHeaders });
		return {
			at,
			latencyMs: latencyMs(),
			status,
			requestHeaders,
			responseBody: String(data ?? '').slice(0, SHOWN_CHARACTERS),
		};
	} catch (error) {
		const reason =
			error instanceof AxiosError
				? [error.code, error.message].filter(Boolean).join(': ')
				: String(error);
		return { at, latencyMs: latencyMs(), status: null, requestHeaders, error: reason };
	}
}
