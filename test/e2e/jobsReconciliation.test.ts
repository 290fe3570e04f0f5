import axios from 'axios';
import type { Browser } from 'playwright-core';
import type { StoredWorkflow } from '../../host/n8n/client';
import { deleteTable, readTable } from '../../host/n8n/dataTables';
import { waitUntil } from '../../host/waitUntil';
import {
	statementWithDifferences,
	toCamt053,
	toCsvStatement,
	type SentPayment,
} from '../support/builders/statement';
import { launchBrowser } from '../support/pages/browser';
import { startMailServer, type Mail, type MailServer } from '../support/servers/mailServer';
import { differencesIn, putIntoService, saveSent, SENT, uploadStatement } from './reconciliation';
import { sharedN8n, useService } from './shared';

/*
 * The job daily-reconciliation: with a statement that somebody uploads, and every morning with the
 * events.
 */

const url = process.env.E2E_N8N_URL!;

const n8n = sharedN8n();
const service = useService(n8n);
let workflow: StoredWorkflow;
let browser: Browser;
let mailServer: MailServer;
const mails: Mail[] = [];

beforeAll(async () => {
	for (const table of [SENT, 'payments_completed']) await deleteTable(n8n, table);
	mailServer = await startMailServer((mail) => mails.push(mail));
	const { client } = service.sandbox;
	const started = await putIntoService(n8n, client, service.credential, mailServer.port);
	workflow = started.workflow;
	hear = async (externalId, amount, currency) =>
		void (await client.sendTestEvent(started.endpoint.id, {
			event: 'PAYMENT.STATUS_UPDATED',
			data: {
				id: `pmt_${externalId}_${amount}`,
				status: 'COMPLETED',
				amount,
				currency,
				metadata: { externalId },
			},
		}));
	browser = await launchBrowser();
}, 120_000);
afterAll(async () => {
	await browser?.close();
	if (workflow) await n8n.deactivate(workflow);
	await mailServer?.stop();
});

let hear: (externalId: string, amount: string, currency: string) => Promise<void>;

test('every morning: what was sent and what was completed, in one email with a file', async () => {
	expect((await n8n.run(workflow, 'When clicking ‘Execute workflow’')).status).toBe('success');
	expect((await n8n.run(workflow, 'When clicking ‘Execute workflow’')).status).toBe('success');
	const sent = await readTable(n8n, SENT);
	expect(sent).toHaveLength(4);
	// Sent a week ago, so that nothing may still come.
	await deleteTable(n8n, SENT);
	const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString();
	const paid = sent.map(({ eventId, externalId, amount, currency }) => ({
		...{ eventId, externalId, amount, currency },
		sentAt: weekAgo,
	})) as SentPayment[];
	await n8n.run(workflow, 'Every Morning');
	await saveSent(n8n, [
		...paid,
		{ ...paid[3], eventId: 'today', externalId: 'INV-TODAY', sentAt: new Date().toISOString() },
	]);
	mails.length = 0;
	await hear('INV-TODAY', paid[3].amount, paid[3].currency);
	await hear(paid[0].externalId, '0.01', paid[0].currency);
	await hear('INV-UNKNOWN', '1.00', 'EUR');
	await waitUntil(
		'the payments are saved',
		async () => (await readTable(n8n, 'payments_completed')).length === 3,
	);

	expect((await n8n.run(workflow, 'Every Morning')).status).toBe('success');
	const [{ to, text }] = mails;
	expect(to).toEqual(['accounting@example.com']);
	expect(text).toContain('1 matched, 4 missing, 2 unexpected');
	expect(text).toContain('No completed payment was reported');
	expect(text).toMatch(/filename="?reconciliation-\d{4}-\d\d-\d\d\.csv/);
}, 120_000);

test.each([
	['CSV', 'statement.csv', toCsvStatement, 11],
	['camt.053', 'statement.xml', toCamt053, 12],
])(
	'a statement as %s with 1,000 payments: 30 of 30 differences are on the page and in the file, and no other',
	async (_, name, toFile, seed) => {
		await deleteTable(n8n, SENT);
		await n8n.run(workflow, 'Every Morning');
		const { sent, entries, differences } = statementWithDifferences(1000, seed);
		await saveSent(n8n, sent);
		expect(await readTable(n8n, SENT)).toHaveLength(1000);

		const { page, file } = await uploadStatement(browser, n8n, workflow, name, toFile(entries));
		expect(differencesIn(file)).toEqual(differences);

		const missing = differences.filter(([list]) => list === 'Missing').length;
		const title = `${1000 - missing} matched, ${missing} missing, ${30 - missing} unexpected`;
		await page.getByRole('heading', { name: title }).waitFor();
		expect(await page.getByRole('heading', { name: `Missing: ${missing}` }).count()).toBe(1);
		await page.context().close();
	},
	300_000,
);

test('only those who sign in can compare', async () => {
	const { webhookId } = workflow.nodes.find((node) => node.name === 'Upload Statement')!;
	const { status } = await axios.get(`${url}/form/${webhookId}`, {
		proxy: false,
		validateStatus: null,
	});
	expect(status).toBe(401);
});
