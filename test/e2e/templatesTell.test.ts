import axios from 'axios';
import { randomUUID } from 'node:crypto';
import type { INode } from 'n8n-workflow';
import type { Credential, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../../host/n8n/credentials';
import { waitUntil } from '../../host/waitUntil';
import { startHttpServer, readRequest, type HttpServer } from '../support/servers/httpServer';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { sharedN8n, useService } from './shared';

/*
 * The template tell-what-failed. Its mail goes to a mail server of the test. Slack can't be had, so
 * its node is replaced by a request with the same text.
 */

const CHAT = 'Send a Chat Message';

const n8n = sharedN8n();
const service = useService(n8n);
const sandbox = () => service.sandbox.client;
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
	mail = await startMailServer();
	chat = await startHttpServer(async (incoming, response) => {
		const { body } = await readRequest(incoming);
		const { text } = JSON.parse(body) as { text: string };
		if (chatStatus === 200 && !text.includes(OF_ITSELF)) messages.push(text);
		response.writeHead(chatStatus, { 'content-type': 'application/json' }).end('{}');
	});
	const smtp = await n8n.createCredential('SMTP account', 'smtp', {
		...{ host: '127.0.0.1', port: mail.port, secure: false, disableStartTls: true },
		...{ user: '', password: '' },
	});
	const template = readExample('tell-what-failed');
	template.nodes = template.nodes.map((node) => (node.name === CHAT ? asRequest(node) : node));
	const { production } = await n8n.webhookUrls(template, 'Payments Trigger');
	const created = await sandbox().createEndpoint({ url: production, events: ['*'] });
	endpoint = created;
	const webhookApi = await createPaymentsWebhookApi(n8n, created.secret);
	workflow = await n8n.importWorkflow(template, [smtp, webhookApi]);
	await n8n.activate(workflow);
});
afterAll(async () => {
	if (workflow) await n8n.deactivate(workflow);
	await mail?.stop();
	await chat?.stop();
});
beforeEach(() => {
	mail.mails.length = 0;
	messages.length = 0;
	mail.isFull = false;
	chatStatus = 200;
});

const asRequest = ({ id, name, position, parameters }: INode): INode => ({
	id,
	name,
	position,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.5,
	parameters: {
		method: 'POST',
		url: chat.url,
		sendBody: true,
		bodyParameters: { parameters: [{ name: 'text', value: parameters.text }] },
	},
});

const payment = (status: string) => ({
	event: 'PAYMENT.STATUS_UPDATED',
	data: {
		...{ id: 'pmt_1', status, amount: '89.90', currency: 'EUR', reference: 'Order 377' },
		metadata: { externalId: 'REF-2026-0007' },
	},
	previousValues: { status: 'PROCESSING' },
});

/** The HTTP status that the service gets for an event, which isn't delivered again. */
async function deliver(event: ReturnType<typeof payment>) {
	await sandbox().setFaults({ retries: { attempts: 1 } });
	const { deliveries } = await sandbox().sendTestEvent(endpoint.id, event);
	await sandbox().idle();
	const { attempts } = await sandbox().getDelivery(deliveries[0]);
	return attempts.at(-1)?.status;
}

test.each(['REJECTED', 'FAILED', 'RETURNED'])('%s: a mail and a chat message', async (status) => {
	expect(await deliver(payment(status))).toBe(200);
	expect(mails()).toHaveLength(1);
	expect(mails()[0]).toContain(`Subject: ${status}: REF-2026-0007`);
	expect(mails()[0]).toContain('To: accounting@harbour-bakery.example');
	expect(mails()[0]).toContain(`a payment is ${status}; it was PROCESSING.`);
	for (const part of [status, '89.90 EUR', 'Order 377', 'REF-2026-0007', 'pmt_1'])
		expect(messages).toEqual([expect.stringContaining(part)]);
});

test.each(['COMPLETED', 'PROCESSING'])('%s: nothing', async (status) => {
	expect(await deliver(payment(status))).toBe(200);
	expect([mails(), messages]).toEqual([[], []]);
});

