import { connectTo, startPostgres as startServer } from '../../../host/postgres';
import { waitUntil } from '../../../host/waitUntil';
import { commandOf } from './compose';

/** The role of n8n, which owns its database. */
const USER = 'n8n';

/** A PostgreSQL server that only one test uses. */
export interface Postgres {
	port: number;
	/** Returns the data of n8n's credential "Postgres" for a database. */
	access(database: string): {
		host: string;
		port: number;
		user: string;
		password: string;
		database: string;
		ssl: 'disable';
	};
	/** Runs a query and returns the rows; waits up to 30 s for a server that restarts. */
	query<Row>(database: string, sql: string): Promise<Row[]>;
	/** Stops the server under load (SIGINT, "fast shutdown") and starts it again. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

/** Starts a database server with the settings of the compose file, and creates n8n's database. */
export async function startPostgres(password: string, logFile: string): Promise<Postgres> {
	const [, ...flags] = commandOf('postgres');
	const settings = flags.filter((flag) => flag !== '-c');
	const server = await startServer({ password, settings, logFile });
	const port = Number(new URL(server.url('postgres')).port);
	const query: Postgres['query'] = async <Row>(database: string, sql: string) => {
		const connection = await waitUntil(
			'PostgreSQL accepts a connection',
			async () => await connectTo(server.url(database)).catch(() => undefined),
			{ timeoutMs: 30_000 },
		);
		try {
			return (await connection.query<Row>(sql)).rows;
		} finally {
			await connection.end();
		}
	};
	await query('postgres', `CREATE ROLE ${USER} SUPERUSER LOGIN PASSWORD '${password}'`);
	await query('postgres', `CREATE DATABASE ${USER} OWNER ${USER}`);
	return {
		port,
		access: (database) => ({
			...{ host: '127.0.0.1', port, user: USER, password, database },
			ssl: 'disable',
		}),
		query,
		restart: async () => await server.restart!(),
		stop: async () => await server.stop(),
	};
}
