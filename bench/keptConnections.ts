import { join } from 'node:path';
import { Pool } from 'undici';
import { n8nInstallation } from '../host/n8n/installation';
import { TYPESCRIPT, startProcess } from '../host/processes';
import { SandboxClient } from '../sandbox/client';
import { transactionAt } from './sampleItems';

/*
 * What somebody would write who needs no n8n: a program that keeps its connections open. It's the
 * limit of what a node could reach, because n8n opens a connection for each request. It runs in a
 * process of its own, on the Node.js of n8n, and is warm before it's measured.
 */

interface Job {
	/** Of the service, over the connection that is measured. */
	url: string;
	/** Of the sandbox itself. */
	sandbox: string;
	/** The certificate to trust. */
	ca: string;
	client: { clientId: string; clientSecret: string };
	items: number;
}

/** Under which the job is handed over; a secret doesn't belong on a command line. */
const JOB = 'PAYMENTS_BENCH_JOB';
const CONNECTIONS = 100;
const WARM_UP = 1000;
const PATH = '/api/v1/transactions';

/** Resolves with ms from the first request to the last response. */
export async function sendOverKeptConnections(job: Job): Promise<number> {
	const program = startProcess(
		'kept connections',
		n8nInstallation().node,
		['--import', TYPESCRIPT, join(__dirname, 'keptConnections.ts')],
		{ env: { ...process.env, [JOB]: JSON.stringify(job) } },
	);
	const [, ms] = await program.waitFor(/took ([\d.]+) ms/, 5 * 60_000);
	await program.exited;
	return Number(ms);
}

async function requestToken({ sandbox, client: { clientId, clientSecret } }: Job): Promise<string> {
	const response = await fetch(`${sandbox}/passport/oauth/token`, {
		method: 'POST',
		body: new URLSearchParams({
			grant_type: 'client_credentials',
			scope: 'PAYMENTS',
			client_id: clientId,
			client_secret: clientSecret,
		}),
	});
	return ((await response.json()) as { access_token: string }).access_token;
}

async function sendAll(pool: Pool, count: number, token: string): Promise<number> {
	const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
	let next = 0;
	const worker = async () => {
		while (next < count) {
			const body = JSON.stringify(transactionAt(next++));
			const response = await pool.request({ method: 'POST', path: PATH, headers, body });
			await response.body.json();
			if (response.statusCode !== 202) throw new Error(`Status ${response.statusCode}`);
		}
	};
	const start = performance.now();
	await Promise.all(Array.from({ length: CONNECTIONS }, worker));
	return performance.now() - start;
}

async function main(job: Job) {
	const service = new SandboxClient(job.sandbox);
	const faults = await service.getFaults();
	const pool = new Pool(job.url, { connections: CONNECTIONS, connect: { ca: job.ca } });
	const token = await requestToken(job);
	await sendAll(pool, WARM_UP, token);
	await service.reset();
	await service.setFaults(faults);
	console.log(`took ${await sendAll(pool, job.items, token)} ms`);
	process.exit();
}

const job = process.env[JOB];
if (job)
	main(JSON.parse(job) as Job).catch((error: Error) => {
		console.error(error.message);
		process.exit(1);
	});
