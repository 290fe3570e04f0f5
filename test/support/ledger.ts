import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { connectTo, startPostgres, type Connection, type Postgres } from '../../host/postgres';

/* The payout ledger in a PostgreSQL server of a test. */

const SCHEMA = join(__dirname, '..', '..', 'examples', 'payouts', 'schema.sql');

export const CLERK = 'lena@payments.example';
export const APPROVER = 'amir@payments.example';
export const DEPUTY = 'ines@payments.example';

/** What the owner of a ledger enters: who may do what, limits, and tiers. */
const SETTINGS = `
set search_path = payouts;
insert into people values ('${CLERK}', true, false), ('${APPROVER}', true, true), ('${DEPUTY}', false, true);
insert into currencies values
	('EUR', 2, 50000, 'SCT', 'eus_us', 'vac_us_eur', 'DE'),
	('GBP', 2, 50000, 'FPS', 'eus_us', 'vac_us_gbp', 'DE'),
	('CHF', 2, 50000, 'SIC', 'eus_us', 'vac_us_chf', 'DE'),
	('JPY', 0, 5000000, 'ZENGIN', 'eus_us', 'vac_us_jpy', 'DE'),
	('KWD', 3, 5000, 'LOCAL', 'eus_us', 'vac_us_kwd', 'DE');
insert into tiers values ('EUR', 10000, 2);`;

/** A ledger with connections of its owner and of n8n. */
export class Ledger {
	private constructor(
		readonly server: Postgres,
		readonly database: string,
		/** Who owns the rules. */
		readonly owner: Connection,
		/** What n8n can do. */
		readonly n8n: Connection,
	) {}

	/** Starts a server with a ledger. */
	static async start(server?: Postgres): Promise<Ledger> {
		const started = server ?? (await startPostgres());
		const database = `payouts_${process.pid}_${Date.now()}`;
		const admin = await connectTo(started.url('postgres'));
		await admin.query(`create database ${database} template template0 encoding 'UTF8'`);
		await admin.end();
		const owner = await connectTo(started.url(database));
		await owner.query(readFileSync(SCHEMA, 'utf8'));
		await owner.query(SETTINGS);
		const n8n = await connectTo(started.url(database, 'payouts_n8n'));
		await n8n.query('set search_path = payouts');
		return new Ledger(started, database, owner, n8n);
	}

	async stop(): Promise<void> {
		await this.owner.end();
		await this.n8n.end();
		const admin = await connectTo(this.server.url('postgres'));
		await admin.query(`drop database ${this.database} with (force)`);
		await admin.end();
		await this.server.stop();
	}

	/** Another connection of n8n, such as of another worker. */
	async anotherN8n(): Promise<Connection> {
		const connection = await connectTo(this.server.url(this.database, 'payouts_n8n'));
		await connection.query('set search_path = payouts');
		return connection;
	}
}
