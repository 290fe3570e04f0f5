import { inspect as format } from 'node:util';

import type { IDataObject } from 'n8n-workflow';

import type { FaultName, NextResponse } from '../../../../sandbox/types';
import getPort from 'get-port';
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

/**
 * What one faulty response comes to, by default and when the user lets the node retry on an unknown
 * outcome.
 */
const UNKNOWN = { byDefault: 'unknown', retriedOnRequest: true };
const REJECTED = { byDefault: 'rejected', retriedOnRequest: false };
const RETRIED = { byDefault: 'created', retriedOnRequest: true };

const expectedOf = (status: number) => {
	// With Retry-After, a 409 says that another request isn't finished.
	if (status === 409 || status === 429 || status === 503) return RETRIED;
	// After a 401 n8n requests a token and retries.
	if (status === 401) return { byDefault: 'created', retriedOnRequest: true };
	return [408, 418, 424, 460, 499].includes(status) ||
		(status >= 500 && ![501, 505, 511].includes(status))
		? UNKNOWN
		: REJECTED;
};

/** Those that the node tells apart, and some others. The unit tests have all of them. */
const STATUSES = [
	400, 401, 403, 404, 408, 409, 410, 418, 422, 424, 425, 429, 451, 460, 499, 500, 501, 502, 503,
	504, 505, 507, 511, 520, 599,
];

test('a status from 400 on: outcome, message, retried or not', async () => {
	// Only the spread of the waits hangs on it.
	jest.spyOn(Math, 'random').mockReturnValue(0);
	for (const status of STATUSES) {
		const { byDefault, retriedOnRequest } = expectedOf(status);
		const answer: NextResponse = {
			status,
			retryAfter: 0,
			body: { errorCode: 'CODE', message: `words ${status}` },
		};
		for (const retryUnknownOutcome of [false, true]) {
			await bench.sandbox.client.reset();
			await bench.sandbox.client.setFaults({ next: [answer] });
			const result = await runOne({ retryUnknownOutcome, onDuplicate: 'stop' });
			const retried = retryUnknownOutcome ? retriedOnRequest : byDefault === 'created';
			expect({
				status,
				retryUnknownOutcome,
				outcome: result.outcome,
				requests: (await transactions()).requests,
			}).toEqual({
				status,
				retryUnknownOutcome,
				outcome: retried ? 'created' : byDefault,
				requests: retried ? 2 : 1,
			});
			if (!retried)
				expect(result).toMatchObject({
					statusCode: status,
					message: expect.stringContaining(`words ${status}`),
					eventId: expect.any(String),
				});
			if (result.outcome === 'unknown') expect(result.fix).toMatch(/Run it again as it is/);
		}
	}
});

/**
 * Faults of the network, whether the request was carried out before it, and what the user is told.
 */
