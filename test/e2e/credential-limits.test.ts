import axios from 'axios';
import { randomUUID } from 'node:crypto';

import { launchSandbox, type Sandbox } from '../support/servers/sandbox';
import type { Credential, WorkflowJson } from '../support/n8n/client';
import { paymentsApiData } from '../support/n8n/credentials';
import { outputOf } from '../support/n8n/executions';
import { startChatModel, type Turn } from '../support/servers/chatModel';
import {
	beyond,
	byAgent,
	byFile,
	byForm,
	byJson,
	byPaymentsNode,
	byText,
	LIMITS,
	misleading,
	SEND,
	START,
	within,
} from './limitWorkflows';
import { sharedN8n } from './shared';

/* 0 of 1,000 requests beyond the limits of the credential leave n8n, in whatever way they are made. The sandbox counts every request that arrives. */

const BEYOND = 160;
const WITHIN = 20;
const REJECTED = /credential (limits|allows|has a)|set in the credential/;

const n8n = sharedN8n();
let sandbox: Sandbox;
let url: string;
let credential: Credential;
let tried = 0;

beforeAll(async () => {
	sandbox = await launchSandbox();
	url = `${sandbox.url}/api/v1/transactions`;
	const client = await sandbox.client.createClient({ name: 'limited' });
	const data = { ...paymentsApiData({ url: sandbox.url, ...client }), ...LIMITS };
	credential = await n8n.createCredential('Payments API with limits', 'paymentsApi', data);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.client.reset());

/** Runs a workflow, and says what arrived at the service and what the node put out for each item. */
async function run(workflow: WorkflowJson) {
	const execution = await n8n.run(await n8n.importWorkflow(workflow, [credential]), START, 120_000);
	const { transactions, tokens } = await sandbox.client.getCounts();
	const { requests, created } = transactions;
	const output = outputOf(execution, SEND).map(({ json }) => JSON.stringify(json));
	return { requests, created, tokens: tokens.requests, output };
}

async function expectOnly(workflow: WorkflowJson, count: { beyond: number; within: number }) {
	tried += count.beyond;
	const { requests, created, tokens, output } = await run(workflow);
	expect({ requests, created }).toEqual({ requests: count.within, created: count.within });
	expect(tokens).toBeLessThanOrEqual(1);
	const rejected = output.filter((item) => REJECTED.test(item));
	expect(output.join()).not.toMatch(/Bearer/);
	expect([output.length, rejected.length]).toEqual([count.beyond + count.within, count.beyond]);
}

test('the Payments node', async () => {
	const bodies = [...beyond('node', BEYOND), ...within('node', WITHIN)];
	await expectOnly(byPaymentsNode(bodies), { beyond: BEYOND, within: WITHIN });
});

test('the Payments node stops before anything is sent, and names item, field, and limit', async () => {
	const workflow = byPaymentsNode([...within('stop', 2), ...beyond('stop', 1)]);
	workflow.nodes[2].onError = 'stopWorkflow';
	const execution = await n8n.run(await n8n.importWorkflow(workflow, [credential]), START);
	expect(execution.data.resultData.error?.message).toMatch(
		/^amount: 1000\.01 EUR is more than 1000 EUR, the 'Max Amount per Transaction'/,
	);
	expect((await sandbox.client.getCounts()).transactions.requests).toBe(0);
});

test('the HTTP Request node with JSON', async () => {
	const bodies = [...beyond('json', BEYOND), ...within('json', WITHIN)];
	await expectOnly(byJson(url, bodies), { beyond: BEYOND, within: WITHIN });
});

test.each(['form-urlencoded', 'multipart-form-data'] as const)(
	'the HTTP Request node with form fields, %s: even those within the limits',
	async (contentType) => {
		const bodies = [...beyond('form', BEYOND / 2), ...within('form', BEYOND / 2)];
		await expectOnly(byForm(url, bodies, contentType), { beyond: BEYOND, within: 0 });
	},
);

test('the HTTP Request node with raw text that can be read in two ways', async () => {
	const texts = [
		...beyond('text', BEYOND / 2).map((body) => JSON.stringify(body)),
		...within('misleading', BEYOND / 20).flatMap(misleading),
	];
	const good = within('text', WITHIN).map((body) => JSON.stringify(body));
	await expectOnly(byText(url, [...texts, ...good]), { beyond: texts.length, within: WITHIN });
});

test('the HTTP Request node with a file: even those within the limits', async () => {
	const bodies = [...beyond('file', BEYOND / 2), ...within('file', BEYOND / 2)];
	await expectOnly(byFile(url, bodies), { beyond: BEYOND, within: 0 });
});

test('the HTTP Request node at another path of the service', async () => {
	const other = url.replace('/api/v1/', '/api//v1/../v1/./');
	await expectOnly(byJson(other, within('path', 5)), { beyond: 5, within: 0 });
});

test('an agent, with the Payments node and the HTTP Request node as its tools', async () => {
	const calls: Turn[] = [...beyond('agent', 30), ...within('agent', 2)].flatMap((body) =>
		['payments', 'http'].map((tool) => ({
			tool,
			args: { transaction: JSON.stringify({ ...body, eventId: randomUUID() }) },
		})),
	);
	tried += 60;
	const model = await startChatModel([...calls, { say: 'Done.' }]);
	const openAi = await n8n.createCredential('Scripted model', 'openAiApi', {
		apiKey: 'not-a-key',
		url: model.url,
	});
	const workflow = await n8n.importWorkflow(byAgent(url), [credential, openAi]);
	await n8n.activate(workflow);
	const { production } = await n8n.webhookUrls(workflow, 'Chat');
	const { data } = await axios.post<{ output: string }>(
		production.replace(/(\/chat)?$/, '/chat'),
		{ action: 'sendMessage', sessionId: randomUUID(), chatInput: 'Pay all of them.' },
		{ proxy: false, validateStatus: null },
	);
	await n8n.deactivate(workflow);
	await model.stop();
	expect(data.output).toBe('Done.');
	const heard = model.requests.at(-1)!.messages.filter(({ role }) => role === 'tool');
	expect(heard).toHaveLength(calls.length);
	expect(heard.filter(({ content }) => REJECTED.test(content ?? ''))).toHaveLength(60);
	const { transactions } = await sandbox.client.getCounts();
	expect(transactions).toMatchObject({ requests: 4, created: 4 });
});

test('these were more than 1,000', () => expect(tried).toBeGreaterThan(1000));
