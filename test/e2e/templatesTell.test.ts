import axios from 'axios';
import { randomUUID } from 'node:crypto';
import type { StoredWorkflow } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample, readLiveExample } from '../../host/n8n/credentials';
import { waitUntil } from '../../host/waitUntil';
import { node, START, workflowOf } from '../support/builders/workflows';
import { startHttpServer, readRequest, type HttpServer } from '../support/servers/httpServer';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { sharedN8n, useService } from './shared';

/*
 * The template tell-what-failed. Its mail goes to a mail server of the test. Slack can't be had, so
 * its node is replaced by a request with the same text.
 */

const n8n = sharedN8n();
const service = useService(n8n);
let mail: MailServer;
let chat: HttpServer;
let chatStatus = 200;
/*
 * What was told. A template with an Error Trigger is its own error workflow, so what it tells of
 * its own failures can arrive during a later test. It's left out.
 */
const OF_ITSELF = 'Tell somebody what failed';
const mails = () => mail.mails.filter((text) => !text.includes(OF_ITSELF));
const messages: string[] = [];
let workflow: StoredWorkflow;
let endpoint: { id: string };

beforeAll(async () => {
	mail = await startMailServer(n8n);
	chat = await startHttpServer(async (incoming, response) => {
		const { body } = await readRequest(incoming);
		const { text } = JSON.parse(body) as { text: string };
		if (chatStatus === 200 && !text.includes(OF_ITSELF)) messages.push(text);
		response.writeHead(chatStatus, { 'content-type': 'application/json' }).end('{}');
	});
	const template = readExample('tell-what-failed');
	const slack = template.nodes.findIndex(({ name }) => name === 'Send a Chat Message');
	const { name, position, parameters } = template.nodes[slack];
	const fields = { parameters: [{ name: 'text', value: parameters.text }] };
	const request = { method: 'POST', url: chat.url, sendBody: true, bodyParameters: fields };
	template.nodes[slack] = node(name, 'httpRequest', 4.5, request, { position });
	const { production } = await n8n.webhookUrls(template, 'Payments Trigger');
	const created = await service.sandbox.createEndpoint({ url: production, events: ['*'] });
	endpoint = created;
	const webhookApi = await createPaymentsWebhookApi(n8n, created.secret);
	workflow = await n8n.importWorkflow(template, [mail.smtp, webhookApi]);
	await n8n.activate(workflow);
});
afterAll(async () => {
	await n8n.deactivate(workflow);
	await mail.stop();
	await chat.stop();
});
beforeEach(() => {
	mail.mails.length = 0;
	messages.length = 0;
	mail.isFull = false;
	chatStatus = 200;
});

const payment = (status: string) => ({
	event: 'PAYMENT.STATUS_UPDATED',
	data: {
		...{ id: 'pmt_1', status, amount: '89.90', currency: 'EUR', reference: 'Order 377' },
		metadata: { externalId: 'REF-2026-0007' },
	},
	previousValues: { status: 'PROCESSING' },
});

test.each([
	['REJECTED', 1],
	['FAILED', 1],
	['RETURNED', 1],
	['COMPLETED', 0],
	['PROCESSING', 0],
])('%s: %i mail and chat message', async (status, count) => {
	await service.sandbox.setFaults({ retries: { attempts: 1 } });
	const { deliveries } = await service.sandbox.sendTestEvent(endpoint.id, payment(status));
	await service.sandbox.idle();
	const { attempts } = await service.sandbox.getDelivery(deliveries[0]);
	expect(attempts.map((attempt) => attempt.status)).toEqual([200]);
	expect([mails().length, messages.length]).toEqual([count, count]);
	for (const text of mails()) {
		expect(text).toContain(`Subject: Payment ${status}: REF-2026-0007`);
		expect(text).toContain('To: accounting@harbour-bakery.example');
		expect(text).toContain(`a payment is ${status}. It was PROCESSING.`);
	}
	for (const text of messages)
		for (const part of [status, '89.90 EUR', 'Order 377', 'REF-2026-0007', 'pmt_1'])
			expect(text).toContain(part);
});

