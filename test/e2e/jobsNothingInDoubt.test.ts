import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { StoredWorkflow } from '../../host/n8n/client';
import { changeRows, readTable } from '../../host/n8n/dataTables';
import { readExample } from '../../host/n8n/credentials';
import { isOver } from '../../host/n8n/executions';
import { waitUntil } from '../../host/waitUntil';
import { paymentRow, sealOf, type TextRow } from '../support/builders/paymentRows';
import { launchBrowser } from '../support/pages/browser';
import { openFormIn, readEnding, signInAs } from '../support/pages/payoutRun';
import { startMailServer, type Mail, type MailServer } from '../support/servers/mailServer';
import { alertCredentials } from './alertCredentials';
import { callingLog } from './askForPayments';
import { createModelTables, createSeals, saveRows } from './modelTables';
import { sharedN8n } from './shared';

/*
 * The job nothing-left-in-doubt: its alerts, its page, and what a person found out. What is in
 * doubt itself comes from the job that pays.
 */

const SCHEDULE = 'Every 15 Minutes';
const APPROVER = 'owner@payments.example';

const n8n = sharedN8n();
let workflow: StoredWorkflow;
let browser: Browser;
let profile: BrowserContext;
let mailServer: MailServer;
const mails: Mail[] = [];
const textOf = ({ text }: Mail) => text.replace(/=\r?\n/g, '');

const ATTENTION = paymentRow({ invoice: 'INV-LOST', result: 'needs attention', day: '2026-11-10' });
const DOUBT = paymentRow({ invoice: 'INV-DOUBT', result: 'in doubt' });
const WAITS = paymentRow({
	...{ invoice: 'INV-WAITS', run: '51', result: 'to approve', decision: '' },
	...{ firstSentAt: '', sentAt: '', acceptedAt: '' },
});
const OTHERS = [
	paymentRow({ invoice: 'INV-PAID', result: 'paid' }),
	paymentRow({ invoice: 'INV-OK', acceptedAt: new Date().toISOString() }),
];

beforeAll(async () => {
	await createModelTables(n8n, [
		['approver', '', APPROVER],
		['remind after hours', '', '0'],
	]);
	await saveRows(n8n, 'payments', [ATTENTION, DOUBT, ...OTHERS, WAITS]);
	mailServer = await startMailServer((mail) => mails.push(mail));
	const example = await callingLog(n8n, readExample('jobs/nothing-left-in-doubt'));
	workflow = await n8n.importWorkflow(example, [
		await createSeals(n8n),
		...(await alertCredentials(n8n, mailServer.port)),
	]);
	await n8n.activate(workflow);
	browser = await launchBrowser();
	profile = await signInAs(browser, n8n);
}, 120_000);
afterAll(async () => {
	await browser?.close();
	if (workflow) await n8n.deactivate(workflow);
	await mailServer?.stop();
});

async function openList(): Promise<Page> {
	const page = await openFormIn(profile, `${n8n.url}/form/open-payments`);
	await page.getByRole('button', { name: 'Show' }).click();
	await page.getByRole('button', { name: 'Save what I found out' }).waitFor();
	return page;
}
const rowOf = async ({ externalId }: TextRow) =>
	(await readTable(n8n, 'payments')).find((row) => row.externalId === externalId)!;

