import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import axios from 'axios';
import { freePort } from '../../host/freePort';
import { waitUntil } from '../../host/waitUntil';
import { nightlyTest } from '../support/nightly';

const root = join(__dirname, '..', '..');

/** Runs `npm run demo`; `ended` resolves with its exit code and everything that it printed. */
function startDemo(...args: string[]) {
	const child = spawn('npm', ['run', '--silent', 'demo', '--', ...args], {
		cwd: root,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr])
		stream.on('data', (chunk: Buffer) => (printed += chunk.toString()));
	const ended = once(child, 'close').then(([code]: number[]) => ({ code, printed }));
	const says = async (words: RegExp) => {
		while (!words.test(printed))
			await Promise.race([
				once(child.stdout, 'data'),
				ended.then(({ code }) => Promise.reject(new Error(`ended with ${code}: ${printed}`))),
			]);
	};
	return { child, ended, says };
}

const isUp = async (port: number) =>
	await axios.get(`http://127.0.0.1:${port}/`, { proxy: false, validateStatus: null }).then(
		() => true,
		() => false,
	);

test('shows the whole path, and ends well only when both sides count the same', async () => {
	const [port, sandboxPort] = [await freePort(), await freePort()];
	const { code, printed } = await startDemo(
		'--once',
		'--port',
		String(port),
		'--sandbox-port',
		String(sandboxPort),
	).ended;
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
	const folder = mkdtempSync(join(tmpdir(), 'payments-demo-'));
	const ports = ['--port', String(await freePort()), '--sandbox-port', String(await freePort())];
	const run = async () => await startDemo('--once', '--keep', folder, ...ports).ended;
	const [first, second] = [await run(), await run()];
	rmSync(folder, { recursive: true });
	expect([first.code, second.code]).toEqual([0, 0]);
	const editorOf = ({ printed }: typeof first) => /^Editor: .*$/m.exec(printed)?.[0];
	expect(editorOf(second)).toBe(editorOf(first));
	expect(second.printed).not.toContain('creating credentials');
});

nightlyTest.each(['SIGINT', 'SIGTERM'] as const)(
	'%s in the middle of the start leaves nothing behind',
	async (signal) => {
		const [port, sandboxPort] = [await freePort(), await freePort()];
		const demo = startDemo('--port', String(port), '--sandbox-port', String(sandboxPort));
		await demo.says(/starting n8n/);
		await waitUntil('the sandbox is up', async () => await isUp(sandboxPort));
		demo.child.kill(signal);
		expect((await demo.ended).code).not.toBe(0);
		expect([await isUp(port), await isUp(sandboxPort)]).toEqual([false, false]);
	},
);
