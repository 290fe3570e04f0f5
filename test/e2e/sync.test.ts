import { connectSync } from '../../demo/sync';
import { outputOf } from '../../host/n8n/executions';
import { waitUntil } from '../../host/waitUntil';
import { movement, Sync } from '../support/sync';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { sharedN8n, useService } from './shared';

/*
 * The workflows of the sync with n8n's own nodes: PostgreSQL, triggers, and mail. What is decided
 * is in test/examples.
 */

const n8n = sharedN8n();
const service = useService(n8n);
let sync: Sync;
let mailServer: MailServer;
let workflows: Awaited<ReturnType<typeof connectSync>>;

beforeAll(async () => {
	sync = await Sync.start();
	mailServer = await startMailServer(n8n);
	workflows = await connectSync(n8n, service.sandbox, {
		...{ paymentsApi: service.credential, database: sync.url, smtp: mailServer.smtp },
	});
});
afterAll(async () => {
	await mailServer?.stop();
	await sync?.stop();
	await sync?.server.stop();
});
beforeEach(async () => {
	await sync.clear();
	await service.sandbox.reset();
	await service.sandbox.changeFaults({ recordsOnly: true });
});

const send = async () => {
	const execution = await n8n.run(workflows.send, 'Every Minute');
	// Another minute has begun, as far as limits and pauses know.
	await sync.pass('1 minute');
	return execution;
};

test('rows arrive as they are, 500 in one execution, and each has its own outcome', async () => {
	const created_at = '2026-11-02T10:15:30.123Z';
	const rows = Array.from({ length: 500 }, (_, number) => movement(`S-${number}`, { created_at }));
	Object.assign(rows[7], { currency: 'EURO' });
	Object.assign(rows[9], { reference: 'TEST_INVALID' });
	await sync.book(...rows);
	const execution = await send();
	expect(outputOf(execution, 'Create Transactions')).toHaveLength(500);
	const { items } = await service.sandbox.listTransactions({ limit: 1000 });
	expect(items).toHaveLength(498);
	const [{ event_id }] = await sync.ask(`select event_id from sync.sent where external_id = 'S-0'`);
	expect(items.find(({ eventId }) => eventId === event_id)!.transaction).toMatchObject({
		...{ externalId: 'S-0', externalStatus: 'booked', amount: '25.01' },
		externalCreatedAt: Date.parse(created_at),
		sender: { externalEntityId: 'lena-fischer', externalPaymentChannelId: 'lena-fischer-card' },
		recipient: { externalEntityId: 'harbour-bakery', countryCode: 'DK' },
	});
	expect(await sync.open()).toMatchObject([
		{ external_id: 'S-7', state: 'refused', why: expect.stringContaining('EURO') as string },
		{ external_id: 'S-9', state: 'refused' },
	]);
});

test('events of the service: there though no answer came, and what came back', async () => {
	await n8n.activate(workflows.follow);
	await service.sandbox.changeFaults({ recordsOnly: false, processingMs: 1 });
	await service.sandbox.changeFaults({ next: [{ fault: 'reset', processed: true }] });
	await sync.book(movement('S-1'), movement('S-2', { reference: 'TEST_RETURNED' }));
	await send();
	await service.sandbox.idle();
	await waitUntil('it came back', async () => (await sync.news()).length === 1);
	expect(await sync.news()).toMatchObject([{ news: 'Came back', line: 'S-2 RETURNED' }]);
	await waitUntil(
		'all events are saved',
		async () => (await sync.ask('select from sync.events')).length === 7,
	);
});

test('an email says what is new, and no news is lost with a mail that fails', async () => {
	const { mails } = mailServer;
	const tellMe = async () => (await n8n.run(workflows.tellMe!, 'Every 5 Minutes')).status;
	await sync.book(movement('S-1', { currency: 'EURO' }), movement('S-2'));
	await send();
	await service.sandbox.setFaults({ statuses: [{ status: 500, rate: 1 }] });
	await sync.book(movement('S-3'));
	await send();
	await sync.pass('20 minutes');
	mailServer.isFull = true;
	expect(await tellMe()).toBe('error');
	expect(await sync.news()).toHaveLength(2);
	mailServer.isFull = false;
	expect(await tellMe()).toBe('success');
	expect(mails).toHaveLength(1);
	expect(mails[0]).toMatch(/^Subject: Sync: Needs a person, Nothing gets on\r$/m);
	expect(mails[0]).toMatch(/Needs a person \(1\)\r?\nS-1 booked: refused: .*EURO/);
	expect(mails[0]).toMatch(/Nothing gets on \(1\)\r?\n1 wait since /);
	await tellMe();
	expect(mails).toHaveLength(1);
});
