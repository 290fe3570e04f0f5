import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { Payments } from '../../nodes/Payments/Payments.node';
import { startPostgres, type Postgres } from '../../host/postgres';
import { runOutboxWorkflow, type OutboxRun } from '../support/engine/outboxWorkflow';
import { useBench, type PaymentsBench } from '../support/engine/payments';
import { movement, Outbox } from '../support/outbox';

/*
 * The workflows of the outbox, with their expressions and the Payments node, in n8n's engine. The
 * Postgres node is a stand-in that runs the same queries; test/e2e/outbox.test.ts has n8n's own.
 */

let server: Postgres;
let outbox: Outbox;
let bench: PaymentsBench;
useBench((one) => (bench = one));
beforeAll(async () => {
	server = await startPostgres();
	outbox = await Outbox.start(server);
}, 120_000);
afterAll(async () => {
	await outbox?.stop();
	await server?.stop();
});
beforeEach(async () => await outbox.clear());

const sandbox = () => bench.sandbox.client;
const run = async (name: 'send' | 'follow' | 'tell-me', more: Partial<OutboxRun> = {}) => {
	const ended = await runOutboxWorkflow(name, { outbox, credentials: bench.credentials, ...more });
	// Another minute has begun, as far as limits and pauses know.
	await outbox.pass('1 minute');
	return ended;
};
const recorded = async () => (await sandbox().listTransactions({ limit: 1000 })).items;

test('what is booked arrives as it was booked, with its time and Event ID', async () => {
	const created_at = '2026-11-02T10:15:30.123Z';
	await outbox.book(movement('S-1', { created_at }));
	await run('send');
	const [{ event_id }] = await outbox.ask('select event_id from outbox.events');
	expect((await sandbox().listTransactions()).items.at(-1)!.transaction).toMatchObject({
		eventId: event_id,
		externalStatus: 'booked',
		amount: '25.01',
		externalCreatedAt: Date.parse(created_at),
		receivedAt: Date.parse(created_at),
		sender: {
			externalEntityId: 'lena-fischer',
			externalPaymentChannelId: 'lena-fischer-card',
			countryCode: 'DE',
		},
		recipient: {
			externalEntityId: 'harbour-bakery',
			externalPaymentChannelId: 'harbour-bakery-till',
			countryCode: 'DK',
		},
	});
});

test('each event of a claim has its own outcome', async () => {
	const rows = Array.from({ length: 12 }, (_, number) => movement(`S-${number}`));
	Object.assign(rows[7], { currency: 'EURO' });
	Object.assign(rows[9], { reference: 'TEST_INVALID' });
	await outbox.book(...rows);
	await run('send');
	expect(await recorded()).toHaveLength(10);
	expect(await outbox.open()).toEqual([
		expect.stringMatching(/^S-7 booked: Correct it: .*EURO/),
		expect.stringMatching(/^S-9 booked: Correct it: \S/),
	]);
	await outbox.change('S-7', { currency: 'EUR' });
	await run('send');
	expect(await recorded()).toHaveLength(11);
});

test('a Payments node that fails as a whole: each event stays open, with a reason', async () => {
	await outbox.book(movement('S-1'), movement('S-2'));
	const payments = Object.assign(new Payments(), {
		execute: async (): Promise<INodeExecutionData[][]> => {
			throw new Error('The node ended');
		},
	});
	const ended = await run('send', { payments });
	expect(ended.data.resultData.runData.Record).toHaveLength(1);
	const open = await outbox.open();
	expect(open).toHaveLength(2);
	for (const one of open) expect(one).toMatch(/It goes again at .*: There was no answer\.$/);
	await run('send');
	expect(await recorded()).toHaveLength(2);
});

test('with fewer results than events, none is taken for that of another', async () => {
	await outbox.book(movement('S-1'), movement('S-2'));
	const payments = Object.assign(new Payments(), {
		execute: async () => [[{ json: { outcome: 'created', message: '' } as IDataObject }]],
	});
	await run('send', { payments });
	expect(await outbox.open()).toHaveLength(2);
});

test('an event of the service: recorded though no answer came, and news if it came back', async () => {
	await sandbox().changeFaults({ next: [{ fault: 'reset', processed: true }] });
	await outbox.book(movement('S-1'));
	await run('send');
	const [{ eventId }] = (await sandbox().listTransactions()).items;
	const metadata = { eventId, externalId: 'S-1' };
	const event = {
		id: 'evt_1',
		event: 'PAYMENT.STATUS_UPDATED',
		data: { status: 'RETURNED', metadata },
	};
	for (let delivery = 0; delivery < 2; delivery++) await run('follow', { input: event });
	expect(await outbox.open()).toEqual([]);
	expect(await outbox.news()).toEqual([{ id: 'evt_1', news: 'Came back', line: 'S-1 RETURNED' }]);
});

test('an email says what is new; what a mail that fails would have told, the next one tells', async () => {
	await outbox.book(movement('S-1', { currency: 'EURO' }), movement('S-2'));
	await run('send');
	await sandbox().setFaults({ statuses: [{ status: 500, rate: 1 }] });
	await outbox.book(movement('S-3'));
	await run('send');
	await outbox.pass('1 hour');
	const mails: string[][] = [];
	const failing = await run('tell-me', {
		sendMail: () => {
			throw new Error('No mail server');
		},
	});
	expect(failing.data.resultData.error?.message).toBe('No mail server');
	expect(await outbox.news()).toHaveLength(2);
	const sendMail = (...mail: string[]) => void mails.push(mail);
	await run('tell-me', { sendMail });
	await run('tell-me', { sendMail });
	expect(mails).toHaveLength(1);
	const [[subject, text]] = mails;
	expect(subject).toBe('Outbox: Open for an hour: 1, Needs a person: 1');
	expect(text).toMatch(/^Needs a person: 1\nS-1 Correct it: .*EURO/m);
	expect(text).toMatch(/^Open for an hour: 1\nS-3 It goes again at /m);
});
