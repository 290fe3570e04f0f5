import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { waitUntil } from '../../host/waitUntil';
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
		for (const word of ['--port', '--host', '--records-only', '--keep'])
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
		[['--keep', write('odd.state', 'x')], "odd.state of --keep can't be used"],
		[['--keep', '/nowhere/at/all'], 'Name another one'],
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
});
