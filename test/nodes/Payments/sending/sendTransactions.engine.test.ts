import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

import type { IExecuteFunctions } from 'n8n-workflow';

import { createTransactions } from '../../../../nodes/Payments/createTransactions';

import { rows } from '../../../support/builders/transactions';
import { readRun } from '../../../support/engine/payments';
import {
	accept,
	after,
	CONTINUE,
	count,
	reject,
	useServices,
} from '../../../support/engine/services';

/* How a list of transactions is sent, through n8n's engine. */

const { tools, serve, run } = useServices();

test('the time for retries begins with the first attempt, not with the wait for a turn', async () => {
	await serve((_request, response, nth) =>
		nth === 9 ? reject(response, 503, { 'retry-after': '0' }) : after(90, response),
	);
	const options = { maxConcurrentRequests: 1, maxRetryTime: 0.7 };
	const { json } = await run(rows(10), options);
	expect(count(json, 'created')).toBe(10);
});

test('Max Requests per Second spaces requests', async () => {
	const arrivals: number[] = [];
	await serve((_request, response) => {
		arrivals.push(Date.now());
		accept(response);
	});
	const { json } = await run(rows(11), { maxRequestsPerSecond: 20 });
	expect(count(json, 'created')).toBe(11);
	expect(arrivals.at(-1)! - arrivals[0]).toBeGreaterThan(450);
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
		const { finished } = tools.bench.begin(
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
});
