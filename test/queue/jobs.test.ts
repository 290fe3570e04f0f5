import type { Browser } from 'playwright-core';
import { stopAll } from '../../host/processes';
import { N8nClient, type Credential } from '../../host/n8n/client';
import { createPaymentsApi, readExample } from '../../host/n8n/credentials';
import { changeRows, readTable } from '../../host/n8n/dataTables';
import { alertCredentials } from '../e2e/alertCredentials';
import { APPROVER, decide, open, openList, paymentsOf, submitFirstPage } from '../e2e/approvalForm';
import {
	askAll,
	letPaymentsHappen,
	putIntoService as putStatusIntoService,
	ROUGH,
} from '../e2e/paymentStatus';
import { PayoutRunJob } from '../e2e/payoutRun';
import * as reconciliation from '../e2e/reconciliation';
import { payoutFile } from '../support/builders/payoutFile';
import { statementWithDifferences, toCamt053 } from '../support/builders/statement';
import { launchBrowser } from '../support/pages/browser';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { startCluster, type Cluster } from './cluster/cluster';

/*
 * Each job through the proxy of the deployment: the webhook processes have the forms and take the
 * events, workers execute, runners run the code, and PostgreSQL has the data tables.
 */

const MINUTES = 60_000;
const TABLE = 'invoices_to_pay';
const START = 'When clicking ‘Execute workflow’';

let cluster: Cluster;
let n8n: N8nClient;
let paymentsApi: Credential;
let openAi: Credential;
let mailServer: MailServer;
let browser: Browser;
beforeAll(async () => {
	cluster = await startCluster();
	const { main, sandbox, url } = cluster;
	n8n = new N8nClient(url, main.client.session);
	const service = await sandbox.client.createClient({ name: 'n8n' });
	paymentsApi = await createPaymentsApi(n8n, { url: sandbox.url, ...service });
	openAi = await n8n.createCredential('OpenAI account', 'openAiApi', { apiKey: 'none' });
	mailServer = await startMailServer(() => {});
	browser = await launchBrowser();
}, 15 * MINUTES);
afterAll(async () => {
	await browser?.close();
	await mailServer?.stop();
	await (cluster ? cluster.stop() : stopAll());
}, MINUTES);

/** What the service has with a prefix of the External ID, as External ID and amount. */
async function recorded(prefix: string): Promise<Array<[string, string]>> {
	const { items } = await cluster.sandbox.client.listTransactions({ limit: 1000 });
	return items
		.map(({ transaction }): [string, string] => [transaction.externalId ?? '', transaction.amount])
		.filter(([externalId]) => externalId.startsWith(prefix))
		.sort();
}

test(
	'where-is-my-payment: events that arrive shuffled, doubled, and late leave the last status of each payment',
	async () => {
		const { client } = cluster.sandbox;
		const workflow = await putStatusIntoService(n8n, client, openAi);
		await client.setFaults(ROUGH);
		const statuses = await letPaymentsHappen(client, 'INV-Q', 10);
		await client.idle(2 * MINUTES);
		await client.setFaults({});
		expect(await askAll(n8n.url, statuses.keys())).toEqual(statuses);
		await n8n.deactivate(workflow);
	},
	5 * MINUTES,
);

test(
	'recurring-payments: each period is paid once, however often the job is executed in it',
	async () => {
		const pinData = { Today: [{ json: { today: '2026-11-02' } }] };
		const example = { ...readExample('jobs/recurring-payments'), pinData };
		const workflow = await n8n.importWorkflow(example, [paymentsApi]);
		for (const trigger of [START, 'Every Morning', 'Every Morning'])
			expect((await n8n.run(workflow, trigger, MINUTES)).status).toBe('success');
		expect([
			...(await recorded('CLEANING')),
			...(await recorded('INSURANCE')),
			...(await recorded('RENT')),
		]).toEqual([
			['CLEANING-2026-W45', '240.50'],
			['INSURANCE-CYCLES-2026-Q4', '320.00'],
			['RENT-HARBOUR-12-2026-10', '1850.00'],
		]);
	},
	5 * MINUTES,
);

