import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
	OWNER,
	type Credential,
	type N8nClient,
	type StoredWorkflow,
	type WorkflowJson,
} from '../host/n8n/client';
import {
	createPaymentsApi,
	createPaymentsWebhookApi,
	readExample,
	readLiveExample,
} from '../host/n8n/credentials';
import { connectTo, startPostgres, type Connection, type Postgres } from '../host/postgres';
import type { SandboxClient } from '../sandbox/client';
import { plainTable } from './summary';

const SQL = join(__dirname, '..', 'examples', 'sync', 'sync.sql');

/** A row of the shop's table of movements. */
export interface Movement {
	id: string;
	status: string;
	amount: string;
	currency: string;
	reference: string;
	scheme: string;
	created_at: string;
	sender: string;
	sender_account: string;
	sender_country: string;
	recipient: string;
	recipient_account: string;
	recipient_country: string;
}

const TILL = ['harbour-bakery', 'harbour-bakery-till', 'DK'];
const LENA = ['lena-fischer', 'lena-fischer-card', 'DE'];
const AMIR = ['amir-khan', 'amir-khan-card', 'GB'];
const FLOUR = ['flanders-flour', 'flanders-flour-account', 'BE'];

/** A movement between two parties, each with its entity, account, and country. */
export function movement(
	id: string,
	changes: Partial<Movement> = {},
	[from, to] = [LENA, TILL],
): Movement {
	return {
		...{ id, status: 'booked', amount: '25.01', currency: 'EUR', reference: `Order ${id}` },
		...{ scheme: 'SCT', created_at: new Date().toISOString() },
		...{ sender: from[0], sender_account: from[1], sender_country: from[2] },
		...{ recipient: to[0], recipient_account: to[1], recipient_country: to[2] },
		...changes,
	};
}

/** The shop's first day: it has sold, paid back, and paid out. One row has no currency code. */
const FIRST_DAY = [
	movement('ch_1001', { amount: '149.90' }),
	movement('ch_1002', { amount: '45.50', currency: 'Pounds', scheme: 'FPS' }, [AMIR, TILL]),
	movement('re_1001', { amount: '20.00', reference: 'Refund of ch_1001' }, [TILL, LENA]),
	movement('po_77', { amount: '1250.00', status: 'pending', reference: 'Flour' }, [TILL, FLOUR]),
];

const COLUMNS = Object.keys(movement(''));

/** Books movements in the shop's database. */
export const book = async (shop: Connection, ...movements: Movement[]): Promise<void> =>
	void (await shop.query(
		`insert into public.movements (${COLUMNS.join()})
		select ${COLUMNS.join()} from jsonb_populate_recordset(null::public.movements, $1)`,
		[JSON.stringify(movements)],
	));

/** The table of the shop, which is there before the sync. */
export const SHOP_SQL = `create table public.movements (
	id text primary key, status text not null, amount numeric not null, currency text not null,
	reference text not null, scheme text not null, created_at timestamptz not null,
	sender text not null, sender_account text not null, sender_country text not null,
	recipient text not null, recipient_account text not null, recipient_country text not null)`;

export const SYNC_SQL = readFileSync(SQL, 'utf8');

/** Creates a database with the shop's table and a sync, and returns a connection of its owner. */
export async function createSync(
	server: Postgres,
	database: string,
	{ shop = SHOP_SQL, sync = SYNC_SQL, locale = '' } = {},
): Promise<Connection> {
	const admin = await connectTo(server.url('postgres'));
	await admin.query(`create database ${database} template template0 encoding 'UTF8' ${locale}`);
	await admin.end();
	const owner = await connectTo(server.url(database));
	await owner.query(shop);
	await owner.query(sync);
	return owner;
}

/** Stores the credential by which n8n reaches the sync, as its role there. */
async function createSyncCredential(n8n: N8nClient, database: string): Promise<Credential> {
	const { hostname, port, pathname, username, password } = new URL(database);
	return await n8n.createCredential('Sync', 'postgres', {
		...{ host: hostname, port: Number(port), database: pathname.slice(1) },
		...{ user: username, password, ssl: 'disable' },
	});
}

interface SyncOptions {
	paymentsApi: Credential;
	/** The address of the database, as n8n's role. */
	database: string;
	/** For emails. Without it, there is no *Tell me*. */
	smtp?: Credential;
	/** The address that the service delivers to, if it isn't n8n's own. */
	addressOf?: (production: string) => string;
	/** Changes the workflow that sends. */
	change?: (send: WorkflowJson) => WorkflowJson;
}

/** Imports the workflows of the sync with their credentials, and registers the trigger. */
export async function connectSync(
	n8n: N8nClient,
	service: SandboxClient,
	{ paymentsApi, database, smtp, addressOf = (url) => url, change = (send) => send }: SyncOptions,
) {
	const follow = readExample('sync/follow');
	const { production } = await n8n.webhookUrls(follow, 'Payments Trigger');
	const { secret } = await service.createEndpoint({
		url: addressOf(production),
		events: ['PAYMENT.CREATED', 'PAYMENT.STATUS_UPDATED'],
		label: follow.name,
	});
	const credentials = [
		paymentsApi,
		await createSyncCredential(n8n, database),
		await createPaymentsWebhookApi(n8n, secret),
		...(smtp ? [smtp] : []),
	];
	return {
		send: await n8n.importWorkflow(change(readLiveExample('sync/send')), credentials),
		follow: await n8n.importWorkflow(follow, credentials),
		tellMe: smtp && (await n8n.importWorkflow(readExample('sync/tell-me'), credentials)),
	};
}

