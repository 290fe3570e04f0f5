import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OWNER, type Credential, type N8nClient } from '../host/n8n/client';
import { createPaymentsWebhookApi, readExample } from '../host/n8n/credentials';
import { connectTo, type Connection, type Postgres } from '../host/postgres';
import type { SandboxClient } from '../sandbox/client';

const WORKFLOWS = ['1-upload', '2-approve', '3-pay', '4-follow', '5-look-up', '6-watch'];
const SCHEMA = join(__dirname, '..', 'examples', 'payouts', 'schema.sql');

/** Who uses the ledger: people of n8n with these addresses. */
export const CLERK = 'clerk@example.com';
export const APPROVER = 'approver@example.com';
export const DEPUTY = 'deputy@example.com';

/** What the owner of a ledger enters. Everybody pays from the entity of the sandbox. */
const SETTINGS = `
set search_path = payouts;
insert into people values ('${CLERK}', true, false), ('${APPROVER}', true, true), ('${DEPUTY}', false, true);
insert into countries select unnest('{AT,BE,DE,DK,FR,GB,JP,NL,SE}'::text[]);
insert into currencies values
	('EUR', 2, 50000, 'SCT', 'eus_harbour_bakery', 'vac_harbour_bakery_eur', 'DK'),
	('GBP', 2, 50000, 'FPS', 'eus_harbour_bakery', 'vac_harbour_bakery_gbp', 'DK'),
	('CHF', 2, 50000, 'SIC', 'eus_harbour_bakery', 'vac_harbour_bakery_chf', 'DK'),
	('JPY', 0, 5000000, 'ZENGIN', 'eus_harbour_bakery', 'vac_harbour_bakery_jpy', 'DK'),
	('KWD', 3, 5000, 'LOCAL', 'eus_harbour_bakery', 'vac_harbour_bakery_kwd', 'DK');
insert into tiers values ('EUR', 10000, 2);`;

/** Creates a database with a ledger, and returns a connection of its owner. */
export async function createLedger(server: Postgres, database: string): Promise<Connection> {
	const admin = await connectTo(server.url('postgres'));
	await admin.query(`create database ${database} template template0 encoding 'UTF8'`);
	await admin.end();
	const owner = await connectTo(server.url(database));
	await owner.query(readFileSync(SCHEMA, 'utf8'));
	await owner.query(SETTINGS);
	return owner;
}

/**
 * Puts the workflows of the ledger into service, and invites those who use it.
 * @param database the address of the ledger, as n8n's role
 * @param smtp for emails; without it, they're turned off
 */
export async function connectPayouts(
	n8n: N8nClient,
	service: SandboxClient,
	{ paymentsApi, database, smtp }: { paymentsApi: Credential; database: URL; smtp?: Credential },
) {
	const people = {
		clerk: await n8n.addMember(CLERK, 'Clerk', 'Demo'),
		approver: await n8n.addMember(APPROVER, 'Approver', 'Demo'),
		deputy: await n8n.addMember(DEPUTY, 'Deputy', 'Demo'),
	};
	const credentials = [paymentsApi, await createPostgres(n8n, database), ...(smtp ? [smtp] : [])];
	const workflows = [];
	for (const file of WORKFLOWS) {
		const example = readExample(`payouts/${file}`);
		if (!smtp) for (const node of example.nodes) node.disabled ||= node.type.endsWith('.emailSend');
		if (file === '4-follow') {
			const { production: url } = await n8n.webhookUrls(example, 'Payments Trigger');
			const events = ['PAYMENT.CREATED', 'PAYMENT.STATUS_UPDATED'] as const;
			const { secret } = await service.createEndpoint({ url, events: [...events] });
			credentials.push(await createPaymentsWebhookApi(n8n, secret, 'Payout ledger webhook'));
		}
		const workflow = await n8n.importWorkflow(example, credentials);
		await n8n.activate(workflow);
		workflows.push(workflow);
	}
	return { people, workflows };
}

const createPostgres = async (n8n: N8nClient, { hostname, port, pathname, username }: URL) =>
	await n8n.createCredential('Payout ledger', 'postgres', {
		...{ host: hostname, port: Number(port), database: pathname.slice(1) },
		...{ user: username, password: '', ssl: 'disable' },
	});

/**
 * Lists who signs in, and which form is for what.
 *
 * @param ledger the address of the database, as its owner
 */
export const describePayouts = (
	url: string,
	ledger: string,
): string => `Payouts:  ${url}/form/payout-upload
          ${url}/form/payout-approval
          ${url}/form/payouts shows what became of them
          Open each form in a private window of who uses it: ${CLERK} uploads, ${APPROVER} approves,
          and above EUR 10,000 so does ${DEPUTY}. The password of all is ${OWNER.password}. Emails are turned off.
          Limits, and going on after Stop, are up to the owner of the database: psql ${ledger}`;
