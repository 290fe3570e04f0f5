import type { Credential, N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import type { Faults } from '../../sandbox/types';
import type { SandboxClient } from '../../sandbox/client';
import { scaled } from './shared';

export const EVENTS = scaled(500);

/**
 * Each event goes out one to three times, shuffled, 20 at a time, and again until success; ten
 * minutes are scaled to two seconds.
 */
const ROUGH: Faults = {
	deliveries: { doubled: 1 / 3, tripled: 1 / 3, shuffled: 1, shuffleMs: 2000, concurrency: 20 },
	retries: { attempts: 300, intervalMs: 2000 },
};

/**
 * Puts an example into service at a webhook endpoint of its own; `publicUrl`: the address of a
 * proxy in front of n8n.
 */
export async function putIntoService(
	{
		n8n,
		sandbox,
		credentials,
	}: { n8n: N8nClient; sandbox: SandboxClient; credentials: Credential[] },
	{
		example: name,
		events,
		options,
		publicUrl,
	}: {
		example: string;
		events: string[];
		options: Record<string, number>;
		publicUrl?: string;
	},
): Promise<StoredWorkflow> {
	const example = readExample(name);
	for (const node of example.nodes)
		if (node.name === 'Payments Trigger') node.parameters = { ...node.parameters, events, options };
	const { production } = await n8n.webhookUrls(example, 'Payments Trigger');
	const { secret } = await sandbox.createEndpoint({
		url: new URL(new URL(production).pathname, publicUrl ?? production).href,
		events,
	});
	const workflow = await n8n.importWorkflow(example, [
		...credentials,
		await createPaymentsWebhookApi(n8n, secret),
	]);
	await n8n.activate(workflow);
	return workflow;
}

/**
 * Lets `EVENTS` events of a type happen at a service that delivers roughly; `prefix` makes the ids
 * of what they are about.
 */
export async function letEventsHappen(
	sandbox: SandboxClient,
	event: string,
	prefix: string,
	faults: Faults = {},
): Promise<void> {
	await sandbox.setFaults({ ...ROUGH, ...faults });
	for (let i = 0; i < EVENTS; i++) {
		await sandbox.emitEvent({
			event,
			data: { id: `${prefix}_${i}`, paymentId: `pmt_${i}`, amount: `${i + 1}.00`, currency: 'EUR' },
		});
	}
}

/**
 * Waits until each delivery was answered with success; gives how many there were, how many attempts
 * they took, and how often each status was answered.
 */
export async function untilDelivered(
	sandbox: SandboxClient,
): Promise<{ created: number; attempts: number; responses: Record<string, number> }> {
	const { created, attempts, delivered, failed, responses } = (await sandbox.idle(900_000))
		.deliveries;
	expect(created).toBeGreaterThan(EVENTS * 1.5);
	expect([delivered, failed]).toEqual([created, 0]);
	return { created, attempts, responses };
}
