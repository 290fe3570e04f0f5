import { setTimeout as wait } from 'node:timers/promises';
import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import type { Attempt } from '../../nodes/Payments/sending/attempt';
import type { Feedback } from '../../nodes/Payments/sending/concurrencyLimit';
import type { SharedCredential } from '../../nodes/Payments/sending/request';
import {
	createTransactionClient,
	feedbackOf,
} from '../../nodes/Payments/sending/transactionClient';
import { enterStage } from '../../nodes/shared/requestStage';
import { TokenRequestError } from '../../nodes/shared/token/tokenRequest';
import { transaction } from '../support/builders/transactions';

/*
 * What the client does with the responses of a service, one after the other and word by word. test/integration tests the same with n8n's own
 * HTTP helper and a service that runs.
 */

const CREDENTIAL = { baseUrl: 'https://api.example.com/' };
const CHECK_CREDENTIAL = 'Open the credential, correct it and test it. Nothing was sent.';
const NOT_TRIED =
	'An earlier item could not be sent for this reason, so this one was not tried. Nothing was sent, so running the workflow again is safe.';
const CONFLICT = { errorCode: 'DUPLICATE', message: 'Event exists' };

type Service = (event: string, attempt: number, credential: SharedCredential) => unknown;

/** A response of the service, as n8n's HTTP helper returns it. */
const response = (statusCode: number, body: unknown = {}, headers = {}) => ({
	statusCode,
	headers,
	body,
});
const created = response(202, { id: 'T' });
const busy = (status: number, retryAfter = '0') =>
	response(status, {}, { 'retry-after': retryAfter });

const throwNoConnection = () => {
	throw Object.assign(new Error('x'), { code: 'ECONNREFUSED', isAxiosError: true });
};

let clock: number;
let executions = 0;
let stop: AbortController | undefined;
/** The events in the order in which they were sent. */
let sent: string[];
let urls: unknown[];

