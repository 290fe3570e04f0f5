import axios from 'axios';
import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import type { StoredWorkflow } from '../../host/n8n/client';
import { addRows, deleteTable } from '../../host/n8n/dataTables';
import { launchBrowser } from '../support/pages/browser';
import { openForm, readEnding } from '../support/pages/payoutRun';
import { startChatModel, type ChatModel } from '../support/servers/chatModel';
import {
	ask,
	askAll,
	letPaymentsHappen,
	putIntoService,
	READER,
	ROUGH,
	twoPayments,
} from './paymentStatus';
import { sharedN8n, useService } from './shared';

/*
 * The job where-is-my-payment, from the events of a service that delivers roughly to the answers by
 * webhook, form, and chat.
 */

const url = process.env.E2E_N8N_URL!;
const TOOL = 'Look_Up_Payments';

const n8n = sharedN8n();
const service = useService(n8n);
let workflow: StoredWorkflow;
let model: ChatModel;
let browser: Browser;
let lastStatuses: Map<string, string>;

beforeAll(async () => {
	await deleteTable(n8n, 'payment_status');
	model = await startChatModel([
		{ tool: TOOL, args: { reference: 'INV-2026-1' } },
		{ tool: TOOL, args: { reference: 'INV-2026-999' } },
		{ say: 'INV-2026-1 was rejected. No event about INV-2026-999 has arrived.' },
	]);
	const openAi = await n8n.createCredential('OpenAI account', 'openAiApi', {
		apiKey: 'not-a-key',
		url: model.url,
	});
	const { client } = service.sandbox;
	workflow = await putIntoService(n8n, client, openAi, {
		// The chat of the example is in the editor only; the test comes from outside.
		change: ({ nodes }) => {
			const chat = nodes.find(({ type }) => type.endsWith('.chatTrigger'))!;
			chat.parameters = { ...chat.parameters, public: true };
		},
	});
	await client.setFaults(ROUGH);
	lastStatuses = await letPaymentsHappen(client, 'INV-2026', 25);
	await client.idle(300_000);
	browser = await launchBrowser();
}, 400_000);
afterAll(async () => {
	await browser?.close();
	if (workflow) await n8n.deactivate(workflow);
	await model?.stop();
});

test('events that arrive shuffled, doubled, and late: the last status of each payment is right', async () => {
	const { deliveries, events } = await service.sandbox.client.getCounts();
	expect(deliveries.delivered).toBe(deliveries.created);
	expect(deliveries.created).toBeGreaterThan(events.emitted * 1.3);
	expect(await askAll(url, lastStatuses.keys())).toEqual(lastStatuses);
});

test('a webhook answers for one reference, and only to those who may ask', async () => {
	expect(await ask(url, 'INV-2026-0')).toEqual({
		reference: 'INV-2026-0',
		found: true,
		status: 'COMPLETED',
		answer: expect.stringMatching(
			/^The payment INV-2026-0 of 1\.50 EUR has the status COMPLETED since \d{4}-\d\d-\d\d \d\d:\d\d\.$/,
		) as string,
		payments: [expect.objectContaining({ amount: '1.50', status: 'COMPLETED' })],
	});
	expect(await ask(url, "INV' OR 1=1 --")).toEqual({
		reference: "INV' OR 1=1 --",
		found: false,
		status: '',
		answer: expect.stringContaining('Check the reference') as string,
		payments: [],
	});
	const { status } = await axios.get(`${url}/webhook/where-is-my-payment`, {
		params: { reference: 'INV-2026-0' },
		proxy: false,
		validateStatus: null,
	});
	expect([401, 403]).toContain(status);
});

test('two payments with one reference: both are in the answer, each with its last status, and once', async () => {
	const { client } = service.sandbox;
	const reference = 'INV-TWICE';
	const payments = await twoPayments(client, reference);
	await client.idle(300_000);
	const { found, status, answer, payments: shown } = await ask(url, reference);
	expect([found, status]).toEqual([true, 'COMPLETED, REJECTED']);
	expect(shown).toMatchObject(payments);
	expect(answer).toMatch(
		/^2 payments have the reference INV-TWICE\. .* of 10\.00 EUR has the status COMPLETED .* of 20\.00 EUR has the status REJECTED /,
	);

	// With PostgreSQL, two first events at the same moment can leave two rows of one payment.
	const [{ paymentId }] = payments;
	const older = { paymentId, externalId: reference, status: 'CREATED', eventAt: 1 };
	await addRows(n8n, 'payment_status', [older, { ...older, eventAt: 2, status: 'PROCESSING' }]);
	expect((await ask(url, reference)).payments).toMatchObject(payments);

	const { webhookId } = workflow.nodes.find(({ name }) => name === 'Ask by Form')!;
	const page = await openForm(browser, `${url}/form/${webhookId}`, READER);
	await page.getByLabel('Reference').fill(reference);
	await page.getByRole('button', { name: 'Look it up' }).click();
	expect(await readEnding(page, '2 payments')).toContain('of 20.00 EUR has the status REJECTED');
	await page.context().close();
});

test.each([
	['INV-2026-2', 'RETURNED', 'The payment INV-2026-2 of 3.50 EUR has the status RETURNED'],
	['INV-2026-0999', 'Not found', 'No event about a payment with the reference "INV-2026-0999"'],
])('a form answers: %s is %s', async (reference, title, text) => {
	const { webhookId } = workflow.nodes.find(({ name }) => name === 'Ask by Form')!;
	const page = await openForm(browser, `${url}/form/${webhookId}`, READER);
	await page.getByLabel('Reference').fill(reference);
	await page.getByRole('button', { name: 'Look it up' }).click();
	expect(await readEnding(page, title)).toContain(text);
	await page.context().close();
});

test('an agent answers in a chat with what its tool returns, and nothing for an unknown reference', async () => {
	const { production } = await n8n.webhookUrls(workflow, 'When chat message received');
	const { status, data } = await axios.post<{ output: string }>(
		production.replace(/(\/chat)?$/, '/chat'),
		{
			action: 'sendMessage',
			sessionId: randomUUID(),
			chatInput: 'What became of INV-2026-1 and INV-2026-999?',
		},
		{ proxy: false, validateStatus: null },
	);
	expect([status, data.output]).toEqual([
		200,
		'INV-2026-1 was rejected. No event about INV-2026-999 has arrived.',
	]);
	expect(model.requests[0].tools!.map((tool) => tool.function.name)).toEqual([TOOL]);
	const [known, unknown] = model.requests
		.at(-1)!
		.messages.filter(({ role }) => role === 'tool')
		.map(({ content }) => content);
	expect(known).toMatch(
		/"externalId":"INV-2026-1".*"status":"REJECTED"|"status":"REJECTED".*"externalId":"INV-2026-1"/s,
	);
	expect(unknown).not.toContain('INV-2026');
});
