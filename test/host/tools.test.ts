import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { freePort } from '../../host/freePort';
import { TYPESCRIPT, checkPort, startProcess } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';

const root = join(__dirname, '..', '..');
const host = join(root, 'host');

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'payments-tools-'));
});
afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** Runs Node without any installed package, as on a fresh clone. */
function runNode(args: string[], env: NodeJS.ProcessEnv = {}) {
	const { status, stdout, stderr } = spawnSync(process.execPath, args, {
		encoding: 'utf8',
		env: { PATH: process.env.PATH, ...env },
	});
	return { exitCode: status, printed: (stdout + stderr).trim() };
}

const runSetup = (parts: string[], env?: NodeJS.ProcessEnv) =>
	runNode([join(host, 'setup.mjs'), ...parts], env);

/** Reports whether a process runs. A zombie, as in a container without init, does not. */
function isRunning(pid: number) {
	try {
		process.kill(pid, 0);
		return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
}

describe('managed processes', () => {
	/** A program that prints its process id and runs until it is ended. */
	const endless = 'console.log(`pid ${process.pid}`); setInterval(() => {}, 1000);';

	test('end, with what they have started, when their owner is killed', async () => {
		writeFileSync(join(folder, 'endless.js'), endless);
		writeFileSync(
			join(folder, 'owner.js'),
			`const { startProcess } = require(${JSON.stringify(join(host, 'processes.ts'))});
			const child = startProcess('endless', process.execPath, [${JSON.stringify(join(folder, 'endless.js'))}]);
			child.waitFor(/pid (\\d+)\\s/, 60000).then(([, pid]) => console.log(pid));`,
		);
		const owner = spawn(process.execPath, ['--import', TYPESCRIPT, join(folder, 'owner.js')]);
		try {
			const [printed] = (await once(owner.stdout, 'data')) as [Buffer];
			const pid = Number(printed.toString());
			expect(isRunning(pid)).toBe(true);
			owner.kill('SIGKILL');
			await waitUntil('the process has ended', () => !isRunning(pid));
		} finally {
			owner.kill('SIGKILL');
		}
	});

	test('may end in good order, and their output is kept', async () => {
		const onTerminate =
			"process.on('SIGTERM', () => { console.log('good bye'); process.exit(3); });";
		const managed = startProcess('polite', process.execPath, ['-e', onTerminate + endless]);
		await managed.waitFor(/pid \d+/, 60_000);
		await managed.stop();
		expect(await managed.exited).toBe(3);
		expect(managed.output()).toContain('good bye');
	});

	test('are quoted when they end before they are ready', async () => {
		const fail = 'console.error("no disk"); process.exit(7)';
		const managed = startProcess('broken', process.execPath, ['-e', fail]);
		await expect(managed.waitFor(/ready/, 60_000)).rejects.toThrow(
			/broken ended \(exit code 7\).*no disk/s,
		);
	});

	test('are quoted when they are not ready in time', async () => {
		const managed = startProcess('slow', process.execPath, ['-e', endless]);
		await managed.waitFor(/pid/, 60_000);
		await expect(managed.waitFor(/ready/, 100)).rejects.toThrow(
			/0\.1 s waiting until slow is ready\. It printed last:\npid \d+/,
		);
		await managed.stop();
	});
});

test('a port that is taken is named, with the option that chooses another', async () => {
	const port = await freePort();
	await checkPort(port, 'n8n');
	const server = createServer().listen(port, '127.0.0.1');
	await once(server, 'listening');
	await expect(checkPort(port, 'n8n')).rejects.toThrow(
		`Port ${port}, wanted by n8n, is taken by another program. Choose another, or end that program.`,
	);
	server.close();
});

describe('setup.mjs', () => {
	test.each([[[]], [['tools', 'tolos']]])('lists its parts for %j', (parts) => {
		const { exitCode, printed } = runSetup(parts);
		expect(exitCode).toBe(1);
		expect(printed).toContain('The parts are: tools, host, sandbox, ');
	});

	test('says how a missing program is installed', () => {
		const { exitCode, printed } = runSetup(['tools', 'chromium'], { PATH: folder });
		expect(exitCode).toBe(1);
		expect(printed).toMatch(
			/^chromium is missing\. Install it \(on Debian and Ubuntu: sudo apt-get install -y chromium\)/,
		);
	});

	test('builds the SQLite driver of the version that n8n needs', () => {
		const versionIn = (path: string) => {
			const lockFile = readFileSync(join(host, 'installations', path, 'package-lock.json'), 'utf8');
			const { packages } = JSON.parse(lockFile) as {
				packages: Record<string, { version: string }>;
			};
			return packages['node_modules/sqlite3'].version;
		};
		expect(versionIn('current')).toBe(versionIn('runtime'));
	});
});

test('the demo explains its options before anything is installed', () => {
	for (const file of ['demo/start.mjs', 'host/setup.mjs', 'host/programs.mjs']) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		copyFileSync(join(root, file), join(folder, file));
	}
	const { exitCode, printed } = runNode([join(folder, 'demo/start.mjs'), '--help']);
	expect({ exitCode, printed }).toEqual({
		exitCode: 0,
		printed: expect.stringContaining('--sandbox-port'),
	});
});

