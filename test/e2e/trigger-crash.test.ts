import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARTIFACTS } from '../support/pages/browser';
import { startN8n, type N8n } from '../support/n8n/startN8n';
import type { Sandbox } from '../support/servers/sandbox';
import getPort from 'get-port';
import { type ManagedProcess } from '../../scripts/processes';
import { waitUntil } from '../support/waitUntil';
import { startProxy } from '../queue/cluster/proxy';
import { EVENTS, letEventsHappen, putIntoService, untilDelivered } from './service';
import { ownService } from './shared';

let n8n: N8n;
let sandbox: Sandbox;
let proxy: ManagedProcess;
const userFolder = mkdtempSync(join(tmpdir(), 'payments-crash-'));

afterAll(async () => {
	await sandbox?.stop();
	await proxy?.stop();
	await n8n?.stop();
	rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 });
});

test('n8n is killed in the middle of 500 events and started again: every one is processed, 500 transactions', async () => {
	const options = { userFolder, logFile: join(ARTIFACTS, 'n8n-crash.log') };
	n8n = await startN8n({ ...options, tarball: process.env.E2E_TARBALL });
	await n8n.client.setUpOwner();
	const service = await ownService(n8n.client);
	({ sandbox } = service);
	// n8n answers 200 while it starts, before any trigger is there: what keeps deliveries from it then is the proxy of the deployment.
	const publicUrl = `http://127.0.0.1:${await getPort()}`;
	proxy = await startProxy(
		join(userFolder, 'proxy'),
		publicUrl,
		n8n.url,
		[n8n.url],
		join(ARTIFACTS, 'proxy-crash.log'),
	);
	await putIntoService(
		{ n8n: n8n.client, sandbox: sandbox.client, credentials: [service.credential] },
		{ example: 'returns-to-transactions', events: ['RETURN.CREATED'], options: {}, publicUrl },
	);
	const happening = letEventsHappen(sandbox.client, 'RETURN.CREATED', 'ret');
	const recorded = async () => (await sandbox.client.getCounts()).transactions.created;
	await waitUntil('a quarter is recorded', async () => (await recorded()) >= EVENTS / 4, {
		timeoutMs: 300_000,
		intervalMs: 20,
	});
	await n8n.kill();
	await happening;
	const atTheCrash = await recorded();
	expect(atTheCrash).toBeLessThan(EVENTS);

	n8n = await startN8n({ ...options, port: Number(new URL(n8n.url).port) });
	await untilDelivered(sandbox.client);
	const { transactions, deliveries } = await sandbox.client.getCounts();
	expect(transactions.created).toBe(EVENTS);
	// The crash was felt: the proxy met a broken connection, or nobody at all.
	expect((deliveries.responses[502] ?? 0) + (deliveries.responses[503] ?? 0)).toBeGreaterThan(0);
}, 1_000_000);
