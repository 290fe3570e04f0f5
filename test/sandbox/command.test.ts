import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { SANDBOX_COMMAND } from '../../host/sandbox';
import { waitUntil } from '../../host/waitUntil';
import { eventTypes } from '../../sandbox/deliveries/eventCatalog';
import { transaction } from '../support/builders/transactions';
import { askToken, sendTransaction } from '../support/servers/sandboxCalls';
import { runSandboxCommand, startSandboxHere } from '../support/servers/sandboxCommand';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';
import { startWebhookReceiver, type WebhookReceiver } from '../support/servers/webhookReceiver';

const folder = mkdtempSync(join(tmpdir(), 'sandbox-command-'));
const write = (name: string, content: string) => {
	writeFileSync(join(folder, name), content);
	return join(folder, name);
};
let sandbox: SharedSandbox;
let receiver: WebhookReceiver;
beforeAll(async () => {
	[sandbox, receiver] = await Promise.all([sharedSandbox(), startWebhookReceiver()]);
});
afterAll(async () => {
	await receiver.stop();
	rmSync(folder, { recursive: true });
});
beforeEach(async () => await sandbox.client.reset({ everything: true }));

describe('the command', () => {
	it('explains its options and commands', async () => {
		const [code, text] = await runSandboxCommand('--help');
		expect([code, await runSandboxCommand('trigger', '--help')]).toEqual([0, [0, text]]);
		for (const word of [
			'--port',
			'--host',
			'--config',
			'--like',
			'--records-only',
			'--keep',
			'trigger',
			'listen',
		])
			expect(text).toContain(word);
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
		[['replay'], '"npm run sandbox -- --help" lists'],
		[['--port', 'http'], '--port takes a whole number from 0 to 65535, not "http".'],
		[['--config', '/nowhere/at/all.yaml'], "it doesn't exist"],
		[['--config', write('broken.yaml', 'clients: [')], "broken.yaml of --config can't be read"],
		[
			['--config', write('odd.yaml', 'endpoints: [{ url: "ftp://x", events: [] }]')],
			'endpoints.0.url',
		],
		[['--like', write('old.json', '{"check": 2}')], 'check:service" again'],
		[
			[
				'--like',
				write('empty.json', '{"check":1,"service":"s","checkedAt":"","behavior":{"answers":{}}}'),
			],
			'has no answers to play. Run',
		],
		[['--keep', write('odd.state', 'x')], "odd.state of --keep can't be used"],
		[['--keep', '/nowhere/at/all'], 'Name another one'],
		[['trigger'], 'trigger PAYMENT.STATUS_UPDATED'],
		[['trigger', 'X', '--url', 'localhost'], '--url takes the address of a sandbox'],
		[['trigger', 'X', '--url', 'http://127.0.0.1:9'], 'No sandbox responds at http://127.0.0.1:9'],
		[['listen'], 'listen --forward-to'],
	])('explains what is wrong with %j', async (args, sentence) => {
		expect(await runSandboxCommand(...args)).toEqual([1, expect.stringContaining(sentence)]);
	});

	it('makes one demo client, says its secret once, and warns when it is open to the network', async () => {
		const { url, output, stop } = await startSandboxHere('--host', '0.0.0.0');
		const [, clientId, clientSecret] = /client ID (\S+), client secret (\S+)/.exec(output) ?? [];
		const { status } = await askToken(url, { clientId, clientSecret });
		await stop();
		expect([status, output]).toEqual([
			200,
			expect.stringContaining('Warning: the sandbox listens on 0.0.0.0.'),
		]);
	});

	it('only records, if that is asked for', async () => {
		const { client, stop } = await startSandboxHere('--records-only');
		const { recordsOnly } = await client.getFaults();
		await stop();
		expect(recordsOnly).toBe(true);
	});

	it('keeps everything in a file, and goes on with it', async () => {
		const keep = ['--keep', join(folder, 'kept')];
		const first = await startSandboxHere(...keep);
		const client = await first.client.createClient();
		const token = (await askToken(first.url, client)).data.access_token;
		const events = ['PAYEE.CREATED'];
		const endpoint = await first.client.createEndpoint({ url: 'http://127.0.0.1:9/', events });
		await first.client.setFaults({ processingMs: 60_000, idempotencyKeys: false });
		const send = async (url: string, id: number, reference: string) =>
			(await sendTransaction(url, token, { ...transaction(id), reference })).status;
		expect(await send(first.url, 1, 'Invoice 1')).toBe(202);
		expect(await send(first.url, 2, 'TEST_IN_PROGRESS')).toBe(409);
		await first.client.emitEvent({ event: 'PAYEE.CREATED' });
		const isTried = async () => (await first.client.getCounts()).deliveries.attempts === 1;
		await waitUntil('the event was sent in vain', isTried);
		const before = await first.client.getCounts();
		await first.stop();

		const { url, client: again, output, stop } = await startSandboxHere(...keep);
		expect(output).not.toContain('client ID');
		const { transactions, ...others } = before;
		const recorded = { ...transactions, created: 2 }; // What was in progress is.
		expect(await again.getCounts()).toEqual({ ...others, transactions: recorded });
		expect(await send(url, 1, 'Invoice 1')).toBe(409);
		expect(await again.revealSecret(endpoint.id)).toEqual({ secret: endpoint.secret });
		expect((await again.listDeliveries()).items).toMatchObject([{ status: 'RETRYING' }]);
		await again.setFaults({ processingMs: 0, retries: { attempts: 2, intervalMs: 0 } });
		expect((await again.idle()).deliveries).toMatchObject({ attempts: 2, failed: 1 });
		const statuses = (await again.listPayments()).items.map(({ status }) => status);
		await stop();
		expect(statuses).toEqual(['COMPLETED', 'COMPLETED']);
	});

	it('starts from a config file, and shows only the secrets that it has made', async () => {
		const config = write(
			'config.yaml',
			`
clients: [{ name: Known, clientId: known, clientSecret: known-secret }, { name: New }]
endpoints: [{ url: 'http://127.0.0.1:9/', events: ['*'], secret: endpoint-secret }]
faults: { processingMs: 5 }
`,
		);
		const { url, client, output, stop } = await startSandboxHere('--config', config);
		const known = { clientId: 'known', clientSecret: 'known-secret' };
		const [endpoint] = await client.listEndpoints();
		const seen = {
			token: (await askToken(url, known)).status,
			secret: await client.revealSecret(endpoint.id),
			processingMs: (await client.getFaults()).processingMs,
		};
		await stop();
		expect(seen).toMatchObject({
			token: 200,
			secret: { secret: 'endpoint-secret' },
			processingMs: 5,
		});
		expect(output).toMatch(/New: client ID/);
		expect(output).not.toContain('known-secret');
	});
});

