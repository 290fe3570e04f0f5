import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type AddressInfo } from 'node:net';

import { freePort } from '../../../../host/freePort';

import { rows } from '../../../support/builders/transactions';
import { accept, count, reject, useServices } from '../../../support/engine/services';

afterEach(() => jest.restoreAllMocks());

/* How a list of transactions is sent to services that are busy, broken, or not there. */

const { serve, run } = useServices();

describe('a service that accepts no request', () => {
	test('for as long as Max Retry Time ends the list: what was not started was not sent', async () => {
		await serve((_request, response) => reject(response, 503, { 'retry-after': '1' }));
		const startedAt = Date.now();
		const options = { maxConcurrentRequests: 1, maxRetryTime: 2 };
		const { json } = await run(rows(50), options);
		expect(Date.now() - startedAt).toBeLessThan(7_500);
		expect(count(json, 'unknown')).toBeLessThanOrEqual(5);
		expect(count(json, 'unknown') + count(json, 'notSent')).toBe(50);
		expect(json.at(-1)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/hasn't decided about any payment for \d s.*status 503/),
			fix: expect.stringContaining("'Max Retry Time'"),
		});
	});
});

test.each([7_200_000, -7_200_000])(
	'an outage is waited out, also when the clock of this machine is set by %i ms',
	async (step) => {
		const realNow = Date.now.bind(Date);
		const startedAt = performance.now();
		await serve((_request, response) => {
			if (performance.now() - startedAt > 2000) return accept(response);
			jest.spyOn(Date, 'now').mockImplementation(() => realNow() + step);
			reject(response, 503, { 'retry-after': '1' });
		});
		const { json } = await run(rows(200), {});
		expect(count(json, 'created')).toBe(200);
		expect(performance.now() - startedAt).toBeLessThan(12_000);
	},
);

describe('a service that never decides about a payment', () => {
	/** Many times what is sent. */
	const MANY = 1000;

	test('but answers 404', async () => {
		const { received } = await serve((_request, response) => reject(response, 404));
		const { json } = await run(rows(MANY), { maxRetryTime: 2 });
		expect(received.length).toBeLessThanOrEqual(71);
		expect(count(json, 'rejected') + count(json, 'notSent')).toBe(MANY);
		expect(json.at(-1)).toMatchObject({
			outcome: 'notSent',
			message: expect.stringContaining('status 404'),
		});
	});

	test('because nothing listens', async () => {
		const baseUrl = `http://127.0.0.1:${await freePort()}`;
		await serve((_request, response) => accept(response), { baseUrl });
		let connections = 0;
		const countConnection = () => void connections++;
		subscribe('net.client.socket', countConnection);
		const { json } = await run(rows(MANY), { maxRetryTime: 2 });
		unsubscribe('net.client.socket', countConnection);
		expect(connections).toBeLessThanOrEqual(200);
		expect(count(json, 'notSent')).toBe(MANY);
		expect(json.at(-1)!.message).toMatch(/nothing responds at .* for \d s/);
	});

	test('because it closes each connection before it is secure', async () => {
		const host = createServer((socket) => void socket.on('error', () => {}).end());
		await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve));
		const { port } = host.address() as AddressInfo;
		await serve((_request, response) => accept(response), { baseUrl: `https://127.0.0.1:${port}` });
		const { json } = await run(rows(5), { maxRetryTime: 3 });
		host.close();
		expect(count(json, 'notSent')).toBe(5);
		expect(json[0].message).toMatch(/no secure connection.*tried \d+ times/);
	});
});
