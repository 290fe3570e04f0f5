import { randomUUID } from 'node:crypto';
import { book, createSync, movement, SHOP_SQL, SYNC_SQL, type Movement } from '../../demo/sync';
import { read } from './sourceTexts';
import { connectTo, startPostgres, type Connection, type Postgres } from '../../host/postgres';

/* The sync in a PostgreSQL server of a test. */

export { book, movement, SHOP_SQL, SYNC_SQL, type Movement };

/** What n8n gets for a row that it has to send: a transaction with the names of the interface. */
export type Claimed = Record<string, string | null> & {
	externalId: string;
	event: string;
	attempt: number;
};

/** What the Payments node said about an event. */
export interface Answer {
	outcome?: string;
	status?: number;
	message?: string;
	eventId?: string;
}

export interface OpenRow {
	external_id: string;
	event: string;
	state: string;
	why: string | null;
	needs_a_person: boolean;
}

export interface News {
	id: string;
	news: string;
	line: string;
}

export interface SyncSql {
	shop?: string;
	sync?: string;
	/** Options of CREATE DATABASE. */
	locale?: string;
}

const TIMES = {
	sent: ['first_at', 'claimed_at', 'due_at', 'doubt_since', 'decided_at'],
	told: ['at'],
};

/** The file with another view in the part *Yours*. */
export function withView(select: string): string {
	const [before, rest] = SYNC_SQL.split(/^create view sync\.transactions as$/m);
	return `${before}create view sync.transactions as\n${select};\n${rest.slice(rest.indexOf(';') + 1)}`;
}

const README = read('examples/sync/README.md');

/** The statement of README that begins with this text, up to the end of its block. */
export function fromReadme(begin: string): string {
	const block = README.split('```').find((one) => one.replace(/^\s*sql\s+/, '').startsWith(begin));
	if (block === undefined) throw new Error(`README has no statement that begins with "${begin}".`);
	return block.replace(/^\s*sql\s+/, '');
}

/** The file with README's view of a history. */
export const HISTORY_SQL = withView(fromReadme('select h.event_id').replace(/;\s*$/, ''));

/** A shop whose table keeps a history, and a sync of it, as README says. */
export const withHistory = () => ({
	sync: [SYNC_SQL, fromReadme('create table status_history'), HISTORY_SQL].join('\n'),
});

/** A database with a sync, and connections of its owner and of n8n. */
export class Sync {
	private constructor(
		readonly server: Postgres,
		readonly database: string,
		public owner: Connection,
		public n8n: Connection,
	) {}

	/** @param sql what makes the shop's table, the sync, and the database, if it isn't the usual */
	static async start(server?: Postgres, sql: SyncSql = {}): Promise<Sync> {
		const started = server ?? (await startPostgres());
		const database = `sync_${randomUUID().slice(0, 8)}`;
		const owner = await createSync(started, database, sql);
		const { password } = new URL(started.url(database));
		if (password) await owner.query(`alter role sync_n8n password '${password}'`);
		const n8n = await connectTo(started.url(database, 'sync_n8n'));
		return new Sync(started, database, owner, n8n);
	}

	/** The address of the database, as n8n's role. */
	get url(): string {
		return this.server.url(this.database, 'sync_n8n');
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
			`truncate public.movements, sync.sent, sync.events, sync.told;
			insert into sync.told values ('nothing waits')`,
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
		(await connection.query<Claimed>('select * from sync.claim($1)', [most])).rows;

	/** Saves the same answer for each row. */
	answer = async (rows: Claimed[], answer: Answer, connection = this.n8n): Promise<void> =>
		await this.record(
			rows.map((row) => ({ ...row, eventId: undefined, ...answer })),
			connection,
		);

	record = async (answers: object[], connection = this.n8n): Promise<void> =>
		void (await connection.query('select sync.record($1)', [JSON.stringify(answers)]));

	/** Claims, and records the same for each. */
	async send(answer: Answer, most?: number): Promise<Claimed[]> {
		const claimed = await this.claim(most);
		await this.answer(claimed, answer);
		return claimed;
	}

	follow = async (event: object): Promise<void> =>
		void (await this.n8n.query('select sync.follow($1)', [JSON.stringify(event)]));

	/** Lets time pass: all that is in the tables was so much earlier. */
	async pass(time: string): Promise<void> {
		for (const [table, columns] of Object.entries(TIMES)) {
			const sets = columns.map((column) => `${column} = ${column} - $1::interval`);
			await this.ask(`update sync.${table} set ${sets.join()}`, time);
		}
	}

	/** What isn't accepted, and why, by the names of the rows. */
	open = async (): Promise<OpenRow[]> =>
		await this.ask<OpenRow>(
			`select external_id, event, state, why, needs_a_person from sync.open
			order by external_id, event`,
		);

	/** The state of each row that isn't accepted, such as `S-1 booked: waiting`. */
	states = async (): Promise<string[]> =>
		(await this.open()).map(({ external_id, event, state }) => `${external_id} ${event}: ${state}`);

	/** A person says something about an event. */
	say = async (state: string, id: string, event = 'booked'): Promise<void> =>
		void (await this.ask(
			'update sync.sent set state = $1 where (external_id, event) = ($2, $3)',
			...[state, id, event],
		));

	async news(): Promise<News[]> {
		const { rows } = await this.n8n.query<News>('select * from sync.news() order by line');
		return rows;
	}

	/** Reads the news, and marks them as told, as *Tell me* does. */
	async tell(): Promise<string[]> {
		const news = await this.news();
		await this.n8n.query('select sync.told($1)', [news.map(({ id }) => id)]);
		return news.map(({ news: kind, line }) => `${kind}: ${line}`);
	}
}
