import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { freePort } from '../../host/freePort';
import { startProcess } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { nightlyTest } from '../support/nightly';

/* The commands of package.json that start an n8n for a person. */

const root = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'payments-demo-'));
let port: number;
let sandboxPort: number;
beforeAll(async () => {
	port = await freePort();
	sandboxPort = await freePort();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

/** Runs `npm run demo`; `ended` resolves with its exit code and everything that it printed. */
function startDemo(...args: string[]) {
	const ports = ['--port', String(port), '--sandbox-port', String(sandboxPort)];
	const child = spawn('npm', ['run', '--silent', 'demo', '--', ...args, ...ports], { cwd: root });
	let printed = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	const ended = once(child, 'close').then(([code]: number[]) => ({ code, printed }));
	return { child, ended };
}

const isUp = async (at: number) =>
	await axios.get(`http://127.0.0.1:${at}/`, { proxy: false, validateStatus: null }).then(
		() => true,
		() => false,
	);

test('shows the whole path, and ends well only when both sides count the same', async () => {
	const { code, printed } = await startDemo('--once').ended;
	const [line = printed, transactions, events, seconds] =
		/^demo: (\d+) transactions created, (\d+) events received, in (\d+) s$/m.exec(printed) ?? [];
	console.log(line);
	expect({ code, transactions, events }).toEqual({ code: 0, transactions: '4', events: '12' });
	expect(Number(seconds)).toBeLessThan(120);
	expect(printed).toMatch(/INV-2026-0103 +1200\.00 +GBP +FPS +GB to DK +.*COMPLETED/);
	expect([await isUp(port), await isUp(sandboxPort)]).toEqual([false, false]);
});

// At night: each starts n8n, and only the demo can break it.
nightlyTest('--keep goes on with what the demo has made before', async () => {
	const run = async () => await startDemo('--once', '--keep', folder).ended;
	const [first, second] = [await run(), await run()];
	expect([first.code, second.code]).toEqual([0, 0]);
	expect(second.printed).not.toContain('creating credentials');
});

nightlyTest('Ctrl-C in the middle of the start leaves nothing behind', async () => {
	const demo = startDemo();
	await waitUntil('the sandbox is up', async () => await isUp(sandboxPort));
	demo.child.kill('SIGINT');
	expect((await demo.ended).code).not.toBe(0);
	expect([await isUp(port), await isUp(sandboxPort)]).toEqual([false, false]);
});

// At night: it breaks only when n8n's own reloading changes.
nightlyTest('npm run dev: n8n reloads the nodes after a change', async () => {
	const options = ['--port', String(port), '--user-folder', join(folder, 'dev')];
	const dev = startProcess('dev', 'npm', ['run', '--silent', 'dev', '--', ...options], {
		cwd: root,
	});
	try {
		await dev.waitFor(/Sign in:/, 180_000);
		// Again and again, because n8n begins to watch only a moment after it answers.
		const hasReloaded = () => {
			utimesSync(join(root, 'icons/payments.svg'), new Date(), new Date());
			return dev.output().includes('Hot reload triggered for n8n-nodes-payments');
		};
		await waitUntil('n8n has reloaded the nodes', hasReloaded, { intervalMs: 2000 });
		expect(dev.output()).not.toMatch(/Hot reload failed/);
	} finally {
		await dev.stop();
	}
});
