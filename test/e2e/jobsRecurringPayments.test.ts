import { changeRows, deleteTable, readTable } from '../../host/n8n/dataTables';
import type { Execution } from '../../host/n8n/executions';
import { readExample } from '../../host/n8n/credentials';
import { sharedN8n, useService } from './shared';

const START = 'When clicking ‘Execute workflow’';
const SCHEDULE = 'Every Morning';
const ORDERS = 'standing_orders';
const PAYMENTS = 'standing_order_payments';

const n8n = sharedN8n();
const service = useService(n8n);

beforeEach(async () => {
	await deleteTable(n8n, ORDERS);
	await deleteTable(n8n, PAYMENTS);
	await service.sandbox.client.reset();
	await setUpOrders();
});
afterEach(async () => {
	await service.sandbox.client.setFaults({});
});

const imported = async (today?: string) => {
	const pinData = today === undefined ? {} : { Today: [{ json: { today } }] };
	const workflow = { ...readExample('jobs/recurring-payments'), pinData };
	return await n8n.importWorkflow(workflow, [service.credential]);
};

/** Executes the part that creates the standing orders of the example. */
async function setUpOrders(): Promise<void> {
	expect((await n8n.run(await imported(), START)).status).toBe('success');
}

/**
 * Executes the job as the schedule does on a day: the day is pinned in Today, as a user does to try
 * one.
 */
const onDay = async (today: string): Promise<Execution> =>
	await n8n.run(await imported(today), SCHEDULE);

const changeOrder = async (order: string, data: Record<string, string>) =>
	await changeRows(n8n, ORDERS, { column: 'order', value: order }, data);

const recorded = async () => (await service.sandbox.client.getCounts()).transactions.created;

/** Everything that the service has, as `External ID amount currency`. */
async function paid(): Promise<string[]> {
	const { items } = await service.sandbox.client.listTransactions({ limit: 100 });
	return items
		.map(({ transaction: { externalId, amount, currency } }) =>
			[externalId, amount, currency].join(' '),
		)
		.sort();
}

const RENT = 'RENT-HARBOUR-12';
const rent = (...months: string[]) => months.map((month) => `${RENT}-${month} 1850.00 EUR`);
const cleaning = (...weeks: string[]) => weeks.map((week) => `CLEANING-${week} 240.50 EUR`);
const INSURANCE = 'INSURANCE-CYCLES-2026-Q4 320.00 GBP';

test('each period is paid once, however often the job is executed in it', async () => {
	expect((await onDay('2026-11-02')).status).toBe('success');
	const expected = [...cleaning('2026-W45'), INSURANCE, ...rent('2026-10')];
	expect(await paid()).toEqual(expected);

	expect((await onDay('2026-11-02')).status).toBe('success');
	expect((await onDay('2026-11-08')).status).toBe('success');
	expect(await paid()).toEqual(expected);
	expect((await service.sandbox.client.getCounts()).transactions.requests).toBe(3);

	expect((await onDay('2026-11-09')).status).toBe('success');
	expect(await paid()).toEqual([
		...cleaning('2026-W45', '2026-W46'),
		INSURANCE,
		...rent('2026-10'),
	]);
	expect(
		(await readTable(n8n, PAYMENTS)).map(({ payment, outcome }) => [payment, outcome]),
	).toEqual(
		expect.arrayContaining([
			['CLEANING-2026-W46', 'created'],
			[`${RENT}-2026-10`, 'created'],
		]),
	);
});

test('what was missed while n8n was down is caught up once, to the end of each order', async () => {
	await onDay('2026-11-02');
	// n8n is down for two months: three rents, and the weeks until the end of the year.
	expect((await onDay('2027-01-15')).status).toBe('success');
	const weeks = ['W45', 'W46', 'W47', 'W48', 'W49', 'W50', 'W51', 'W52', 'W53'];
	const expected = [
		...cleaning(...weeks.map((week) => `2026-${week}`)),
		INSURANCE,
		'INSURANCE-CYCLES-2027-Q1 320.00 GBP',
		...rent('2026-10', '2026-11', '2026-12'),
	].sort();
	expect(await paid()).toEqual(expected);
	expect((await onDay('2027-01-15')).status).toBe('success');
	expect(await paid()).toEqual(expected);
	// The rent that is due on the 31st was due on the last day of November.
	const november = (await readTable(n8n, PAYMENTS)).find(
		({ payment }) => payment === `${RENT}-2026-11`,
	);
	expect(november).toMatchObject({ due: '2026-11-30', amount: '1850.00' });
});

test('the table of payments is lost and the amount was changed: no period is paid a second time', async () => {
	await onDay('2026-11-02');
	await deleteTable(n8n, PAYMENTS);
	await changeOrder(RENT, { amount: '1900.00' });
	expect((await onDay('2026-11-03')).status).toBe('success');
	expect(await paid()).toEqual([...cleaning('2026-W45'), INSURANCE, ...rent('2026-10')]);
	// The amount of the first execution isn't known here, so none is claimed.
	const duplicate = ['duplicate', ''];
	expect((await readTable(n8n, PAYMENTS)).map(({ outcome, amount }) => [outcome, amount])).toEqual([
		duplicate,
		duplicate,
		duplicate,
	]);
	// The new amount counts from the next period on.
	await onDay('2026-11-30');
	expect(await paid()).toContain(`${RENT}-2026-11 1900.00 EUR`);
});

test('an amount with a comma and a service that does not answer: the execution fails with the list, and the next one pays', async () => {
	await changeOrder(RENT, { amount: '1850,00' });
	await service.sandbox.client.setFaults({ statuses: [{ status: 500, rate: 1 }] });
	const failed = await onDay('2026-11-02');
	expect(failed.status).toBe('error');
	expect(failed.data.resultData.error?.message).toMatch(
		/^3 recurring payments aren't paid: .*RENT-HARBOUR-12-2026-10 \(invalid: .*1850,00/,
	);
	expect(await recorded()).toBe(0);

	await changeOrder(RENT, { amount: '1850.00' });
	await service.sandbox.client.setFaults({});
	expect((await onDay('2026-11-03')).status).toBe('success');
	expect(await paid()).toEqual([...cleaning('2026-W45'), INSURANCE, ...rent('2026-10')]);
});

test('a first date that is years ago: nothing is paid, and the execution says which order', async () => {
	await changeOrder(RENT, { firstDue: '2016-10-31' });
	const failed = await onDay('2026-11-02');
	expect(failed.data.resultData.error?.message).toContain(
		`Standing order ${RENT}: more than 12 periods since 2016-10-31 aren't paid`,
	);
	expect(await recorded()).toBe(0);
});

test('the schedule takes the day from the clock', async () => {
	const execution = await n8n.run(await imported(), SCHEDULE);
	const [{ json }] = execution.data.resultData.runData.Today[0].data!.main[0]!;
	expect(json.today).toMatch(/^20\d\d-\d\d-\d\d$/);
});
