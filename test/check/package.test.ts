import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startSandboxHere } from '../support/servers/sandboxCommand';

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'check-package-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** No registry, and nothing that was downloaded before. */
const OFFLINE = {
	npm_config_cache: join(folder, 'cache'),
	npm_config_registry: 'http://127.0.0.1:9',
	npm_config_offline: 'true',
};

it('runs with npx in an empty folder, offline', async () => {
	const packed = await run('npm', ['pack', '--json', '--pack-destination', folder], {
		cwd: join(__dirname, '../../check'),
		// Whoever runs the tests may have turned scripts off, and one builds the bundle.
		env: { ...process.env, npm_config_ignore_scripts: 'false' },
	});
	const [{ filename, files }] = JSON.parse(packed.stdout) as Array<{
		filename: string;
		files: Array<{ path: string }>;
	}>;
	expect(files.map(({ path }) => path).sort()).toEqual([
		'README.md',
		'dist/check.js',
		'package.json',
	]);

	const empty = join(folder, 'empty');
	mkdirSync(empty);
	const sandbox = await startSandboxHere();
	try {
		const { clientId, clientSecret } = await sandbox.client.createClient();
		const options = [
			...['--auth-url', sandbox.url, '--base-url', sandbox.url, '--client-id', clientId],
			...['--secret-env', 'CLIENT_SECRET', '--host', '127.0.0.1', '--wait', '0'],
			...['--sender', 'mill,mill-account,BE', '--recipient', 'bakery,bakery-account,BE'],
		];
		const env = { ...process.env, ...OFFLINE, CLIENT_SECRET: clientSecret };
		const { stdout } = await run('npx', ['--yes', `../${filename}`, ...options], {
			cwd: empty,
			env,
		});
		const verdict = /It fits\.\nWhat to know:\n[^]*the service reads it/;
		expect(stdout).toMatch(verdict);
		expect(readFileSync(join(empty, 'service.md'), 'utf8')).toMatch(verdict);
	} finally {
		await sandbox.stop();
	}
});
