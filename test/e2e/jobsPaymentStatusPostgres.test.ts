import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { startPostgres, type Postgres } from '../queue/cluster/postgres';
import { ARTIFACTS } from '../support/pages/browser';
import { startMailServer, type MailServer } from '../support/servers/mailServer';
import { letPaymentsHappen, putFollowIntoService, resultsOf, ROUGH } from './followedPayments';
import { ask, putIntoService } from './paymentStatus';

/*
 * What events leave, and what where-is-my-payment says, in an n8n whose data tables are in
 * PostgreSQL, which runs executions at the same time.
 */

const folder = mkdtempSync(join(tmpdir(), 'payments-status-postgres-'));
const PASSWORD = 'payment-status-test';
let postgres: Postgres;
let own: N8n;
let service: Sandbox;
let mailServer: MailServer;

beforeAll(async () => {
	chmodSync(folder, 0o755); // PostgreSQL may run as another user.
	const logFile = (name: string) => join(ARTIFACTS, `payment-status-${name}.log`);
	postgres = await startPostgres(join(folder, 'database'), PASSWORD, logFile('postgres'));
	const { host, port, user, password, database } = postgres.access('n8n');
	const userFolder = join(folder, 'n8n');
	mkdirSync(userFolder);
	own = await startN8n({
		userFolder,
		tarball: process.env.E2E_TARBALL,
		logFile: logFile('n8n'),
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: host,
			DB_POSTGRESDB_PORT: String(port),
			DB_POSTGRESDB_USER: user,
			DB_POSTGRESDB_PASSWORD: password,
			DB_POSTGRESDB_DATABASE: database,
			DB_POSTGRESDB_POOL_SIZE: '10',
		},
	});
	await own.client.setUpOwner();
	service = await launchSandbox();
	mailServer = await startMailServer(() => {});
}, 300_000);
afterAll(async () => {
	await mailServer?.stop();
	await service?.stop();
	await own?.stop();
	await postgres?.process().stop('SIGINT');
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('events of each payment arrive shuffled, doubled, and at the same time: each payment has its last result, and is found by its invoice', async () => {
	const { client: sandbox } = service;
	await putFollowIntoService(own.client, sandbox, { mailPort: mailServer.port });
	await putIntoService(own.client);
	await sandbox.setFaults(ROUGH);
	const results = await letPaymentsHappen(own.client, sandbox, 'INV-P', 20);
	await sandbox.idle(300_000);
	expect(await resultsOf(own.client, 'INV-P')).toEqual(results);

	const { payments } = await ask(own.url, 'INV-P-0');
	expect(payments.map(({ isGenuine }) => isGenuine)).toEqual([true, true]);
	expect(new Map(payments.map(({ externalId, result }) => [externalId, result]))).toEqual(
		new Map([...results].filter(([externalId]) => externalId.startsWith('INV-P-0.'))),
	);
}, 600_000);
