import type { FaultName, Faults } from '../../sandbox/types';
import { waitUntil } from '../../host/waitUntil';
import { transaction } from '../support/builders/transactions';
import { askToken, sendTransaction, type Credentials } from '../support/servers/sandboxCalls';
import { sharedSandbox, type SharedSandbox } from '../support/servers/sharedSandbox';

let sandbox: SharedSandbox;
let credentials: Credentials;
let token: string;

const send = async (id: string | number, timeoutMs?: number) =>
	await sendTransaction(sandbox.url, token, transaction(id), { timeoutMs });
const created = async () => (await sandbox.client.getCounts()).transactions.created;

beforeAll(async () => {
	sandbox = await sharedSandbox();
	credentials = await sandbox.client.createClient();
});
beforeEach(async () => {
	await sandbox.client.reset();
	token = (await askToken(sandbox.url, credentials)).data.access_token;
});

describe('the next request', () => {
	it.each<[FaultName, boolean, string]>([
		['reset', false, 'ECONNRESET'],
		['reset', true, 'ECONNRESET'],
		['hang', true, 'ECONNABORTED'],
		['html', false, '200 text/html'],
	])(
		'meets the fault %s once, processed: %p. The caller sees %s',
		async (fault, processed, seen) => {
			await sandbox.client.setFaults({ next: [{ fault, processed }] });
			const outcome = await send(1, fault === 'hang' ? 300 : undefined).then(
				({ status, headers }) => `${status} ${String(headers['content-type']).split(';')[0]}`,
				(error: NodeJS.ErrnoException) => error.code,
			);
			expect(outcome).toBe(seen);
			expect((await send(1)).status).toBe(processed ? 409 : 202);
		},
	);

	it('gets exactly the answer that was asked for', async () => {
		await sandbox.client.setFaults({
			next: [
				{
					status: 418,
					body: { errorCode: 'TEAPOT', message: 'Short and stout' },
					headers: { 'x-request-id': '7' },
				},
				{ status: 502, body: '<html>Bad Gateway</html>', headers: { 'content-type': 'text/html' } },
				{ status: 504, processed: true },
			],
		});
		const [teapot, gateway, late] = [await send(1), await send(2), await send(3)];
		expect([teapot.status, teapot.data, teapot.headers['x-request-id']]).toEqual([
			418,
			{ errorCode: 'TEAPOT', message: 'Short and stout' },
			'7',
		]);
		expect([gateway.status, gateway.data, gateway.headers['content-type']]).toEqual([
			502,
			'<html>Bad Gateway</html>',
			'text/html',
		]);
		expect([late.status, late.data.errorCode, await created()]).toEqual([
			504,
			'GATEWAY_TIMEOUT',
			1,
		]);
		expect((await send(4)).status).toBe(202);
	});
});

test('a change of some faults leaves all others as they are, their parts included', async () => {
	await sandbox.client.setFaults({
		processingMs: 5,
		deliveries: { doubled: 0.1, shuffleMs: 7 },
		retries: { attempts: 3, intervalMs: 9 },
	});
	const before = await sandbox.client.getFaults();
	await sandbox.client.changeFaults({ deliveries: { doubled: 0.2 }, retries: { attempts: 4 } });
	expect(await sandbox.client.getFaults()).toEqual({
		...before,
		deliveries: { ...before.deliveries, doubled: 0.2 },
		retries: { attempts: 4, intervalMs: 9 },
	});
});

test('a service that only records makes no payment, until somebody says otherwise', async () => {
	await sandbox.client.changeFaults({ recordsOnly: true });
	await sandbox.client.setFaults({});
	await sandbox.client.reset();
	expect((await send(1)).status).toBe(202);
	expect((await send(1)).status).toBe(409);
	const { transactions, events } = await sandbox.client.idle();
	expect([transactions.created, events.emitted]).toEqual([1, 0]);
	expect((await sandbox.client.listPayments()).total).toBe(0);
	expect((await sandbox.client.listTransactions()).items).toMatchObject([{ status: 'ACCEPTED' }]);
	await sandbox.client.changeFaults({ recordsOnly: false });
	await send(2);
	await sandbox.client.idle();
	expect((await sandbox.client.listPayments()).total).toBe(1);
});

