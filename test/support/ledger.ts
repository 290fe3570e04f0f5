import { randomUUID } from 'node:crypto';
import { APPROVER, CLERK, createLedger, DEPUTY } from '../../demo/payouts';
import { connectTo, startPostgres, type Connection, type Postgres } from '../../host/postgres';

/* The payout ledger in a PostgreSQL server of a test. */

export { APPROVER, CLERK, DEPUTY };

/** A ledger with connections of its owner and of n8n. */
export class Ledger {
	private constructor(
		readonly server: Postgres,
		private readonly isOwnServer: boolean,
		readonly database: string,
		/** Who owns the rules. */
		public owner: Connection,
		/** What n8n can do. */
		public n8n: Connection,
	) {}

	/** Creates a ledger, in a server of its own if none is given. */
	static async start(server?: Postgres): Promise<Ledger> {
		const started = server ?? (await startPostgres());
		const database = `payouts_${randomUUID().slice(0, 8)}`;
		const owner = await createLedger(started, database);
		const n8n = await connectTo(started.url(database, 'payouts_n8n'));
		await n8n.query('set search_path = payouts');
		return new Ledger(started, server === undefined, database, owner, n8n);
	}

	async stop(): Promise<void> {
		await this.owner.end();
		await this.n8n.end();
		const admin = await connectTo(this.server.url('postgres'));
		await admin.query(`drop database ${this.database} with (force)`);
		await admin.end();
		if (this.isOwnServer) await this.server.stop();
	}

	/** Ends the server, and starts it again. */
	async restart(): Promise<void> {
		await this.server.restart();
		this.owner = await connectTo(this.server.url(this.database));
		this.n8n = await this.anotherN8n();
	}

	/** Another connection of n8n, such as of another worker. */
	async anotherN8n(): Promise<Connection> {
		const connection = await connectTo(this.server.url(this.database, 'payouts_n8n'));
		await connection.query('set search_path = payouts');
		return connection;
	}
}
