import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import getPort from 'get-port';
import type { IDataObject, IExecuteFunctions, INode } from 'n8n-workflow';

import { createTransactions } from '../../../../nodes/Payments/createTransactions';

import { rows } from '../../../support/builders/transactions';
import { startFakeService, type FakeService } from '../../../support/servers/fakeService';
import type { ReceivedRequest } from '../../../support/servers/httpServer';
import { readRun, useBench, type PaymentsBench } from '../../../support/engine/payments';

/*
 * How a list of transactions is sent to services that are slow, busy, or not there, through n8n's
 * engine.
 */

const CONTINUE: Partial<INode> = { onError: 'continueRegularOutput' };

let bench: PaymentsBench;
useBench((one) => (bench = one));

let service: FakeService | undefined;
afterEach(async () => {
	await service?.stop();
	service = undefined;
});

type Answer = (request: ReceivedRequest, response: ServerResponse, count: number) => void;

/**
 * Starts a service that answers each transaction as `answer` says, and points the credential to it.
 */
async function serve(answer: Answer, credential: IDataObject = {}): Promise<FakeService> {
	let count = 0;
	service = await startFakeService((request, response) => {
		count++;
		answer(request, response, count);
	});
	await bench.seed({ authUrl: service.url, baseUrl: service.url, ...credential });
	return service;
}

const accept = (response: ServerResponse) => void response.writeHead(202).end('{}');
const after = (ms: number, response: ServerResponse) => void setTimeout(() => accept(response), ms);
const reject = (response: ServerResponse, status: number, headers = {}) =>
	void response.writeHead(status, headers).end();

const run = async (items: IDataObject[], options: IDataObject, node = CONTINUE, runs = 1) =>
	await bench.run(items, { specifyTransaction: 'item', options }, node, runs);
const count = (json: IDataObject[], outcome: string) =>
	json.filter((item) => item.outcome === outcome).length;
const transactionsOf = ({ received }: FakeService) =>
	received.filter(({ url }) => url === '/api/v1/transactions');

test('the time for retries begins with the first attempt, not with the wait for a turn', async () => {
	await serve((_request, response, nth) =>
		nth === 9 ? reject(response, 503, { 'retry-after': '0' }) : after(90, response),
	);
	const options = { maxConcurrentRequests: 1, maxRetryTime: 0.6 };
	const { json } = await run(rows(10), options);
	expect(count(json, 'created')).toBe(10);
});

test('a timeout from an expression can have a fraction', async () => {
	await serve((_request, response) => accept(response));
	const { json } = await run(rows(1), { timeout: 1.0005 });
	expect(count(json, 'created')).toBe(1);
});

describe('a service that accepts no request', () => {
	test('for as long as Max Retry Time ends the list: what was not started was not sent', async () => {
		await serve((_request, response) => reject(response, 503, { 'retry-after': '1' }));
		const startedAt = Date.now();
		const options = { maxConcurrentRequests: 1, maxRetryTime: 2 };
		const { json } = await run(rows(50), options);
		expect(Date.now() - startedAt).toBeLessThan(7_500);
		expect(count(json, 'unknown')).toBeLessThanOrEqual(3);
		expect(count(json, 'unknown') + count(json, 'notSent')).toBe(50);
		expect(json.at(-1)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/\d+ requests in a row.*status 503/),
		});
	});

	test('and then one again: the list goes on', async () => {
		const startedAt = Date.now();
		await serve((_request, response) =>
			Date.now() - startedAt < 1500
				? reject(response, 503, { 'retry-after': '1' })
				: accept(response),
		);
		const { json } = await run(rows(30), { maxConcurrentRequests: 1, maxRetryTime: 4 });
		expect(count(json, 'created')).toBe(30);
	});

	test('because it rejects every token ends the list after at most 3 token requests', async () => {
		const { received, stop } = await serve((_request, response) => reject(response, 401));
		const { json } = await run(rows(200), {});
		const tokenRequests = received.filter(({ url }) => url === '/passport/oauth/token').length;
		expect(tokenRequests).toBeLessThanOrEqual(3);
		expect(received.length - tokenRequests).toBeLessThanOrEqual(120);
		expect(json).toHaveLength(200);
		expect(count(json, 'rejected') + count(json, 'notSent')).toBe(200);
		expect(json.at(-1)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringContaining('401'),
		});
		await stop();
	});
});

test('in a loop, a transaction of an earlier round is a duplicate, not an attempt of this one', async () => {
	const { run: execution, error } = await bench.run(
		rows(2),
		{ specifyTransaction: 'item', options: { onDuplicate: 'stop' } },
		{},
		2,
	);
	expect(execution.data.resultData.runData.Payments).toHaveLength(2);
	expect(error?.message).toMatch(/Event ID before/);
});

