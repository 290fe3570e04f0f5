import { inspect as format } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import type { NextResponse } from '../../../../sandbox/types';
import { freePort } from '../../../../host/freePort';
import { rows } from '../../../support/builders/transactions';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));
afterEach(() => jest.restoreAllMocks());

const transactions = async () => (await bench.sandbox.client.getCounts()).transactions;
const runOne = async (options: IDataObject = {}) => {
	const { json } = await bench.run(
		rows(1),
		{ specifyTransaction: 'item', options: { maxRetryTime: 5, ...options } },
		{ onError: 'continueRegularOutput' },
	);
	return json[0] as {
		outcome: string;
		message?: string;
		fix?: string;
		statusCode?: number;
		eventId: string;
	};
};

test('a connection that cannot be made is tried again inside the time that the user allows', async () => {
	await bench.run(rows(1, () => ({ externalId: 'fetches a token' })));
	await bench.sandbox.client.changeFaults({ refuseConnections: { ms: 600 } });
	expect(await runOne({ maxRetryTime: 20 })).toMatchObject({ outcome: 'created' });
	await bench.seed({ baseUrl: `http://127.0.0.1:${await freePort()}` });
	expect(await runOne({ maxRetryTime: 1 })).toMatchObject({
		outcome: 'notSent',
		message: expect.stringMatching(/nothing responds at[^]*tried \d+ times/),
		fix: expect.stringMatching(/run the workflow again/),
	});
});

/** CI sends a thousand. */
const PAYMENTS = process.env.CI ? 1000 : 300;

describe('hundreds of payments through a bad day', () => {
	const options = { maxRetryTime: 60, maxConcurrentRequests: 50 };

	test('10 % 429, 5 % 503, tokens revoked twice: all created, none doubled, none lost', async () => {
		await bench.run(rows(1, () => ({ externalId: 'fetches a token' })));
		await bench.sandbox.client.reset();
		await bench.sandbox.client.setFaults({
			seed: 7,
			latencyMs: [0, 10],
			statuses: [
				{ status: 429, rate: 0.1, retryAfter: 0 },
				{ status: 503, rate: 0.05 },
			],
			revokeTokens: { every: PAYMENTS * 0.4 },
		});
		const { json, run } = await bench.run(rows(PAYMENTS), { specifyTransaction: 'item', options });
		expect(run.status).toBe('success');
		const { transactions: seen, tokens } = await bench.sandbox.client.getCounts();
		expect(json.filter(({ outcome }) => outcome === 'created')).toHaveLength(PAYMENTS);
		expect(seen).toMatchObject({ created: PAYMENTS, duplicates: 0 });
		expect(seen.responses['429']).toBeGreaterThan(PAYMENTS * 0.05);
		expect(seen.responses['503']).toBeGreaterThan(PAYMENTS * 0.02);
		expect(tokens.requests).toBeLessThanOrEqual(2);
	});

	test('5 % of the answers lost after processing, unknown outcomes retried, and two whole executions more: each event once, each result named', async () => {
		// Only the spread of the waits hangs on it.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		await bench.sandbox.client.setFaults({ seed: 11, dropResponses: 0.05 });
		const outcomes: Array<Record<string, number>> = [];
		for (let round = 0; round < 3; round++) {
			const { json, run } = await bench.run(rows(PAYMENTS), {
				specifyTransaction: 'item',
				options: { ...options, retryUnknownOutcome: true },
			});
			expect(run.status).toBe('success');
			const count: Record<string, number> = {};
			for (const outcome of json.map((item) => item.outcome as string)) {
				count[outcome] = (count[outcome] ?? 0) + 1;
			}
			outcomes.push(count);
		}
		const seen = await transactions();
		expect(seen.created).toBe(PAYMENTS);
		expect(seen.lost).toBeGreaterThan(PAYMENTS * 0.1);
		expect(
			outcomes.map(({ created = 0, duplicate = 0, ...other }) => [created + duplicate, other]),
		).toEqual(Array(3).fill([PAYMENTS, {}]));
		expect(outcomes[1]).toEqual({ duplicate: PAYMENTS });
	});
});

test('no secret and no token in items, messages or logs', async () => {
	const logged: string[] = [];
	const writers = (['stdout', 'stderr'] as const).map((name) =>
		jest.spyOn(process[name], 'write').mockImplementation((text) => logged.push(String(text)) > 0),
	);
	const seen: unknown[] = [];
	let accessToken = '';
	try {
		for (const next of [
			[],
			[{ status: 401, times: 2 }],
			[{ status: 400 }],
			[{ fault: 'reset' }],
			[{ fault: 'html' }],
		] as NextResponse[][]) {
			await bench.sandbox.client.reset();
			await bench.sandbox.client.setFaults({ next });
			for (const onError of ['continueRegularOutput', 'stopWorkflow'] as const)
				seen.push(await bench.run(rows(2), undefined, { onError }));
		}
		// A token is kept behind the name of the client that it was issued to.
		({ accessToken } = (await bench.credentials.stored.get('c1')!.getData()) as {
			accessToken: string;
		});
		await bench.seed({ clientSecret: 'a-wrong-secret-of-mine' });
		seen.push(await bench.run(rows(1)));
		await bench.seed({ authUrl: `http://127.0.0.1:${await freePort()}` });
		seen.push(
			await bench.run(rows(1), { specifyTransaction: 'item', options: { maxRetryTime: 0 } }),
		);
	} finally {
		for (const writer of writers) writer.mockRestore();
	}
	const haystack = inspect(seen) + logged.join('');
	expect(haystack).toContain('pmt_1');
	const token = accessToken.split(' ')[1];
	expect(token.length).toBeGreaterThan(8);
	for (const needle of [
		bench.client.clientSecret,
		'a-wrong-secret-of-mine',
		token,
		'Bearer ',
		'client_secret',
	])
		expect(haystack.includes(needle)).toBe(false);
});

/** Everything that hangs on a value, hidden members and causes included. */
const inspect = (value: unknown) =>
	format(value, {
		depth: Infinity,
		showHidden: true,
		maxArrayLength: Infinity,
		maxStringLength: Infinity,
	});

describe('a service with a rate limit', () => {
	test('gets everything, few requests too many, and none while it asks to wait', async () => {
		await bench.sandbox.client.setFaults({ rateLimit: { perSecond: 100, retryAfter: 1 } });
		const startedAt = Date.now();
		const { run } = await bench.run(rows(400));
		expect(run.status).toBe('success');
		const { created, responses } = (await bench.sandbox.client.getCounts()).transactions;
		expect(created).toBe(400);
		// In each second, what is open when the quota ends is too many.
		expect(responses['429'] ?? 0).toBeLessThanOrEqual(400);
		// Four seconds of quota, one of which is free at the start, and the pauses.
		expect(Date.now() - startedAt).toBeGreaterThan(2000);
		expect(Date.now() - startedAt).toBeLessThan(10_000);
	});
});
