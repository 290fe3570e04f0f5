import { connectPayouts } from '../../demo/payouts';
import type { Sandbox } from '../../host/sandbox';
import { waitUntil } from '../../host/waitUntil';
import { APPROVER, CLERK, Ledger } from '../support/ledger';
import { startOwnN8n, type OwnN8n } from './ownN8n';
import { ownService } from './shared';

const PAYMENTS = 120;

let n8n: OwnN8n;
let sandbox: Sandbox;
let ledger: Ledger;

afterAll(async () => {
	await n8n?.stop();
	await sandbox?.stop();
	await ledger?.stop();
});

/** How many payments of the ledger are in one of the states. */
async function count(...states: string[]): Promise<number> {
	const sql = 'select from payouts.payments where state = any ($1)';
	return (await ledger.owner.query(sql, [states])).rows.length;
}

test('n8n is killed while it pays: what is open can be looked up, and each payment is sent once', async () => {
	n8n = await startOwnN8n('payouts');
	const service = await ownService(n8n.client);
	({ sandbox } = service);
	ledger = await Ledger.start();
	const { workflows } = await connectPayouts(n8n.client, sandbox.client, {
		paymentsApi: service.credential,
		database: new URL(ledger.server.url(ledger.database, 'payouts_n8n')),
	});
	const rows = Array.from({ length: PAYMENTS }, (_, index) => ({
		...{ line: index + 2, Invoice: `INV-${index}`, Payee: 'A', Account: 'vac_a', Country: 'DE' },
		...{ Amount: index + 1, Currency: 'EUR' },
	}));
	// Long enough that no claim is over when n8n is killed, and less than the node waits.
	await sandbox.client.setFaults({ latencyMs: [0, 20_000] });
	await ledger.n8n.query('select upload($1, $2, $3)', [CLERK, 'a.xlsx', JSON.stringify(rows)]);
	await ledger.n8n.query(
		`select decide($1, 'approve', jsonb_build_object('shown', jsonb_agg(external_id),
			'ticked', jsonb_agg(tick))) from waiting_for($1)`,
		[APPROVER],
	);
	await n8n.client.start(workflows[2], 'Every Minute');
	const sent = async () => (await sandbox.client.getCounts()).transactions.created;
	await waitUntil('a part of a claim is recorded', async () => (await sent()) >= 10);
	await n8n.kill();
	const open = await ledger.n8n.query(
		`select from look_up($1, 'open', '') where result = 'sending'`,
		[CLERK],
	);
	expect(open.rows.length).toBeGreaterThan(0);
	// The events of the others have come. More than one claim, if a minute began meanwhile.
	const others = await count('accepted', 'paid');
	expect(open.rows.length + others).toBeGreaterThanOrEqual(50);

	await sandbox.client.setFaults({});
	await ledger.owner.query('update payouts.settings set retry_minutes = -1');
	await n8n.startAgain();
	const isDone = async () => (await count('accepted', 'paid')) === PAYMENTS;
	await waitUntil('each one is accepted', isDone, { timeoutMs: 300_000 });
	expect(await sent()).toBe(PAYMENTS);
}, 600_000);