describe('a command for a running sandbox', () => {
	it('trigger sends an event, changed as --set says, and warns of an unknown type', async () => {
		await sandbox.client.createEndpoint({ url: receiver.url, events: ['*'] });
		const run = async (...args: string[]) =>
			await runSandboxCommand('trigger', ...args, '--url', sandbox.url);
		const [, known] = await run('PAYMENT.STATUS_UPDATED', '--set', 'metadata.externalId=7');
		expect(known).toMatch(/^PAYMENT\.STATUS_UPDATED evt_\w+\n {2}dlv_\w+ to \S+: DELIVERED, 200$/);
		expect(JSON.parse(receiver.received.at(-1)!.body)).toMatchObject({
			data: { metadata: { externalId: '7' } },
		});
		expect((await run('X', '--set', 'a..b=1'))[1]).toContain('--set takes a path and a value');
		const [code, text] = await run('PAYEE.RENAMED');
		expect([code, text]).toEqual([0, expect.stringMatching(/PAYEE\.RENAMED evt_\w+/)]);
		for (const event of eventTypes) expect(text).toContain(event);
	});

	it('listen forwards deliveries as they are, until it ends', async () => {
		const [program, ...args] = SANDBOX_COMMAND;
		const target = `${receiver.url}forwarded`;
		const child = spawn(program, [
			...args,
			...['listen', '--url', sandbox.url, '--forward-to', target],
			...['--events', 'PAYEE.CREATED', '--secret', 'a-known-secret'],
		]);
		const [endpoint] = await waitUntil('it listens', async () => {
			const endpoints = await sandbox.client.listEndpoints();
			return endpoints.length > 0 && endpoints;
		});
		const { deliveries } = await sandbox.client.emitEvent({ event: 'PAYEE.CREATED' });
		await sandbox.client.idle();
		const { body, attempts } = await sandbox.client.getDelivery(deliveries[0]);
		const forwarded = receiver.received.at(-1)!;
		expect([forwarded.body, forwarded.headers.signature]).toEqual([
			body,
			attempts[0].requestHeaders.signature,
		]);
		expect(await sandbox.client.revealSecret(endpoint.id)).toEqual({ secret: 'a-known-secret' });
		child.kill('SIGINT');
		await waitUntil(
			'its endpoint is gone',
			async () => (await sandbox.client.listEndpoints()).length === 0,
		);
	});
});
