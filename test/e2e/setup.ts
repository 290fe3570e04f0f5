import { join } from 'node:path';
import { ARTIFACTS } from '../support/pages/browser';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import { packPackage } from '../../host/pack';
import { mkdirSync } from 'node:fs';

declare global {
	var sharedN8n: N8n | undefined;
}

/**
 * Before all e2e tests: one real n8n with the packed nodes and its owner, which all of them share;
 * it takes 15 s to start.
 */
export default async function setup(): Promise<void> {
	mkdirSync(ARTIFACTS, { recursive: true });
	const { file } = await packPackage();
	const n8n = await startN8n({
		tarball: file,
		logFile: join(ARTIFACTS, 'n8n.log'),
		env: {
			N8N_PROXY_HOPS: '1', // each browser profile says an address of its own
			N8N_SSRF_PROTECTION_ENABLED: 'true', // see blockedRequests.test.ts
			N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
		},
	});
	await n8n.client.setUpOwner();
	globalThis.sharedN8n = n8n;
	process.env.E2E_N8N_URL = n8n.url;
	process.env.E2E_N8N_FOLDER = n8n.userFolder;
	process.env.E2E_N8N_SESSION = n8n.client.session;
	process.env.E2E_TARBALL = file;
}
