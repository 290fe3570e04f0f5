import { mkdtempSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../host/freePort';
import { startProcess } from '../../host/processes';
import { waitUntil } from '../../host/waitUntil';
import { nightlyTest } from '../support/nightly';

const root = join(__dirname, '..', '..');
const userFolder = mkdtempSync(join(tmpdir(), 'payments-dev-'));
afterAll(() => {
	rmSync(userFolder, { recursive: true, force: true, maxRetries: 5 });
});

// At night: it starts another n8n, and breaks only when n8n's own reloading changes.
nightlyTest('npm run dev: n8n reloads the nodes after a change', async () => {
	const port = String(await freePort());
	const options = ['--port', port, '--user-folder', userFolder];
	const dev = startProcess('dev', 'npm', ['run', '--silent', 'dev', '--', ...options], {
		cwd: root,
	});
	try {
		await dev.waitFor(/Sign in:/, 180_000);
		// Again and again, because n8n begins to watch only a moment after it answers.
		const change = () => utimesSync(join(root, 'icons/payments.svg'), new Date(), new Date());
		const hasReloaded = () => {
			change();
			return dev.output().includes('Hot reload triggered for n8n-nodes-payments');
		};
		await waitUntil('n8n has reloaded the nodes', hasReloaded, { intervalMs: 2000 });
		expect(dev.output()).not.toMatch(/Hot reload failed/);
	} finally {
		await dev.stop();
	}
});