const NETWORK: Array<[FaultName, string, RegExp]> = [
	['reset', 'unknown', /without a response/],
	['close', 'unknown', /without a response/],
	['hang', 'unknown', /didn't respond in time/],
	['garbage', 'unknown', /response of .+ isn't HTTP|broke off/],
	['halfHeaders', 'unknown', /connection|isn't HTTP/],
	['dropAfter', 'unknown', /without a response/],
	['hangAfter', 'unknown', /didn't respond in time/],
	['html', 'unknown', /web page/],
	// The status has come, so the service has taken it, whatever happened to the rest of the answer.
	['halfBody', 'created', /^Transaction created$/],
	['brokenGzip', 'created', /^Transaction created$/],
	['emptyBody', 'created', /^Transaction created$/],
	['notJson', 'unknown', /doesn't confirm it/],
	['wrongContentType', 'created', /^Transaction created$/],
];

/** A success status came, so the same request again tells nothing new. */
const SUCCESS_IN_DOUBT = new Set<FaultName>(['html', 'notJson']);

test.each(NETWORK)('network fault %s: %s', async (fault, outcome, words) => {
	await bench.sandbox.client.setFaults({ next: [{ fault }] });
	const result = await runOne(fault.startsWith('hang') ? { timeout: 1 } : {});
	expect(result).toMatchObject({ outcome, eventId: expect.any(String) });
	expect(result.message ?? '').toMatch(words);
	expect((await transactions()).requests).toBe(1);
});

test.each(NETWORK)(
	'network fault %s: retried on request if no response came',
	async (fault, outcome) => {
		await bench.sandbox.client.setFaults({ next: [{ fault }] });
		const result = await runOne({
			retryUnknownOutcome: true,
			...(fault.startsWith('hang') && { timeout: 1 }),
		});
		const isRetried = outcome === 'unknown' && !SUCCESS_IN_DOUBT.has(fault);
		expect(result.outcome === 'unknown').toBe(SUCCESS_IN_DOUBT.has(fault));
		expect((await transactions()).requests).toBe(isRetried ? 2 : 1);
	},
);

test.each<[string, NextResponse]>([
	['rejected', { status: 400, body: { errorCode: 'CODE', message: 'words' } }],
	['put off for longer than the user allows', { status: 429, retryAfter: 3600 }],
])('an answer that was lost, then %s: the transaction may still exist', async (_, next) => {
	await bench.sandbox.client.setFaults({ next: [{ fault: 'dropAfter' }, next] });
	expect(await runOne({ retryUnknownOutcome: true })).toMatchObject({
		outcome: 'unknown',
		statusCode: next.status,
		message: expect.stringMatching(/without a response[^]*Retry: /),
		fix: expect.stringMatching(/Run it again as it is/),
	});
	expect((await transactions()).created).toBe(1);
});

test('a connection that cannot be made is tried again inside the time that the user allows', async () => {
	await bench.run(rows(1, () => ({ externalId: 'fetches a token' })));
	await bench.sandbox.client.changeFaults({ refuseConnections: { ms: 600 } });
	expect(await runOne({ maxRetryTime: 20 })).toMatchObject({ outcome: 'created' });
	await bench.seed({ baseUrl: `http://127.0.0.1:${await getPort()}` });
	expect(await runOne({ maxRetryTime: 1 })).toMatchObject({
		outcome: 'notSent',
		message: expect.stringMatching(/nothing responds at[^]*tried \d+ times/),
		fix: expect.stringMatching(/run the workflow again/),
	});
});

test('a service that asks for more time than the user allows is not waited for', async () => {
	await bench.sandbox.client.setFaults({ next: [{ status: 503, retryAfter: 3600 }] });
	// There are services that answer 503 after they recorded the transaction.
	expect(await runOne({ maxRetryTime: 3599 })).toMatchObject({
		outcome: 'unknown',
		statusCode: 503,
	});
	expect((await transactions()).requests).toBe(1);
});

describe('a thousand payments through a bad day', () => {
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
			revokeTokens: { every: 400 },
		});
		const { json, run } = await bench.run(rows(1000), { specifyTransaction: 'item', options });
		expect(run.status).toBe('success');
		const { transactions: seen, tokens } = await bench.sandbox.client.getCounts();
		expect(json.filter(({ outcome }) => outcome === 'created')).toHaveLength(1000);
		expect(seen).toMatchObject({ created: 1000, duplicates: 0 });
		expect(seen.responses['429']).toBeGreaterThan(50);
		expect(seen.responses['503']).toBeGreaterThan(20);
		expect(tokens.requests).toBeLessThanOrEqual(2);
	});

	test('5 % of the answers lost after processing, unknown outcomes retried, and two whole executions more: 1,000 events, each result named', async () => {
		// Only the spread of the waits hangs on it.
		jest.spyOn(Math, 'random').mockReturnValue(0);
		await bench.sandbox.client.setFaults({ seed: 11, dropResponses: 0.05 });
		const outcomes: Array<Record<string, number>> = [];
		for (let round = 0; round < 3; round++) {
			const { json, run } = await bench.run(rows(1000), {
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
		expect(seen.created).toBe(1000);
		expect(seen.lost).toBeGreaterThan(100);
		expect(
			outcomes.map(({ created = 0, duplicate = 0, ...other }) => [created + duplicate, other]),
		).toEqual(Array(3).fill([1000, {}]));
		expect(outcomes[1]).toEqual({ duplicate: 1000 });
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
		await bench.seed({ authUrl: `http://127.0.0.1:${await getPort()}` });
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