test.each(['mail', 'chat message'])('a %s can not be sent: it is delivered again', async (what) => {
	mail.isFull = what === 'mail';
	chatStatus = what === 'mail' ? 200 : 503;
	await sandbox().setFaults({ retries: { attempts: 50, intervalMs: 500 } });
	await sandbox().sendTestEvent(endpoint.id, payment('RETURNED'));
	const failed = async () => (await sandbox().getCounts()).deliveries.responses[500] > 0;
	await waitUntil('the service gets a 500', failed);
	mail.isFull = false;
	chatStatus = 200;
	await waitUntil('it is told', () => messages.length > 0 && mails().length > 0);
	await sandbox().idle();
	expect(mails().at(-1)).toContain('RETURNED: REF-2026-0007');
	expect((await sandbox().getCounts()).deliveries.failed).toBe(0);
});

/** A workflow that hands the rows of a Payments node over, as its note says. */
async function handOver(rows: object[], credential: Credential) {
	const next = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
	const payments = readExample('rows-to-transactions').nodes.find(({ type }) =>
		type.endsWith('.payments'),
	)!;
	const caller: WorkflowJson = {
		name: 'Caller',
		settings: { executionOrder: 'v1' },
		connections: { Start: next('Rows'), Rows: next('Create'), Create: next('Tell') },
		nodes: [
			nodeOf('Start', 'manualTrigger', 1, {}),
			nodeOf('Rows', 'code', 2, { jsCode: `return ${JSON.stringify(rows)}` }),
			{ ...payments, name: 'Create', onError: 'continueRegularOutput' },
			nodeOf('Tell', 'executeWorkflow', 1.3, {
				workflowId: { __rl: true, mode: 'id', value: workflow.id },
				mode: 'once',
				options: { waitForSubWorkflow: true },
			}),
		],
	};
	return await n8n.run(await n8n.importWorkflow(caller, [credential]), 'Start');
}
const nodeOf = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INode['parameters'],
) => ({
	...{ id: randomUUID(), name, type: `n8n-nodes-base.${type}`, typeVersion, parameters },
	position: [0, 0] as [number, number],
});

const row = (id: string, amount: string) => ({
	...{ id, reference: id, status: 'booked', amount, currency: 'EUR', scheme: 'SCT' },
	...{ sender: 'lena-fischer', senderAccount: 'lena-fischer-account', senderCountry: 'DE' },
	...{ recipient: 'harbour-bakery', recipientAccount: 'harbour-bakery-eur-account' },
	...{ recipientCountry: 'DK', booked: '2026-11-02T09:15:00Z' },
});

test('items that are not recorded: one mail with all of them, and none if all are', async () => {
	const wrong = [row('INV-1', '12.50'), row('INV-2', '1.250,00'), row('INV-3', 'EUR 5')];
	expect((await handOver(wrong, service.credential)).status).toBe('success');
	expect(mails()).toHaveLength(1);
	expect(mails()[0]).toContain('Subject: To look at: 2');
	expect(messages).toEqual([expect.stringMatching(/INV-2: invalid\. [^]+INV-3: invalid\. /)]);
	expect(messages[0]).not.toContain('INV-1');

	await handOver([row('INV-1', '12.50')], service.credential);
	expect(mails()).toHaveLength(1);
});

test('a mail about items can not be sent: the workflow that called fails, too', async () => {
	mail.isFull = true;
	const execution = await handOver([row('INV-2', '1.250,00')], service.credential);
	expect(execution.status).toBe('error');
});

test('a workflow that fails, and names this one as its error workflow', async () => {
	const path = `fails-${randomUUID()}`;
	const failing: WorkflowJson = {
		name: 'Import of the bank',
		settings: { executionOrder: 'v1', errorWorkflow: workflow.id },
		connections: { Start: { main: [[{ node: 'Stop', type: 'main', index: 0 }]] } },
		nodes: [
			{ ...nodeOf('Start', 'webhook', 2.1, { path, options: {} }), webhookId: randomUUID() },
			nodeOf('Stop', 'stopAndError', 1, { errorMessage: 'INV-2: invalid. An amount.' }),
		],
	};
	const stored = await n8n.importWorkflow(failing);
	await n8n.activate(stored);
	await axios.get(`${n8n.url}/webhook/${path}`, { proxy: false });
	await waitUntil('it is told', () => messages.length > 0 && mails().length > 0);
	await n8n.deactivate(stored);
	expect(mails()[0]).toContain('Subject: Failed: Import of the bank');
	expect(messages[0]).toContain('INV-2: invalid. An amount.');
	expect(messages[0]).toContain('/executions/');
});
