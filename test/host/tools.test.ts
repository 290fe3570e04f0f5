import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { TYPESCRIPT, checkPort, startProcess } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { read, root } from '../support/sourceTexts';

let folder: string;
beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'payments-tools-'));
});
afterEach(() => {
	rmSync(folder, { recursive: true, force: true });
});

/** Runs Node without any installed package, as on a fresh clone. */
function runNode(script: string, args: string[], env: NodeJS.ProcessEnv = {}) {
	const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
		...{ encoding: 'utf8', cwd: folder, env: { PATH: process.env.PATH, ...env } },
	});
	return { exitCode: status, printed: (stdout + stderr).trim() };
}

describe('managed processes', () => {
	/** A program that prints its process id and runs until it is ended. */
	const endless = 'console.log(`pid ${process.pid}`); setInterval(() => {}, 1000);';
	const start = (name: string, program: string) =>
		startProcess(name, process.execPath, ['-e', program]);

	/** Reports whether a process runs. A zombie, as in a container without init, does not. */
	function isRunning(pid: number) {
		try {
			process.kill(pid, 0);
			const isLinux = process.platform === 'linux';
			return !isLinux || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
		} catch {
			return false;
		}
	}

	test('end, with what they have started, when their owner is killed', async () => {
		writeFileSync(join(folder, 'endless.js'), endless);
		writeFileSync(
			join(folder, 'owner.js'),
			`const { startProcess } = require(${JSON.stringify(join(root, 'host/processes.ts'))});
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
		const managed = start('polite', onTerminate + endless);
		await managed.waitFor(/pid \d+/, 60_000);
		await managed.stop();
		expect(await managed.exited).toBe(3);
		expect(managed.output()).toContain('good bye');
	});

	test('are quoted when they end before they are ready, or are not ready in time', async () => {
		const broken = start('broken', 'console.error("no disk"); process.exit(7)');
		await expect(broken.waitFor(/ready/, 60_000)).rejects.toThrow(
			/broken ended \(exit code 7\).*no disk/s,
		);
		const slow = start('slow', endless);
		await slow.waitFor(/pid/, 60_000);
		await expect(slow.waitFor(/ready/, 100)).rejects.toThrow(
			/0\.1 s waiting until slow is ready\. It printed last:\npid \d+/,
		);
		await slow.stop();
	});
});

test('a port that is taken is named, with the option that chooses another', async () => {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	await expect(checkPort(port, 'n8n', 'Choose --port')).rejects.toThrow(
		`Port ${port}, wanted by n8n, is taken by another program. Choose --port, or end that program.`,
	);
	server.close();
	await once(server, 'close');
	await checkPort(port, 'n8n');
});

describe('setup.mjs', () => {
	const setup = join(root, 'host/setup.mjs');

	test('says which parts there are, and how a missing program is installed', () => {
		const misspelled = runNode(setup, ['tools', 'tolos']);
		expect(misspelled.exitCode).toBe(1);
		expect(misspelled.printed).toMatch(/"tolos".* The parts are: tools, host, sandbox, /);
		const missing = runNode(setup, ['tools', 'chromium'], { PATH: folder });
		expect(missing.exitCode).toBe(1);
		expect(missing.printed).toMatch(
			/^chromium is missing\. Install it \(on Debian and Ubuntu: sudo apt-get install -y chromium\)/,
		);
	});

	test('builds the SQLite driver of the version that n8n needs', () => {
		const versionIn = (part: string) => {
			const { packages } = JSON.parse(read(`host/installations/${part}/package-lock.json`)) as {
				packages: Record<string, { version: string }>;
			};
			return packages['node_modules/sqlite3'].version;
		};
		expect(versionIn('current')).toBe(versionIn('runtime'));
	});

	test('runs before every command that needs packages', () => {
		const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
		const { demo: _demo, prepublishOnly: _prepublishOnly, ...others } = scripts;
		for (const [name, command] of Object.entries(others))
			expect([name, command]).toEqual([name, expect.stringMatching(/^node host\/setup\.mjs /)]);
	});
});

test('the demo explains its options before anything is installed', () => {
	for (const file of ['demo/start.mjs', 'host/setup.mjs', 'host/programs.mjs']) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		copyFileSync(join(root, file), join(folder, file));
	}
	const { exitCode, printed } = runNode(join(folder, 'demo/start.mjs'), ['--help']);
	expect([exitCode, printed]).toEqual([0, expect.stringContaining('--sandbox-port')]);
});

describe('publishing', () => {
	const home = 'https://github.com/owner/n8n-nodes-payments';
	const actions = { GITHUB_REPOSITORY: 'owner/n8n-nodes-payments', GITHUB_REF_NAME: 'v1.0.0' };
	const manifest = {
		...{ name: 'n8n-nodes-payments', version: '1.0.0', files: ['dist'] },
		author: { name: 'Owner', email: 'maintainers@owner.test' },
		repository: { url: `${home}.git` },
	};
	const elsewhere = 'https://raw.githubusercontent.com/another/n8n-nodes-payments/main';

	test.each<[string, object, NodeJS.ProcessEnv, string, RegExp]>([
		['everything is set', {}, actions, home, /^$/],
		[
			'the author',
			{ author: { name: 'n8n-nodes-payments maintainers', email: 'a@b.example' } },
			actions,
			home,
			/author\.name.*\n.*author\.email/,
		],
		['the repository', { repository: { url: `${home}-2.git` } }, actions, home, /repository/],
		['a link', {}, actions, home.replace('owner', 'another'), /README\.md.* github\.com\/another/],
		['a link to a file', {}, actions, elsewhere, /README\.md links to raw/],
		['the tag', { version: '1.0.1' }, actions, home, /the tag is v1\.0\.0/],
		['a clone', {}, {}, home, /no workflow of GitHub/],
	])('check-publish.mjs: %s', (_, changes, env, link, refusal) => {
		writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, ...changes }));
		writeFileSync(join(folder, 'README.md'), `${link}/issues`);
		writeFileSync(join(folder, 'LICENSE'), 'Copyright (c) 2026 Owner');
		writeFileSync(join(folder, 'test.ts'), 'https://github.com/another/n8n-nodes-payments');
		const script = join(root, 'scripts/check-publish.mjs');
		const { exitCode, printed } = runNode(script, [], env);
		expect(printed).toMatch(refusal);
		expect(exitCode).toBe(printed === '' ? 0 : 1);
	});

	test('check-publish.mjs: the owner in LICENSE', () => {
		writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
		copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
		const { exitCode, printed } = runNode(join(root, 'scripts/check-publish.mjs'), [], actions);
		expect([exitCode, printed]).toEqual([1, expect.stringMatching(/^Not published: LICENSE/)]);
	});

	describe('set-version.mjs', () => {
		const script = join(root, 'scripts/set-version.mjs');
		const manifestOf = (version: string) =>
			JSON.stringify(
				{ name: 'n8n-nodes-payments', version, dependencies: { x: '1.0.0' } },
				null,
				1,
			);
		const files = (version: string) => ({
			'package.json': manifestOf(version),
			'package-lock.json': `${manifestOf(version)}\n${manifestOf(version)}`,
			'README.md': `npm install n8n-nodes-payments-${version}.tgz, with x 1.0.0 and n8n@1.0.0`,
			'agent.ts': `'n8n-nodes-payments/${version}'`,
			'compose.yaml': `n8n-payments:${version}`,
			'check.md': `npx ./n8n-payments-check-${version}.tgz`,
			'CHANGELOG.md': '## 1.0.0',
		});
		beforeEach(() => {
			for (const [name, text] of Object.entries(files('1.0.0')))
				writeFileSync(join(folder, name), text);
			for (const args of [
				['init', '-q'],
				['add', '.'],
			])
				spawnSync('git', args, { cwd: folder });
		});
		const contents = () =>
			Object.fromEntries(
				Object.keys(files('')).map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
			);

		test.each(['1.0.1', '2.0.0-rc.1'])('sets %s wherever the version stands', (version) => {
			expect(runNode(script, [version]).exitCode).toBe(0);
			expect(contents()).toEqual(files(version));
		});

		test.each(['', 'v1.1.0', '1.1', 'next'])('refuses %j', (version) => {
			const { exitCode, printed } = runNode(script, [version]);
			expect([exitCode, printed]).toEqual([1, expect.stringContaining("isn't a version")]);
			expect(contents()).toEqual(files('1.0.0'));
		});
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
