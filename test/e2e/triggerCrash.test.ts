import type { Sandbox } from '../../host/sandbox';
import { waitUntil } from '../../host/waitUntil';
import { startOwnN8n, startProxyTo, type OwnN8n, type Proxy } from './ownN8n';
import { EVENTS, letEventsHappen, putIntoService, untilDelivered } from './service';
import { ownService } from './shared';

let n8n: OwnN8n;
let sandbox: Sandbox;
let proxy: Proxy;

afterAll(async () => {
	await sandbox?.stop();
	await proxy?.stop();
	await n8n?.stop();
});

test(`n8n is killed in the middle of ${EVENTS} events and started again: every one is processed, ${EVENTS} transactions`, async () => {
	n8n = await startOwnN8n('crash');
	const service = await ownService(n8n.client);
	({ sandbox } = service);
	proxy = await startProxyTo(n8n, 'crash');
	const { publicUrl } = proxy;
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

	await n8n.startAgain();
	await untilDelivered(sandbox.client);
	const { transactions, deliveries } = await sandbox.client.getCounts();
	expect(transactions.created).toBe(EVENTS);
	// The crash was felt: the proxy met a broken connection, or nobody at all.
	expect((deliveries.responses[502] ?? 0) + (deliveries.responses[503] ?? 0)).toBeGreaterThan(0);
}, 1_000_000);