test(
	'nothing-left-in-doubt: a payment whose response is lost is pending, on the list, and settles when it is due',
	async () => {
		const { client } = cluster.sandbox;
		const workflow = await n8n.importWorkflow(readExample('jobs/nothing-left-in-doubt'), [
			paymentsApi,
			...(await alertCredentials(n8n, mailServer.port)),
		]);
		await n8n.activate(workflow);
		await client.setFaults({ next: [{ fault: 'dropAfter', on: 'transactions' }] });
		expect((await n8n.run(workflow, START, MINUTES)).status).toBe('success');
		await client.setFaults({});
		const { page } = await openList(`${n8n.url}/form/payments-in-doubt`, 'Everything that is open');
		const [[invoice, , , status], ...others] = paymentsOf(page);
		expect([status, others]).toEqual(['pending', []]);

		const where = { column: 'invoice', value: invoice };
		const dueAt = new Date(Date.now() - 1000).toISOString();
		await changeRows(n8n, 'payments_to_settle', where, { dueAt });
		expect((await n8n.run(workflow, 'Every 5 Minutes', MINUTES)).status).toBe('success');
		const rows = await readTable(n8n, 'payments_to_settle');
		expect(rows.map((row) => row.status)).toEqual(['settled', 'settled', 'settled']);
		expect(rows.find((row) => row.invoice === invoice)).toMatchObject({ outcome: 'duplicate' });
		expect(await recorded('INV-2026-06')).toHaveLength(3);
		await n8n.deactivate(workflow);
	},
	5 * MINUTES,
);

test(
	'daily-reconciliation: all differences of a statement are in the file, and no other',
	async () => {
		const { workflow } = await reconciliation.putIntoService(
			n8n,
			cluster.sandbox.client,
			paymentsApi,
			mailServer.port,
		);
		// Creates the tables.
		expect((await n8n.run(workflow, 'Every Morning', MINUTES)).status).toBe('success');
		const { sent, entries, differences } = statementWithDifferences(300, 13);
		await reconciliation.saveSent(n8n, sent);
		const { page, file } = await reconciliation.uploadStatement(
			browser,
			n8n,
			workflow,
			'statement.xml',
			toCamt053(entries),
		);
		expect(reconciliation.differencesIn(file)).toEqual(differences);
		await page.context().close();
		await n8n.deactivate(workflow);
	},
	5 * MINUTES,
);

test(
	'the form of agent-with-approval: who signs in sees the payment, approves it, and it is paid once',
	async () => {
		const { url } = cluster;
		const workflow = await n8n.importWorkflow(readExample('jobs/agent-with-approval'), [
			paymentsApi,
			openAi,
			await n8n.createCredential('SMTP account', 'smtp', { host: '127.0.0.1' }),
			await n8n.createCredential('Payment approver', 'httpBasicAuth', {
				user: APPROVER.username,
				password: APPROVER.password,
			}),
		]);
		await n8n.activate(workflow);
		expect((await n8n.run(workflow, START, MINUTES)).status).toBe('success');
		const invoice = 'INV-2026-0703';
		const where = { column: 'invoice', value: invoice };
		await changeRows(n8n, TABLE, where, { status: 'waiting for approval' });

		const form = `${url}/form/approve-agent-payments`;
		expect((await open(form)).status).toBe(401);
		expect((await submitFirstPage(form)).status).toBe(401);
		const [first, second] = [await openList(form), await openList(form)];
		const [[no, payee, , shown]] = paymentsOf(first.page);
		expect([payee, shown]).toEqual(['eus_harbour_bakery', invoice]);
		expect(await decide(first.pageUrl, no, 'Approve')).toContain('The payment is accepted');
		expect(await decide(second.pageUrl, no, 'Approve')).toContain('Nothing was decided');

		expect(await recorded(invoice)).toEqual([[invoice, '2480.00']]);
		const row = (await readTable(n8n, TABLE)).find((one) => one.invoice === invoice);
		expect(row).toMatchObject({ status: 'accepted', outcome: 'created' });
	},
	5 * MINUTES,
);

test(
	'a payout file that one user uploads and another one approves: each row is paid once',
	async () => {
		const { client } = cluster.sandbox;
		const before = (await client.getCounts()).transactions;
		const job = await PayoutRunJob.putIntoService(n8n, client, paymentsApi, browser);
		const file = payoutFile('INV-Q', 20, 2);
		await job.approvePayeesOf(file);
		await job.payOut(file, 'payouts.csv');
		await job.closePages();
		await job.stop();
		const after = (await client.getCounts()).transactions;
		expect([after.created - before.created, after.duplicates - before.duplicates]).toEqual([18, 0]);
	},
	5 * MINUTES,
);
