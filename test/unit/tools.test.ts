import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPort, freePort, startProcess } from '../../scripts/processes';
import { until } from '../support/until';

const tools = join(__dirname, '..', '..', 'scripts');
let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'payments-tools-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a module of tools/ in a Node of its own, as a fresh clone does; resolves with exit code and what was printed. */
async function node(args: string[], env: NodeJS.ProcessEnv = {}) {
	return await new Promise<{ code: number; printed: string }>((resolve) =>
		execFile(
			process.execPath,
			args,
			{ env: { PATH: process.env.PATH, ...env } },
			(error, stdout, stderr) =>
				resolve({ code: (error?.code as number | undefined) ?? 0, printed: stdout + stderr }),
		),
	);
}

/** Whether a process runs; one that has ended and that nobody has asked about yet, as in a container without init, does not. */
const isRunning = (pid: number) => {
	try {
		process.kill(pid, 0);
		return process.platform !== 'linux' || !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
	} catch {
		return false;
	}
};

describe('the leash', () => {
	const endless = 'console.log(`pid ${process.pid}`); setInterval(() => {}, 1000)';

	test('ends a process, and what it started, when its owner is killed', async () => {
		const owner = spawn(process.execPath, [
			'--require',
			'tsx/cjs',
			'--eval',
			`const { startProcess } = require(${JSON.stringify(join(tools, 'processes.ts'))});
			startProcess('x', process.execPath, ['-e', \`${endless.replaceAll('`', '\\`').replaceAll('$', '\\$')}\`]).waitFor(/pid (\\d+)\\s/, 20000).then(([, pid]) => console.log(pid));`,
		]);
		try {
			const pid = Number(String((await once(owner.stdout, 'data'))[0]));
			expect(isRunning(pid)).toBe(true);
			owner.kill('SIGKILL');
			await until('the process is gone', () => !isRunning(pid));
		} finally {
			owner.kill('SIGKILL');
		}
	});

	test('lets a process end in good order, and keeps what it printed', async () => {
		const managed = startProcess('polite', process.execPath, [
			'-e',
			`process.on('SIGTERM', () => { console.log('good bye'); process.exit(3); }); ${endless}`,
		]);
		await managed.waitFor(/pid \d+/, 20_000);
		await managed.stop();
		expect(await managed.exited).toBe(3);
		expect(managed.output()).toContain('good bye');
	});

	test('says what a process printed last when it ends before it is ready', async () => {
		const managed = startProcess('broken', process.execPath, [
			'-e',
			'console.error("no disk"); process.exit(7)',
		]);
		await expect(managed.waitFor(/ready/, 20_000)).rejects.toThrow(
			/broken ended \(exit code 7\).*no disk/s,
		);
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
	const packages = (left: string) => ({
		packages: {
			'': { version: '1.0.0' },
			'node_modules/left': { version: left },
			'node_modules/mac-only': { version: '2.0.0', optional: true },
		},
	});
	const cases: Array<[string, object | string | undefined, boolean]> = [
		['nothing', undefined, false],
		[
			'what the lock file says, but for a package of another platform',
			{ packages: { 'node_modules/left': { version: '1.2.3' } } },
			true,
		],
		['another version', packages('1.2.4'), false],
		['a package too few', { packages: {} }, false],
		['half of a file', '{"packages": {', false],
	];
	test.each(cases)('%s', async (_, installed, expected) => {
		mkdirSync(join(folder, 'node_modules'));
		writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(packages('1.2.3')));
		if (installed)
			writeFileSync(
				join(folder, 'node_modules', '.package-lock.json'),
				typeof installed === 'string' ? installed : JSON.stringify(installed),
			);
		const { printed } = await node([
			'--input-type=module',
			'--eval',
			`import { isInstalled } from ${JSON.stringify(join(tools, 'install.mjs'))}; console.log(isInstalled(${JSON.stringify(folder)}));`,
		]);
		expect(printed.trim()).toBe(String(expected));
	});

	test('too little disk space is said before anything is begun', async () => {
		writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(packages('1.2.3')));
		const { printed } = await node([
			'--input-type=module',
			'--eval',
			`import { ensureInstalled } from ${JSON.stringify(join(tools, 'install.mjs'))}; await ensureInstalled(${JSON.stringify(folder)}, 'a test of space', 1e18).catch(({ message }) => console.log(message));`,
		]);
		expect(printed).toMatch(
			/^There is not enough disk space to install a test of space: 1000000000\.0 GB are needed in .* are free\. Free some space and start again\.\n$/,
		);
	});
});

describe('run.mjs', () => {
	test('names its tasks when it gets none, or one that it does not know', async () => {
		for (const args of [[], ['tset']]) {
			const { code, printed } = await node([join(tools, 'run.mjs'), ...args]);
			expect(code).toBe(1);
			expect(printed).toMatch(
				/^(Name a task|There is no task tset)\. The tasks are:\n  build .*\n  demo /,
			);
		}
	});

	test('says how a missing program is installed', async () => {
		const { code, printed } = await node([join(tools, 'run.mjs'), 'test:e2e'], { PATH: folder });
		expect(code).toBe(1);
		expect(printed).toMatch(
			/^chromium is missing\. Install it \(on Debian and Ubuntu: sudo apt-get install -y chromium\)/,
		);
	});
});
