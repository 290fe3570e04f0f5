import { randomUUID } from 'node:crypto';
import { book, createOutbox, movement, type Movement } from '../../demo/outbox';
import { connectTo, startPostgres, type Connection, type Postgres } from '../../host/postgres';

/* The outbox in a PostgreSQL server of a test. */

export { book, movement, type Movement };

/** What n8n gets for a row that it has to send: a transaction with the names of the interface. */
export type Claimed = Record<string, string | null> & { eventId: string; externalId: string };

/** What the Payments node said about an event. */
export interface Said {
	event: string;
	outcome?: string;
	status?: number;
	message?: string;
}

/** A database with an outbox, and connections of its owner and of n8n. */
export class Outbox {
	private constructor(
		readonly server: Postgres,
		readonly database: string,
		public owner: Connection,
		public n8n: Connection,
	) {}

	/** @param sql what makes the outbox, if it isn't the file as it is */
	static async start(server?: Postgres, sql?: string): Promise<Outbox> {
		const started = server ?? (await startPostgres());
		const database = `outbox_${randomUUID().slice(0, 8)}`;
		const owner = await createOutbox(started, database, sql);
		const { password } = new URL(started.url(database));
		if (password) await owner.query(`alter role outbox_n8n password '${password}'`);
		const n8n = await connectTo(started.url(database, 'outbox_n8n'));
		return new Outbox(started, database, owner, n8n);
	}

	/** The address of the database, as n8n's role. */
	get url(): string {
		return this.server.url(this.database, 'outbox_n8n');
	}

	/** Another connection of n8n, such as of another worker. */
	anotherN8n = async (): Promise<Connection> => await connectTo(this.url);

	/** Ends the server, and starts it again. */
	async restart(crash: boolean): Promise<void> {
		await this.server.restart(crash);
		this.owner = await connectTo(this.server.url(this.database));
		this.n8n = await this.anotherN8n();
	}

	/** Ends the connections, but not the server. */
	async stop(): Promise<void> {
		await this.owner.end();
		await this.n8n.end();
	}

	/** Empties all tables. */
	clear = async (): Promise<void> =>
		void (await this.owner.query(
			'truncate public.movements, outbox.events, outbox.service_events restart identity',
		));

	/** Runs a statement as the owner, and returns its rows. */
	ask = async <Row = Record<string, unknown>>(sql: string, ...values: unknown[]): Promise<Row[]> =>
		(await this.owner.query<Row>(sql, values)).rows;

	book = async (...movements: Movement[]): Promise<void> => await book(this.owner, ...movements);

	async change(id: string, changes: Partial<Movement>): Promise<void> {
		const sets = Object.keys(changes).map((name, index) => `${name} = $${index + 2}`);
		const sql = `update public.movements set ${sets.join()} where id = $1`;
		await this.ask(sql, id, ...Object.values(changes));
	}

	claim = async (most = 500, connection = this.n8n): Promise<Claimed[]> =>
		(await connection.query<Claimed>('select * from outbox.claim($1)', [most])).rows;

	record = async (items: Said[], connection = this.n8n): Promise<void> =>
		void (await connection.query('select outbox.record($1)', [JSON.stringify(items)]));

	/** Claims, and records the same for each. */
	async send(said: Omit<Said, 'event'>, most?: number): Promise<Claimed[]> {
		const claimed = await this.claim(most);
		await this.record(claimed.map(({ eventId }) => ({ event: eventId, ...said })));
		return claimed;
	}

	follow = async (event: object): Promise<void> =>
		void (await this.n8n.query('select outbox.follow($1)', [JSON.stringify(event)]));

	/** Lets time pass: all that is in the tables was so much earlier. */
	async pass(time: string): Promise<void> {
		const columns = ['booked_at', 'claimed_at', 'due_at', 'doubt_since', 'recorded_at'];
		const sets = columns.map((column) => `${column} = ${column} - $1::interval`);
		await this.ask(`update outbox.events set ${sets.join()}`, time);
	}

	/** What is open, in order, and why. */
	async open(): Promise<string[]> {
		const sql = `select external_id || ' ' || (body ->> 'externalStatus') as what, why
			from outbox.open order by id`;
		const { rows } = await this.n8n.query<{ what: string; why: string }>(sql);
		return rows.map(({ what, why }) => `${what}: ${why}`);
	}

	async news(): Promise<Array<{ id: string; news: string; line: string }>> {
		const sql = 'select * from outbox.news order by line';
		return (await this.n8n.query<{ id: string; news: string; line: string }>(sql)).rows;
	}
}