test('every command that needs packages sets them up first', () => {
	const packageJson = readFileSync(join(root, 'package.json'), 'utf8');
	const { scripts: commands } = JSON.parse(packageJson) as { scripts: Record<string, string> };
	const others = Object.entries(commands).filter(
		([name, command]) =>
			!['demo', 'prepublishOnly'].includes(name) && !command.startsWith('node host/setup.mjs '),
	);
	expect(others).toEqual([]);
});

describe('publishing', () => {
	const home = 'github.com/owner/n8n-nodes-payments';
	const actions = { GITHUB_REPOSITORY: 'owner/n8n-nodes-payments', GITHUB_REF_NAME: 'v1.0.0' };
	const manifest = {
		name: 'n8n-nodes-payments',
		files: ['dist'],
		author: { email: 'maintainers@owner.test' },
		repository: { url: `https://${home}.git` },
		version: '1.0.0',
	};

	test.each<[string, object, NodeJS.ProcessEnv, string, RegExp]>([
		['everything is set', {}, actions, home, /^$/],
		['the author', { author: { email: 'a@b.example' } }, actions, home, /author\.email/],
		[
			'the repository',
			{ repository: { url: `https://${home}-2.git` } },
			actions,
			home,
			/repository/,
		],
		[
			'a link',
			{},
			actions,
			'github.com/another/n8n-nodes-payments',
			/README\.md links to github\.com\/another/,
		],
		[
			'a link to a file',
			{},
			actions,
			'raw.githubusercontent.com/another/n8n-nodes-payments/main',
			/README\.md links to raw/,
		],
		['the tag', { version: '1.0.1' }, actions, home, /the tag is v1\.0\.0/],
		['a clone', {}, {}, home, /no workflow of GitHub/],
	])('check-publish.mjs: %s', (_, changes, env, link, refusal) => {
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...changes }));
		writeFileSync(join(folder, 'README.md'), `https://${link}/issues`);
		writeFileSync(join(folder, 'test.ts'), 'https://github.com/another/n8n-nodes-payments');
		const script = join(root, 'scripts/check-publish.mjs');
		const { status, stderr } = spawnSync(process.execPath, [script], {
			cwd: folder,
			encoding: 'utf8',
			env: { PATH: process.env.PATH, ...env },
		});
		expect(stderr).toMatch(refusal);
		expect(status).toBe(stderr === '' ? 0 : 1);
	});

	test('npm publishes nothing from a clone, where .npmrc switches prepublishOnly off', async () => {
		for (const name of ['package.json', '.npmrc', 'README.md'])
			copyFileSync(join(root, name), join(folder, name));
		const requests: Array<string | undefined> = [];
		const registry = createHttpServer(({ method }, response) => {
			requests.push(method);
			response.writeHead(404).end('{}');
		}).listen(0, '127.0.0.1');
		await once(registry, 'listening');
		const address = `//127.0.0.1:${(registry.address() as AddressInfo).port}/`;
		const args = ['publish', '--registry', `http:${address}`, `--${address}:_authToken=x`];
		const npm = spawn('npm', args, { cwd: folder, env: { PATH: process.env.PATH, HOME: folder } });
		const [code] = (await once(npm, 'close')) as [number];
		registry.closeAllConnections();
		registry.close();
		expect(code).not.toBe(0);
		expect(requests).not.toContain('PUT');
	});
});
