import { stopAll } from '../../host/processes';
import { N8nClient } from '../../host/n8n/client';
import { createPaymentsApi, readExample } from '../../host/n8n/credentials';
import { changeRows, readTable } from '../../host/n8n/dataTables';
import { APPROVER, decide, open, openList, paymentsOf, submitFirstPage } from '../e2e/approvalForm';
import { PayoutRunJob } from '../e2e/payoutRun';
import { payoutFile, toCsv } from '../support/builders/payoutFile';
import { launchBrowser } from '../support/pages/browser';
import { startCluster, type Cluster } from './cluster/cluster';

/*
 * Jobs with forms through the proxy of the deployment: the webhook processes have the forms,
 * workers execute, and runners run the code.
 */

const MINUTES = 60_000;
const TABLE = 'invoices_to_pay';

let cluster: Cluster;
beforeAll(async () => {
	cluster = await startCluster();
}, 15 * MINUTES);
afterAll(async () => await (cluster ? cluster.stop() : stopAll()), MINUTES);

test(
	'the form of agent-with-approval: who signs in sees the payment, approves it, and it is paid once',
	async () => {
		const { main, sandbox, url } = cluster;
		const n8n = new N8nClient(url, main.client.session);
		const service = await sandbox.client.createClient({ name: 'n8n' });
		const data = { openAiApi: { apiKey: 'none' }, smtp: { host: '127.0.0.1' } };
		const workflow = await n8n.importWorkflow(readExample('jobs/agent-with-approval'), [
			await createPaymentsApi(n8n, { url: sandbox.url, ...service }),
			await n8n.createCredential('OpenAI account', 'openAiApi', data.openAiApi),
			await n8n.createCredential('SMTP account', 'smtp', data.smtp),
			await n8n.createCredential('Payment approver', 'httpBasicAuth', {
				user: APPROVER.username,
				password: APPROVER.password,
			}),
		]);
		await n8n.activate(workflow);
		const start = 'When clicking ‘Execute workflow’';
		expect((await n8n.run(workflow, start, MINUTES)).status).toBe('success');
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

		const { items } = await sandbox.client.listTransactions();
		expect(items.map(({ transaction }) => [transaction.externalId, transaction.amount])).toEqual([
			[invoice, '2480.00'],
		]);
		const row = (await readTable(n8n, TABLE)).find((one) => one.invoice === invoice);
		expect(row).toMatchObject({ status: 'accepted', outcome: 'created' });
	},
	5 * MINUTES,
);

test(
	'a payout file that one user uploads and another one approves: each row is paid once',
	async () => {
		const { main, sandbox, url } = cluster;
		const n8n = new N8nClient(url, main.client.session);
		const client = await sandbox.client.createClient({ name: 'payout run' });
		const credential = await createPaymentsApi(n8n, { url: sandbox.url, ...client });
		const before = (await sandbox.client.getCounts()).transactions.created;
		const browser = await launchBrowser();
		try {
			const job = await PayoutRunJob.putIntoService(n8n, sandbox.client, credential, browser);
			await job.payOut(toCsv(payoutFile('INV-Q', 20, 2), 'payouts.csv'));
			await job.closePages();
			await n8n.deactivate(job.workflow);
		} finally {
			await browser.close();
		}
		const { created, duplicates } = (await sandbox.client.getCounts()).transactions;
		expect([created - before, duplicates]).toEqual([18, 0]);
	},
	5 * MINUTES,
);
