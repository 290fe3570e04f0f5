import axios from 'axios';
import type { Browser, BrowserContext } from 'playwright-core';
import type { StoredWorkflow } from '../../host/n8n/client';
import { deleteTable } from '../../host/n8n/dataTables';
import { paymentRow } from '../support/builders/paymentRows';
import { statementWithDifferences, toCamt053, toCsvStatement } from '../support/builders/statement';
import { launchBrowser } from '../support/pages/browser';
import { signInAs } from '../support/pages/payoutRun';
import { startMailServer, type Mail, type MailServer } from '../support/servers/mailServer';
import { createModelTables, saveRows, ZONE } from './modelTables';
import {
	asInFile,
	differencesIn,
	putMorningIntoService,
	putStatementsIntoService,
	submitStatement,
	uploadStatement,
} from './reconciliation';
import { sharedN8n } from './shared';

/* The jobs daily-reconciliation and statement-reconciliation, in n8n. */

const n8n = sharedN8n();
const published: StoredWorkflow[] = [];
let browser: Browser;
let profile: BrowserContext;
let mailServer: MailServer;
const mails: Mail[] = [];

beforeAll(async () => {
	await createModelTables(n8n);
	mailServer = await startMailServer((mail) => mails.push(mail));
	published.push(await putMorningIntoService(n8n, mailServer.port));
	published.push(await putStatementsIntoService(n8n));
	browser = await launchBrowser();
	profile = await signInAs(browser, n8n);
}, 120_000);
afterAll(async () => {
	await browser?.close();
	for (const workflow of published) await n8n.deactivate(workflow);
	await mailServer?.stop();
});

test('every morning: one email with what was paid, came back, is open, and is missing', async () => {
	const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
	const changed = (days: number) => ({
		firstSentAt: ago(8).toISOString(),
		statusAt: String(ago(days).getTime()),
	});
	const rows = [
		paymentRow({ invoice: 'PAID', result: 'paid', ...changed(0.5) }),
		paymentRow({ invoice: 'PAID-TOO', result: 'paid', amount: '0.07', ...changed(0.2) }),
		paymentRow({ invoice: 'PAID-BEFORE', result: 'paid', ...changed(3) }),
		paymentRow({ invoice: 'RETURNED', result: 'returned', ...changed(0.5) }),
		paymentRow({ invoice: 'SILENT', firstSentAt: ago(4).toISOString() }),
		paymentRow({ invoice: 'DOUBT', result: 'in doubt', explanation: 'The answer was lost.' }),
	];
	const forged = { ...paymentRow({ invoice: 'FORGED', result: 'paid' }), amount: '1.00' };
	await saveRows(n8n, 'payments', [...rows, forged]);
	expect((await n8n.run(published[0], 'Every Morning')).status).toBe('success');
	const [{ to, text: encoded }] = mails;
	expect(to).toEqual(['payments@example.com']);
	// Its lines are broken where an email breaks them.
	const text = encoded.replace(/=\r?\n|\r?\n(?=[ \t])/g, '');
	expect(text).toContain('1 changed, 1 open, 1 missing, 1 came back, 2 matched');
	expect(text).toMatch(/filename="?reconciliation-\d{4}-\d\d-\d\d\.xlsx/);
	expect(text).toContain(ZONE);
	expect(text).not.toContain('PAID-BEFORE');
}, 120_000);

test('a morning without payments: the email says so', async () => {
	await createModelTables(n8n);
	mails.length = 0;
	expect((await n8n.run(published[0], 'Every Morning')).status).toBe('success');
	expect(mails[0].text).toContain('Nothing to report');
}, 60_000);

test.each([
	['CSV', 'statement.csv', toCsvStatement, 11],
	['camt.053', 'statement.xml', toCamt053, 12],
])(
	'a statement as %s with 1,000 payments: 30 of 30 differences are on the page and in the file, and no other',
	async (_, name, toFile, seed) => {
		await createModelTables(n8n);
		const { sent, entries, differences } = statementWithDifferences(1000, seed);
		await saveRows(n8n, 'payments', sent);

		const { page, rows } = await uploadStatement(profile, n8n, name, toFile(entries));
		expect(differencesIn(rows)).toEqual(asInFile(differences));
		const matched = rows.filter(({ List }) => List === 'Matched');
		const wrong = differences.filter(([list]) => list !== 'Unexpected').length;
		expect(matched).toHaveLength(1000 - wrong);
		await page.getByRole('heading', { name: `${1000 - wrong} matched` }).waitFor();
		await page.getByRole('heading', { name: `Matched: ${1000 - wrong}` }).waitFor();
		await page.close();
	},
	300_000,
);

test.each([
	['columns.csv', 'Date;Amount\n1;2', /no column Currency, Reference/],
	['broken.xml', '<a', /no entries/],
])('%s: the page says why it cannot be used', async (name, content, says) => {
	const page = await submitStatement(profile, n8n, name, content);
	await page.getByRole('heading', { name: "This statement can't be used" }).waitFor();
	expect(await page.locator('.header').first().innerText()).toMatch(says);
	await page.close();
});

test('without a payment in the table, everything that went out is unexpected', async () => {
	await createModelTables(n8n);
	const { entries } = statementWithDifferences(20, 13);
	const { page, rows } = await uploadStatement(profile, n8n, 'a.csv', toCsvStatement(entries));
	expect(rows).toHaveLength(entries.filter(({ isCredit }) => !isCredit).length);
	expect(new Set(rows.map(({ List }) => List))).toEqual(new Set(['Unexpected']));
	await page.close();
});

test('only those who sign in can compare', async () => {
	const { data } = await axios.get<string>(`${n8n.url}/form/reconcile-statement`, {
		...{ proxy: false as const, validateStatus: null },
	});
	expect(String(data)).not.toContain('Compare');
	await deleteTable(n8n, 'payments');
});
