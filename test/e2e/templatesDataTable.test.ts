import type { IDataObject } from 'n8n-workflow';
import { readExample, readLiveExample } from '../../host/n8n/credentials';
import type { WorkflowJson } from '../../host/n8n/client';
import { DataTable } from '../support/dataTables';
import { sharedN8n, useService } from './shared';

/* The template sync/data-table, with a clock that a test sets. */

const n8n = sharedN8n();
const service = useService(n8n);

const COLUMNS = [
	...['externalId', 'externalStatus', 'amount', 'currency', 'reference', 'paymentScheme'],
	...['senderExternalEntityId', 'senderExternalPaymentChannelId', 'senderCountryCode'],
	...['recipientExternalEntityId', 'recipientExternalPaymentChannelId', 'recipientCountryCode'],
	'bookedAt',
];
const LOG_COLUMNS = ['event', 'row', 'outcome', 'statusCode', 'message'];

const movement = (externalId: string, changes: IDataObject = {}): IDataObject => ({
	...{ externalId, externalStatus: 'booked', amount: '12.50', currency: 'EUR' },
	...{ reference: externalId, paymentScheme: 'SCT', bookedAt: '2026-11-02T09:15:00Z' },
	...{ senderExternalEntityId: 'lena-fischer', senderCountryCode: 'DE' },
	senderExternalPaymentChannelId: 'lena-fischer-account',
	...{ recipientExternalEntityId: 'harbour-bakery', recipientCountryCode: 'DK' },
	recipientExternalPaymentChannelId: 'harbour-bakery-eur-account',
	...changes,
});

let movements: DataTable;
let log: DataTable;
beforeEach(async () => {
	movements = await DataTable.create(n8n, 'movements', COLUMNS);
	log = await DataTable.create(n8n, 'sent_to_service', LOG_COLUMNS);
});
afterEach(async () => {
	await movements.drop();
	await log.drop();
	await service.sandbox.reset();
});

/** The template, so many minutes from now. It doesn't send again what has no answer. */
function templateIn(minutes: number, template = readLiveExample('sync/data-table')): WorkflowJson {
	const { nodes, ...workflow } = template;
	const later = JSON.stringify(nodes).replaceAll('$now', `$now.plus({ minutes: ${minutes} })`);
	return { ...workflow, nodes: JSON.parse(later) as WorkflowJson['nodes'] };
}

/** Executes it. Returns what it told, if it did. */
async function run(minutes = 0, template?: WorkflowJson): Promise<string | undefined> {
	const workflow = await n8n.importWorkflow(templateIn(minutes, template), [service.credential]);
	const { data } = await n8n.run(workflow, 'Every Minute');
	return data.resultData.error?.message;
}

const recorded = async () =>
	(await service.sandbox.listTransactions()).items
		.map(({ transaction, seen }) => [transaction.externalId, transaction.amount, seen])
		.sort();
const outcomes = async (event?: string) =>
	(await log.rows())
		.filter((entry) => event === undefined || entry.event === event)
		.map(({ outcome }) => outcome);
const BUSY = { statuses: [{ status: 403, rate: 1 }] };

test('each row goes once; what is refused keeps back no other, is told once a day, and goes again when it has changed', async () => {
	await movements.insert([
		movement('INV-1', { amount: '1.250,00' }),
		movement('TEST_INVALID'),
		movement('INV-3'),
		movement('INV-4', { reference: 'one' }),
		movement('INV-4', { reference: 'other' }),
	]);
	expect(await run()).toMatch(/^INV-4 booked: Two rows have this External ID and status/);
	expect(await recorded()).toEqual([['INV-3', '12.50', 1]]);

	const told = await run(5);
	expect(told).toMatch(/^INV-1 booked: Correct it: [^]+^TEST_INVALID booked: Correct it: /m);
	expect(told).not.toContain('INV-4');
	expect(await run(10)).toBeUndefined();
	expect(await run(24 * 60 + 10)).toMatch(/INV-1[^]+TEST_INVALID/);

	await movements.update('externalId', 'INV-1', { amount: '1250.00' });
	await movements.delete('reference', 'other');
	expect(await run(15)).toBeUndefined();
	expect(await recorded()).toEqual([
		['INV-1', '1250.00', 1],
		['INV-3', '12.50', 1],
		['INV-4', '12.50', 1],
	]);
	const tried = (await log.rows()).filter(({ event }) => event === 'TEST_INVALID booked');
	expect(tried.filter(({ outcome }) => outcome === 'rejected')).toHaveLength(1);

	// A row that is touched, or loaded anew, is the same event.
	await movements.delete('externalId', 'INV-3');
	await movements.insert([movement('INV-3', { reference: 'Loaded anew' })]);
	await movements.update('externalId', 'INV-1', { externalStatus: 'settled' });
	await run(20);
	await movements.update('externalId', 'INV-1', { externalStatus: 'booked' });
	await run(25);
	expect(await recorded()).toEqual([
		['INV-1', '1250.00', 1],
		['INV-1', '1250.00', 1],
		['INV-3', '12.50', 1],
		['INV-4', '12.50', 1],
	]);
});

