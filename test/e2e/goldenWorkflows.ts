import { randomUUID } from 'node:crypto';
import axios from 'axios';
import type { N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { outputOf, type Execution } from '../../host/n8n/executions';
import { credentialFor, EXPECTED, goldenWorkflows, isTrigger } from '../support/goldenWorkflows';
import type { Sandbox } from '../../host/sandbox';
import { signed } from '../support/signed';

interface Line {
	n8n: N8nClient;
	sandbox: Sandbox;
	client: { clientId: string; clientSecret: string };
	/**
	 * Runs a workflow by hand from its node Start; differs between the lines of n8n, as the next one
	 * does.
	 */
	run: (workflow: StoredWorkflow) => Promise<Execution>;
	setActive: (workflow: StoredWorkflow, active: boolean) => Promise<unknown>;
}

/**
 * Adds the tests of the workflows that published versions saved: n8n imports each and runs it as it
 * did.
 * @param line the n8n to run them in, there when the tests run
 */
export function testGoldenWorkflows(line: () => Line) {
	test.each(goldenWorkflows.filter((one) => !isTrigger(one)))(
		'$id runs as it did',
		async ({ id, workflow }) => {
			const { n8n, sandbox, client, run } = line();
			await sandbox.client.reset();
			const { url } = sandbox;
			const saved = credentialFor(id, 'paymentsApi');
			const data = { ...saved, authUrl: url, baseUrl: url, ...client };
			const credential = await n8n.createCredential(id, 'paymentsApi', data);
			const inactive = { ...workflow, active: false };
			const execution = await run(await n8n.importWorkflow(inactive, [credential]));
			expect(execution.data.resultData.error).toBeUndefined();
			const { output, stored } = EXPECTED[id];
			expect(outputOf(execution, 'Payments').map(({ json }) => json)).toMatchObject(output);
			const { items } = await sandbox.client.listTransactions();
			const recorded = items.map(({ transaction }) => transaction);
			expect(recorded).toHaveLength(stored.length);
			for (const one of stored) expect(recorded).toContainEqual(expect.objectContaining(one));
		},
	);

	/**
	 * Publishes a trigger, posts a body to it, and returns the status and the items of each output of
	 * its executions.
	 */
	async function deliver(id: string, event: object, headersFor: typeof signed, executions: number) {
		const { n8n, setActive } = line();
		const { workflow } = goldenWorkflows.find((one) => one.id === id)!;
		const nodes = workflow.nodes.map((node) => ({ ...node, webhookId: randomUUID() }));
		const saved = credentialFor(id, 'paymentsWebhookApi');
		const credential = await n8n.createCredential(id, 'paymentsWebhookApi', saved);
		const inactive = { ...workflow, nodes, active: false };
		const stored = await n8n.importWorkflow(inactive, [credential]);
		await setActive(stored, true);
		const { production } = await n8n.webhookUrls(stored, 'Payments Trigger');
		const body = JSON.stringify(event);
		const { status } = await axios.post<unknown>(production, body, {
			headers: headersFor(body),
			proxy: false,
			validateStatus: null,
		});
		const { results } = await n8n.ended(stored, executions);
		await setActive(stored, false);
		const ended = await Promise.all(results.map(async (one) => await n8n.execution(one.id)));
		const outputs = ended.map((execution) =>
			[0, 1].map((output) => outputOf(execution, 'Payments Trigger', output)),
		);
		return { status, outputs };
	}
	const unsigned = () => ({ 'content-type': 'application/json' });

	test('1.0.0/trigger-signature: nested fields, an output per event type, and the headers', async () => {
		const event = { meta: { id: 'e1', type: 'CARD.FROZEN' }, data: {} };
		const { status, outputs } = await deliver('1.0.0/trigger-signature', event, signed, 1);
		expect(status).toBe(200);
		const json = { ...event, headers: expect.any(Object) };
		expect(outputs).toMatchObject([[[], [{ json }]]]);
		const forged = await deliver('1.0.0/trigger-signature', event, unsigned, 0);
		expect(forged).toEqual({ status: 401, outputs: [] });
	});

	test('1.0.0/trigger-none: every event, without a signature', async () => {
		const event = { id: 'e1', event: 'ANY.THING' };
		const { status, outputs } = await deliver('1.0.0/trigger-none', event, unsigned, 1);
		expect(status).toBe(200);
		expect(outputs).toMatchObject([[[{ json: event }], []]]);
	});
}
