import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../host/freePort';
import { stableVersions } from '../../host/n8nVersions.mjs';
import { TYPESCRIPT, checkPort, startProcess } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { read, shippedSources } from '../support/sourceTexts';

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

/** Evaluates code that may import from `module`, a file in host/. */
const evaluate = (module: string, code: (path: string) => string) =>
	runNode(['--input-type=module', '--eval', code(JSON.stringify(join(host, module)))]);

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
			child.waitFor(/pid (\\d+)\\s/, 20000).then(([, pid]) => console.log(pid));`,
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
		await managed.waitFor(/pid \d+/, 20_000);
		await managed.stop();
		expect(await managed.exited).toBe(3);
		expect(managed.output()).toContain('good bye');
	});

	test('are quoted when they end before they are ready', async () => {
		const fail = 'console.error("no disk"); process.exit(7)';
		const managed = startProcess('broken', process.execPath, ['-e', fail]);
		await expect(managed.waitFor(/ready/, 20_000)).rejects.toThrow(
			/broken ended \(exit code 7\).*no disk/s,
		);
	});

	test('are quoted when they are not ready in time', async () => {
		const managed = startProcess('slow', process.execPath, ['-e', endless]);
		await managed.waitFor(/pid/, 20_000);
		await expect(managed.waitFor(/ready/, 100)).rejects.toThrow(
			/slow was not ready after 0\.1 s\. It printed last:\npid \d+/,
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

describe('what counts as installed', () => {
	const lockFile = (leftVersion: string) => ({
		packages: {
			'': { version: '1.0.0' },
			'node_modules/left': { version: leftVersion },
			'node_modules/mac-only': { version: '2.0.0', optional: true },
		},
	});
	const onlyLeft = { packages: { 'node_modules/left': { version: '1.2.3' } } };

	test.each([
		{ name: 'nothing', installed: undefined, expected: false },
		{ name: 'everything but a package of another platform', installed: onlyLeft, expected: true },
		{ name: 'another version', installed: lockFile('1.2.4'), expected: false },
		{ name: 'a package too few', installed: { packages: {} }, expected: false },
		{ name: 'half of a file', installed: '{"packages": {', expected: false },
		{ name: 'a deleted package', installed: onlyLeft, deleted: true, expected: false },
	])('$name', ({ installed, deleted, expected }) => {
		const nodeModules = join(folder, 'node_modules');
		mkdirSync(deleted ? nodeModules : join(nodeModules, 'left'), { recursive: true });
		writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lockFile('1.2.3')));
		if (installed) {
			const text = typeof installed === 'string' ? installed : JSON.stringify(installed);
			writeFileSync(join(nodeModules, '.package-lock.json'), text);
		}
		const { printed } = evaluate(
			'install.mjs',
			(path) =>
				`import { isInstalled } from ${path}; console.log(isInstalled(${JSON.stringify(folder)}));`,
		);
		expect(printed).toBe(String(expected));
	});

	test('too little disk space is reported before anything is installed', () => {
		const installation = { folder, label: 'a test of space', bytes: 1e18 };
		const { printed } = evaluate(
			'install.mjs',
			(path) => `import { checkDiskSpace } from ${path};
			try { checkDiskSpace([${JSON.stringify(installation)}]); } catch ({ message }) { console.log(message); }`,
		);
		expect(printed).toMatch(
			/^There is not enough disk space to install a test of space: 1000000000\.0 GB are needed in .* are free\. Free some space and start again\.$/,
		);
	});
});

describe('setup.mjs', () => {
	test('lists its parts when it gets none, or one that it does not know', () => {
		const parts = 'The parts are: tools, host, n8n, ';
		const nothing = runSetup([]);
		const unknown = runSetup(['tools', 'tolos']);
		expect(nothing).toEqual({
			exitCode: 1,
			printed: expect.stringContaining(`Name a part. ${parts}`) as string,
		});
		expect(unknown).toEqual({
			exitCode: 1,
			printed: expect.stringContaining(`There is no part tolos. ${parts}`) as string,
		});
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

describe('the stable versions of n8n', () => {
	const versions = [
		'1.9.0',
		'1.10.0',
		'2.0.0-rc.1',
		'2.9.3',
		'2.10.1',
		'2.10.0',
		'2.11.0',
		'3.0.0',
	];

	test.each<{ tags: Record<string, string>; newest: string[] }>([
		{ tags: { latest: '3.0.0' }, newest: ['3.0.0', '2.11.0', '2.10.1', '2.10.0', '2.9.3'] },
		{ tags: { latest: '2.10.1', next: '3.0.0' }, newest: ['2.10.1', '2.10.0', '2.9.3'] },
		{ tags: { latest: '3.0.0', stable: '2.10.0' }, newest: ['2.10.0', '2.9.3'] },
	])('with $tags: no prerelease, no beta, in the order of numbers', ({ tags, newest }) => {
		expect(stableVersions(versions, tags)).toEqual([...newest, '1.10.0', '1.9.0']);
	});
});

test('every command that needs packages sets them up first', () => {
	const packageJson = readFileSync(join(root, 'package.json'), 'utf8');
	const { scripts: commands } = JSON.parse(packageJson) as { scripts: Record<string, string> };
	const others = Object.entries(commands).filter(
		([, command]) => !command.startsWith('node host/setup.mjs '),
	);
	expect(others).toEqual([]);
});

test('no line of what ships begins with blanks, which the build would take for indentation', () => {
	expect(shippedSources.filter((path) => /^ {4}/m.test(read(path)))).toEqual([]);
});
