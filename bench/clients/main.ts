import axios from 'axios';
import { Agent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Pool } from 'undici';
import { SandboxClient } from '../../sandbox/client';
import { transactionAt } from '../sampleItems';
import type { Client } from '../subjects';
import { JOB, type WholeJob } from './run';

/*
 * What somebody would write who needs no n8n: as many requests under way at a time as the Payments
 * node has, over connections that are kept. The program is warm before it is measured, as n8n is.
 */

const { use, url, sandbox, ca, client, items, parallel } = JSON.parse(
	process.env[JOB]!,
) as WholeJob;
const WARM_UP = 2000;
const PATH = '/api/v1/transactions';

/** Sends one body; resolves with the status and the answer, read as JSON. */
type Send = (body: object, token: string) => Promise<{ status: number; answer: unknown }>;

const senders: Record<Client, () => Send> = {
	axios: () => {
		const http = axios.create({
			baseURL: url,
			proxy: false,
			httpAgent: new Agent({ keepAlive: true, maxSockets: parallel }),
			httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: parallel, ca }),
		});
		return async (body, token) => {
			const { status, data } = await http.post<unknown>(PATH, body, {
				headers: { authorization: `Bearer ${token}` },
			});
			return { status, answer: data };
		};
	},
	undici: () => {
		const pool = new Pool(url, { connections: parallel, connect: { ca } });
		return async (body, token) => {
			const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
			const { statusCode, body: answer } = await pool.request({
				method: 'POST',
				path: PATH,
				headers,
				body: JSON.stringify(body),
			});
			return { status: statusCode, answer: await answer.json() };
		};
	},
};

async function token(): Promise<string> {
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		scope: 'PAYMENTS',
		client_id: client.clientId,
		client_secret: client.clientSecret,
	});
	const { data } = await axios.post<{ access_token: string }>(
		`${sandbox}/passport/oauth/token`,
		form,
		{
			proxy: false,
		},
	);
	return data.access_token;
}

/** Resolves with the ms that it took; rejects when one was not accepted. */
async function sendAll(send: Send, bodies: object[], bearer: string): Promise<number> {
	let next = 0;
	const answers: unknown[] = [];
	const worker = async () => {
		while (next < bodies.length) {
			const { status, answer } = await send(bodies[next++], bearer);
			if (status !== 202)
				throw new Error(`${use} was responded with ${status}: ${JSON.stringify(answer)}`);
			answers.push(answer);
		}
	};
	const start = performance.now();
	await Promise.all(Array.from({ length: parallel }, worker));
	return performance.now() - start;
}

async function main() {
	const service = new SandboxClient(sandbox);
	const faults = await service.getFaults();
	const send = senders[use]();
	const bearer = await token();
	await sendAll(
		send,
		Array.from({ length: WARM_UP }, (_, index) => transactionAt(index)),
		bearer,
	);
	await service.reset();
	await service.setFaults(faults);
	console.log(
		`took ${await sendAll(
			send,
			Array.from({ length: items }, (_, index) => transactionAt(index)),
			bearer,
		)} ms`,
	);
	process.exit();
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exit(1);
});
