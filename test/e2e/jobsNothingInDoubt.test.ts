import { changeRows, deleteTable, readTable } from '../../host/n8n/dataTables';
import type { StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { isOver, outputOf } from '../../host/n8n/executions';
import { readExample } from '../../host/n8n/credentials';
import { waitUntil } from '../../host/waitUntil';
import { startMailServer, type Mail, type MailServer } from '../support/servers/mailServer';
import { alertCredentials } from './alertCredentials';
import { openList, paymentsOf, submitFirstPage } from './approvalForm';
import { sharedN8n, useService } from './shared';

/*
 * The job on a good day and on its likely bad days. jobs-nothing-in-doubt-crash.test.ts kills n8n.
 */

const START = 'When clicking ‘Execute workflow’';
const SCHEDULE = 'Every 5 Minutes';
const TABLE = 'payments_to_settle';

const n8n = sharedN8n();
const service = useService(n8n);
const published: StoredWorkflow[] = [];
let mailServer: MailServer;
const mails: Mail[] = [];
beforeAll(async () => {
	mailServer = await startMailServer((mail) => mails.push(mail));
});
afterAll(async () => await mailServer?.stop());
beforeEach(async () => {
	await deleteTable(n8n, TABLE);
	await service.sandbox.client.reset();
});
afterEach(async () => {
	await service.sandbox.client.setFaults({});
	for (const workflow of published.splice(0)) await n8n.deactivate(workflow);
});

const job = () => readExample('jobs/nothing-left-in-doubt');
const imported = async (workflow: WorkflowJson = job()) =>
	await n8n.importWorkflow(workflow, [
		service.credential,
		...(await alertCredentials(n8n, mailServer.port)),
	]);
const states = async () =>
	(await readTable(n8n, TABLE)).map(({ invoice, status, outcome, attempts }) => [
		invoice,
		status,
		outcome,
		attempts,
	]);
const counts = async () => (await service.sandbox.client.getCounts()).transactions;
/** Lets the time pass until a pending payment is due. */
const letItBeDue = async (invoice: string) =>
	await changeRows(
		n8n,
		TABLE,
		{ column: 'invoice', value: invoice },
		{
			dueAt: new Date(Date.now() - 1000).toISOString(),
		},
	);

test('each payment is saved, sent, and settled; a second execution sends nothing', async () => {
	const workflow = await imported();
	const first = await n8n.run(workflow, START);
	expect(first.status).toBe('success');
	const settled = ['0601', '0602', '0603'].map((no) => [`INV-2026-${no}`, 'settled', 'created', 1]);
	expect(await states()).toEqual(settled);
	const { items } = await service.sandbox.client.listTransactions();
	expect(items.map(({ transaction }) => transaction.amount).sort()).toEqual([
		'1200.00',
		'2501.00',
		'89.90',
	]);

	expect((await n8n.run(workflow, START)).status).toBe('success');
	expect((await n8n.run(workflow, SCHEDULE)).status).toBe('success');
	expect(await states()).toEqual(settled);
	expect(await counts()).toMatchObject({ created: 3, requests: 3 });
});

test('a lost response and a service that is down: both are pending, and settle when they are due', async () => {
	const workflow = await imported();
	// The first item is recorded and its response is lost; then nothing reaches the service.
	await service.sandbox.client.setFaults({
		next: [
			{ fault: 'dropAfter', on: 'transactions' },
			{ status: 500, on: 'transactions' },
		],
	});
	expect((await n8n.run(workflow, START)).status).toBe('success');
	expect(await states()).toEqual([
		['INV-2026-0601', 'pending', 'unknown', 1],
		['INV-2026-0602', 'pending', 'unknown', 1],
		['INV-2026-0603', 'settled', 'created', 1],
	]);
	expect((await counts()).created).toBe(2);

	// Not due yet: the schedule leaves them alone.
	const requests = (await counts()).requests;
	expect((await n8n.run(workflow, SCHEDULE)).status).toBe('success');
	expect((await counts()).requests).toBe(requests);

	await letItBeDue('INV-2026-0601');
	await letItBeDue('INV-2026-0602');
	expect((await n8n.run(workflow, SCHEDULE)).status).toBe('success');
	expect(await states()).toEqual([
		['INV-2026-0601', 'settled', 'duplicate', 2],
		['INV-2026-0602', 'settled', 'created', 2],
		['INV-2026-0603', 'settled', 'created', 1],
	]);
	const { items } = await service.sandbox.client.listTransactions();
	expect(items.map(({ seen, transaction }) => [transaction.externalId, seen]).sort()).toEqual([
		['INV-2026-0601', 2],
		['INV-2026-0602', 1],
		['INV-2026-0603', 1],
	]);
});

test('a payment that is not valid, and one at its last attempt, need attention: the alert names both', async () => {
	const example = job();
	const rows = example.nodes.find(({ name }) => name === 'Example Payments')!.parameters;
	rows.jsonOutput = (rows.jsonOutput as string).replace('"89.90"', '"89,90"');
	const schedule = example.nodes.find(({ name }) => name === SCHEDULE)!.parameters;
	// Each second, in place of each 5 minutes.
	schedule.rule = { interval: [{ field: 'seconds', secondsInterval: 1 }] };
	await service.sandbox.client.setFaults({ statuses: [{ status: 500, rate: 1 }] });
	const workflow = await imported(example);
	const first = await n8n.run(workflow, START);
	expect(first.status).toBe('error');
	expect(first.data.resultData.error?.message).toMatch(/^1 payments need attention: INV-2026-0602/);

	await changeRows(n8n, TABLE, { column: 'invoice', value: 'INV-2026-0601' }, { attempts: 11 });
	await letItBeDue('INV-2026-0601');
	await n8n.activate(workflow);
	published.push(workflow);
	// The workflow is its own error workflow, because it has an Error Trigger.
	const alert = await waitUntil('the alert has run', async () => {
		const { results } = await n8n.executions(workflow);
		const run = results.find((execution) => execution.mode === 'error' && isOver(execution));
		return run && (await n8n.execution(run.id));
	});
	expect(outputOf(alert, 'Alert')[0].json).toMatchObject({
		subject: 'Payments: Nothing left in doubt needs attention',
		text: expect.stringMatching(
			/^1 payments need attention: INV-2026-0601 of eus_harbour_bakery, .*unknown/,
		) as string,
	});
	const sent = await waitUntil('the alert is sent', () => Promise.resolve(mails.at(-1)));
	expect(sent.to).toEqual(['payments@example.com']);
	expect(sent.text).toMatch(
		/INV-2026-0601 of eus_harbour_bakery, 2501\.00 EUR \(unknown after 12 att/,
	);

	// The list has what every alert named, and only those who sign in see it.
	const link = /https?:\S+\/form\/payments-in-doubt/.exec(sent.text)![0];
	expect((await submitFirstPage(link, undefined, 'What needs attention')).status).toBe(401);
	const { page } = await openList(link, 'What needs attention');
	expect(page).toContain('2 payments need attention');
	expect(
		paymentsOf(page).map(([invoice, , , status, attempts]) => [invoice, status, attempts]),
	).toEqual([
		['INV-2026-0601', 'needs attention', '12'],
		['INV-2026-0602', 'needs attention', '1'],
	]);
	const all = await openList(link, 'Everything that is open');
	expect(paymentsOf(all.page)).toHaveLength(3);
	expect(await states()).toEqual([
		['INV-2026-0601', 'needs attention', 'unknown', 12],
		['INV-2026-0602', 'needs attention', 'invalid', 1],
		['INV-2026-0603', 'pending', 'unknown', 1],
	]);
});
