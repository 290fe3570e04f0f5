import axios from 'axios';
import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import {
	ARTIFACTS,
	launchBrowser,
	openEditor,
	openNode,
	screenshot,
} from '../support/pages/browser';
import type { Credential, N8nClient, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { outputOf, type Execution } from '../../host/n8n/executions';
import { n8nInstallation } from '../../host/n8n/installation';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import { createPaymentsWebhookApi, paymentsApiData, readExample } from '../../host/n8n/credentials';
import type { NextResponse } from '../../sandbox/types';
import type { Sandbox } from '../../host/sandbox';
import {
	beyond,
	byFile,
	byForm,
	byJson,
	byPaymentsNode,
	byText,
	LIMITS,
	SEND,
	START as LIMITS_START,
	within,
} from './limitWorkflows';
import { errorDescription, invalidRows } from './errorDescription';
import { testGoldenWorkflows } from './goldenWorkflows';
import { ownService } from './shared';
import { testRequestCounts } from './requestCounts';
import { callTool, PAYMENT } from './toolCalls';

/*
 * The same tarball in the last n8n before version 2. What its API does otherwise than version 2
 * stands here, and nowhere else.
 */

const START = 'When clicking ‘Execute workflow’';

/** An example, changed; n8n 1 wants to be told that a new workflow is not active. */
function example(name: string, change: (node: WorkflowJson['nodes'][number]) => void = () => {}) {
	const workflow = { ...readExample(name), active: false };
	workflow.nodes.forEach(change);
	return workflow;
}

let older: N8n;
let n8n: N8nClient;
let sandbox: Sandbox;
let client: { clientId: string; clientSecret: string };
let credential: Credential;

beforeAll(async () => {
	const installation = n8nInstallation('v1');
	expect(installation.version).toMatch(/^1\./);
	older = await startN8n({
		installation,
		tarball: process.env.E2E_TARBALL,
		logFile: join(ARTIFACTS, 'n8n-older.log'),
	});
	n8n = older.client;
	await n8n.setUpOwner();
	({ sandbox, client, credential } = await ownService(n8n));
});
afterAll(async () => {
	await sandbox?.stop();
	await older?.stop();
});

/** Runs a workflow by hand to its end. */
async function run(workflow: StoredWorkflow, start = START): Promise<Execution> {
	const { executionId } = await n8n.send<{ executionId: string }>(
		'POST',
		`/workflows/${workflow.id}/run`,
		{ workflowData: workflow, triggerToStartFrom: { name: start } },
	);
	return await n8n.finished(executionId);
}

const setActive = async ({ id, versionId }: StoredWorkflow, active: boolean) =>
	await n8n.send('PATCH', `/workflows/${id}`, { active, versionId });

describe('a workflow that a published version saved', () =>
	testGoldenWorkflows(() => ({
		n8n,
		sandbox,
		client,
		setActive,
		run: async (workflow) => await run(workflow, 'Start'),
	})));

describe('requests of other nodes with the credential', () =>
	testRequestCounts(() => ({
		n8n,
		run: async (workflow) => await run(workflow, 'Start'),
		chat: async (workflow) => {
			await setActive(workflow, true);
			const { production } = await n8n.webhookUrls(workflow, 'Chat');
			await axios.post(
				production.replace(/(\/chat)?$/, '/chat'),
				{ action: 'sendMessage', sessionId: randomUUID(), chatInput: 'Send it.' },
				{ proxy: false, validateStatus: null },
			);
			await setActive(workflow, false);
		},
	})));

test('the credential is tested, and what is wrong is said in words', async () => {
	const data = paymentsApiData({ url: sandbox.url, ...client });
	expect(await n8n.testCredential(credential, data)).toEqual({
		status: 'OK',
		message: 'Connection successful!',
	});
	const wrong = await n8n.testCredential(credential, { ...data, clientSecret: 'wrong' });
	expect(wrong).toEqual({
		status: 'Error',
		message: expect.stringMatching(/Client ID.*Client Secret/) as string,
	});
	// In a credential of its own: n8n 1 stores what it tests.
	const elsewhereData = { ...data, baseUrl: older.url };
	const elsewhere = await n8n.testCredential(
		await n8n.createCredential('Elsewhere', 'paymentsApi', elsewhereData),
		elsewhereData,
	);
	expect(elsewhere).toEqual({
		status: 'Error',
		message: expect.stringMatching(/\(status 404\).*Check the Base URL/) as string,
	});
});

test('the lists of the node can be searched', async () => {
	const { results } = await n8n.send<{ results: Array<{ name: string; value: string }> }>(
		'POST',
		'/dynamic-node-parameters/resource-locator-results',
		{
			nodeTypeAndVersion: { name: 'n8n-nodes-payments.payments', version: 1 },
			path: 'parameters.currency',
			methodName: 'searchCurrencies',
			currentNodeParameters: {},
			filter: 'swiss',
		},
	);
	expect(results).toEqual([{ name: 'CHF – Swiss Franc', value: 'CHF' }]);
});

test('what is beyond the limits of the credential does not leave n8n', async () => {
	const url = `${sandbox.url}/api/v1/transactions`;
	const data = { ...paymentsApiData({ url: sandbox.url, ...client }), ...LIMITS };
	const limited = await n8n.createCredential('With limits', 'paymentsApi', data);
	const bodies = (prefix: string) => [...beyond(prefix, 20), ...within(prefix, 2)];
	const texts = bodies('v1-text').map((body) => JSON.stringify(body));
	const arriving: Array<[WorkflowJson, number]> = [
		[byPaymentsNode(bodies('v1-node')), 2],
		[byJson(url, bodies('v1-json')), 0],
		[byText(url, texts), 0],
		[byForm(url, bodies('v1-form'), 'form-urlencoded'), 0],
		[byForm(url, bodies('v1-form'), 'multipart-form-data'), 0],
		[byFile(url, bodies('v1-file')), 0],
	];
	for (const [workflow, expected] of arriving) {
		const before = (await sandbox.client.getCounts()).transactions.requests;
		const stored = await n8n.importWorkflow({ ...workflow, active: false } as WorkflowJson, [
			limited,
		]);
		const output = outputOf(await run(stored, LIMITS_START), SEND);
		const after = (await sandbox.client.getCounts()).transactions.requests;
		expect([workflow.name, after - before]).toEqual([workflow.name, expected]);
		expect(JSON.stringify(output)).toMatch(
			/1000\.01 EUR is more than 1000 EUR|limits transactions/,
		);
	}
});

test('rows become transactions, each only once, with one token', async () => {
	const workflow = await n8n.importWorkflow(example('rows-to-transactions'), [credential]);
	const outcomes = async () =>
		outputOf(await run(workflow), 'Create Transactions').map(({ json }) => json.outcome);
	const before = (await sandbox.client.getCounts()).tokens.issued;
	expect(await outcomes()).toEqual(['created', 'created', 'created', 'created']);
	expect(await outcomes()).toEqual(['duplicate', 'duplicate', 'duplicate', 'duplicate']);
	expect((await sandbox.client.getCounts()).tokens.issued - before).toBeLessThanOrEqual(1);
});

describe('Map Columns', () => {
	/**
	 * The example, with rows in place of its CSV text, and with other parameters of the resource
	 * mapper.
	 */
	function columnsExample(rows: object[], columns: object = {}) {
		const workflow = example('columns-to-transactions', (node) => {
			if (node.name === 'Example CSV')
				Object.assign(node.parameters, { jsonOutput: JSON.stringify({ rows }) });
			if (node.name === 'Create Transactions') Object.assign(node.parameters.columns!, columns);
		});
		for (const node of workflow.nodes) {
			if (node.name !== 'Read Rows') continue;
			const parameters = { fieldToSplitOut: 'rows', options: {} };
			Object.assign(node, { type: 'n8n-nodes-base.splitOut', typeVersion: 1, parameters });
		}
		return workflow;
	}
	const row = {
		Invoice: 'V1-1',
		Total: '1.250,00',
		Currency: 'EUR',
		Payer: 'pyr_1',
		'Payer Account': 'pyr_1_main',
		'Payer Country': 'BE',
		Issued: '2026-11-02',
	};

	test('the mapper gets its fields from the node', async () => {
		const { fields } = await n8n.send<{ fields: Array<{ id: string; displayName: string }> }>(
			'POST',
			'/dynamic-node-parameters/resource-mapper-fields',
			{
				nodeTypeAndVersion: { name: 'n8n-nodes-payments.payments', version: 1 },
				path: 'parameters.columns',
				methodName: 'getTransactionFields',
				currentNodeParameters: {},
			},
		);
		expect(fields).toHaveLength(16);
		expect(fields[2]).toMatchObject({ id: 'sender.countryCode', displayName: 'Sender Country' });
	});

	test('columns of each item become a transaction', async () => {
		const rows = [row, { ...row, Invoice: 'V1-2', Total: '12.345.678.901.234,56' }];
		const execution = await run(await n8n.importWorkflow(columnsExample(rows), [credential]));
		expect(
			outputOf(execution, 'Create Transactions').map(({ json }) => [json.externalId, json.amount]),
		).toEqual([
			['V1-1', '1250.00'],
			['V1-2', '12345678901234.56'],
		]);
	});

	test('columns are matched by their names', async () => {
		const named = {
			'Sender Entity ID': 'pyr_1',
			'Sender Channel ID': 'pyr_1_main',
			sender_country: 'BE',
			'recipient.externalEntityId': 'eus_1',
			'recipient.externalPaymentChannelId': 'vac_1',
			'recipient.countryCode': 'DK',
			amount: '7,50',
			currency: 'EUR',
			reference: 'r',
			paymentScheme: 'SCT',
			'External ID': 'V1-3',
		};
		const columns = { mappingMode: 'autoMapInputData', value: null };
		const execution = await run(
			await n8n.importWorkflow(columnsExample([named], columns), [credential]),
		);
		expect(outputOf(execution, 'Create Transactions').map(({ json }) => json)).toMatchObject([
			{ outcome: 'created', externalId: 'V1-3', amount: '7.50' },
		]);
	});
});

test('a token that the service no longer takes is replaced', async () => {
	await sandbox.client.reset();
	await sandbox.client.setFaults({ expireTokens: true });
	const execution = await run(
		await n8n.importWorkflow(example('rows-to-transactions'), [credential]),
	);
	const { error } = execution.data.resultData;
	const outcomes = outputOf(execution, 'Create Transactions').map(({ json }) => json.outcome);
	expect([error?.message, outcomes]).toEqual([
		undefined,
		['created', 'created', 'created', 'created'],
	]);
});

const faults: Array<[string, NextResponse, string | object]> = [
	['status 429, and the time to wait', { status: 429, retryAfter: 2 }, 'created'],
	['status 409 about the event', { status: 409, body: { errorCode: 'EVENT_EXISTS' } }, 'duplicate'],
	['status 409 about something else', { status: 409 }, { outcome: 'rejected' }],
	['status 503, and the time to wait', { status: 503, retryAfter: 2 }, 'created'],
	['status 500', { status: 500 }, { outcome: 'unknown', statusCode: 500 }],
	['an answer that is lost after processing', { fault: 'dropAfter' }, { outcome: 'unknown' }],
	['no answer in time', { fault: 'hang' }, { outcome: 'unknown' }],
];
test.each(faults)('%s: has the outcome of version 2', async (_, fault, expected) => {
	await sandbox.client.reset();
	await sandbox.client.setFaults({ next: [{ on: 'transactions', ...fault }] });
	const workflow = example('rows-to-transactions', (node) => {
		if (node.name === 'Create Transactions')
			Object.assign(node, {
				onError: 'continueRegularOutput',
				parameters: { ...node.parameters, options: { timeout: fault.fault === 'hang' ? 5 : 30 } },
			});
	});
	const [first, ...others] = outputOf(
		await run(await n8n.importWorkflow(workflow, [credential])),
		'Create Transactions',
	).map(({ json }) => json);
	expect(first).toMatchObject(typeof expected === 'string' ? { outcome: expected } : expected);
	expect(others.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
});

test('rows that are wrong leave through the error branch with the reason', async () => {
	const execution = await run(
		await n8n.importWorkflow(example('rows-with-error-branch'), [credential]),
	);
	expect(execution.status).toBe('success');
	expect(outputOf(execution, 'Recorded').map(({ json }) => json.invoice)).toEqual([
		'INV-2026-0301',
		'INV-2026-0304',
	]);
	expect(outputOf(execution, 'To Correct').map(({ json }) => [json.invoice, json.outcome])).toEqual(
		[
			['INV-2026-0302', 'invalid'],
			['INV-2026-0303', 'invalid'],
		],
	);
});

test('by default the output is simplified', async () => {
	const execution = await run(
		await n8n.importWorkflow(example('rows-to-transactions'), [credential]),
	);
	for (const { json } of outputOf(execution, 'Create Transactions')) {
		expect(Object.keys(json).length).toBeLessThanOrEqual(10);
		expect(json.recipientEntityId).toEqual(expect.any(String));
		expect(json).not.toHaveProperty('sender');
	}
});

test.each([
	[
		'simplified',
		{},
		{ externalId: 'INV-2026-0401', recipientEntityId: expect.any(String) as string },
	],
	['raw', { output: 'raw' }, { recipient: { externalEntityId: PAYMENT.recipient } }],
	[
		'selected fields',
		{ output: 'selectedFields', outputFields: ['amount'] },
		{ eventId: expect.any(String) as string, amount: '120.00' },
	],
])("an agent's tool puts out: %s", async (_, parameters, expected) => {
	await sandbox.client.reset();
	const [json] = await callTool({ n8n, credential, setActive, parameters }, [PAYMENT]);
	expect(json).toMatchObject({ outcome: 'created', ...expected });
	if (!('recipient' in expected)) expect(json).not.toHaveProperty('recipient');
	if ('amount' in expected) expect(Object.keys(json)).toEqual(['outcome', 'eventId', 'amount']);
});

test("a rejected transaction fails the execution with the service's own words", async () => {
	await sandbox.client.setFaults({
		next: [
			{
				on: 'transactions',
				status: 403,
				body: { errorCode: 'FORBIDDEN', message: 'The channel is closed.' },
			},
		],
	});
	const execution = await run(
		await n8n.importWorkflow(example('rows-to-transactions'), [credential]),
	);
	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error?.message).toContain('FORBIDDEN: The channel is closed.');
});

test('a description of several lines has line breaks in the editor, too', async () => {
	const { workflow, expectedLines } = invalidRows();
	const { id } = await n8n.importWorkflow(workflow, [credential]);
	const browser = await launchBrowser();
	try {
		const page = await openEditor(browser, older.url);
		await page.goto(`/workflow/${id}`);
		await openNode(page, 'Create Transactions');
		await page.getByTestId('node-execute-button').first().click();
		expect(await errorDescription(page)).toEqual(expectedLines);
		await screenshot(page, 'older-description');
	} finally {
		await browser.close();
	}
});

test('while a trigger listens, a delivery with a wrong secret ends the listening with the reason', async () => {
	const listening = example('listen-to-payments');
	const { test: url } = await n8n.webhookUrls(listening, 'Payments Trigger');
	const credential = await createPaymentsWebhookApi(n8n, 'another secret of 16');
	const workflow = await n8n.importWorkflow(listening, [credential]);
	await n8n.send('POST', `/workflows/${workflow.id}/run`, {
		workflowData: workflow,
		triggerToStartFrom: { name: 'Payments Trigger' },
	});
	const endpoint = await sandbox.client.createEndpoint({ url, events: ['NONE.OF_THESE'] });
	const { deliveries } = await sandbox.client.sendTestEvent(endpoint.id, {
		event: 'PAYMENT.CREATED',
	});
	const { results } = await n8n.ended(workflow, 1);
	const execution = await n8n.execution(results[0].id);
	expect(execution.status).toBe('error');
	expect(execution.data.resultData.error?.message).toMatch(/secret/);
	const { attempts } = await sandbox.client.getDelivery(deliveries[0]);
	expect(attempts[0].status).toBe(401);
	expect(attempts[0].responseBody).toMatch(/secret/);
	await sandbox.client.deleteEndpoint(endpoint.id);
});

test.each(['onReceived', 'lastNode'])(
	'answered %s: a signed event starts an execution, an unsigned one does not, a repeated one only once',
	async (responseMode) => {
		const listening = example('listen-to-payments', ({ name, parameters }) => {
			if (name === 'Payments Trigger') parameters.responseMode = responseMode;
		});
		const { production } = await n8n.webhookUrls(listening, 'Payments Trigger');
		const endpoint = await sandbox.client.createEndpoint({
			url: production,
			events: ['NONE.OF_THESE'],
		});
		const workflow = await n8n.importWorkflow(listening, [
			await createPaymentsWebhookApi(n8n, endpoint.secret),
		]);
		await setActive(workflow, true);

		const { deliveries } = await sandbox.client.sendTestEvent(endpoint.id, {
			event: 'PAYMENT.CREATED',
			data: { id: 'pmt_older' },
		});
		await sandbox.client.idle();
		const again = await sandbox.client.resendDelivery(deliveries[0]);
		await sandbox.client.idle();
		const answersTo = async (delivery: string) =>
			(await sandbox.client.getDelivery(delivery)).attempts.map(({ status }) => status);
		expect([await answersTo(deliveries[0]), await answersTo(again.id)]).toEqual([[200], [200]]);

		const body = JSON.stringify({
			id: 'evt_forged',
			event: 'PAYMENT.CREATED',
			data: {},
			previousValues: {},
			createdAt: Date.now(),
		});
		const post = async (headers: Record<string, string>) =>
			(
				await axios.post(production, body, {
					headers: { 'content-type': 'application/json', ...headers },
					proxy: false,
					validateStatus: null,
				})
			).status;
		const wrongKey = createHmac('sha256', 'another secret').update(body).digest('hex');
		expect([
			await post({}),
			await post({
				digest: 'x',
				'signature-input': 'fr1=("digest");created=1',
				signature: `fr1=:${wrongKey}:`,
			}),
		]).toEqual([401, 401]);

		await setActive(workflow, false);
		const { results } = await n8n.ended(workflow, 1);
		const heard = await Promise.all(
			results.map(async ({ id }) => outputOf(await n8n.execution(id), 'Payments Trigger')),
		);
		expect(heard).toMatchObject([[{ json: { data: { id: 'pmt_older' } } }]]);
	},
);
