import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type AddressInfo } from 'node:net';

import { freePort } from '../../../../host/freePort';

import { rows } from '../../../support/builders/transactions';
import { accept, count, reject, useServices } from '../../../support/engine/services';

afterEach(() => jest.restoreAllMocks());

/* How a list of transactions is sent to services that are busy, broken, or not there. */

const { serve, run } = useServices();

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
	const { json } = await run(rows(200), {});
	expect(count(json, 'created')).toBe(200);
	expect(performance.now() - startedAt).toBeLessThan(12_000);
});

describe('a service that never decides about a payment', () => {
	test('but answers 404', async () => {
		const { received } = await serve((_request, response) => reject(response, 404));
		const { json } = await run(rows(1000), { maxRetryTime: 2 });
		expect(received.length).toBeLessThanOrEqual(71);
		expect(count(json, 'rejected') + count(json, 'notSent')).toBe(1000);
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
		const { json } = await run(rows(1000), { maxRetryTime: 2 });
		unsubscribe('net.client.socket', countConnection);
		expect(connections).toBeLessThanOrEqual(200);
		expect(count(json, 'notSent')).toBe(1000);
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