test('each alert is sent once, in one email, and again when something new is to be looked at', async () => {
	for (let i = 0; i < 2; i++) expect((await n8n.run(workflow, SCHEDULE)).status).toBe('success');
	expect(mails.map(({ to }) => to).sort()).toEqual([[APPROVER], ['payments@example.com']]);
	const [reminder] = mails.splice(
		mails.findIndex(({ to }) => to.includes(APPROVER)),
		1,
	);
	expect(textOf(reminder)).toMatch(/1 payments of payout run 51 wait for an approval/);
	expect(textOf(mails[0])).toMatch(/Needs attention: INV-LOST.*In doubt.*INV-DOUBT/s);
	expect(textOf(mails[0])).toContain('/form/open-payments');
	expect(textOf(mails[0])).not.toMatch(/INV-PAID|INV-OK/);

	// Somebody changes an amount in the table.
	const where = { column: 'externalId', value: OTHERS[1].externalId };
	await changeRows(n8n, 'payments', where, { amount: '9999.00' });
	expect((await n8n.run(workflow, SCHEDULE)).status).toBe('success');
	expect(mails).toHaveLength(2);
	expect(textOf(mails[1])).toMatch(/Changed in the table by nobody of the jobs: INV-OK/);
	expect(textOf(mails[1])).not.toContain('INV-LOST');
	await changeRows(n8n, 'payments', where, { amount: OTHERS[1].amount });
}, 120_000);

test('an execution of another job that stops is an alert', async () => {
	const failing = await n8n.importWorkflow(
		{
			name: 'A job that stops',
			nodes: [
				{
					...{ id: '1', name: 'Start', type: 'n8n-nodes-base.scheduleTrigger' },
					...{ typeVersion: 1.2, position: [0, 0] },
					parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 1 }] } },
				},
				{
					...{ id: '2', name: 'Stop', type: 'n8n-nodes-base.stopAndError' },
					...{ typeVersion: 1, position: [220, 0] },
					parameters: { errorMessage: 'The lock is lost.' },
				},
			],
			connections: { Start: { main: [[{ node: 'Stop', type: 'main', index: 0 }]] } },
			settings: { executionOrder: 'v1', errorWorkflow: workflow.id },
		},
		[],
	);
	mails.length = 0;
	await n8n.activate(failing);
	const alert = await waitUntil('the alert has run', async () => {
		const { results } = await n8n.executions(workflow);
		return results.find((execution) => execution.mode === 'error' && isOver(execution));
	});
	await n8n.deactivate(failing);
	expect(alert.status).toBe('success');
	expect(textOf(mails[0])).toContain('The workflow A job that stops stopped: The lock is lost.');
}, 60_000);

test('a person finds out that the service has no such payment: only an approver, with a reason, can save it', async () => {
	const answer = async (reason: string, ending: string) => {
		const page = await openList();
		expect(await page.locator('body').innerText()).toContain('needs attention: 1');
		await page.locator('select').selectOption({ index: 1 });
		await page.getByText("The service doesn't have it", { exact: true }).click();
		await page.getByLabel('How do you know').fill(reason);
		await page.getByRole('button', { name: 'Save what I found out' }).click();
		const text = await readEnding(page, ending);
		await page.close();
		return text;
	};
	await answer('', 'Nothing was changed');
	expect(await rowOf(ATTENTION)).toMatchObject({ result: 'needs attention' });

	const where = { column: 'setting', value: 'approver' };
	await changeRows(n8n, 'settings', where, { value: 'somebody@payments.example' });
	await answer('Asked Ann', 'Nothing was changed');
	expect(await rowOf(ATTENTION)).toMatchObject({ result: 'needs attention' });

	await changeRows(n8n, 'settings', where, { value: APPROVER });
	expect(await answer('Asked Ann', 'Saved')).toContain('failed now');
	const row = await rowOf(ATTENTION);
	expect(row).toMatchObject({ result: 'failed', day: '', previous: ATTENTION.seal });
	expect(row.seal).toBe(sealOf('payments', row));
	expect(row.explanation).toContain(`${APPROVER}: Asked Ann`);
}, 120_000);

test('the page says that sending is stopped, and what was on the way', async () => {
	await changeRows(n8n, 'settings', { column: 'setting', value: 'stopped' }, { value: 'yes' });
	const page = await openList();
	const text = await page.locator('body').innerText();
	expect(text).toContain('Sending is stopped');
	expect(text).toContain('in doubt: 1');
	expect(text).toContain('INV-DOUBT');
	await page.close();
	await changeRows(n8n, 'settings', { column: 'setting', value: 'stopped' }, { value: 'no' });
}, 60_000);
