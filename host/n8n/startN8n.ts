import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../freePort';
import { checkPort, startProcess } from '../processes';
import { N8nClient } from './client';
import { quietEnvironment } from './environment';
import { n8nInstallation } from './installation';

export interface N8nOptions {
	/** Port of the editor, the API, and webhooks; a free one by default. */
	port?: number;
	/**
	 * Folder of n8n's database, key, and community nodes; by default a temporary one that is removed
	 * at the end.
	 */
	userFolder?: string;
	/** Overrides the quiet environment; undefined removes a variable. */
	env?: NodeJS.ProcessEnv;
	/** The packed nodes to install before the start. */
	tarball?: string;
	/** n8n's command; worker and webhook belong to queue mode. */
	kind?: 'start' | 'worker' | 'webhook';
	logFile?: string;
}

export type N8n = Awaited<ReturnType<typeof startN8n>>;

const PACKAGE_NAME = 'n8n-nodes-payments';
const communityNodes = (userFolder: string) => join(userFolder, '.n8n', 'nodes');

/** Returns the folder where n8n's own installer puts the package. */
export const packageFolder = (userFolder: string) =>
	join(communityNodes(userFolder), 'node_modules', PACKAGE_NAME);

/**
 * Lists the package among n8n's community nodes.
 * @param source as npm writes it, such as `file:…`
 */
export function registerPackage(userFolder: string, source: string): void {
	const dependencies = { [PACKAGE_NAME]: source };
	const packageJson = { name: 'installed-nodes', private: true, dependencies };
	writeFileSync(join(communityNodes(userFolder), 'package.json'), JSON.stringify(packageJson));
}

/**
 * Installs the packed nodes as n8n does. They have no runtime dependencies, so there is nothing
 * else to install.
 */
function installPackage(tarball: string, userFolder: string): void {
	const target = packageFolder(userFolder);
	rmSync(target, { recursive: true, force: true });
	mkdirSync(target, { recursive: true });
	execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
	registerPackage(userFolder, `file:${tarball}`);
}

/**
 * Starts n8n and resolves when it answers: for `start`, its REST API; for the others, their health
 * check.
 * @throws when the port is taken or n8n doesn't start, with what it printed last
 */
export async function startN8n(options: N8nOptions = {}) {
	const { kind = 'start' } = options;
	const { node, n8n } = n8nInstallation();
	if (options.port !== undefined) await checkPort(options.port, 'n8n');
	const port = options.port ?? (await freePort());
	const userFolder = options.userFolder ?? temporaryFolder();
	if (options.tarball) installPackage(options.tarball, userFolder);
	const env = { ...quietEnvironment(userFolder, port, await freePort()), ...options.env };
	const image = process.env.N8N_IMAGE;
	const [program, ...args] = image
		? dockerCommand(image, kind, userFolder, env)
		: [node, n8n, kind];
	const started = startProcess(`n8n ${kind}`, program, args, {
		env: image ? { ...process.env, ...env } : env,
		cwd: userFolder,
		logFile: options.logFile,
	});
	const url = `http://127.0.0.1:${port}`;
	const isUp = { start: hasApi, worker: isHealthy, webhook: isHealthy }[kind];
	await started.untilReady(async () => await isUp(url).catch(() => false), START_TIMEOUT_MS);
	const cleanUp = () =>
		options.userFolder === undefined &&
		rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 });
	return {
		/** Address of the editor, the API, and webhooks, without a slash at the end. */
		url,
		client: new N8nClient(url),
		userFolder,
		process: started,
		stop: async () => {
			await started.stop();
			cleanUp();
		},
		/** Ends it like a crash (SIGKILL); keeps the user folder. */
		kill: async () => await started.stop('SIGKILL'),
	};
}

/** Runs n8n from its Docker image, on this machine's network, with its folder at the same path. */
function dockerCommand(image: string, kind: string, userFolder: string, env: NodeJS.ProcessEnv) {
	const names = Object.keys(env).filter((name) => /^(N8N|NODE_ENV|DB|QUEUE|EXECUTIONS)/.test(name));
	const user = `--user=${process.getuid?.()}:${process.getgid?.()}`;
	const folder = [`--volume=${userFolder}:${userFolder}`, `--workdir=${userFolder}`];
	const options = ['--rm', '--init', '--network=host', user, ...folder];
	return ['docker', 'run', ...options, ...names.flatMap((name) => ['--env', name]), image, kind];
}

function temporaryFolder(): string {
	const folder = mkdtempSync(join(tmpdir(), 'payments-n8n-'));
	process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
	return folder;
}

const answers = async (address: string) => {
	const response = await fetch(address, { signal: AbortSignal.timeout(5000) });
	await response.json(); // While n8n starts, it answers with a page.
	return response.ok;
};
const isHealthy = async (url: string) => await answers(`${url}/healthz/readiness`);
const hasApi = async (url: string) =>
	(await isHealthy(url)) && (await answers(`${url}/rest/settings`));

/** The first start reads n8n's gigabytes from a disk that may be slow and makes the database. */
const START_TIMEOUT_MS = 300_000;
