import type { Browser } from 'playwright-core';
import { stopAll } from '../../host/processes';
import { N8nClient, type Credential } from '../../host/n8n/client';
import { createPaymentsApi, readExample } from '../../host/n8n/credentials';
import { readTable } from '../../host/n8n/dataTables';
import { alertCredentials } from '../e2e/alertCredentials';
import {
	calling,
	callingLog,
	createTablesWithPayees,
	putSubWorkflowsIntoService,
} from '../e2e/askForPayments';
import { letPaymentsHappen, putFollowIntoService, resultsOf, ROUGH } from '../e2e/followedPayments';
import { createModelTables, createSeals, deleteModelTables, saveRows } from '../e2e/modelTables';
import { ask, putIntoService as putStatusIntoService } from '../e2e/paymentStatus';
import { PayoutRunJob } from '../e2e/payoutRun';
import * as reconciliation from '../e2e/reconciliation';
import { paymentRow } from '../support/builders/paymentRows';
import { payoutFile } from '../support/builders/payoutFile';
import { statementWithDifferences, toCamt053 } from '../support/builders/statement';
import { launchBrowser } from '../support/pages/browser';
import { signInAs } from '../support/pages/payoutRun';
import { startMailServer, type Mail, type MailServer } from '../support/servers/mailServer';
import { startCluster, type Cluster } from './cluster/cluster';

/*
 * Each job through the proxy of the deployment: the webhook processes have the forms and take the
 * events, workers execute, runners run the code, and PostgreSQL has the data tables.
 */

const MINUTES = 60_000;
const START = 'When clicking ‘Execute workflow’';

let cluster: Cluster;
let n8n: N8nClient;
let paymentsApi: Credential;
let mailServer: MailServer;
const mails: Mail[] = [];
let browser: Browser;
beforeAll(async () => {
	cluster = await startCluster();
	const { main, sandbox, url } = cluster;
	n8n = new N8nClient(url, main.client.session);
	const service = await sandbox.client.createClient({ name: 'n8n' });
	paymentsApi = await createPaymentsApi(n8n, { url: sandbox.url, ...service });
	mailServer = await startMailServer((mail) => mails.push(mail));
	browser = await launchBrowser();
}, 15 * MINUTES);
afterAll(async () => {
	await browser?.close();
	await mailServer?.stop();
	await (cluster ? cluster.stop() : stopAll());
}, MINUTES);

test(
	'what events leave: payments whose events arrive shuffled, doubled, and late have their last result, and where-is-my-payment says it',
	async () => {
		const { client } = cluster.sandbox;
		const follow = await putFollowIntoService(n8n, client, { mailPort: mailServer.port });
		const status = await putStatusIntoService(n8n);
		await client.setFaults(ROUGH);
		const results = await letPaymentsHappen(n8n, client, 'INV-Q', 20);
		await client.idle(2 * MINUTES);
		await client.setFaults({});
		expect(await resultsOf(n8n, 'INV-Q')).toEqual(results);
		for (const [externalId, result] of results)
			expect((await ask(n8n.url, externalId)).payments).toMatchObject([
				{ result, isGenuine: true },
			]);
		const { payments } = await ask(n8n.url, 'INV-Q-0');
		expect(payments.map(({ externalId, result }) => [externalId, result]).sort()).toEqual(
			[...results].filter(([externalId]) => externalId.startsWith('INV-Q-0.')).sort(),
		);
		for (const workflow of [follow, status]) await n8n.deactivate(workflow);
	},
	5 * MINUTES,
);

test(
	'recurring-payments: each period is asked for once, however often the job is executed in it',
	async () => {
		const payees = ['eur', 'gbp'].map((currency) => ({
			...{ supplier: 'eus_thames_cycles', account: `vac_thames_cycles_${currency}`, country: 'GB' },
		}));
		await createTablesWithPayees(n8n, payees);
		const workflows = await putSubWorkflowsIntoService(n8n, paymentsApi);
		const pinData = { Today: [{ json: { today: '2026-11-02' } }] };
		const example = { ...readExample('jobs/recurring-payments'), pinData };
		const workflow = await n8n.importWorkflow(calling(example, workflows), []);
		for (const trigger of [START, 'Every Morning', 'Every Morning'])
			expect((await n8n.run(workflow, trigger, MINUTES)).status).toBe('success');
		const rows = await readTable(n8n, 'payments');
		expect(rows.map(({ invoice, amount, result }) => [invoice, amount, result]).sort()).toEqual([
			['CLEANING-2026-W45', '240.50', 'to approve'],
			['INSURANCE-CYCLES-2026-Q4', '320.00', 'to approve'],
			['RENT-QUAY-12-2026-10', '1850.00', 'to approve'],
		]);
		for (const one of Object.values(workflows)) await n8n.deactivate(one);
	},
	5 * MINUTES,
);

test(
	'nothing-left-in-doubt: an alert is sent once, whichever worker looks',
	async () => {
		await createModelTables(n8n);
		await saveRows(n8n, 'payments', [paymentRow({ result: 'needs attention' })]);
		const example = await callingLog(n8n, readExample('jobs/nothing-left-in-doubt'));
		const workflow = await n8n.importWorkflow(example, [
			await createSeals(n8n),
			...(await alertCredentials(n8n, mailServer.port)),
		]);
		mails.length = 0;
		for (let i = 0; i < 4; i++)
			expect((await n8n.run(workflow, 'Every 15 Minutes', MINUTES)).status).toBe('success');
		expect(mails).toHaveLength(1);
	},
	5 * MINUTES,
);

test(
	'statement-reconciliation: all differences of a statement are in the file, and no other',
	async () => {
		await createModelTables(n8n);
		const workflow = await reconciliation.putStatementsIntoService(n8n);
		const { sent, entries, differences } = statementWithDifferences(300, 13);
		await saveRows(n8n, 'payments', sent);
		const profile = await signInAs(browser, n8n);
		const { page, rows } = await reconciliation.uploadStatement(
			...([profile, n8n, 'statement.xml', toCamt053(entries)] as const),
		);
		expect(reconciliation.differencesIn(rows)).toEqual(reconciliation.asInFile(differences));
		await page.context().close();
		await n8n.deactivate(workflow);
		await deleteModelTables(n8n);
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
