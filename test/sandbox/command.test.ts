import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AddressInfo } from 'node:net';

import { launchSandbox } from '../../host/sandbox';
import { waitUntil } from '../../host/waitUntil';
import { CliError } from '../../sandbox/cli/cliError';
import { applyConfig, loadFrom } from '../../sandbox/cli/files';
import { readOptions } from '../../sandbox/cli/options';
import { SandboxState } from '../../sandbox/state/sandboxState';
import { transaction } from '../support/builders/transactions';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import { runSandboxCommand, startSandboxHere } from '../support/servers/sandboxCommand';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-command-'));
const write = (name: string, content: string) => {
	writeFileSync(join(folder, name), content);
	return join(folder, name);
};
afterAll(() => rmSync(folder, { recursive: true }));

describe('the command', () => {
	it('explains its options', async () => {
		const [code, text] = await runSandboxCommand('--help');
		expect(code).toBe(0);
		for (const option of ['--port', '--host', '--seed', '--config', '--load', '--save'])
			expect(text).toContain(option);
	});

	it('says which port is taken and how to choose another', async () => {
		const blocker = createServer().listen(0, '127.0.0.1');
		await new Promise((resolve) => blocker.once('listening', resolve));
		const { port } = blocker.address() as AddressInfo;
		const [code, text] = await runSandboxCommand('--port', String(port));
		blocker.close();
		expect([code, text]).toEqual([
			1,
			`Port ${port} is in use by another process. Choose another port, for example: npm run sandbox -- --port 8480`,
		]);
	});

	it.each([
		[['--color', 'red'], "Unknown option '--color'"],
		[['--port', 'http'], '--port takes a whole number from 0 to 65535, not "http".'],
		[['--seed', '-1'], '--seed'],
	])('explains what is wrong with %j', (args, sentence) => {
		const read = () => readOptions(args);
		expect(read).toThrow(CliError);
		expect(read).toThrow(sentence);
	});

	it.each([
		['/nowhere/at/all.yaml', applyConfig, "it doesn't exist"],
		[write('broken.yaml', 'clients: ['), applyConfig, "broken.yaml of --config can't be read"],
		[
			write('odd.yaml', 'endpoints: [{ url: "ftp://x", events: [] }]'),
			applyConfig,
			'endpoints.0.url',
		],
		[write('other.json', '{"sandbox": 2}'), loadFrom, "doesn't match the schema State"],
	])('explains what is wrong with %s', (file, read, sentence) => {
		const start = () => read(new SandboxState(1), file);
		expect(start).toThrow(CliError);
		expect(start).toThrow(sentence);
	});

	it('makes one demo client, says its secret once, and warns when it is open to the network', async () => {
		const sandbox = await startSandboxHere('--host', '0.0.0.0');
		const [, clientId, clientSecret] =
			/client ID (\S+), client secret (\S+)/.exec(sandbox.output) ?? [];
		expect((await askToken(sandbox.url, { clientId, clientSecret })).status).toBe(200);
		expect(sandbox.output).toContain('Warning: the sandbox listens on 0.0.0.0.');
		await sandbox.stop();
	});

	it('starts from a config file, keeps its state in a file, and goes on from there', async () => {
		const config = write(
			'config.yaml',
			`
clients: [{ name: Known, clientId: known, clientSecret: known-secret }, { name: New }]
endpoints: [{ url: 'http://127.0.0.1:9/', events: ['*'], secret: endpoint-secret }]
virtualAccounts: [{ label: Shop }]
faults: { processingMs: 5 }
`,
		);
		const kept = join(folder, 'state.json');
		const known = { clientId: 'known', clientSecret: 'known-secret' };
		const first = await launchSandbox({ args: ['--config', config, '--save', kept] });
		expect(first.process.output()).toMatch(/New: client ID/);
		expect(first.process.output()).not.toContain('known-secret');
		const [endpoint] = await first.client.listEndpoints();
		expect(await first.client.revealSecret(endpoint.id)).toEqual({ secret: 'endpoint-secret' });
		const { access_token } = (await askToken(first.url, known)).data;
		await sendTransaction(first.url, access_token, transaction(1));
		await waitUntil(
			'all is processed',
			async () => (await first.client.getCounts()).transactions.processing === 0,
		);
		await first.stop();
		expect(readFileSync(kept, 'utf8')).not.toContain('known-secret');

		const second = await startSandboxHere('--load', kept);
		const again = (await askToken(second.url, known)).data.access_token;
		expect((await sendTransaction(second.url, again, transaction(1))).status).toBe(409);
		expect((await second.client.listPayments()).items).toMatchObject([{ status: 'COMPLETED' }]);
		expect((await second.client.listVirtualAccounts()).items).toMatchObject([{ label: 'Shop' }]);
		expect(await second.client.listEndpoints()).toEqual([endpoint]);
		expect((await second.client.getFaults()).processingMs).toBe(5);
		await second.stop();
	});
});