test.each(['mail', 'chat message'])('a %s can not be sent: it is delivered again', async (what) => {
	mail.isFull = what === 'mail';
	chatStatus = what === 'mail' ? 200 : 503;
	await service.sandbox.setFaults({ retries: { attempts: 50, intervalMs: 500 } });
	await service.sandbox.sendTestEvent(endpoint.id, payment('RETURNED'));
	const failed = async () => (await service.sandbox.getCounts()).deliveries.responses[500] > 0;
	await waitUntil('the service gets a 500', failed);
	mail.isFull = false;
	chatStatus = 200;
	await waitUntil('it is told', () => messages.length > 0 && mails().length > 0);
	await service.sandbox.idle();
	expect(mails().at(-1)).toContain('Payment RETURNED: REF-2026-0007');
	expect((await service.sandbox.getCounts()).deliveries.failed).toBe(0);
});

/**
 * Runs a workflow that hands the rows of a Payments node over, as the template's note says. The
 * row whose amount is "EUR 5" has no ID.
 */
async function handOver(...amounts: string[]) {
	const rows = amounts.map((amount, index) => ({
		...{
			id: amount === 'EUR 5' ? '' : `INV-${index + 1}`,
			reference: 'x',
			status: 'booked',
			amount,
			currency: 'EUR',
		},
		...{ sender: 'lena-fischer', senderAccount: 'lena-fischer-account', senderCountry: 'DE' },
		...{ recipient: 'harbour-bakery', recipientAccount: 'harbour-bakery-eur-account' },
		...{ recipientCountry: 'DK', booked: '2026-11-02T09:15:00Z', scheme: 'SCT' },
	}));
	const create = readLiveExample('rows-to-transactions').nodes.find(
		({ name }) => name === 'Create Transactions',
	)!;
	const caller = workflowOf(
		START,
		node('Rows', 'code', 2, { jsCode: `return ${JSON.stringify(rows)}` }),
		{ ...create, onError: 'continueRegularOutput' },
		node('Which Workflow', 'set', 3.5, {
			assignments: {
				assignments: [
					{ id: 'a1', name: 'workflow', value: '={{ $workflow.name }}', type: 'string' },
				],
			},
			...{ includeOtherFields: true, options: {} },
		}),
		node('Tell', 'executeWorkflow', 1.3, {
			workflowId: { __rl: true, mode: 'id', value: workflow.id },
			...{ mode: 'once', options: { waitForSubWorkflow: true } },
		}),
	);
	const named = { ...caller, name: 'Movements of the shop' };
	return await n8n.run(await n8n.importWorkflow(named, [service.credential]), 'Start');
}

test('items that are not recorded: one mail with all of them, and none if all are', async () => {
	expect((await handOver('12.50', '1.250,00', 'EUR 5')).status).toBe('success');
	const subject = 'Subject: Movements of the shop: 2 of 3 transactions to look at';
	expect(mails()).toEqual([expect.stringContaining(subject)]);
	const [item, message, fix] = messages[0].split('\n').slice(1);
	expect([item, message]).toEqual(['INV-2: invalid', expect.stringMatching(/Amount.*1\.250,00/)]);
	expect(fix).toMatch(/\.$/);
	// It has no ID, so its message names it.
	expect(messages[0]).toMatch(/\n\ninvalid\nItem 3 of 3: /);
	expect(messages[0]).not.toContain('INV-1');

	await handOver('12.50');
	expect(mails()).toHaveLength(1);
});

test('a mail about items can not be sent: the workflow that called fails, too', async () => {
	mail.isFull = true;
	expect((await handOver('1.250,00')).status).toBe('error');
});

test('a workflow that fails, and names this one as its error workflow', async () => {
	const path = `fails-${randomUUID()}`;
	const failing = workflowOf(
		node('Start', 'webhook', 2.1, { path, options: {} }, { webhookId: randomUUID() }),
		node('Stop', 'stopAndError', 1, { errorMessage: 'INV-2: invalid. An amount.' }),
	);
	failing.settings!.errorWorkflow = workflow.id;
	await n8n.activate(await n8n.importWorkflow({ ...failing, name: 'Import of the bank' }));
	await axios.get(`${n8n.url}/webhook/${path}`, { proxy: false });
	await waitUntil('it is told', () => messages.length > 0 && mails().length > 0);
	expect(mails()[0]).toContain('Subject: Failed: Import of the bank');
	expect(messages[0]).toContain('INV-2: invalid. An amount.');
	expect(messages[0]).toContain('/executions/');
});
