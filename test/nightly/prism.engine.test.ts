import { join } from 'node:path';

import { CONTRACT } from '../../sandbox/contract';
import { freePort } from '../../host/freePort';
import { startProcess, type ManagedProcess } from '../../host/processes';
import { rows } from '../support/builders/transactions';
import { PaymentsBench } from '../support/engine/payments';

const PRISM = join(__dirname, 'node_modules/@stoplight/prism-cli/dist/index.js');

let bench: PaymentsBench;
let url: string;
let prism: ManagedProcess;

beforeAll(async () => {
	const port = await freePort();
	prism = startProcess('prism', process.execPath, [
		PRISM,
		'mock',
		CONTRACT,
		'-p',
		String(port),
		'--errors',
	]);
	[bench] = await Promise.all([PaymentsBench.start(), prism.waitFor(/Prism is listening/, 60_000)]);
	url = `http://127.0.0.1:${port}`;
	await bench.seed({ authUrl: url, baseUrl: url });
}, 90_000);
afterAll(async () => await prism.stop());

// With --errors Prism rejects what does not fit the contract, so an output is its consent to token
// request, header and body.
it('a server that others made from the contract accepts what the node sends', async () => {
	// Prism answers with "string" for all that is text, so that's the Event ID of both items.
	const eventId = 'string';
	const { json, error } = await bench.run([
		...rows(1, () => ({ eventId })),
		...rows(1, () => ({
			eventId: eventId.toUpperCase(),
			externalId: 'pmt_x',
			externalStatus: 'BOOKED',
			currency: 'JPY',
			amount: '7',
		})),
	]);
	expect(error).toBeUndefined();
	expect(json.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
	expect((await bench.sandbox.client.getCounts()).transactions.requests).toBe(0);
});

it('and would say if something were wrong with it', async () => {
	const response = await fetch(`${url}/api/v1/transactions`, {
		method: 'POST',
		headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
		body: '{"eventId":1}',
	});
	// What the contract has for a body that it does not accept.
	expect(response.status).toBe(422);
});