/** An event of the shop, as the owner of the sync sees it. */
interface SyncEvent {
	external_id: string;
	status: string;
	amount: string;
	currency: string;
	way: string;
	state: string;
}

const eventsOf = async (shop: Connection) =>
	(
		await shop.query<SyncEvent>(
			`select external_id, event as status, body ->> 'amount' as amount, body ->> 'currency' as currency,
				concat(body ->> 'sender.externalEntityId', ' to ', body ->> 'recipient.externalEntityId') as way,
				state from sync.sent order by first_at, external_id`,
		)
	).rows;

/** The shop's first day, one row of which is refused, and corrected, and one changes its status. */
async function bookFirstDay(shop: Connection, n8n: N8nClient, send: StoredWorkflow) {
	await book(shop, ...FIRST_DAY);
	await n8n.run(send, 'Every Minute');
	const { rows } = await shop.query<{ external_id: string; why: string }>(
		`select external_id, why from sync.open where state = 'refused'`,
	);
	const refused = rows.map(({ external_id, why }) => `${external_id} is refused: ${why}`);
	await shop.query(`update movements set currency = 'GBP' where id = 'ch_1002'`);
	await shop.query(`update movements set status = 'paid' where id = 'po_77'`);
	await n8n.run(send, 'Every Minute');
	return refused;
}

/** Lists what the shop has sent, and what the service has of it. */
async function describeSync(shop: Connection, service: SandboxClient): Promise<string> {
	const { items } = await service.listTransactions({ limit: 100 });
	const isRecorded = ({ external_id, status }: SyncEvent) =>
		items.some(
			({ transaction: { externalId, externalStatus } }) =>
				externalId === external_id && externalStatus === status,
		);
	const rows = (await eventsOf(shop)).map((event) => [
		...[event.external_id, event.status, event.amount, event.currency, event.way],
		event.state,
		isRecorded(event) ? 'recorded' : 'not there',
	]);
	const head = ['Movement', 'Status', 'Amount', '', 'Way', 'State', 'At the service'];
	return plainTable([head, ...rows]);
}

/** @returns a sentence for each difference between what the shop has and what is recorded */
async function compareWithService(shop: Connection, service: SandboxClient): Promise<string[]> {
	const events = await eventsOf(shop);
	const open = events.filter(({ state }) => state !== 'accepted');
	const { created } = (await service.getCounts()).transactions;
	const expected = FIRST_DAY.length + 1;
	const isSame = created === expected;
	return [
		...open.map(({ external_id, state }) => `${external_id} isn't accepted: ${state}.`),
		...(isSame ? [] : [`${expected} events are expected, and ${created} recorded.`]),
	];
}

/** The shop sells something every 20 seconds, and says what is booked and what is recorded. */
function keepSelling(shop: Connection): void {
	let number = 1002;
	const sell = async () => {
		const sale = movement(`ch_${++number}`, { amount: `${number % 90}.50` });
		await book(shop, sale);
		const accepted = (await eventsOf(shop)).filter(({ state }) => state === 'accepted').length;
		console.log(`The shop books ${sale.id}, EUR ${sale.amount}. Accepted so far: ${accepted}.`);
	};
	setInterval(() => void sell().catch(({ message }: Error) => console.error(message)), 20_000);
}

/**
 * Shows the sync: a shop books movements in PostgreSQL, and n8n sends them to a service that only
 * records.
 * @param tell says what is done now
 * @returns the differences, and a function that lets the shop go on
 */
export async function showSync(n8n: N8nClient, service: SandboxClient, tell: Tell) {
	tell('starting PostgreSQL, and importing the workflows of the sync');
	const server = await startPostgres();
	const database = `shop_${Date.now()}`;
	const shop = await createSync(server, database);
	const client = await service.createClient({ name: 'n8n' });
	const paymentsApi = await createPaymentsApi(n8n, { url: service.url, ...client });
	const { send, follow } = await connectSync(n8n, service, {
		paymentsApi,
		database: server.url(database, 'sync_n8n'),
	});
	tell('the shop sells, pays back, and pays out; n8n sends what the shop has');
	const refused = await bookFirstDay(shop, n8n, send);
	console.log(`
${refused.join('\n')}
The shop corrects its row, and n8n sends it again.

${await describeSync(shop, service)}

Editor:   ${n8n.url}/workflow/${send.id} (executions: ${n8n.url}/workflow/${send.id}/executions)
Sign in:  ${OWNER.email}, password ${OWNER.password}
Sandbox:  ${service.url}, which only records
Shop:     psql ${server.url(database)}
Try:      update movements set status = 'returned' where id = 'ch_1001';
          Within a minute, the sandbox has it. Until then: select * from sync.open;
Next:     examples/sync/README.md, with a table of your own
`);
	const differences = await compareWithService(shop, service);
	const goOn = async () => {
		for (const workflow of [send, follow]) await n8n.activate(workflow);
		keepSelling(shop);
	};
	const events = (await eventsOf(shop)).length;
	return { differences, goOn, summary: `${events} events sent` };
}

type Tell = (step: string) => void;
