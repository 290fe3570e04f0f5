import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startN8n } from '../../host/n8n/startN8n';
import { packPackage } from '../../host/pack';
import { stopAll } from '../../host/processes';
import { launchSandbox } from '../../host/sandbox';
import { ARTIFACTS } from '../support/pages/browser';

declare global {
	var stopE2e: () => Promise<void>;
}

/**
 * Before all e2e tests: one real n8n with the packed nodes and its owner, which all of them share,
 * and a sandbox for each worker of Jest, so that its counts are exact.
 */
export default async function setup({ maxWorkers }: { maxWorkers: number }): Promise<void> {
	globalThis.stopE2e = stopAll;
	mkdirSync(ARTIFACTS, { recursive: true });
	const { file } = await packPackage();
	const [n8n, ...sandboxes] = await Promise.all([
		startN8n({
			tarball: file,
			logFile: join(ARTIFACTS, 'n8n.log'),
			env: {
				N8N_PROXY_HOPS: '1', // each browser profile says an address of its own
				N8N_SSRF_PROTECTION_ENABLED: 'true', // see credential.test.ts
				N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
			},
		}),
		...Array.from({ length: maxWorkers }, async () => await launchSandbox()),
	]);
	await n8n.client.setUpOwner();
	process.env.E2E_N8N_URL = n8n.url;
	process.env.E2E_N8N_SESSION = n8n.client.session;
	process.env.E2E_SANDBOXES = sandboxes.map(({ url }) => url).join(' ');
	process.env.E2E_TARBALL = file;
}