describe('Max Requests per Second', () => {
	test.each([0, 5])('spaces requests evenly, with Max Concurrent Requests %i', async (limit) => {
		const arrivals: number[] = [];
		await serve((_request, response) => {
			arrivals.push(Date.now());
			after(100, response);
		});
		const { json } = await run(rows(26), {
			maxConcurrentRequests: limit,
			maxRequestsPerSecond: 25,
		});
		expect(count(json, 'created')).toBe(26);
		expect(arrivals.at(-1)! - arrivals[0]).toBeGreaterThan(950);
		// Evenly: no quarter of the time has much more than a quarter of them.
		const inFirstQuarter = arrivals.filter((at) => at - arrivals[0] < 250).length;
		expect(inFirstQuarter).toBeLessThanOrEqual(8);
	});

	test('is checked like every option', async () => {
		const { error } = await run(rows(1), { maxRequestsPerSecond: -1 }, {});
		expect(error?.message).toMatch(/'Max Requests per Second' is -1/);
	});
});

test('each execution begins with 50 requests, whatever the last one found', async () => {
	let open = 0;
	let most = 0;
	let isLimited = true;
	await serve((_request, response, nth) => {
		if (isLimited && nth % 2 === 0) return reject(response, 429, { 'retry-after': '1' });
		open++;
		most = Math.max(most, open);
		setTimeout(() => {
			open--;
			accept(response);
		}, 300);
	});
	const named = (name: string) => rows(50, (index) => ({ externalId: `${name} ${index}` }));
	expect(count((await run(named('first'), {})).json, 'created')).toBe(50);
	isLimited = false;
	most = 0;
	const startedAt = Date.now();
	expect(count((await run(named('second'), {})).json, 'created')).toBe(50);
	expect(most).toBe(50);
	expect(Date.now() - startedAt).toBeLessThan(3000);
});

describe('a service that never decides about a payment', () => {
	/** Many times what is sent; CI has more. */
	const MANY = process.env.CI ? 5000 : 1000;

	/** From the first request to the last one: reading the items isn't what is measured. */
	const expectShort = (startTimes: number[]) => {
		expect(startTimes.length).toBeLessThanOrEqual(120);
		expect(startTimes.at(-1)! - startTimes[0]).toBeLessThan(5_000);
	};

	test.each([500, 404, 401])(
		'but answers %i at once: at most 120 requests, within 5 s',
		async (status) => {
			const startTimes: number[] = [];
			await serve((_request, response) => {
				startTimes.push(Date.now());
				reject(response, status);
			});
			const { json } = await run(rows(MANY), {});
			expectShort(startTimes);
			const others = count(json, status === 500 ? 'unknown' : 'rejected');
			expect(others + count(json, 'notSent')).toBe(MANY);
			expect(json.at(-1)).toMatchObject({ outcome: 'notSent' });
		},
	);

	test('one request at a time: four requests show it', async () => {
		const fake = await serve((_request, response) => reject(response, 404));
		const { json } = await run(rows(50), { maxConcurrentRequests: 1 });
		expect(transactionsOf(fake)).toHaveLength(4);
		expect(count(json, 'notSent')).toBe(46);
	});

	test('because nothing listens: at most 120 connections, within 5 s', async () => {
		const baseUrl = `http://127.0.0.1:${await getPort()}`;
		await serve((_request, response) => accept(response), { baseUrl });
		const startTimes: number[] = [];
		const countConnection = () => void startTimes.push(Date.now());
		subscribe('net.client.socket', countConnection);
		const { json } = await run(rows(MANY), {});
		unsubscribe('net.client.socket', countConnection);
		expectShort(startTimes);
		expect(count(json, 'notSent')).toBe(MANY);
	});

	test('but answers 503 without Retry-After: 100 items end within Max Retry Time and 2 s', async () => {
		await serve((_request, response) => reject(response, 503));
		const startedAt = Date.now();
		const { json } = await run(rows(100), { maxRetryTime: 3 });
		expect(Date.now() - startedAt).toBeLessThan(5_000);
		expect(count(json, 'unknown') + count(json, 'notSent')).toBe(100);
	});
});

describe('a defect after the request left costs the item its certainty, and the others nothing', () => {
	const throws = () => {
		throw new Error('a defect');
	};

	test.each<[string, () => object]>([
		['while the response is taken', () => Object.defineProperty({}, 'body', { get: throws })],
		[
			'while the response is read',
			() => ({
				statusCode: 409,
				headers: Object.defineProperty({}, 'retry-after', { get: throws }),
			}),
		],
	])('%s', async (_, defect) => {
		await serve((_request, response) => accept(response));
		const items = rows(5).map((json, item) => ({ json, pairedItem: { item } }));
		const { finished } = bench.begin(
			items.map(({ json }) => json),
			undefined,
			CONTINUE,
			1,
			{
				async execute(this: IExecuteFunctions) {
					const { helpers } = this;
					const send = helpers.httpRequestWithAuthentication.bind(this);
					let requests = 0;
					helpers.httpRequestWithAuthentication = async (...args) => {
						const response = (await send(...args)) as object;
						return ++requests === 2
							? (Object.setPrototypeOf(defect(), response) as object)
							: response;
					};
					return await createTransactions.call(this);
				},
			},
		);
		const { json } = readRun(await finished);
		expect(count(json, 'created')).toBe(4);
		expect(json.find(({ outcome }) => outcome === 'unknown')?.fix).toMatch(/Run it again as it is/);
	});
});

