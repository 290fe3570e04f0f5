import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Payments } from '../../nodes/Payments/Payments.node';
import { startPostgres, type Postgres } from '../../host/postgres';
import { runSyncWorkflow, type SyncRun } from '../support/engine/syncWorkflow';
import { useBench, type PaymentsBench } from '../support/engine/payments';
import { movement, Sync } from '../support/sync';

/*
 * The workflows of the sync, with their expressions and the Payments node, in n8n's engine. The
 * Postgres node is a stand-in that runs the same queries; test/e2e/sync.test.ts has n8n's own.
 */

let server: Postgres;
let sync: Sync;
let bench: PaymentsBench;
useBench((one) => (bench = one));
beforeAll(async () => {
	server = await startPostgres();
	sync = await Sync.start(server);
}, 120_000);
afterAll(async () => {
	await sync?.stop();
	await server?.stop();
});
beforeEach(async () => await sync.clear());

const sandbox = () => bench.sandbox.client;
const run = async (name: 'send' | 'follow' | 'tell-me', more: Partial<SyncRun> = {}) => {
	const ended = await runSyncWorkflow(name, { sync, credentials: bench.credentials, ...more });
	// Another minute has begun, as far as limits and pauses know.
	await sync.pass('1 minute');
	return ended;
};
const recorded = async () => (await sandbox().listTransactions({ limit: 1000 })).items;

test('a row arrives as it is, with its time, and the generated Event ID is kept for support', async () => {
	const created_at = '2026-11-02T10:15:30.123Z';
	await sync.book(movement('S-1', { created_at, amount: '1250.0000' }));
	await run('send');
	expect(await sync.open()).toEqual([]);
	const [{ eventId, transaction }] = (await sandbox().listTransactions()).items;
	expect(transaction).toMatchObject({
		externalId: 'S-1',
		externalStatus: 'booked',
		amount: '1250.00',
		externalCreatedAt: Date.parse(created_at),
		receivedAt: Date.parse(created_at),
		sender: {
			externalEntityId: 'lena-fischer',
			externalPaymentChannelId: 'lena-fischer-card',
			countryCode: 'DE',
		},
		recipient: { externalEntityId: 'harbour-bakery', countryCode: 'DK' },
	});
	expect(await sync.ask('select event_id, state from sync.sent')).toEqual([
		{ event_id: eventId, state: 'accepted' },
	]);
});

test('each row of a claim has its own outcome, and a correction goes', async () => {
	const rows = Array.from({ length: 12 }, (_, number) => movement(`S-${number}`));
	Object.assign(rows[7], { currency: 'EURO' });
	Object.assign(rows[9], { reference: 'TEST_INVALID' });
	await sync.book(...rows);
	await run('send');
	expect(await recorded()).toHaveLength(10);
	expect(await sync.open()).toMatchObject([
		{ external_id: 'S-7', state: 'refused', why: expect.stringContaining('EURO') as string },
		{ external_id: 'S-9', state: 'refused' },
	]);
	await sync.change('S-7', { currency: 'EUR' });
	await run('send');
	expect(await recorded()).toHaveLength(11);
});

test('what the service has without an answer goes again as it was, and is a duplicate', async () => {
	await sandbox().changeFaults({ next: [{ fault: 'reset', processed: true }] });
	await sync.book(movement('S-1'));
	await run('send');
	expect(await sync.states()).toEqual(['S-1 booked: waiting']);
	await sync.change('S-1', { amount: '99.00' });
	await run('send');
	expect(await sync.ask('select state, message from sync.sent')).toEqual([
		{ state: 'accepted', message: 'Already there' },
	]);
	expect(await recorded()).toHaveLength(1);
});

test('a Payments node that fails as a whole: each row stays open', async () => {
	await sync.book(movement('S-1'), movement('S-2'));
	const payments = Object.assign(new Payments(), {
		execute: async (): Promise<INodeExecutionData[][]> => {
			throw new Error('The node ended');
		},
	});
	const ended = await run('send', { payments });
	expect(ended.data.resultData.runData.Record).toHaveLength(1);
	expect(await sync.open()).toMatchObject([
		{ state: 'waiting', why: 'There was no answer.' },
		{ state: 'waiting' },
	]);
	await run('send');
	expect(await recorded()).toHaveLength(2);
});

test('with fewer results than rows, none is taken for that of another', async () => {
	await sync.book(movement('S-1'), movement('S-2'));
	const payments = Object.assign(new Payments(), {
		execute: async () => [[{ json: { outcome: 'created', message: '' } as IDataObject }]],
	});
	await run('send', { payments });
	expect(await sync.open()).toHaveLength(2);
});

test('an event of the service: there though no answer came, and news if it came back', async () => {
	await sandbox().changeFaults({ next: [{ fault: 'reset', processed: true }] });
	await sync.book(movement('S-1'));
	await run('send');
	const [{ eventId }] = (await sandbox().listTransactions()).items;
	const metadata = { eventId, externalId: 'S-1' };
	const event = {
		id: 'evt_1',
		event: 'PAYMENT.STATUS_UPDATED',
		data: { status: 'RETURNED', metadata },
	};
	for (let delivery = 0; delivery < 2; delivery++) await run('follow', { input: event });
	expect(await sync.open()).toEqual([]);
	expect(await sync.news()).toMatchObject([{ news: 'Came back', line: 'S-1 RETURNED' }]);
});

test('an email says what is new; what a mail that fails would have told, the next one tells', async () => {
	await sync.book(movement('S-1', { currency: 'EURO' }), movement('S-2'));
	await run('send');
	await sandbox().setFaults({ statuses: [{ status: 500, rate: 1 }] });
	await sync.book(movement('S-3'));
	await run('send');
	await sync.pass('20 minutes');
	const mails: string[][] = [];
	const failing = await run('tell-me', {
		sendMail: () => {
			throw new Error('No mail server');
		},
	});
	expect(failing.data.resultData.error?.message).toBe('No mail server');
	expect(await sync.news()).toHaveLength(2);
	const sendMail = (...mail: string[]) => void mails.push(mail);
	await run('tell-me', { sendMail });
	await run('tell-me', { sendMail });
	expect(mails).toHaveLength(1);
	const [[subject, text]] = mails;
	expect(subject).toBe('Sync: Needs a person, Nothing gets on');
	expect(text).toMatch(/^Needs a person \(1\)\nS-1 booked: refused: .*EURO/m);
	expect(text).toMatch(/^Nothing gets on \(1\)\n1 wait since /m);
});
