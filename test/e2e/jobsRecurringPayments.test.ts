import type { StoredWorkflow } from '../../host/n8n/client';
import { changeRows, deleteTable, readTable } from '../../host/n8n/dataTables';
import { readExample } from '../../host/n8n/credentials';
import type { Execution } from '../../host/n8n/executions';
import { sealOf, type TextRow } from '../support/builders/paymentRows';
import { calling, createTablesWithPayees, putSubWorkflowsIntoService } from './askForPayments';
import { ZONE } from './modelTables';
import { sharedN8n, useService } from './shared';

/* The job recurring-payments: what it asks for on which day. Paying is another job. */

const START = 'When clicking ‘Execute workflow’';
const SCHEDULE = 'Every Morning';
const ORDERS = 'standing_orders';
const PAYEES = ['eur', 'gbp'].map((currency) => ({
	...{ supplier: 'eus_thames_cycles', account: `vac_thames_cycles_${currency}`, country: 'GB' },
}));

const n8n = sharedN8n();
const service = useService(n8n);
let workflows: Record<string, StoredWorkflow>;

beforeAll(async () => {
	workflows = await putSubWorkflowsIntoService(n8n, service.credential);
});
beforeEach(async () => {
	await deleteTable(n8n, ORDERS);
	await createTablesWithPayees(n8n, PAYEES);
	expect((await n8n.run(await imported(), START)).status).toBe('success');
	expect(await readTable(n8n, ORDERS)).toHaveLength(3);
});
afterAll(async () => {
	for (const workflow of Object.values(workflows ?? {})) await n8n.deactivate(workflow);
});

const imported = async (today?: string) => {
	const pinData = today === undefined ? {} : { Today: [{ json: { today } }] };
	const workflow = { ...readExample('jobs/recurring-payments'), pinData };
	return await n8n.importWorkflow(calling(workflow, workflows), []);
};

/**
 * Executes the job as the schedule does on a day: the day is pinned in Today, as a user does to try
 * one.
 */
const onDay = async (today: string): Promise<Execution> =>
	await n8n.run(await imported(today), SCHEDULE);

const changeOrder = async (order: string, data: Record<string, string>) =>
	await changeRows(n8n, ORDERS, { column: 'order', value: order }, data);

/** Everything that was asked for, as `invoice amount currency`. */
const asked = async () =>
	((await readTable(n8n, 'payments')) as unknown as TextRow[])
		.map(({ invoice, amount, currency }) => [invoice, amount, currency].join(' '))
		.sort();

const RENT = 'RENT-QUAY-12';
const rent = (...months: string[]) => months.map((month) => `${RENT}-${month} 1850.00 EUR`);
const cleaning = (...weeks: string[]) => weeks.map((week) => `CLEANING-${week} 240.50 EUR`);
const INSURANCE = 'INSURANCE-CYCLES-2026-Q4 320.00 GBP';

test('each period is asked for once, however often the job is executed in it, and nothing is sent', async () => {
	expect((await onDay('2026-11-02')).status).toBe('success');
	const expected = [...cleaning('2026-W45'), INSURANCE, ...rent('2026-10')];
	expect(await asked()).toEqual(expected);
	expect((await onDay('2026-11-02')).status).toBe('success');
	expect((await onDay('2026-11-08')).status).toBe('success');
	expect(await asked()).toEqual(expected);
	expect((await onDay('2026-11-09')).status).toBe('success');
	expect(await asked()).toEqual([
		...cleaning('2026-W45', '2026-W46'),
		INSURANCE,
		...rent('2026-10'),
	]);

	const payments = (await readTable(n8n, 'payments')) as unknown as TextRow[];
	for (const row of payments) {
		expect(row).toMatchObject({ result: 'to approve', job: 'recurring payments' });
		// The approver sees that the same amount was asked for a week before.
		expect(row.reasons).toMatch(row.invoice === 'CLEANING-2026-W46' ? /^Possible duplicate/ : /^$/);
		expect(row.seal).toBe(sealOf('payments', row));
	}
	const runs = await readTable(n8n, 'runs');
	expect(runs.map(({ payments: count, leftOut }) => [count, leftOut])).toEqual([
		['3', '0'],
		['1', '0'],
	]);
	for (const run of runs) {
		expect(run.seal).toBe(sealOf('runs', run));
		const own = payments.filter((row) => row.run === run.run).map((row) => row.externalId);
		expect(run.digest).toBe(own.sort().join('\n'));
	}
	expect((await service.sandbox.client.getCounts()).transactions.requests).toBe(0);
}, 240_000);

test('what was missed while n8n was down is asked for once, to the end of each order', async () => {
	await onDay('2026-11-02');
	expect((await onDay('2027-01-15')).status).toBe('success');
	const weeks = ['W45', 'W46', 'W47', 'W48', 'W49', 'W50', 'W51', 'W52', 'W53'];
	expect(await asked()).toEqual(
		[
			...cleaning(...weeks.map((week) => `2026-${week}`)),
			INSURANCE,
			'INSURANCE-CYCLES-2027-Q1 320.00 GBP',
			...rent('2026-10', '2026-11', '2026-12'),
		].sort(),
	);
}, 240_000);

test('an amount that was changed counts from the next period on', async () => {
	await onDay('2026-11-02');
	await changeOrder(RENT, { amount: '1900.00' });
	await onDay('2026-11-03');
	expect(await asked()).toEqual([...cleaning('2026-W45'), INSURANCE, ...rent('2026-10')]);
	await onDay('2026-11-30');
	expect(await asked()).toContain(`${RENT}-2026-11 1900.00 EUR`);
}, 240_000);

test('what can not be paid stops the execution with its reason, and the others are asked for', async () => {
	await changeOrder(RENT, { amount: '1.850' });
	const failed = await onDay('2026-11-02');
	expect(failed.data.resultData.error?.message).toMatch(
		/^1 recurring payments can't be asked for: RENT-QUAY-12-2026-10 \(.*1\.850/,
	);
	expect(await asked()).toEqual([...cleaning('2026-W45'), INSURANCE]);
	await changeOrder(RENT, { amount: '1850.00' });
	expect((await onDay('2026-11-03')).status).toBe('success');
	expect(await asked()).toContain(`${RENT}-2026-10 1850.00 EUR`);
}, 240_000);

test('an account that nobody approved is asked for with this reason', async () => {
	await changeOrder(RENT, { account: 'vac_another' });
	expect((await onDay('2026-11-02')).status).toBe('success');
	const row = (await readTable(n8n, 'payments')).find(({ account }) => account === 'vac_another');
	expect(row?.reasons).toMatch(/Changed account: now vac_another/);
}, 120_000);

test('the schedule takes the day from the clock, in the time zone of the settings', async () => {
	const execution = await n8n.run(await imported(), SCHEDULE);
	const [{ json }] = execution.data.resultData.runData.Today[0].data!.main[0]!;
	expect(json.today).toBe(new Intl.DateTimeFormat('sv', { timeZone: ZONE }).format(new Date()));
}, 60_000);
