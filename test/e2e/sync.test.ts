import type { IDataObject } from 'n8n-workflow';
import { connectOutbox } from '../../demo/outbox';
import { readExample } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
import { waitUntil } from '../../host/waitUntil';
import { movement, Outbox } from '../support/outbox';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { sharedN8n, useService } from './shared';

/*
 * The workflows of the outbox with n8n's own nodes: PostgreSQL, triggers, and mail. What is decided
 * is in test/examples.
 */

const n8n = sharedN8n();
const service = useService(n8n);
let outbox: Outbox;
let mailServer: MailServer;
let workflows: Awaited<ReturnType<typeof connectOutbox>>;

beforeAll(async () => {
	outbox = await Outbox.start();
	mailServer = await startMailServer(n8n);
	workflows = await connectOutbox(n8n, service.sandbox, {
		...{ paymentsApi: service.credential, database: outbox.url, smtp: mailServer.smtp },
	});
});
afterAll(async () => {
	await mailServer?.stop();
	await outbox?.stop();
	await outbox?.server.stop();
});
beforeEach(async () => {
	await outbox.clear();
	await service.sandbox.reset();
	await service.sandbox.changeFaults({ recordsOnly: true });
});

const send = async () => {
	const execution = await n8n.run(workflows.send, 'Every Minute');
	// Another minute has begun, as far as limits and pauses know.
	await outbox.pass('1 minute');
	return execution;
};

test('what is booked arrives as it was booked, 500 in one execution, and each has its own outcome', async () => {
	const created_at = '2026-11-02T10:15:30.123Z';
	const rows = Array.from({ length: 500 }, (_, number) => movement(`S-${number}`, { created_at }));
	Object.assign(rows[7], { currency: 'EURO' });
	Object.assign(rows[9], { reference: 'TEST_INVALID' });
	await outbox.book(...rows);
	const execution = await send();
	expect(outputOf(execution, 'Create Transactions')).toHaveLength(500);
	const { items } = await service.sandbox.listTransactions({ limit: 1000 });
	expect(items).toHaveLength(498);
	const [{ event_id }] = await outbox.ask('select event_id from outbox.events order by id');
	expect(items.find(({ eventId }) => eventId === event_id)!.transaction).toMatchObject({
		...{ externalId: 'S-0', externalStatus: 'booked', amount: '25.01' },
		externalCreatedAt: Date.parse(created_at),
		sender: { externalEntityId: 'lena-fischer', externalPaymentChannelId: 'lena-fischer-card' },
		recipient: { externalEntityId: 'harbour-bakery', countryCode: 'DK' },
	});
	expect(await outbox.open()).toEqual([
		expect.stringMatching(/^S-7 booked: Correct it: .*EURO/),
		expect.stringMatching(/^S-9 booked: Correct it: /),
	]);
});

test('events of the service: recorded though no answer came, and what came back', async () => {
	await n8n.activate(workflows.follow);
	await service.sandbox.changeFaults({ recordsOnly: false, processingMs: 1 });
	await service.sandbox.changeFaults({ next: [{ fault: 'reset', processed: true }] });
	await outbox.book(movement('S-1'), movement('S-2', { reference: 'TEST_RETURNED' }));
	await send();
	await service.sandbox.idle();
	const isRecorded = async () => (await outbox.open()).length === 0;
	await waitUntil('both are recorded', isRecorded);
	await waitUntil('it came back', async () => (await outbox.news()).length === 1);
	expect(await outbox.news()).toMatchObject([{ news: 'Came back', line: 'S-2 RETURNED' }]);
	expect(await outbox.ask('select from outbox.service_events')).toHaveLength(7);
	expect((await service.sandbox.getCounts()).transactions.requests).toBe(2);
});

test('an email says what is new, and no news is lost with a mail that fails', async () => {
	const { mails } = mailServer;
	const tellMe = async () => (await n8n.run(workflows.tellMe!, 'Every 10 Minutes')).status;
	await outbox.book(movement('S-1', { currency: 'EURO' }), movement('S-2'));
	await send();
	await service.sandbox.setFaults({ statuses: [{ status: 500, rate: 1 }] });
	await outbox.book(movement('S-3'));
	await send();
	await outbox.pass('1 hour');
	mailServer.isFull = true;
	expect(await tellMe()).toBe('error');
	expect(await outbox.news()).toHaveLength(2);
	mailServer.isFull = false;
	expect(await tellMe()).toBe('success');
	expect(mails).toHaveLength(1);
	expect(mails[0]).toMatch(/^Subject: Outbox: Open for an hour: 1, Needs a person: 1\r$/m);
	expect(mails[0]).toMatch(/Needs a person: 1\r?\nS-1 Correct it: .*EURO/);
	expect(mails[0]).toMatch(/Open for an hour: 1\r?\nS-3 It goes again at/);
	await tellMe();
	expect(mails).toHaveLength(1);
});

test('a data table: each row until it is recorded, and what a person has to correct', async () => {
	const row = (id: string, currency = 'EUR') => ({
		...{ externalId: id, externalStatus: 'booked', amount: '25.01', currency },
		...{ reference: `Order ${id}`, paymentScheme: 'SCT', bookedAt: '2026-11-02T10:15:30Z' },
		senderExternalEntityId: 'lena-fischer',
		senderExternalPaymentChannelId: 'lena-fischer-card',
		senderCountryCode: 'DE',
		recipientExternalEntityId: 'harbour-bakery',
		recipientExternalPaymentChannelId: 'harbour-bakery-till',
		recipientCountryCode: 'DK',
	});
	const columns = [...Object.keys(row('')), 'outcome', 'message'];
	const { id: projectId } = await n8n.send<{ id: string }>('GET', '/projects/personal');
	const tables = `/projects/${projectId}/data-tables`;
	const { id: tableId } = await n8n.send<{ id: string }>('POST', tables, {
		name: 'movements',
		columns: columns.map((name) => ({ name, type: 'string' })),
	});
	const path = `${tables}/${tableId}`;
	const data = [row('R-1'), row('R-2', 'EURO'), row('R-3')];
	await n8n.send('POST', `${path}/insert`, { data, returnType: 'count' });
	const workflow = await n8n.importWorkflow(readExample('outbox/data-table'), [service.credential]);
	await service.sandbox.setFaults({ next: [{ fault: 'reset', processed: true }] });
	const outcomesAfterRun = async () => {
		await n8n.run(workflow, 'Every Minute');
		const rows = await n8n.send<{ data: IDataObject[] }>('GET', `${path}/rows?take=100`);
		return rows.data.map(({ outcome }) => outcome || 'none').sort();
	};
	expect(await outcomesAfterRun()).toEqual(['created', 'invalid', 'none']);
	const all = ['created', 'duplicate', 'invalid'];
	expect(await outcomesAfterRun()).toEqual(all);
	expect((await service.sandbox.listTransactions()).items).toHaveLength(2);
	expect(await outcomesAfterRun()).toEqual(all);
	expect((await service.sandbox.getCounts()).transactions.requests).toBe(3);
});
