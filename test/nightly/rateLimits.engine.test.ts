import type { IDataObject } from 'n8n-workflow';

import { rows } from '../support/builders/transactions';
import { PaymentsBench } from '../support/engine/payments';
import { fixedWindow, LIMIT_HEADERS, slidingWindow, type RateLimit } from '../support/rateLimits';
import { startFakeService } from '../support/servers/fakeService';

/*
 * Limits per minute in real time, over real connections, with default options. All lists at the
 * same time, because what takes time is to wait. What is above the limit's own time is for finding
 * out when it ends: a sliding window frees one place after the other.
 */

const KINDS: Record<string, (perMinute: number) => RateLimit> = {
	'fixed window': fixedWindow,
	'sliding window': slidingWindow,
};

type Case = [kind: string, header: string, perMinute: number, count: number, seconds: number];

const cases = Object.keys(KINDS).flatMap((kind) =>
	Object.keys(LIMIT_HEADERS).flatMap((header): Case[] => [
		[kind, header, 500, 700, 80],
		[kind, header, 100, 160, 75],
		[kind, header, 100, 310, 190],
		[kind, header, 10, 35, 198],
	]),
);
const LONG: Case = ['sliding window', 'nothing', 500, 5000, 640];

let bench: PaymentsBench;
beforeAll(async () => (bench = await PaymentsBench.start()));

/** What became of a list: how many were created, in how many s, and the share that was refused. */
async function send([kind, header, perMinute, count]: Case) {
	const limit = KINDS[kind](perMinute);
	const startedAt = performance.now();
	const service = await startFakeService((_request, response) => {
		const now = performance.now() - startedAt;
		if (!limit.isBeyond(now)) return void response.writeHead(202).end('{}');
		const headers = LIMIT_HEADERS[header](limit.freeAt(now) - now, Date.now());
		response.writeHead(429, headers).end();
	});
	const id = [kind, header, perMinute, count].join();
	await bench.credentials.seed(id, 'paymentsApi', {
		authUrl: service.url,
		baseUrl: service.url,
		clientId: id,
		clientSecret: 'secret',
		scope: 'PAYMENTS',
	} as never);
	const { json } = await bench.run(rows(count), undefined, {
		onError: 'continueRegularOutput',
		credentials: { paymentsApi: { id, name: id } },
	});
	await service.stop();
	const created = json.filter(({ outcome }: IDataObject) => outcome === 'created').length;
	const seconds = (performance.now() - startedAt) / 1000;
	const refused = 1 - created / (service.received.length - 1);
	return { created, seconds, refused };
}

test('limits per minute lose no row, and cost little more than their own time', async () => {
	const all = await Promise.all(
		[...cases, LONG].map(async (one) => [one, await send(one)] as const),
	);
	const table = all.map(([[kind, header, perMinute, count], { created, seconds, refused }]) => ({
		limit: `${perMinute} a minute, ${kind}`,
		header,
		created: `${created} of ${count}`,
		seconds: seconds.toFixed(1),
		refused: `${(100 * refused).toFixed(0)} %`,
	}));
	console.table(table);
	for (const [[, , , count, atMost], { created, seconds }] of all) {
		expect(created).toBe(count);
		expect(seconds).toBeLessThanOrEqual(atMost);
	}
	expect(all.at(-1)![1].refused).toBeLessThanOrEqual(0.3);
}, 1_200_000);
