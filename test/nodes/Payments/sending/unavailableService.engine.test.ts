import { subscribe, unsubscribe } from 'node:diagnostics_channel';

import { freePort } from '../../../../host/freePort';

import { rows } from '../../../support/builders/transactions';
import {
	accept,
	count,
	reject,
	transactionsOf,
	useServices,
} from '../../../support/engine/services';

/* How a list of transactions is sent to services that are busy, broken, or not there. */

const { serve, run } = useServices();

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
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
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