test('two executions that send the same event at the same time: one is created, the other recognized', async () => {
	let first: ServerResponse | undefined;
	let isRecorded = false;
	await serve((_request, response) => {
		if (first) {
			const code = isRecorded ? 'EVENT_ALREADY_EXISTS' : 'REQUEST_IN_PROGRESS';
			const message = isRecorded ? 'Event exists' : 'A request is outstanding for this Event ID';
			response.writeHead(409, { 'content-type': 'application/json' });
			return void response.end(JSON.stringify({ errorCode: code, message }));
		}
		first = response;
		setTimeout(() => {
			isRecorded = true;
			accept(response);
		}, 400);
	});
	const executions = [run(rows(1), {}), wait(40).then(async () => await run(rows(1), {}))];
	const outcomes = (await Promise.all(executions)).map(({ json }) => json[0].outcome);
	expect(outcomes.sort()).toEqual(['created', 'duplicate']);
});

test('a service with one token per client, which another system takes again and again', async () => {
	let current = '';
	let requestsLeft = 0;
	const seen = new Set<string>();
	await serve(({ headers: { authorization = '' } }, response) => {
		if (!seen.has(authorization)) {
			seen.add(authorization);
			current = authorization;
			requestsLeft = 100;
		}
		if (authorization === current && requestsLeft-- > 0) accept(response);
		else reject(response, 401);
	});
	const { json } = await run(rows(400), {});
	expect(count(json, 'created')).toBe(400);
});

test('a service that takes 20 at once, and answers 502 at once beyond that', async () => {
	let open = 0;
	await serve((_request, response) => {
		if (open >= 20) {
			reject(response, 502);
			return;
		}
		open++;
		setTimeout(() => {
			open--;
			accept(response);
		}, 50);
	});
	const { json } = await run(rows(1000), {});
	expect(count(json, 'created') + count(json, 'unknown')).toBe(1000);
	expect(count(json, 'unknown')).toBeLessThanOrEqual(80);
});

describe('Timeout is the total time of a request', () => {
	/** Sends a byte now and then, so that a timeout between bytes never ends it. */
	const drip = (response: ServerResponse) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const timer = setInterval(() => response.write(' '), 100);
		response.on('close', () => clearInterval(timer));
	};

	test('a response that drips leaves the outcome unknown', async () => {
		await serve((_request, response) => drip(response));
		await run(rows(0), {});
		const startedAt = Date.now();
		const { json } = await run(rows(1), { timeout: 1 });
		expect(Date.now() - startedAt).toBeLessThan(3_000);
		expect(json[0]).toMatchObject({
			outcome: 'unknown',
			message: expect.stringContaining("didn't respond in time"),
		});
	});

	test('a token endpoint that drips holds nobody up', async () => {
		const { startHttpServer } = await import('../../../support/servers/httpServer');
		const tokens = await startHttpServer(async (_request, response) => drip(response));
		await bench.createClient();
		await bench.seed({ authUrl: tokens.url });
		const startedAt = Date.now();
		const { json } = await run(rows(3), { timeout: 1, maxRetryTime: 0 });
		expect(Date.now() - startedAt).toBeLessThan(4_000);
		expect(count(json, 'notSent')).toBe(3);
		await tokens.stop();
	});
});

describe('a token that ended early, answered with 403 (RFC 6750, section 3.1)', () => {
	test('200 items: all are created with one new token', async () => {
		const { received } = await serve((request, response) => {
			if (request.headers.authorization === 'Bearer token-1')
				response.writeHead(403, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
			else after(20, response);
		});
		const { json } = await run(rows(200), { maxConcurrentRequests: 50 });
		expect(count(json, 'created')).toBe(200);
		expect(received.filter(({ url }) => url === '/passport/oauth/token')).toHaveLength(2);
	});

	test('new tokens, too: the list ends after at most 3 token requests', async () => {
		const fake = await serve((_request, response) =>
			reject(response, 403, { 'www-authenticate': 'Bearer error="invalid_token"' }),
		);
		const { json } = await run(rows(200), { maxConcurrentRequests: 10 });
		expect(count(json, 'rejected') + count(json, 'notSent')).toBe(200);
		expect(transactionsOf(fake).length).toBeLessThanOrEqual(120);
		expect(fake.received.length - transactionsOf(fake).length).toBeLessThanOrEqual(3);
	});
});
