import axios from 'axios';
import { randomUUID } from 'node:crypto';
import type { Browser, BrowserContext } from 'playwright-core';
import type { StoredWorkflow } from '../../host/n8n/client';
import { changeRows } from '../../host/n8n/dataTables';
import { paymentRow } from '../support/builders/paymentRows';
import { launchBrowser } from '../support/pages/browser';
import { openFormIn, readEnding, signInAs } from '../support/pages/payoutRun';
import { startChatModel, type ChatModel } from '../support/servers/chatModel';
import { createModelTables, saveRows, ZONE } from './modelTables';
import { ask, putIntoService } from './paymentStatus';
import { sharedN8n } from './shared';

/* The job where-is-my-payment: what it says by webhook, form, and chat about rows of `payments`. */

const url = process.env.E2E_N8N_URL!;
const TOOL = 'Look_Up_Payments';

const n8n = sharedN8n();
let browser: Browser;
let profile: BrowserContext;
const published: StoredWorkflow[] = [];

const PAID = paymentRow({
	...{ invoice: 'INV-2026-0042', amount: '1250.00', result: 'paid', paymentId: 'pmt_1' },
	...{ status: 'COMPLETED', statusAt: '1794304800000' },
});
const REJECTED = paymentRow({
	...{ invoice: 'INV-2026-0042', supplier: 'Thames Cycles', result: 'rejected' },
	explanation: 'The bank says: account closed.',
});
const WAITS = paymentRow({
	...{ invoice: 'RE-7', supplier: 'Müller & Söhne <b>', decision: '', result: 'to approve' },
	...{ firstSentAt: '', sentAt: '', acceptedAt: '', explanation: 'The account is new.' },
});

beforeAll(async () => {
	await createModelTables(n8n);
	await saveRows(n8n, 'payments', [PAID, REJECTED, WAITS]);
	// The chat is off, so no chat model is needed to publish it.
	published.push(await putIntoService(n8n));
	browser = await launchBrowser();
	profile = await signInAs(browser, n8n);
}, 120_000);
afterAll(async () => {
	await browser?.close();
	for (const workflow of published) await n8n.deactivate(workflow);
});

test.each([
	['its External ID', PAID.externalId, [PAID]],
	['its invoice', 'INV-2026-0042', [PAID, REJECTED]],
	['its supplier', 'Thames Cycles', [REJECTED]],
	['a part of its invoice', 'INV-2026', []],
	['what would be a query', "INV' OR 1=1 --", []],
])('a payment is found by %s', async (_, reference, rows) => {
	const { found, payments } = await ask(url, reference);
	expect(found).toBe(rows.length > 0);
	expect(payments.map(({ externalId, result }) => [externalId, result])).toEqual(
		rows.map(({ externalId, result }) => [externalId, result]),
	);
});

test('a webhook answers only to those who may ask, with the time in the zone of the settings', async () => {
	const { answer } = await ask(url, PAID.externalId);
	expect(answer).toContain(`paid since 2026-11-10 05:00 (${ZONE})`);
	const { status } = await axios.get(`${url}/webhook/where-is-my-payment`, {
		params: { reference: PAID.externalId },
		proxy: false,
		validateStatus: null,
	});
	expect([401, 403]).toContain(status);
});

test.each([
	['INV-2026-0042', '2 payments', /EUR 1,250\.00: paid since .*rejected.*account closed/s],
	['Müller & Söhne <b>', 'to approve', /Müller & Söhne <b>, EUR 100\.00: to approve/],
	['INV-0999', 'Not found', /No payment has "INV-0999"/],
])('a form answers who is signed in: %s', async (reference, title, says) => {
	const page = await openFormIn(profile, `${url}/form/payment-status`);
	await page.getByLabel('Reference').fill(reference);
	await page.getByRole('button', { name: 'Look it up' }).click();
	expect(await readEnding(page, title)).toMatch(says);
	await page.close();
});

test('a form answers nobody who is not signed in', async () => {
	const { data } = await axios.get<string>(`${url}/form/payment-status`, {
		...{ proxy: false as const, validateStatus: null },
	});
	expect(String(data)).not.toContain('Look it up');
});

test('a row that somebody changed in the table is not relied on', async () => {
	const where = { column: 'externalId', value: REJECTED.externalId };
	await changeRows(n8n, 'payments', where, { result: 'paid' });
	const { payments, answer } = await ask(url, REJECTED.externalId);
	expect(payments[0].isGenuine).toBe(false);
	expect(answer).toMatch(/row of this payment was changed/);
	await changeRows(n8n, 'payments', where, { result: 'rejected' });
	expect((await ask(url, REJECTED.externalId)).payments[0].isGenuine).toBe(true);
});

describe('with the chat', () => {
	let model: ChatModel;
	let workflow: StoredWorkflow;

	beforeAll(async () => {
		for (const one of published.splice(0)) await n8n.deactivate(one);
		model = await startChatModel([
			{ tool: TOOL, args: { reference: WAITS.externalId } },
			{ tool: TOOL, args: { reference: 'INV-0999' } },
			{ say: 'One waits for approval, and nobody asked for INV-0999.' },
		]);
		const openAi = await n8n.createCredential('OpenAI account', 'openAiApi', {
			apiKey: 'not-a-key',
			url: model.url,
		});
		workflow = await putIntoService(n8n, {
			more: [openAi],
			change: ({ nodes }) => {
				for (const node of nodes) delete node.disabled;
				// The chat of the example is in the editor only; the test comes from outside.
				const chat = nodes.find(({ type }) => type.endsWith('.chatTrigger'))!;
				chat.parameters = { ...chat.parameters, public: true };
			},
		});
		published.push(workflow);
	}, 60_000);
	afterAll(async () => await model?.stop());

	test('an agent answers with what its tool returns, and nothing for an unknown reference', async () => {
		const { production } = await n8n.webhookUrls(workflow, 'When chat message received');
		const { status, data } = await axios.post<{ output: string }>(
			production.replace(/(\/chat)?$/, '/chat'),
			{ action: 'sendMessage', sessionId: randomUUID(), chatInput: 'What became of them?' },
			{ proxy: false, validateStatus: null },
		);
		expect([status, data.output]).toEqual([200, expect.stringContaining('waits for approval')]);
		expect(model.requests[0].tools!.map((tool) => tool.function.name)).toEqual([TOOL]);
		const [known, unknown] = model.requests
			.at(-1)!
			.messages.filter(({ role }) => role === 'tool')
			.map(({ content }) => content);
		expect(known).toMatch(/"result":"to approve"/);
		expect(unknown).toMatch(/"found":false/);
	});
});
