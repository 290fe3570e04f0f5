import { readFileSync } from 'node:fs';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { connectPayouts } from '../../demo/payouts';
import type { N8nClient, StoredWorkflow } from '../../host/n8n/client';
import { waitUntil } from '../../host/waitUntil';
import { Ledger } from '../support/ledger';
import { launchBrowser } from '../support/pages/browser';
import { openFormIn, signInAs } from '../support/pages/forms';
import { csv, rowsOf, xlsx } from '../support/spreadsheet';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { sharedN8n, useService } from './shared';

/* The six workflows of the payout ledger, each page used once by the people that it's for. */

const n8n = sharedN8n();
const service = useService(n8n);
const mails: string[] = [];
let ledger: Ledger;
let mailServer: MailServer;
let browser: Browser;
let workflows: StoredWorkflow[];
let people: Record<'clerk' | 'approver' | 'deputy', N8nClient>;
const profiles = new Map<N8nClient, BrowserContext>();

beforeAll(async () => {
	ledger = await Ledger.start();
	mailServer = await startMailServer((mail) => mails.push(mail));
	const smtp = await n8n.createCredential('SMTP account', 'smtp', {
		...{ host: '127.0.0.1', port: mailServer.port, secure: false, disableStartTls: true },
	});
	({ workflows, people } = await connectPayouts(n8n, service.sandbox.client, {
		...{ paymentsApi: service.credential, smtp },
		database: new URL(ledger.server.url(ledger.database, 'payouts_n8n')),
	}));
	browser = await launchBrowser();
});
afterAll(async () => {
	await browser?.close();
	for (const workflow of workflows ?? []) await n8n.deactivate(workflow);
	await mailServer?.stop();
	await ledger?.stop();
});

async function open(user: N8nClient, form: string): Promise<Page> {
	const profile = profiles.get(user) ?? (await signInAs(browser, user));
	profiles.set(user, profile);
	return await openFormIn(profile, `${n8n.url}/form/${form}`);
}
const paymentsThatAre = async (state: string) => {
	const sql = 'select invoice from payouts.payments where state = $1';
	return (await ledger.owner.query(sql, [state])).rows;
};
const press = async (page: Page, name: string) => await page.getByRole('button', { name }).click();

/** The table of the page that comes next, by the names of its columns. */
async function tableOf(page: Page, column: string): Promise<Array<Record<string, string>>> {
	await page.locator('th', { hasText: column }).first().waitFor();
	const names = await page.locator('th').allInnerTexts();
	const cells = await page.locator('td').allInnerTexts();
	return Array.from({ length: cells.length / names.length }, (_, row) =>
		Object.fromEntries(names.map((name, at) => [name, cells[row * names.length + at]])),
	);
}

type File = ReturnType<typeof xlsx>;
async function upload(user: N8nClient, file: File) {
	const page = await open(user, 'payout-upload');
	await page.locator('input[type=file]').setInputFiles(file);
	await press(page, 'Upload');
	return await tableOf(page, 'Result');
}

async function decide(user: N8nClient, decision: string, ticks: RegExp[] = []) {
	const page = await open(user, 'payout-approval');
	await press(page, 'Show payments');
	const seen = await tableOf(page, 'Invoice');
	for (const tick of ticks) await page.locator('label', { hasText: tick }).first().click();
	await page.locator('label', { hasText: new RegExp(`^\\s*${decision}\\s*$`) }).click();
	await press(page, 'Decide');
	const done = await tableOf(page, 'Result');
	return { seen, done: Object.fromEntries(done.map((row) => [row.Result, Number(row.Payments)])) };
}

const ROWS = [
	['Payments of November'],
	['Rechnung', 'Supplier', 'IBAN', 'Country', 'Betrag', 'Währung', 'Note'],
	['INV-1', 'Nordic <Paper> & Co', 'DE89 3704 0044 0532 0130 00', 'SE', '1.250,50', 'EUR', 'x'],
	['INV-2', 'Nordic <Paper> & Co', 'DE89370400440532013000', 'SE', 12000, 'EUR', ''],
	['INV-3', 'Nordic <Paper> & Co', 'DE89370400440532013000', 'SE', '12.345', 'EUR', ''],
	[],
	['INV-4', 'Thames', 'vac_thames_gbp', 'GB', '10,10', 'GBP', ''],
];

