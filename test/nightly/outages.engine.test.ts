import type { ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';

import type { IDataObject } from 'n8n-workflow';

import { freePort } from '../../host/freePort';
import { rows } from '../support/builders/transactions';
import { useBench, type PaymentsBench } from '../support/engine/payments';
import { startFakeService, type FakeService } from '../support/servers/fakeService';
import { count } from '../support/engine/services';

/* Outages over real connections, which take as long as they take. It prints what it measures. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

const OUTAGE_MS = 5000;

let service: FakeService | undefined;
afterEach(async () => {
	await service?.stop();
	service = undefined;
});

interface Measured {
	json: IDataObject[];
	ms: number;
	requests: number;
}

async function send(
	rowCount: number,
	answer: (response: ServerResponse, nth: number, sinceMs: number) => void,
	options: IDataObject = {},
): Promise<Measured> {
	let requests = 0;
	let startedAt: number | undefined;
	service = await startFakeService((_request, response) => {
		startedAt ??= performance.now();
		answer(response, ++requests, performance.now() - startedAt);
	});
	await bench.seed({ authUrl: service.url, baseUrl: service.url });
	const measured = await run(rowCount, options);
	await service.stop();
	service = undefined;
	return { ...measured, requests };
}

async function run(rowCount: number, options: IDataObject) {
	const startedAt = performance.now();
	const { json } = await bench.run(
		rows(rowCount),
		{ specifyTransaction: 'item', options },
		{ onError: 'continueRegularOutput' },
	);
	return { json, ms: Math.round(performance.now() - startedAt) };
}

const accept = (response: ServerResponse) => void response.writeHead(202).end('{}');
const report = (name: string, { json, ms, requests }: Measured) => {
	const outcomes = ['created', 'rejected', 'unknown', 'notSent'].map(
		(outcome) => `${outcome} ${count(json, outcome)}`,
	);
	process.stderr.write(
		`MEASURED ${name}: ${ms} ms, ${requests} requests, ${outcomes.join(', ')}\n`,
	);
};

const LENGTHS = [3, 60, 200, 1000];
/** After the end of the outage, on a machine that does nothing else. */
const MAX_MS_AFTER = 10_000;

describe.each<[string, number, Record<string, string>, number]>([
	['503', 503, {}, 0],
	['503 with Retry-After', 503, { 'retry-after': '1' }, 0],
	['503 after 20 ms', 503, {}, 20],
	['429', 429, {}, 0],
])('%s for 5 s', (name, status, headers, delay) => {
	test.each(LENGTHS)('%i rows', async (rowCount) => {
		const measured = await send(rowCount, (response, _nth, sinceMs) => {
			if (sinceMs > OUTAGE_MS) return accept(response);
			setTimeout(() => response.writeHead(status, headers).end(), delay);
		});
		report(`${name} for 5 s, ${rowCount} rows`, measured);
		expect(count(measured.json, 'created')).toBe(rowCount);
		expect(measured.ms).toBeLessThan(OUTAGE_MS + MAX_MS_AFTER);
	});
});

test.each(LENGTHS)('connections refused for 6 s, %i rows', async (rowCount) => {
	service = await startFakeService();
	const port = await freePort();
	await bench.seed({ authUrl: service.url, baseUrl: `http://127.0.0.1:${port}` });
	let requests = 0;
	const server = createServer((socket: Socket) => {
		requests++;
		socket.on('error', () => {});
		socket.once('data', () => socket.end('HTTP/1.1 202 Accepted\r\ncontent-length: 0\r\n\r\n'));
	});
	setTimeout(() => server.listen(port, '127.0.0.1'), 6000);
	const measured = await run(rowCount, {});
	server.close();
	report(`refused for 6 s, ${rowCount} rows`, { ...measured, requests });
	expect(count(measured.json, 'created')).toBe(rowCount);
	expect(measured.ms).toBeLessThan(6000 + MAX_MS_AFTER);
});

test('503 for 45 s, 1,000 rows', async () => {
	const measured = await send(1000, (response, _nth, sinceMs) =>
		sinceMs > 45_000 ? accept(response) : void response.writeHead(503).end(),
	);
	report('503 for 45 s, 1000 rows', measured);
	expect(count(measured.json, 'created')).toBe(1000);
});

test.each([20_000, -20_000, 7_200_000, -7_200_000])(
	'a clock that is set by %i ms during an outage makes no difference',
	async (step) => {
		const realNow = Date.now.bind(Date);
		const timer = setTimeout(
			() => jest.spyOn(Date, 'now').mockImplementation(() => realNow() + step),
			2000,
		);
		const measured = await send(200, (response, _nth, sinceMs) =>
			sinceMs > OUTAGE_MS
				? accept(response)
				: void response.writeHead(503, { 'retry-after': '1' }).end(),
		);
		clearTimeout(timer);
		jest.restoreAllMocks();
		expect(count(measured.json, 'created')).toBe(200);
		expect(measured.ms).toBeLessThan(OUTAGE_MS + MAX_MS_AFTER);
	},
);

describe('for ever: Max Retry Time 10 s, Timeout 5 s, 5,000 rows', () => {
	const options = { maxRetryTime: 10, timeout: 5 };
	test.each<[string, (response: ServerResponse) => void, number]>([
		['503', (response) => void response.writeHead(503).end(), 200],
		['429', (response) => void response.writeHead(429).end(), 300],
		[
			'429 with Retry-After',
			(response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
			300,
		],
		['no answer', () => {}, 200],
	])('%s', async (name, answer, maxRequests) => {
		const measured = await send(5000, answer, options);
		report(`${name} for ever`, measured);
		expect(measured.requests).toBeLessThanOrEqual(maxRequests);
		expect(count(measured.json, 'created')).toBe(0);
		expect(measured.json.at(-1)!.outcome).toBe('notSent');
	});

	test('a dead host', async () => {
		service = await startFakeService();
		await bench.seed({
			authUrl: service.url,
			baseUrl: `http://127.0.0.1:${await freePort()}`,
		});
		const measured = await run(5000, options);
		report('dead host for ever', { ...measured, requests: 0 });
		expect(count(measured.json, 'notSent')).toBe(5000);
	});
});

test.each([401, 403, 404, 405, 410, 421, 308])('%i for everything, 600 rows', async (status) => {
	const measured = await send(600, (response) => void response.writeHead(status).end());
	report(`${status} for everything`, measured);
	expect(measured.requests).toBeLessThanOrEqual(70);
	expect(measured.json.at(-1)!.outcome).toBe('notSent');
});

test.each([404, 401])('%i for one in 100 of 2,000 rows at 200 ms', async (status) => {
	const after = (response: ServerResponse, code: number) =>
		void setTimeout(() => response.writeHead(code).end('{}'), 200);
	const without = await send(2000, (response) => after(response, 202));
	const one = await send(2000, (response, nth) => after(response, nth % 100 === 0 ? status : 202));
	report('none', without);
	report(`${status} for one in 100`, one);
});

test('a limit of 50 requests per second, 500 rows', async () => {
	const measure = async (options: IDataObject) => {
		let second = -1;
		let taken = 0;
		let tooMany = 0;
		const measured = await send(
			500,
			(response, _nth, sinceMs) => {
				const current = Math.floor(sinceMs / 1000);
				if (current !== second) {
					second = current;
					taken = 0;
				}
				if (taken++ < 50) return accept(response);
				tooMany++;
				response.writeHead(429, { 'retry-after': '1' }).end();
			},
			options,
		);
		report(`50 per second, ${JSON.stringify(options)}, ${tooMany} times 429`, measured);
		expect(count(measured.json, 'created')).toBe(500);
	};
	await measure({});
	await measure({ maxRequestsPerSecond: 50 });
});

test('20 at once, 502 beyond', async () => {
	let open = 0;
	const measured = await send(1000, (response) => {
		if (open >= 20) return void response.writeHead(502).end();
		open++;
		setTimeout(() => {
			open--;
			accept(response);
		}, 50);
	});
	report('20 at once, 502 beyond', measured);
	expect(count(measured.json, 'created') + count(measured.json, 'unknown')).toBe(1000);
	expect(count(measured.json, 'unknown')).toBeLessThanOrEqual(80);
});
