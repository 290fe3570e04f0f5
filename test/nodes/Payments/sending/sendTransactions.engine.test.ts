import type { ServerResponse } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { rows } from '../../../support/builders/transactions';
import { startFakeService, type FakeService } from '../../../support/servers/fakeService';
import type { ReceivedRequest } from '../../../support/servers/httpServer';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

/*
 * How a list of transactions is sent through n8n's engine: real time, real connections, and the
 * tokens of the credential. What becomes of a list is tested in TransactionList.test.ts.
 */

let bench: PaymentsBench;
useBench((one) => (bench = one));

let service: FakeService | undefined;
afterEach(async () => {
	jest.restoreAllMocks();
	await service?.stop();
	service = undefined;
});

type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

/** Starts a service that answers each transaction so, and points the credential to it. */
async function serve(answer: Answer, credential: IDataObject = {}): Promise<FakeService> {
	service = await startFakeService(answer);
	const { url } = service;
	await bench.seed({ authUrl: url, baseUrl: url, ...credential });
	return service;
}

const run = async (items: IDataObject[], options: IDataObject = {}) =>
	await bench.run(
		items,
		{ specifyTransaction: 'item', options },
		{ onError: 'continueRegularOutput' },
	);

const accept = (response: ServerResponse) => void response.writeHead(202).end('{}');
const reject = (response: ServerResponse, status: number, headers = {}) =>
	void response.writeHead(status, headers).end();
const count = (json: IDataObject[], outcome: string) =>
	json.filter((item) => item.outcome === outcome).length;

test('Max Requests per Second spaces requests', async () => {
	const arrivals: number[] = [];
	await serve((_request, response) => {
		arrivals.push(Date.now());
		accept(response);
	});
	const { json } = await run(rows(21), { maxRequestsPerSecond: 20 });
	expect(count(json, 'created')).toBe(21);
	// They leave over a second or more. On a busy machine, the first one arrives late.
	expect(arrivals.at(-1)! - arrivals[0]).toBeGreaterThan(500);
});

test('Timeout is the total time of a request, also for a response that drips', async () => {
	await serve((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const timer = setInterval(() => response.write(' '), 100);
		response.on('close', () => clearInterval(timer));
	});
	await run(rows(0));
	const startedAt = Date.now();
	const { json } = await run(rows(1), { timeout: 1 });
	expect(Date.now() - startedAt).toBeLessThan(15_000);
	expect(json[0]).toMatchObject({
		outcome: 'unknown',
		message: expect.stringContaining("didn't respond in time"),
	});
});

test('an outage is waited out, also when the clock of this machine is set back and forth', async () => {
	const realNow = Date.now.bind(Date);
	const startedAt = performance.now();
	let step = 7_200_000;
	await serve((_request, response) => {
		if (performance.now() - startedAt > 2000) return accept(response);
		step = -step;
		jest.spyOn(Date, 'now').mockImplementation(() => realNow() + step);
		reject(response, 503, { 'retry-after': '1' });
	});
	const { json } = await run(rows(200));
	expect(count(json, 'created')).toBe(200);
	expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test('a service that answers every request with 404 ends the list', async () => {
	const { received } = await serve((_request, response) => reject(response, 404));
	const { json } = await run(rows(1000), { maxRetryTime: 2 });
	expect(received.length).toBeLessThanOrEqual(71);
	expect(count(json, 'rejected') + count(json, 'notSent')).toBe(1000);
	expect(json.at(-1)).toMatchObject({
		outcome: 'notSent',
		message: expect.stringContaining('status 404'),
	});
});

test('a service that closes each connection before it is secure: nothing was sent, and it is retried', async () => {
	const host = createServer((socket) => void socket.on('error', () => {}).end());
	await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
	const { port } = host.address() as AddressInfo;
	await serve((_request, response) => accept(response), { baseUrl: `https://127.0.0.1:${port}` });
	const { json } = await run(rows(5), { maxRetryTime: 3 });
	host.close();
	expect(count(json, 'notSent')).toBe(5);
	// One row at a time shows whether the service is there again.
	const messages = json.map(({ message }) => message as string);
	expect(messages.filter((text) => !/no secure connection.*tried/.test(text))).toEqual([]);
	expect(messages.join()).toMatch(/tried \d+ times/);
});

test('a service that rejects every token ends the list after at most 3 token requests', async () => {
	const { received } = await serve((_request, response) => reject(response, 401));
	const { json } = await run(rows(200));
	const tokenRequests = received.filter(({ url }) => url === '/passport/oauth/token').length;
	expect(tokenRequests).toBeLessThanOrEqual(3);
	expect(received.length - tokenRequests).toBeLessThanOrEqual(120);
	expect(count(json, 'rejected') + count(json, 'notSent')).toBe(200);
	expect(json[0]).toMatchObject({
		outcome: 'rejected',
		message: expect.stringContaining('status 401'),
		fix: expect.stringContaining('Open the credential'),
	});
	expect(json.at(-1)).toMatchObject({
		outcome: 'notSent',
		message: expect.stringContaining('401'),
	});
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
	const { json } = await run(rows(400));
	expect(count(json, 'created')).toBe(400);
});
