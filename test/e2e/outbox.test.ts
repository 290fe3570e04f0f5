import type { IDataObject } from 'n8n-workflow';
import { connectOutbox } from '../../demo/outbox';
import type { Credential, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { createPaymentsApi, readExample } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
import { waitUntil } from '../../host/waitUntil';
import { movement, Outbox } from '../support/outbox';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { sharedN8n, useService } from './shared';

/* The workflows of the outbox in a real n8n. What PostgreSQL decides is in test/examples. */

const n8n = sharedN8n();
const service = useService(n8n);
let outbox: Outbox;
let mailServer: MailServer;
let smtp: Credential;
let send: StoredWorkflow;
let tellMe: StoredWorkflow;
let follow: StoredWorkflow;

beforeAll(async () => {
	outbox = await Outbox.start();
	mailServer = await startMailServer();
	smtp = await n8n.createCredential('SMTP account', 'smtp', {
		...{ host: '127.0.0.1', port: mailServer.port, secure: false, disableStartTls: true },
	});
	const workflows = await connectOutbox(n8n, service.sandbox.client, {
		...{ paymentsApi: service.credential, database: outbox.url, smtp },
	});
	({ send, follow } = workflows);
	tellMe = workflows.tellMe!;
}, 180_000);
afterAll(async () => {
	if (follow) await n8n.deactivate(follow);
	await mailServer?.stop();
	await outbox?.stop();
	await outbox?.server.stop();
});
beforeEach(async () => {
	await outbox.clear();
	await service.sandbox.client.reset();
	await service.sandbox.client.changeFaults({ recordsOnly: true });
});

const sandbox = () => service.sandbox.client;
const run = async (workflow = send) => {
	const execution = await n8n.run(
		workflow,
		workflow === tellMe ? 'Every 10 Minutes' : 'Every Minute',
	);
	// Another minute has begun, as far as limits and pauses know.
	await outbox.pass('1 minute');
	return execution;
};
const recorded = async () =>
	(await sandbox().listTransactions({ limit: 1000 })).items
		.reverse()
		.map(({ transaction: { externalId, externalStatus, amount } }) =>
			[externalId, externalStatus, amount].join(' '),
		);

test('what is booked arrives as it was booked, and once', async () => {
	const created_at = '2026-11-02T10:15:30.123Z';
	await outbox.book(movement('S-1', { created_at }), movement('S-2', { status: 'pending' }));
	await outbox.change('S-2', { status: 'failed' });
	await outbox.change('S-2', { status: 'pending' });
	for (let minute = 0; minute < 4; minute++) await run();
	expect(await recorded()).toEqual([
		'S-1 booked 25.01',
		'S-2 pending 25.01',
		'S-2 failed 25.01',
		'S-2 pending 25.01',
	]);
	expect(await outbox.open()).toEqual([]);
	const { items } = await sandbox().listTransactions();
	const [{ event_id }] = await outbox.ask('select event_id from outbox.events order by id');
	expect(items.at(-1)!.transaction).toMatchObject({
		eventId: event_id,
		externalCreatedAt: Date.parse(created_at),
		sender: { externalEntityId: 'lena-fischer', externalPaymentChannelId: 'lena-fischer-card' },
		recipient: { externalEntityId: 'harbour-bakery', countryCode: 'DK' },
	});
	expect((await sandbox().getCounts()).transactions.requests).toBe(4);
});

test('each item of a claim has its own outcome, and 500 go in one execution', async () => {
	const rows = Array.from({ length: 500 }, (_, number) => movement(`S-${number}`));
	Object.assign(rows[7], { currency: 'EURO' });
	Object.assign(rows[9], { reference: 'TEST_INVALID' });
	await outbox.book(...rows);
	const execution = await run();
	expect(outputOf(execution, 'Create Transactions')).toHaveLength(500);
	expect(await recorded()).toHaveLength(498);
	expect(await outbox.open()).toEqual([
		expect.stringMatching(/^S-7 booked: Correct it: .*EURO/),
		expect.stringMatching(/^S-9 booked: Correct it: /),
	]);
	await outbox.change('S-7', { currency: 'EUR' });
	await run();
	expect(await recorded()).toHaveLength(499);
});

test('a service whose 409 has no known code: sent twice at most, and a person reads the code', async () => {
	const conflict = { errorCode: 'TX-4711', message: 'Already booked' };
	await outbox.book(movement('S-1'));
	await sandbox().setFaults({
		next: [
			{ fault: 'reset', processed: true },
			{ status: 409, body: conflict },
		],
	});
	for (let minute = 0; minute < 5; minute++) await run();
	await outbox.change('S-1', { status: 'returned' });
	for (let minute = 0; minute < 5; minute++) await run();
	expect((await sandbox().getCounts()).transactions.requests).toBe(2);
	expect(await outbox.open()).toEqual([
		expect.stringMatching(/^S-1 booked: .*Codes for Recorded Already.*TX-4711/),
		expect.stringMatching(/^S-1 returned: Waits for booked\. .*TX-4711/),
	]);
});

test('a Payments node that fails as a whole leaves each event as it was, with a reason', async () => {
	const client = await sandbox().createClient({ name: 'gone' });
	const gone = await createPaymentsApi(n8n, { url: service.sandbox.url, ...client });
	const broken = await n8n.importWorkflow(readExample('outbox/send'), [
		gone,
		{ ...(await outboxCredential()) },
	]);
	await n8n.send('DELETE', `/credentials/${gone.id}`);
	await outbox.book(movement('S-1'), movement('S-2'));
	const execution = await n8n.run(broken, 'Every Minute');
	expect(execution.data.resultData.runData['Create Transactions']).toHaveLength(1);
	const open = await outbox.open();
	expect(open).toHaveLength(2);
	for (const one of open) expect(one).toMatch(/It goes again at .*: \S/);
	await outbox.pass('1 minute');
	await run();
	expect(await recorded()).toHaveLength(2);
});

/** The credential that *Send* has for its database. */
async function outboxCredential(): Promise<Credential> {
	const { nodes } = await n8n.send<WorkflowJson>('GET', `/workflows/${send.id}`);
	const { postgres } = nodes.find(({ name }) => name === 'Claim')!.credentials!;
	return { id: postgres.id!, name: postgres.name, type: 'postgres' };
}

test('events of the service: recorded though no answer came, and what came back', async () => {
	await n8n.activate(follow);
	await sandbox().changeFaults({ recordsOnly: false, processingMs: 1 });
	await sandbox().changeFaults({ next: [{ fault: 'reset', processed: true }] });
	await outbox.book(movement('S-1'), movement('S-2', { reference: 'TEST_RETURNED' }));
	await run();
	await sandbox().idle();
	const isRecorded = async () => (await outbox.open()).length === 0;
	await waitUntil('both are recorded', isRecorded);
	await waitUntil('it came back', async () => (await outbox.news()).length === 1);
	expect(await outbox.news()).toMatchObject([{ news: 'Came back', line: 'S-2 RETURNED' }]);
	expect(await outbox.ask('select from outbox.service_events')).toHaveLength(7);
	expect((await sandbox().getCounts()).transactions.requests).toBe(2);
});

test('an email says what is new, and no news is lost with a mail that fails', async () => {
	const { mails } = mailServer;
	mails.length = 0;
	await outbox.book(movement('S-1', { currency: 'EURO' }), movement('S-2'));
	await run();
	await sandbox().setFaults({ statuses: [{ status: 500, rate: 1 }] });
	await outbox.book(movement('S-3'));
	await run();
	await outbox.pass('1 hour');
	mailServer.isFull = true;
	expect((await run(tellMe)).status).toBe('error');
	expect(await outbox.news()).toHaveLength(2);
	mailServer.isFull = false;
	expect((await run(tellMe)).status).toBe('success');
	expect(mails).toHaveLength(1);
	expect(mails[0]).toMatch(/^Subject: Outbox: Open for an hour: 1, Needs a person: 1\r$/m);
	expect(mails[0]).toMatch(/Needs a person: 1\r?\nS-1 Correct it: .*EURO/);
	expect(mails[0]).toMatch(/Open for an hour: 1\r?\nS-3 It goes again at/);
	await run(tellMe);
	expect(mails).toHaveLength(1);
});

const COLUMNS = [
	...['externalId', 'externalStatus', 'amount', 'currency', 'reference', 'paymentScheme'],
	...['senderExternalEntityId', 'senderExternalPaymentChannelId', 'senderCountryCode'],
	...['recipientExternalEntityId', 'recipientExternalPaymentChannelId', 'recipientCountryCode'],
	...['bookedAt', 'outcome', 'message'],
];

test('a data table: each row until it is recorded, and what a person has to correct', async () => {
	const name = 'movements';
	const columns = COLUMNS.map((column) => ({ name: column, type: 'string' }));
	const { id: projectId } = await n8n.send<{ id: string }>('GET', '/projects/personal');
	const table = await n8n.send<{ id: string }>('POST', `/projects/${projectId}/data-tables`, {
		...{ name, columns },
	});
	const path = `/projects/${projectId}/data-tables/${table.id}`;
	const row = (id: string, changes: IDataObject = {}) => ({
		...{ externalId: id, externalStatus: 'booked', amount: '25.01', currency: 'EUR' },
		...{ reference: `Order ${id}`, paymentScheme: 'SCT', bookedAt: '2026-11-02T10:15:30Z' },
		senderExternalEntityId: 'lena-fischer',
		senderExternalPaymentChannelId: 'lena-fischer-card',
		senderCountryCode: 'DE',
		recipientExternalEntityId: 'harbour-bakery',
		recipientExternalPaymentChannelId: 'harbour-bakery-till',
		recipientCountryCode: 'DK',
		...changes,
	});
	const data = [row('R-1'), row('R-2', { currency: 'EURO' }), row('R-3')];
	await n8n.send('POST', `${path}/insert`, { data, returnType: 'count' });
	const workflow = await n8n.importWorkflow(readExample('outbox/data-table'), [service.credential]);
	await sandbox().setFaults({ next: [{ fault: 'reset', processed: true }] });
	const outcomes = async () => {
		const rows = await n8n.send<{ data: IDataObject[] }>('GET', `${path}/rows?take=100`);
		return rows.data.map(({ outcome }) => outcome || 'none').sort();
	};
	await n8n.run(workflow, 'Every Minute');
	expect(await outcomes()).toEqual(['created', 'invalid', 'none']);
	await n8n.run(workflow, 'Every Minute');
	expect(await outcomes()).toEqual(['created', 'duplicate', 'invalid']);
	expect(await recorded()).toHaveLength(2);
	await n8n.run(workflow, 'Every Minute');
	expect((await sandbox().getCounts()).transactions.requests).toBe(3);
	await n8n.send('DELETE', path);
});
