import axios from 'axios';
import { randomUUID } from 'node:crypto';

import { launchSandbox, type Sandbox } from '../../host/sandbox';
import type { Credential, WorkflowJson } from '../../host/n8n/client';
import { paymentsApiData } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
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
	SEND,
	START,
	within,
} from './limitWorkflows';
import { sharedN8n } from './shared';

/*
 * With limits in the credential, 0 of 1,000 requests beyond them leave n8n, in whatever way they
 * are made, and no other node than the Payments node gets the token. The sandbox counts every
 * request that arrives.
 */

const BEYOND = 160;
const WITHIN = 20;
const REJECTED =
	/Only the Payments node can use this credential|credential (allows|has a)|set in the credential/;

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

/**
 * Runs a workflow, and says what arrived at the service and what the node put out for each item.
 */
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
		/^'Amount': 1000\.01 EUR is more than 1000 EUR, the 'Max Amount per Transaction'/,
	);
	expect((await sandbox.client.getCounts()).transactions.requests).toBe(0);
});

describe('the HTTP Request node gets no token, not even for a request within the limits', () => {
	test('with JSON', async () => {
		const bodies = [...beyond('json', BEYOND), ...within('json', WITHIN)];
		await expectOnly(byJson(url, bodies), { beyond: bodies.length, within: 0 });
	});

	test.each(['form-urlencoded', 'multipart-form-data'] as const)(
		'with form fields, %s',
		async (contentType) => {
			const bodies = [...beyond('form', BEYOND), ...within('form', WITHIN)];
			await expectOnly(byForm(url, bodies, contentType), { beyond: bodies.length, within: 0 });
		},
	);

	test('with raw text', async () => {
		const bodies = [...beyond('text', BEYOND), ...within('text', WITHIN)];
		const texts = bodies.map((body) => JSON.stringify(body));
		await expectOnly(byText(url, texts), { beyond: texts.length, within: 0 });
	});

	test('with a file', async () => {
		const bodies = [...beyond('file', BEYOND), ...within('file', WITHIN)];
		await expectOnly(byFile(url, bodies), { beyond: bodies.length, within: 0 });
	});

	test('at another path of the service', async () => {
		const other = url.replace('/api/v1/', '/api//v1/../v1/./');
		await expectOnly(byJson(other, within('path', 5)), { beyond: 5, within: 0 });
	});
});

test('an agent, with the Payments node and the HTTP Request node as its tools', async () => {
	const calls: Turn[] = [...beyond('agent', 30), ...within('agent', 2)].flatMap((body) =>
		['payments', 'http'].map((tool) => ({
			tool,
			args: { transaction: JSON.stringify({ ...body, eventId: randomUUID() }) },
		})),
	);
	tried += 62;
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
	expect(heard.filter(({ content }) => REJECTED.test(content ?? ''))).toHaveLength(62);
	const { transactions } = await sandbox.client.getCounts();
	expect(transactions).toMatchObject({ requests: 2, created: 2 });
});

test('these were more than 1,000', () => expect(tried).toBeGreaterThan(1000));