test('what may have arrived goes again as it was, for 23 hours; then a person looks, and says what is so', async () => {
	await movements.insert([movement('INV-1'), movement('INV-2'), movement('INV-3')]);
	await service.sandbox.setFaults({ dropResponses: 1 });
	await run();
	expect(await outcomes()).toEqual(['unknown', 'unknown', 'unknown']);
	await movements.update('externalId', 'INV-1', {
		amount: '99.00',
		recipientExternalEntityId: 'x',
	});
	await movements.delete('externalId', 'INV-2');
	await service.sandbox.setFaults({});
	await run(1); // too early
	expect(await outcomes()).toHaveLength(3);
	expect(await run(3)).toMatch(/^INV-2 booked: Look it up: it left the table/);
	expect(await outcomes('INV-1 booked')).toEqual(['unknown', 'duplicate']);
	expect(await recorded()).toEqual([
		['INV-1', '12.50', 2],
		['INV-2', '12.50', 1],
		['INV-3', '12.50', 2],
	]);
	await log.update('event', 'INV-2 booked', { outcome: 'created' });
	expect(await run(24 * 60)).toBeUndefined();
});

test('an n8n that stopped while it sent: the same again after 15 minutes, and a person after 23 hours', async () => {
	await movements.insert([movement('INV-1'), movement('INV-2')]);
	const row = (id: string) => JSON.stringify(movement(id, { amount: '11.00' }));
	await log.insert([{ event: 'INV-1 booked', row: row('INV-1') }]);
	await log.insert([{ event: 'INV-2 booked', row: row('INV-2'), outcome: 'never' }]);
	await run(10);
	expect(await recorded()).toEqual([]);
	expect(await run(24 * 60)).toMatch(/^INV-1 booked: Look it up: .+23 hours/);
	await run(16);
	expect(await recorded()).toEqual([['INV-1', '11.00', 1]]);
});

test('a refusal after an attempt without an answer settles nothing', async () => {
	await movements.insert([movement('INV-1')]);
	await service.sandbox.setFaults({ dropResponses: 1 });
	await run();
	await service.sandbox.setFaults({ statuses: [{ status: 422, rate: 1 }] });
	await movements.update('externalId', 'INV-1', { amount: '99.00' });
	await run(5);
	await service.sandbox.setFaults({});
	await run(20);
	expect(await outcomes('INV-1 booked')).toEqual(['unknown', expect.any(String), 'duplicate']);
	expect(await recorded()).toEqual([['INV-1', '12.50', 2]]);
});

test('a service that refuses everybody: told after an hour, once, and new rows go before all others', async () => {
	const ids = Array.from({ length: 60 }, (_, index) => `INV-${index + 100}`);
	await movements.insert(ids.map((id) => movement(id)));
	await service.sandbox.setFaults(BUSY);
	expect(await run()).toBeUndefined();
	expect(await run(61)).toMatch(/^INV-100 booked: It goes again by itself: [^]+^and 40 more$/m);
	expect(await run(62)).toBeUndefined();
	await service.sandbox.setFaults({});
	const template = readLiveExample('sync/data-table');
	template.nodes.find(({ name }) => name === 'At Most 500')!.parameters.maxItems = 2;
	await movements.insert([movement('NEW')]);
	await run(130, template);
	expect((await recorded()).map(([id]) => id)).toEqual(['INV-100', 'NEW']);
	await run(130);
	expect((await service.sandbox.getCounts()).transactions.created).toBe(61);
});

test('two executions at once: each row is recorded once, and none is open afterwards', async () => {
	await movements.insert(['INV-1', 'INV-2', 'INV-3'].map((id) => movement(id)));
	const workflow = await n8n.importWorkflow(templateIn(0), [service.credential]);
	await Promise.all([n8n.run(workflow, 'Every Minute'), n8n.run(workflow, 'Every Minute')]);
	expect((await recorded()).map(([id]) => id)).toEqual(['INV-1', 'INV-2', 'INV-3']);
	const requests = async () => (await service.sandbox.getCounts()).transactions.requests;
	const before = await requests();
	expect(await run(120)).toBeUndefined();
	expect(await requests()).toBe(before);
});

test('executed to look: nothing is sent or told, and the log says so', async () => {
	await movements.insert([movement('INV-1'), movement('INV-2'), movement('INV-2')]);
	expect(await run(0, readExample('sync/data-table'))).toBeUndefined();
	expect((await service.sandbox.getCounts()).transactions.requests).toBe(0);
	expect(await outcomes()).toEqual(['dryRun']);
	await run();
	expect(await recorded()).toEqual([['INV-1', '12.50', 1]]);
});
