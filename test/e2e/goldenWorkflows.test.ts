import { randomUUID } from 'node:crypto';
import axios from 'axios';
import { outputOf } from '../../host/n8n/executions';
import { credentialFor, EXPECTED, goldenWorkflows, isTrigger } from '../support/goldenWorkflows';
import { signed } from '../support/signed';
import { sharedN8n, useService } from './shared';

/*
 * Workflows that published versions saved: n8n imports each and runs it as it did.
 */

const n8n = sharedN8n();
const service = useService(n8n);

test.each(goldenWorkflows.filter((one) => !isTrigger(one)))(
	'$id runs as it did',
	async ({ id, workflow }) => {
		const { sandbox, client } = service;
		await sandbox.client.reset();
		const { url } = sandbox;
		const saved = credentialFor(id, 'paymentsApi');
		const data = { ...saved, authUrl: url, baseUrl: url, ...client };
		const credential = await n8n.createCredential(id, 'paymentsApi', data);
		const stored = await n8n.importWorkflow(workflow, [credential]);
		const execution = await n8n.run(stored, 'Start');
		expect(execution.data.resultData.error).toBeUndefined();
		const expected = EXPECTED[id];
		expect(outputOf(execution, 'Payments').map(({ json }) => json)).toMatchObject(expected.output);
		const { items } = await sandbox.client.listTransactions();
		const recorded = items.map(({ transaction }) => transaction);
		expect(recorded).toHaveLength(expected.stored.length);
		for (const one of expected.stored)
			expect(recorded).toContainEqual(expect.objectContaining(one));
	},
);

/**
 * Publishes a trigger, posts a body to it, and returns the status and the items of its executions.
 */
async function deliver(id: string, event: object, headersFor: typeof signed, executions: number) {
	const { workflow } = goldenWorkflows.find((one) => one.id === id)!;
	const nodes = workflow.nodes.map((node) => ({ ...node, webhookId: randomUUID() }));
	const saved = credentialFor(id, 'paymentsWebhookApi');
	const credential = await n8n.createCredential(id, 'paymentsWebhookApi', saved);
	const stored = await n8n.importWorkflow({ ...workflow, nodes }, [credential]);
	await n8n.activate(stored);
	const { production } = await n8n.webhookUrls(stored, 'Payments Trigger');
	const body = JSON.stringify(event);
	const { status } = await axios.post<unknown>(production, body, {
		headers: headersFor(body),
		proxy: false,
		validateStatus: null,
	});
	const { results } = await n8n.ended(stored, executions);
	await n8n.deactivate(stored);
	const ended = await Promise.all(results.map(async (one) => await n8n.execution(one.id)));
	const items = ended.map((execution) => outputOf(execution, 'Payments Trigger'));
	return { status, items };
}
const unsigned = () => ({ 'content-type': 'application/json' });

test('1.0.0/trigger-signature: an additional event type, signed', async () => {
	const event = { id: 'e1', event: 'CARD.FROZEN', data: {} };
	const { status, items } = await deliver('1.0.0/trigger-signature', event, signed, 1);
	expect(status).toBe(200);
	expect(items).toMatchObject([[{ json: event }]]);
	const forged = await deliver('1.0.0/trigger-signature', event, unsigned, 0);
	expect(forged).toEqual({ status: 401, items: [] });
});

test('1.0.0/trigger-none: every event, without a signature', async () => {
	const event = { id: 'e1', event: 'ANY.THING' };
	const { status, items } = await deliver('1.0.0/trigger-none', event, unsigned, 1);
	expect(status).toBe(200);
	expect(items).toMatchObject([[{ json: event }]]);
});
