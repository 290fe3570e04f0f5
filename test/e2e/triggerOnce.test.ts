import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ARTIFACTS } from '../support/pages/browser';
import type { Credential, N8nClient } from '../../host/n8n/client';
import type { Sandbox } from '../../host/sandbox';
import { startPostgres, type Postgres } from '../queue/cluster/postgres';
import { EVENTS, letEventsHappen, putIntoService, untilDelivered } from './service';
import { ownService, sharedN8n } from './shared';

/*
 * The two examples of an effect that happens once (docs/idempotency.md), under a service that
 * delivers roughly.
 */

let n8n: N8nClient;
let sandbox: Sandbox;
let credentials: Credential[];
let postgres: Postgres;
const folder = mkdtempSync(join(tmpdir(), 'payments-postgres-'));

beforeAll(async () => {
	n8n = sharedN8n();
	const service = await ownService(n8n);
	({ sandbox } = service);
	chmodSync(folder, 0o755); // PostgreSQL may run as another user.
	postgres = await startPostgres(
		join(folder, 'database'),
		'trigger-test',
		join(ARTIFACTS, 'trigger-once-postgres.log'),
	);
	credentials = [
		service.credential,
		await n8n.createCredential('Postgres', 'postgres', postgres.access('postgres')),
	];
});
afterAll(async () => {
	await sandbox?.stop();
	await postgres?.process().stop('SIGINT');
	rmSync(folder, { recursive: true, force: true });
});

test.each([
	['as long as the tolerance', {}, 'ROWS.SKIP'],
	['0', { deduplicate: 0 }, 'ROWS.ALL'],
])(
	`Deduplicate %s: ${EVENTS} events become ${EVENTS} rows in PostgreSQL`,
	async (_, options, kind) => {
		await sandbox.client.reset();
		const workflow = await putIntoService(
			{ n8n, sandbox: sandbox.client, credentials },
			{ example: 'events-once-in-postgres', events: [kind], options },
		);
		await n8n.run(workflow, 'When clicking ‘Execute workflow’');
		const before = (await n8n.ended(workflow, 1)).count;
		await letEventsHappen(sandbox.client, kind, 'pmt');
		const { attempts, responses } = await untilDelivered(sandbox.client);
		// Each delivery that was let in is one run: all, or those of events that had not succeeded yet.
		// Whether an attempt without a response was let in, nobody knows.
		const { 503: inFlight = 0, 500: failed = 0, none = 0 } = responses;
		const most = kind === 'ROWS.SKIP' ? EVENTS + failed + none : attempts - inFlight;
		const runs = (await n8n.ended(workflow, before + most - none)).count - before;
		expect([runs >= most - none, runs <= most]).toEqual([true, true]);
		const rows = await postgres.query(
			'postgres',
			`select count(*), count(distinct data->>'id') from payment_events where event = '${kind}'`,
		);
		expect(rows).toEqual([[String(EVENTS), String(EVENTS)]]);
		await n8n.deactivate(workflow);
	},
	1_000_000,
);

test(`a workflow that fails every third time: ${EVENTS} events become ${EVENTS} transactions, none lost`, async () => {
	await sandbox.client.reset();
	const workflow = await putIntoService(
		{ n8n, sandbox: sandbox.client, credentials },
		{ example: 'returns-to-transactions', events: ['RETURN.CREATED'], options: {} },
	);
	// Half of the failures come after the transaction was recorded: nobody knows that it was, so the
	// next execution retries it.
	const statuses = [
		{ status: 500, rate: 1 / 6 },
		{ status: 500, rate: 1 / 6, processed: true },
	];
	await letEventsHappen(sandbox.client, 'RETURN.CREATED', 'ret', { statuses });
	const { created, attempts } = await untilDelivered(sandbox.client);
	expect(attempts).toBeGreaterThan(created);
	const { transactions } = await sandbox.client.getCounts();
	expect(transactions.created).toBe(EVENTS);
	expect(transactions.duplicates).toBeGreaterThan(0);
	expect(transactions.responses['500']).toBeGreaterThan(EVENTS / 4);
	await n8n.deactivate(workflow);
}, 1_000_000);
