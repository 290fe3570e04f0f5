import { generateKeyPairSync } from 'node:crypto';
import type { Credential } from '../../host/n8n/client';
import { createPaymentsApi, readExample, readLiveExample } from '../../host/n8n/credentials';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import { waitUntil } from '../../host/waitUntil';
import { launchBrowser, openEditor } from '../support/pages/browser';
import { executeWorkflow, importFile, selectSheet } from '../support/pages/imports';
import { startGoogleSheets, type GoogleSheets } from '../support/servers/googleSheets';
import { newSandbox } from './shared';

/*
 * The template sheet-to-transactions, with n8n's own Google Sheets nodes, in an n8n of its own that
 * finds a stub in Google's place. It signs in as a service account, for which nobody has to agree.
 */

let google: GoogleSheets;
let n8n: N8n;
let sandbox: Awaited<ReturnType<typeof newSandbox>>;
let credentials: Credential[];

beforeAll(async () => {
	google = await startGoogleSheets();
	n8n = await startN8n({ tarball: process.env.E2E_TARBALL, env: google.env });
	await n8n.client.setUpOwner();
	sandbox = await newSandbox();
	const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
	credentials = [
		await createPaymentsApi(n8n.client, { url: sandbox.url, ...(await sandbox.createClient()) }),
		await n8n.client.createCredential('Google', 'googleApi', {
			email: 'n8n@harbour-bakery.example',
			privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
		}),
	];
});
afterAll(async () => {
	await n8n?.stop();
	await google?.stop();
});
beforeEach(async () => await sandbox.reset());

const HEADER = 'ID,Date,Text,Recipient,Account,Country,Amount,Currency,Outcome,Message'.split(',');
const row = (id: string | number, date: string, amount: string | number) => [
	...[id, date, `Order ${id}`, 'lena-fischer', 'lena-fischer-account', 'DE', amount, 'EUR', '', ''],
];

/** Executes the template, as it's published or as it is. Returns its status. */
async function run(template = readLiveExample('sheet-to-transactions')) {
	for (const { type, parameters } of template.nodes)
		if (type.endsWith('.googleSheets'))
			Object.assign(parameters, {
				authentication: 'serviceAccount',
				documentId: { __rl: true, mode: 'id', value: 'a-document' },
				sheetName: { __rl: true, mode: 'id', value: '0' },
			});
	const workflow = await n8n.client.importWorkflow(template, credentials);
	const { status, data } = await n8n.client.run(workflow, 'Every Hour');
	expect(data.resultData.error).toBeUndefined();
	return status;
}

const outcomes = () => google.rows.slice(1).map((cells) => [cells[0], cells[8]]);
const recorded = async () =>
	(await sandbox.listTransactions()).items
		.map(({ transaction: { externalId, amount, externalCreatedAt }, seen }) => [
			...[externalId, amount, new Date(externalCreatedAt).toISOString().slice(0, 10), seen],
		])
		.sort();

test('dates and amounts as people write them; the outcome stands beside each row, and a corrected row goes an hour later', async () => {
	google.rows = [
		HEADER,
		row('A-1', '27.11.2026', '1.250,00'),
		row('A-2', '1.7.2026', 89.9),
		row('A-3', '27-11-2026', '12,50'),
		row('', '27.11.2026', '5,00'),
		row('A-5', '27.11.2026', '5,00'),
		row('A-5', '28.11.2026', '5,00'),
		row(1006, '27.11.2026', '3'),
	];
	await run();
	expect(outcomes()).toEqual([
		...[
			['A-1', 'created'],
			['A-2', 'created'],
			['A-3', 'invalid'],
			['', ''],
		],
		...[
			['A-5', 'invalid'],
			['A-5', ''],
			[1006, 'created'],
		],
	]);
	expect(google.rows[3][9]).toMatch(/Created At.*27-11-2026/);
	google.rows[3][1] = '27.11.2026';
	google.rows.splice(5, 1);
	await run();
	const day = '2026-11-26'; // at midnight in Copenhagen
	expect(await recorded()).toEqual([
		['1006', '3.00', day, 1],
		['A-1', '1250.00', day, 1],
		['A-2', '89.90', '2026-06-30', 1],
		['A-3', '12.50', day, 1],
		['A-5', '5.00', '2026-11-27', 1],
	]);
});

test('somebody sorts the sheet while the rows are sent', async () => {
	google.rows = [HEADER, row('A-1', '27.11.2026', '1,00'), row('A-2', '27.11.2026', 'two')];
	google.rows.push(row('A-3', '27.11.2026', '3,00'));
	await sandbox.setFaults({ latencyMs: 1500 });
	const running = run();
	const isSending = async () => (await sandbox.getCounts()).transactions.requests > 0;
	await waitUntil('the rows are sent', isSending, { intervalMs: 50 });
	google.rows = [HEADER, ...google.rows.slice(1).reverse()];
	await running;
	expect(outcomes()).toEqual([
		['A-3', 'created'],
		['A-2', 'invalid'],
		['A-1', 'created'],
	]);
});

test('executed to look: the sheet says what would be, and nothing is sent', async () => {
	google.rows = [HEADER, row('A-1', '27.11.2026', '1,00')];
	await run(readExample('sheet-to-transactions'));
	expect(outcomes()).toEqual([['A-1', 'dryRun']]);
	await run();
	expect(outcomes()).toEqual([['A-1', 'created']]);
	await run();
	expect((await recorded()).map((one) => one.at(-1))).toEqual([1]);
});

test('as a newcomer has it, who imports it, and selects the account and the sheet in the editor', async () => {
	google.rows = [HEADER, row('A-1', '27.11.2026', '1,00'), row('A-2', '27.11.2026', 'two')];
	const browser = await launchBrowser();
	const page = await openEditor(browser, n8n.url);
	await importFile(page, 'sheet-to-transactions.json');
	for (const node of ['Read Rows', 'Write Outcome']) await selectSheet(page, node, 'Google');
	await executeWorkflow(page, n8n.client);
	expect(outcomes()).toEqual([
		['A-1', 'dryRun'],
		['A-2', 'invalid'],
	]);
	await browser.close();
});

test('an empty sheet, and a service that is down', async () => {
	google.rows = [HEADER];
	expect(await run()).toBe('success');
	google.rows = [HEADER, row('A-1', '27.11.2026', '1,00')];
	await sandbox.setFaults({ statuses: [{ status: 500, rate: 1 }] });
	await run();
	expect(outcomes()).toEqual([['A-1', 'unknown']]);
	await sandbox.setFaults({});
	await run();
	expect(outcomes()).toEqual([['A-1', 'created']]);
});