beforeEach(() => {
	clock = 1_750_000_000_000;
	executions++;
	stop = undefined;
	sent = [];
	urls = [];
	jest.spyOn(Date, 'now').mockImplementation(() => clock);
	// No jitter: a retry after `Retry-After: 0` comes at once.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

interface Options {
	credential?: SharedCredential;
	executionId?: string | null;
	node?: string;
	runIndex?: number;
	maxRetryTime?: number;
	maxConcurrentRequests?: number;
	retryUnknownOutcome?: boolean;
	stopsAt?: Parameters<typeof createTransactionClient>[2]['stopsAt'];
}

/** The client, with `service` in the place of n8n's HTTP helper and what it sends to. */
async function clientOf(service: Service, options: Options = {}) {
	const {
		executionId = `execution ${executions}`,
		node = 'node',
		runIndex = 0,
		credential = CREDENTIAL,
	} = options;
	const attempts = new Map<string, number>();
	const context = {
		getExecutionCancelSignal: () => stop?.signal,
		getExecutionId: () => executionId,
		getNode: () => ({ id: node }),
		getWorkflowDataProxy: () => ({ $runIndex: runIndex }),
		helpers: {
			async httpRequestWithAuthentication(
				_credential: string,
				{ url, body }: IHttpRequestOptions,
				{ credentialsDecrypted }: { credentialsDecrypted: { data: SharedCredential } },
			) {
				const event = (JSON.parse(body as string) as { externalId: string }).externalId.slice(9);
				const attempt = (attempts.get(event) ?? 0) + 1;
				attempts.set(event, attempt);
				sent.push(event);
				urls.push(url);
				enterStage(credentialsDecrypted.data, 'request');
				return await service(event, attempt, credentialsDecrypted.data);
			},
		},
	} as unknown as IExecuteFunctions;
	const send = await createTransactionClient(
		context,
		{ ...credential },
		{
			timeout: 5000,
			maxRetryTime: options.maxRetryTime ?? 60_000,
			retryUnknownOutcome: options.retryUnknownOutcome ?? false,
			maxConcurrentRequests: options.maxConcurrentRequests ?? 1,
			stopsAt: options.stopsAt ?? (({ message }) => message === 'Stop here'),
		},
	);
	return async (event: string) => await send(transaction(event));
}

/** A response that comes when the test says so. */
function hold() {
	let answer = () => {};
	const answered = new Promise<void>((resolve) => {
		answer = resolve;
	});
	return { answered, answer };
}

/** Lets everything happen that needs no time, or a turn of the event loop. */
async function settle() {
	await wait(5);
	for (let turn = 0; turn < 50; turn++) await new Promise(setImmediate);
}

describe('the address', () => {
	test('is the Base URL and the path of transactions', async () => {
		const send = await clientOf(() => created);
		expect(await send('a')).toEqual({
			outcome: 'created',
			message: 'Transaction created',
			status: 202,
			body: { id: 'T' },
		});
		expect(urls).toEqual(['https://api.example.com/api/v1/transactions']);
	});

	test.each([
		[{ baseUrl: 'http://api.example.com' }, 0],
		[{ baseUrl: 'http://api.example.com', allowHttp: 'yes' }, 0],
		[{ baseUrl: 'http://api.example.com', allowHttp: true }, 1],
	])('%j: %i request', async (credential, requests) => {
		const send = await clientOf(() => created, { credential });
		const result = await send('a');
		expect(sent).toHaveLength(requests);
		expect(result?.outcome).toBe(requests === 0 ? 'notSent' : 'created');
	});

	test('that cannot be used sends nothing, and names the field and the fix', async () => {
		const send = await clientOf(() => created, { credential: { baseUrl: '' } });
		expect(await send('a')).toEqual({
			outcome: 'notSent',
			message: expect.stringContaining('Base URL') as string,
			fix: CHECK_CREDENTIAL,
		});
		expect(sent).toEqual([]);
	});

	test('that includes the path is accepted', async () => {
		const credential = { baseUrl: 'https://api.example.com/api/v1/transactions' };
		const send = await clientOf(() => created, { credential });
		expect(await send('a')).toMatchObject({ outcome: 'created' });
		expect(urls).toEqual(['https://api.example.com/api/v1/transactions']);
	});
});

describe('retries', () => {
	test.each([429, 503])('status %i is retried until it is created', async (status) => {
		const send = await clientOf((_, attempt) => (attempt < 3 ? busy(status) : created));
		expect(await send('a')).toMatchObject({ outcome: 'created', status: 202 });
		expect(sent).toEqual(['a', 'a', 'a']);
	});

	test('wait as long as the service asks', async () => {
		const startedAt = performance.now();
		const send = await clientOf((_, attempt) => (attempt === 1 ? busy(503, '1') : created));
		const sending = send('a');
		await settle();
		expect(sent).toEqual(['a']);
		clock += 1000;
		expect(await sending).toMatchObject({ outcome: 'created' });
		expect(performance.now() - startedAt).toBeGreaterThan(900);
	});

	test.each([
		[400, 1000, 3, 'tried 3 times in 1 s'],
		[2400, 2399, 1, 'tried once in 2 s'],
	])('of %i ms each, in %i ms: %i', async (duration, maxRetryTime, requests, words) => {
		const send = await clientOf(
			() => {
				clock += duration;
				return busy(429);
			},
			{ maxRetryTime },
		);
		expect(await send('a')).toEqual({
			outcome: 'rejected',
			message: `The service rejected the transaction (status 429) (${words})`,
			fix: expect.any(String) as string,
			status: 429,
			errorCode: undefined,
			warnings: [],
		});
		expect(sent).toHaveLength(requests);
	});

	test('none for a rejection of the content', async () => {
		const send = await clientOf(() => response(400, { message: 'No' }));
		expect((await send('a'))?.message).toBe(
			'The service rejected the transaction (status 400): No',
		);
		expect(sent).toEqual(['a']);
	});

	test.each([
		[false, 1, 'unknown'],
		[true, 2, 'created'],
	])('of an unknown outcome if the user says so: %p', async (retry, requests, outcome) => {
		const service: Service = (_, attempt) => (attempt === 1 ? response(500) : created);
		const send = await clientOf(service, { retryUnknownOutcome: retry });
		// The first delay is 250 ms.
		expect(await send('a')).toMatchObject({ outcome });
		expect(sent).toHaveLength(requests);
	});

	test('409 after an attempt that may have been recorded is the own one', async () => {
		const send = await clientOf((_, attempt) =>
			attempt === 1 ? busy(503) : response(409, CONFLICT),
		);
		expect(await send('a')).toMatchObject({ outcome: 'duplicate', ownAttempt: true });
	});

	test('409 at once is of an earlier execution', async () => {
		const send = await clientOf(() => response(409, CONFLICT));
		expect(await send('a')).toMatchObject({ outcome: 'duplicate', ownAttempt: false });
	});

	test('a rejection after 503 is one, because 503 says that nothing was done', async () => {
		const send = await clientOf((_, attempt) => (attempt === 1 ? busy(503) : response(401)));
		expect(await send('a')).toMatchObject({ outcome: 'rejected', status: 401 });
	});

	test('a connection that cannot be made after 503 leaves the outcome unknown', async () => {
		const send = await clientOf(
			(_, attempt) => {
				if (attempt === 1) return busy(503);
				clock += 60_000;
				return throwNoConnection();
			},
			{ maxRetryTime: 30_000 },
		);
		expect(await send('a')).toMatchObject({
			outcome: 'unknown',
			message: expect.stringMatching(
				/^It is not known .* Retry: The transaction was not sent, because nothing answers at api\.example\.com.* \(tried 2 times in 60 s\)$/,
			) as string,
		});
	});
});

describe('a pause that the service asks for', () => {
	test('is kept by all', async () => {
		const send = await clientOf((event) => (event === 'a' ? busy(429, '30') : created), {
			maxRetryTime: 1000,
			maxConcurrentRequests: 2,
		});
		expect(await send('a')).toMatchObject({ outcome: 'rejected', status: 429 });
		expect(await send('b')).toEqual({
			outcome: 'notSent',
			message:
				"The transaction was not sent, because the service asked to wait 30 s, longer than the option 'Max Retry Time' allows",
			fix:
				"Run the workflow again later, or raise the option 'Max Retry Time'. Nothing was sent.",
		});
		expect(sent).toEqual(['a']);
	});

	test('is rounded up to whole seconds', async () => {
		const send = await clientOf(() => busy(429, '30'), { maxRetryTime: 1000 });
		await send('a');
		clock += 500;
		expect((await send('b'))?.message).toContain('asked to wait 30 s');
	});

	test('counts only what is left of the time for retries', async () => {
		const { answered, answer } = hold();
		const send = await clientOf(
			async (event) => {
				if (event === 'a') {
					await answered;
					return busy(429, '0');
				}
				clock += 50_000;
				return busy(429, '20');
			},
			{ maxRetryTime: 60_000, maxConcurrentRequests: 2 },
		);
		const a = send('a');
		await settle();
		expect((await send('other'))?.message).toMatch(/\(tried once in 50 s\)$/);
		answer();
		// It has 10 s left.
		expect(await a).toMatchObject({
			outcome: 'rejected',
			message: expect.stringMatching(
				/^The service rejected .* Retry: The transaction was not sent, because the service asked to wait 20 s,/,
			) as string,
		});
		expect(sent).toEqual(['a', 'other']);
	});

	test('that ends within the time that is left is waited for', async () => {
		const send = await clientOf((event) => (event === 'a' ? busy(429, '1') : created), {
			maxRetryTime: 1000,
			maxConcurrentRequests: 2,
		});
		clock -= 1;
		const rejected = send('a');
		// The 1 s that the service asks for is over after the 1 s that the first one has.
		clock += 1;
		await rejected;
		const sending = send('b');
		await settle();
		clock += 1000;
		expect(await sending).toMatchObject({ outcome: 'created' });
	});
});

describe('an outage', () => {
	const tokenError = (temporary: boolean) =>
		new TokenRequestError({ problem: 'No token', fix: '', temporary });

	test('costs the time of one item', async () => {
		const send = await clientOf(() => {
			clock += 60_000;
			return throwNoConnection();
		});
		const first = await send('a');
		expect(first).toMatchObject({ outcome: 'notSent' });
		expect(first?.message).toMatch(/\(tried once in 60 s\)$/);
		expect(await send('b')).toEqual({
			outcome: 'notSent',
			message:
				'The transaction was not sent, because nothing answers at api.example.com, so the service may be down or the port wrong',
			fix: NOT_TRIED,
		});
		expect(sent).toEqual(['a']);
	});

	test('is also one of the token endpoint', async () => {
		const send = await clientOf(() => {
			throw tokenError(false);
		});
		expect(await send('a')).toEqual({
			outcome: 'notSent',
			message: 'No token',
			fix: CHECK_CREDENTIAL,
		});
		expect(await send('b')).toEqual({ outcome: 'notSent', message: 'No token', fix: NOT_TRIED });
		expect(sent).toEqual(['a']);
	});

	test.each([
		[200, 'created'],
		[400, 'rejected'],
		[500, 'unknown'],
	])('ends with any response, also %i', async (status, outcome) => {
		const { answered, answer } = hold();
		const send = await clientOf(
			async (event) => {
				if (event === 'failing') throw tokenError(false);
				if (event === 'slow') await answered;
				return response(status);
			},
			{ maxConcurrentRequests: 2 },
		);
		const slow = send('slow');
		await settle();
		expect(await send('failing')).toMatchObject({ outcome: 'notSent' });
		expect(await send('next')).toMatchObject({ fix: NOT_TRIED });
		answer();
		expect(await slow).toMatchObject({ outcome });
		expect(await send('last')).toMatchObject({ outcome });
		expect(sent).toEqual(['slow', 'failing', 'last']);
	});

	test('does not keep an item from its retries', async () => {
		const { answered: otherFailed, answer: failed } = hold();
		const send = await clientOf(
			async (event, attempt) => {
				if (event === 'failing') throw tokenError(false);
				if (attempt > 1) return created;
				await otherFailed;
				throw tokenError(true);
			},
			{ maxConcurrentRequests: 2 },
		);
		const retried = send('retried');
		await settle();
		await send('failing');
		failed();
		await settle();
		// That the retry is waiting for something that passes ends nothing.
		expect(await send('next')).toMatchObject({ message: 'No token', fix: NOT_TRIED });
		expect(await retried).toMatchObject({ outcome: 'created' });
	});

	test('says nothing about how much the service can take', async () => {
		let held = hold();
		const send = await clientOf(
			async (event) => {
				if (event === 'failing') throw tokenError(false);
				await held.answered;
				return created;
			},
			{ maxConcurrentRequests: 0 },
		);
		const slow = send('slow');
		await settle();
		await send('failing');
		for (let i = 0; i < 10; i++) expect(await send('next')).toMatchObject({ fix: NOT_TRIED });
		held.answer();
		await slow;
		sent = [];
		held = hold();
		const last = Array.from({ length: 12 }, async (_, index) => await send(`last ${index}`));
		await settle();
		// Half of the 10 at the start, because the failing one got no response.
		expect(sent).toHaveLength(5);
		held.answer();
		await Promise.all(last);
	});

	test('is none when the reason is the transaction', async () => {
		const send = await clientOf((event, _, credential) => {
			if (event !== 'a') return created;
			enterStage(credential, 'authentication');
			throw new Error('More than the credential allows.');
		});
		expect(await send('a')).toEqual({
			outcome: 'notSent',
			message: 'More than the credential allows.',
			fix: CHECK_CREDENTIAL,
		});
		expect(await send('b')).toMatchObject({ outcome: 'created' });
	});
});

describe('Retry On Fail', () => {
	test('what this try created is not sent twice', async () => {
		const first = await clientOf(() => created);
		await first('a');
		const again = await clientOf(() => response(409, CONFLICT));
		expect(await again('a')).toEqual(await first('a'));
		expect(sent).toEqual(['a']);
	});

	test.each<[string, Options]>([
		['in the next run of a loop', { runIndex: 1 }],
		['by another node', { node: 'other' }],
		['in another execution', { executionId: 'other' }],
		['without a stored execution', { executionId: null }],
		['with an empty execution ID', { executionId: '' }],
	])('%s, it is sent', async (_, options) => {
		const first = await clientOf(() => created, options.executionId === null ? options : {});
		await first('a');
		const again = await clientOf(() => response(409, CONFLICT), options);
		expect(await again('a')).toMatchObject({
			outcome: 'duplicate',
			ownAttempt: 'runIndex' in options,
		});
		expect(sent).toEqual(['a', 'a']);
	});
});

describe('an end of the execution', () => {
	test('after a result at which it stops, nothing new is begun', async () => {
		const send = await clientOf((event) => (event === 'bad' ? response(400) : created), {
			stopsAt: ({ outcome }) => outcome === 'rejected',
		});
		expect(await send('a')).toMatchObject({ outcome: 'created' });
		const results = Promise.all([send('bad'), send('b'), send('c')]);
		expect((await results).map((result) => result?.outcome)).toEqual([
			'rejected',
			undefined,
			undefined,
		]);
		expect(sent).toEqual(['a', 'bad']);
	});

	test('what is on its way goes on to its retries', async () => {
		const { answered, answer } = hold();
		const send = await clientOf(
			async (event, attempt) => {
				if (event === 'bad') return response(400);
				if (attempt > 1) return created;
				await answered;
				return busy(503);
			},
			{ stopsAt: ({ outcome }) => outcome === 'rejected', maxConcurrentRequests: 2 },
		);
		const slow = send('slow');
		await settle();
		await send('bad');
		answer();
		expect(await slow).toMatchObject({ outcome: 'created' });
	});

	test('when it is canceled, nothing more is sent', async () => {
		stop = new AbortController();
		const send = await clientOf(() => created);
		await send('a');
		stop.abort();
		expect(await send('b')).toBeUndefined();
		expect(sent).toEqual(['a']);
	});

	test('when it is canceled, nobody waits for a retry', async () => {
		stop = new AbortController();
		const send = await clientOf(() => busy(503, '2'));
		const sending = send('a');
		await settle();
		stop.abort();
		const startedAt = performance.now();
		expect(await sending).toMatchObject({ outcome: 'unknown', status: 503 });
		expect(performance.now() - startedAt).toBeLessThan(1000);
		expect(sent).toEqual(['a']);
	});

	test('when it is canceled during a request, that is not retried', async () => {
		stop = new AbortController();
		const send = await clientOf(() => {
			stop?.abort();
			return busy(503);
		});
		expect(await send('a')).toMatchObject({
			outcome: 'unknown',
			message: expect.stringMatching(/\(tried once in 0 s\)$/) as string,
		});
		expect(sent).toEqual(['a']);
	});

	test('waiting leaves no listener behind', async () => {
		stop = new AbortController();
		const { signal } = stop;
		const added = jest.spyOn(signal, 'addEventListener');
		const removed = jest.spyOn(signal, 'removeEventListener');
		const send = await clientOf((_, attempt) => (attempt === 1 ? response(500) : created), {
			retryUnknownOutcome: true,
		});
		await send('a');
		expect(added).toHaveBeenCalled();
		expect(removed.mock.calls).toEqual(added.mock.calls);
		expect(added.mock.calls.map(([type]) => type)).toEqual(added.mock.calls.map(() => 'abort'));
	});
});

describe('Max Concurrent Requests', () => {
	test.each([
		[1, 1],
		[3, 3],
		// Automatic concurrency starts with 10.
		[0, 10],
	])('%i: %i concurrent requests', async (maxConcurrentRequests, inFlight) => {
		const { answered, answer } = hold();
		const send = await clientOf(
			async () => {
				await answered;
				return created;
			},
			{ maxConcurrentRequests },
		);
		const all = Array.from({ length: 12 }, async (_, index) => await send(String(index)));
		await settle();
		expect(sent).toHaveLength(inFlight);
		answer();
		expect((await Promise.all(all)).every((result) => result?.outcome === 'created')).toBe(true);
		expect(sent).toHaveLength(12);
	});
});

describe('what a request tells about the service', () => {
	const failed = (status?: number, more = {}) =>
		({ kind: 'failed', result: { status }, ...more }) as Attempt;
	const date = new Date(5000).toUTCString();

	test.each<[Attempt, Feedback]>([
		[{ kind: 'created' } as Attempt, { kind: 'answered' }],
		[{ kind: 'conflict' } as Attempt, { kind: 'answered' }],
		[failed(400), { kind: 'answered' }],
		[failed(500), { kind: 'answered' }],
		[failed(429), { kind: 'busy', retryAfter: undefined }],
		[failed(503, { retryAfter: '3' }), { kind: 'busy', retryAfter: 3000 }],
		[failed(503, { retryAfter: date }), { kind: 'busy', retryAfter: 1000 }],
		[failed(), { kind: 'lost' }],
		[failed(undefined, { thisTransactionOnly: true }), { kind: 'unused' }],
	])('%j: %j', (attempt, feedback) => expect(feedbackOf(attempt, 4000)).toEqual(feedback));
});
