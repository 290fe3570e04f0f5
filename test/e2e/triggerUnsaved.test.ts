import { join } from 'node:path';
import axios from 'axios';
import { responses } from '../../nodes/PaymentsTrigger/responses';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import { ARTIFACTS } from '../support/pages/browser';
import { SECRET, signed } from '../support/signed';

/*
 * n8n deletes executions that succeeded (EXECUTIONS_DATA_SAVE_ON_SUCCESS=none): their deliveries
 * are a success all the same.
 */

describe('n8n that saves no successful executions, with Respond: When Last Node Finishes', () => {
	let n8n: N8n;
	beforeAll(async () => {
		n8n = await startN8n({
			tarball: process.env.E2E_TARBALL,
			env: { EXECUTIONS_DATA_SAVE_ON_SUCCESS: 'none' },
			logFile: join(ARTIFACTS, 'unsaved.log'),
		});
		await n8n.client.setUpOwner();
	});
	afterAll(async () => await n8n?.stop());

	test('200 for a success, of which nothing is left, and 500 for a failure', async () => {
		const [trigger] = readExample('listen-to-payments').nodes;
		const workflow = {
			name: 'Unsaved',
			nodes: [
				{ ...trigger, parameters: { responseMode: 'lastNode' } },
				{
					id: 'code',
					name: 'Code',
					type: 'n8n-nodes-base.code',
					typeVersion: 2,
					position: [220, 0] as [number, number],
					parameters: {
						jsCode: 'if ($json.fails) throw new Error("no"); return [{ json: { done: true } }];',
					},
				},
			],
			connections: {
				'Payments Trigger': { main: [[{ node: 'Code', type: 'main' as const, index: 0 }]] },
			},
			settings: { executionOrder: 'v1' as const },
		};
		const { client } = n8n;
		const credential = await createPaymentsWebhookApi(client, SECRET);
		const stored = await client.importWorkflow(workflow, [credential]);
		await client.activate(stored);
		const { production } = await client.webhookUrls(stored, 'Payments Trigger');
		const deliver = async (event: object) => {
			const body = JSON.stringify({ event: 'PAYMENT.CREATED', ...event });
			const { status, data } = await axios.post<unknown>(production, body, {
				headers: { ...signed(body), 'content-type': 'application/json' },
				validateStatus: null,
				proxy: false,
			});
			return [status, data];
		};

		for (const id of ['evt_1', 'evt_2', 'evt_3']) expect(await deliver({ id })).toEqual([200, '']);
		const [again] = [await deliver({ id: 'evt_1' })];
		expect(again).toEqual([200, { message: responses.duplicate.message }]);
		expect(await deliver({ id: 'evt_4', fails: true })).toEqual([
			500,
			{ message: 'Error in workflow' },
		]);
		const { results } = await client.ended(stored, 1);
		expect(results.map(({ status }) => status)).toEqual(['error']);
	});
});