describe('tokens', () => {
	it('are revoked once when that is asked for', async () => {
		expect((await send(1)).status).toBe(202);
		await sandbox.client.changeFaults({ revokeTokens: true });
		expect((await send(2)).status).toBe(401);
		expect((await sandbox.client.getFaults()).revokeTokens).toBe(false);
	});

	it('are revoked each time so many transactions were created', async () => {
		await sandbox.client.setFaults({ revokeTokens: { every: 3 } });
		const statuses: number[] = [];
		for (let id = 0; id < 5; id++) statuses.push((await send(id)).status);
		expect(statuses).toEqual([202, 202, 202, 401, 401]);
		token = (await askToken(sandbox.url, credentials)).data.access_token;
		expect((await send(3)).status).toBe(202);
	});

	it.each([
		[{ status: 503 }, 503, { error: 'server_error' }],
		[
			{ status: 400, body: { error: 'invalid_scope', error_description: 'No.' } },
			400,
			{ error: 'invalid_scope', error_description: 'No.' },
		],
		[{ fault: 'html' as const }, 200, expect.stringContaining('<html>')],
	])('are rejected with %j until that is taken back', async (fault, status, data) => {
		await sandbox.client.setFaults({ token: fault });
		for (let time = 0; time < 2; time++) {
			const answer = await askToken(sandbox.url, credentials);
			expect([answer.status, answer.data]).toEqual([
				status,
				typeof data === 'object' && 'error' in data ? expect.objectContaining(data) : data,
			]);
		}
		await sandbox.client.setFaults({});
		expect((await askToken(sandbox.url, credentials)).data.token_type).toBe('bearer');
	});
});

describe('time and reach', () => {
	it('adds latency to transactions and to the token endpoint apart', async () => {
		const took = async (call: () => Promise<unknown>) => {
			const start = performance.now();
			await call();
			return performance.now() - start;
		};
		await sandbox.client.setFaults({ latencyMs: [60, 80], token: { latencyMs: 120 } });
		expect(await took(async () => await send(1))).toBeGreaterThan(58);
		expect(await took(async () => await askToken(sandbox.url, credentials))).toBeGreaterThan(118);
	});

	it('refuses connections for a while and listens again', async () => {
		const outcome = async () =>
			await send(1).then(
				({ status }) => status,
				(error: NodeJS.ErrnoException) => error.code,
			);
		await sandbox.client.setFaults({ refuseConnections: { ms: 3000 } });
		// A connection that was open before may be met first, and found closed.
		await waitUntil('a connection is refused', async () => (await outcome()) === 'ECONNREFUSED', {
			intervalMs: 10,
		});
		await waitUntil('the sandbox listens again', async () => (await outcome()) === 202);
	});

	it('says which fault it does not know', async () => {
		await expect(sandbox.client.setFaults({ latency: 5 } as Faults)).rejects.toThrow(
			'latency: Field is not known',
		);
		await expect(sandbox.client.setFaults({ dropResponses: 5 })).rejects.toThrow(
			'dropResponses: must be <= 1',
		);
	});
});

test('a rate limit answers 429 with Retry-After beyond it, until the second is over', async () => {
	await sandbox.client.setFaults({ rateLimit: { perSecond: 3, retryAfter: 2 } });
	const responses = await Promise.all([1, 2, 3, 4, 5].map(async (id) => await send(id)));
	const statuses = responses.map(({ status }) => status).sort();
	expect(statuses).toEqual([202, 202, 202, 429, 429]);
	const rejected = responses.find(({ status }) => status === 429);
	expect(rejected?.headers['retry-after']).toBe('2');
	await waitUntil('the second is over', async () => (await send(6)).status === 202);
	expect(await created()).toBe(4);
});
