import { execFile, execFileSync } from 'node:child_process';
import { chownSync, mkdirSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { freePort } from '../../../host/freePort';
import { startProcess, type ManagedProcess } from '../../../host/processes';
import { commandOf } from './compose';
import { requireProgram } from '../../../host/programs.mjs';

const run = promisify(execFile);
const HOST = '127.0.0.1';
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
	/** Returns the parent process of the server. */
	process(): ManagedProcess;
	/**
	 * Runs a query and returns the columns of each row as text; waits up to 30 s for a server that
	 * restarts.
	 */
	query(database: string, sql: string): Promise<string[][]>;
	/** Stops the server under load (SIGINT, "fast shutdown") and starts it again. */
	restart(): Promise<void>;
}

/** PostgreSQL doesn't run as root, so root starts it as the user that its package creates. */
function unprivileged() {
	if (process.getuid?.() !== 0) return { prefix: [], own: () => {} };
	const idOf = (option: string) =>
		execFileSync('id', [option, 'postgres'], { encoding: 'utf8' }).trim();
	const [uid, gid] = [idOf('-u'), idOf('-g')];
	return {
		prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups'],
		own: (path: string) => chownSync(path, Number(uid), Number(gid)),
	};
}

/**
 * Starts a database server with the settings of the compose file, and creates n8n's database.
 *
 * @param folder is created, and contains everything that the server writes
 */
export async function startPostgres(
	folder: string,
	password: string,
	logFile: string,
): Promise<Postgres> {
	// PATH may have a link to the server in another folder than its other commands.
	const program = realpathSync(requireProgram('postgres'));
	const beside = (name: string) => join(dirname(program), name);
	const { prefix, own } = unprivileged();
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	mkdirSync(data, { recursive: true, mode: 0o700 });
	writeFileSync(passwordFile, password, { mode: 0o600 });
	for (const path of [folder, data, passwordFile]) own(path);
	const initdb = [
		'--pgdata',
		data,
		'--username',
		USER,
		'--pwfile',
		passwordFile,
		'--auth',
		'scram-sha-256',
		'--encoding',
		'UTF8',
		'--no-locale',
		'--no-sync',
	];
	const [make, ...makeArgs] = [...prefix, beside('initdb'), ...initdb];
	await run(make, makeArgs, { cwd: folder });

	const port = await freePort();
	const settings = [
		...commandOf('postgres').slice(1),
		'-c',
		`listen_addresses=${HOST}`,
		'-c',
		'unix_socket_directories=',
	];
	const [command, ...args] = [...prefix, program, '-D', data, '-p', String(port), ...settings];
	const query: Postgres['query'] = async (database, sql) => {
		const access = ['-h', HOST, '-p', String(port), '-U', USER, '-d', database];
		for (const deadline = Date.now() + 30_000; ; await wait(200)) {
			try {
				const { stdout } = await run(
					beside('psql'),
					[...access, '-XAt', '-F', '\t', '-v', 'ON_ERROR_STOP=1', '-c', sql],
					{ env: { PGPASSWORD: password } },
				);
				return stdout
					.split('\n')
					.filter(Boolean)
					.map((line) => line.split('\t'));
			} catch (error) {
				// psql exits with 2 when it has no connection, and with another code when a statement
				// fails.
				if ((error as { code?: number }).code !== 2 || Date.now() > deadline) throw error;
			}
		}
	};
	const start = async () => {
		const started = startProcess('PostgreSQL', command, args, { cwd: folder, logFile });
		await started.waitFor(/ready to accept connections/, 60_000);
		return started;
	};
	let server = await start();
	await query('postgres', `CREATE DATABASE ${USER}`);
	return {
		port,
		access: (database) => ({ host: HOST, port, user: USER, password, database, ssl: 'disable' }),
		process: () => server,
		query,
		restart: async () => {
			await server.stop('SIGINT', 60_000);
			server = await start();
		},
	};
}
