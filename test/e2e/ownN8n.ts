import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { N8nClient } from '../../host/n8n/client';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import { ARTIFACTS } from '../support/pages/browser';

/** An n8n of one's own, for a test that kills it. */
export interface OwnN8n {
	/** Stays the same when n8n is started again. */
	url: string;
	client: N8nClient;
	/** Its database, key, and community nodes; removed at the end. */
	userFolder: string;
	/** Ends it like a crash (SIGKILL). */
	kill(): Promise<void>;
	/** Starts it at the same address, on the same database. */
	startAgain(): Promise<void>;
	/** Shuts it down in an orderly way, and removes its folder. */
	stop(): Promise<void>;
}

/**
 * Starts an n8n with the packed nodes and an owner.
 * @param name of its log file and its folder
 */
export async function startOwnN8n(name: string): Promise<OwnN8n> {
	const userFolder = mkdtempSync(join(tmpdir(), `payments-${name}-`));
	const env = { N8N_PROXY_HOPS: '1' }; // each browser profile says an address of its own
	const options = { userFolder, env, logFile: join(ARTIFACTS, `n8n-${name}.log`) };
	let n8n: N8n = await startN8n({ ...options, tarball: process.env.E2E_TARBALL });
	const { url, client } = n8n;
	await client.setUpOwner();
	return {
		url,
		client,
		userFolder,
		kill: async () => await n8n.kill(),
		startAgain: async () => {
			n8n = await startN8n({ ...options, port: Number(new URL(url).port) });
		},
		stop: async () => {
			await n8n.stop();
			rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 });
		},
	};
}