test('a file is uploaded, approved by two people, paid once, followed, and looked up', async () => {
	const results = await upload(people.clerk, xlsx('november.xlsx', ROWS));
	expect(results.map((row) => [row.Result, row.Row, row.Invoice, row.Amount])).toEqual([
		['total', '', '', 'EUR 13,250.50, GBP 10.10'],
		['to correct', '5', 'INV-3', '12.345'],
		['held', '3', 'INV-1', 'EUR 1,250.50'],
		['held', '4', 'INV-2', 'EUR 12,000.00'],
		['held', '7', 'INV-4', 'GBP 10.10'],
	]);
	expect(results[2].Payee).toBe('Nordic <Paper> & Co');

	const again = await upload(people.clerk, csv('november.csv', ROWS.slice(1)));
	expect(again.slice(1).map((row) => row.Result)).toEqual([
		'to correct',
		'left out',
		'left out',
		'left out',
	]);

	expect((await decide(people.deputy, 'Decline')).done).toEqual({ declined: 3 });
	const anew = ROWS.map((cells) => cells.map((cell) => String(cell).replace(/^INV-/, 'RE-')));
	await upload(people.clerk, xlsx('anew.xlsx', anew));

	const first = await decide(people.approver, 'Approve', [/^\s*Row 3/, /^\s*Row 4/, /^\s*Row 7/]);
	expect(first.done).toEqual({
		approved: 2,
		'approved by you, and waits for another approver': 1,
	});
	const second = await decide(people.deputy, 'Approve');
	expect(second.seen.map((row) => [row.Invoice, row.Approvals])).toEqual([['RE-2', '1 of 2']]);
	expect(second.done).toEqual({ approved: 1 });

	await n8n.run(workflows[2], 'Every Minute');
	const isPaid = async () => (await paymentsThatAre('paid')).length === 3;
	await waitUntil('the events are there', isPaid);
	const { items } = await service.sandbox.client.listTransactions({ limit: 100 });
	expect(items.map(({ transaction: one }) => `${one.reference} ${one.amount}`).sort()).toEqual([
		'RE-1 1250.50',
		'RE-2 12000.00',
		'RE-4 10.10',
	]);

	const page = await open(people.deputy, 'payouts');
	await page.locator('select').selectOption({ label: 'Payment' });
	await page.getByLabel('Which').fill('RE-2');
	const download = page.waitForEvent('download');
	await press(page, 'Show');
	const shown = await tableOf(page, 'External ID');
	expect(shown.map((row) => [row.Invoice, row.Amount, row.Result])).toEqual([
		['RE-2', 'EUR 12,000.00', 'paid'],
	]);
	const [saved] = rowsOf(readFileSync(await (await download).path()));
	expect(saved).toMatchObject({ Invoice: 'RE-2', Result: 'paid' });
}, 400_000);

test('bad news, and what somebody has to look at, comes as an email', async () => {
	await upload(
		people.clerk,
		xlsx('bad.xlsx', [
			ROWS[1],
			['A TEST_REJECTED', 'Nordic <Paper> & Co', 'DE89370400440532013000', 'SE', 5, 'EUR'],
		]),
	);
	await decide(people.approver, 'Approve');
	await n8n.run(workflows[2], 'Every Minute');
	const isSent = (text: RegExp) => () => mails.some((mail) => text.test(mail));
	await waitUntil('bad news comes', isSent(/^Subject: EUR 5.00 to Nordic/m));
	await n8n.run(workflows[5], 'Every Day');
	await waitUntil('the list comes', isSent(/Its status is REJECTED[^]*A TEST_REJECTED\./));
});

test('who may not, reads why; the switch stops what is approved', async () => {
	const file = xlsx('stop.xlsx', [
		ROWS[1],
		['S-1', 'Nordic <Paper> & Co', 'DE89370400440532013000', 'SE', 6, 'EUR'],
	]);
	const page = await open(people.deputy, 'payout-upload');
	await page.locator('input[type=file]').setInputFiles(file);
	await press(page, 'Upload');
	await page.getByText('deputy@example.com may not upload').waitFor();
	await upload(people.clerk, file);
	await decide(people.approver, 'Stop');
	await decide(people.approver, 'Approve');
	await n8n.run(workflows[2], 'Every Minute');
	expect(await paymentsThatAre('approved')).toEqual([{ invoice: 'S-1' }]);
});
