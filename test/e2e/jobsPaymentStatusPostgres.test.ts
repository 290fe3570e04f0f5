import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { startPostgres, type Postgres } from '../queue/cluster/postgres';
import { ARTIFACTS } from '../support/pages/browser';
import {
	ask,
	askAll,
	letPaymentsHappen,
	putIntoService,
	ROUGH,
	twoPayments,
} from './paymentStatus';

/*
 * The job where-is-my-payment in an n8n whose data tables are in PostgreSQL, which runs executions
 * at the same time.
 */

const folder = mkdtempSync(join(tmpdir(), 'payments-status-postgres-'));
const PASSWORD = 'payment-status-test';
let postgres: Postgres;
let own: N8n;
let service: Sandbox;

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
}, 300_000);
afterAll(async () => {
	await service?.stop();
	await own?.stop();
	await postgres?.process().stop('SIGINT');
	rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('events of each payment arrive shuffled, doubled, and at the same time: the answers have each payment once, with its last status', async () => {
	const { client: sandbox } = service;
	const openAi = await own.client.createCredential('OpenAI account', 'openAiApi', {
		apiKey: 'none',
	});
	await putIntoService(own.client, sandbox, openAi);
	await sandbox.setFaults(ROUGH);
	const lastStatuses = await letPaymentsHappen(sandbox, 'INV-2026', 20);
	const two = await twoPayments(sandbox, 'INV-TWICE');
	await sandbox.idle(300_000);
	expect(await askAll(own.url, lastStatuses.keys())).toEqual(lastStatuses);
	const { payments } = await ask(own.url, 'INV-TWICE');
	expect(payments).toMatchObject(two);
}, 600_000);
