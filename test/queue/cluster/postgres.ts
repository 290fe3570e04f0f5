import { connectTo, startPostgres as startServer } from '../../../host/postgres';
import { waitUntil } from '../../../host/waitUntil';
import { commandOf } from './compose';

/** The role of n8n, which owns its database. */
const USER = 'n8n';

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** Starts a database server with the settings of the compose file, and creates n8n's database. */
export async function startPostgres(password: string, logFile: string) {
	const [, ...flags] = commandOf('postgres');
	const settings = flags.filter((flag) => flag !== '-c');
	const server = await startServer({ password, settings, logFile });
	const port = Number(new URL(server.url('postgres')).port);
	/** Runs a query and returns the rows; waits for a server that restarts. */
	const query = async <Row>(database: string, sql: string): Promise<Row[]> => {
		const connection = await waitUntil(
			'PostgreSQL accepts a connection',
			async () => await connectTo(server.url(database)).catch(() => undefined),
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
		...server,
		port,
		query,
		/** Returns the data of n8n's credential "Postgres" for a database. */
		access: (database: string) => ({
			...{ host: '127.0.0.1', port, user: USER, password, database },
			ssl: 'disable',
		}),
	};
}
