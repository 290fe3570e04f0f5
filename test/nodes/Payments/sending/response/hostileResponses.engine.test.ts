import type { ServerResponse } from 'node:http';

import { rows } from '../../../../support/builders/transactions';
import { startFakeService, type FakeService } from '../../../../support/servers/fakeService';
import { useBench, type PaymentsBench } from '../../../../support/engine/payments';

/* Responses that a service of its right mind doesn't send, and what they must never do. */

let bench: PaymentsBench;
useBench((one) => (bench = one));

let service: FakeService;
/** Answers the requests with transactions. */
let answer: (response: ServerResponse) => void;

beforeEach(async () => {
	service = await startFakeService((_, response) => answer(response));
	await bench.seed({ authUrl: service.url, baseUrl: service.url, clientId: service.url });
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.stop();
});

const json = (status: number, body: string) => (response: ServerResponse) =>
	void response.writeHead(status, { 'content-type': 'application/json' }).end(body);

const run = async (count: number, options: object = {}, onError?: 'continueRegularOutput') =>
	await bench.run(
		rows(count),
		{ specifyTransaction: 'item', options: { maxRetryTime: 0, ...options } },
		{ onError },
	);

const TOKEN = '5f7e1c2a-9d0b-4c77-8e21';
test.each([
	[400, { message: `Invalid access token: ${TOKEN}` }],
	[403, { errorCode: TOKEN, warnings: [{ position: TOKEN, issue: `Bearer ${TOKEN}` }] }],
	[200, { error: TOKEN }],
	[202, { request: { headers: [{ authorization: `Bearer ${TOKEN}` }] } }],
	[200, `${TOKEN} is wrong`],
])('a service that repeats the access token with %i: nobody sees it', async (status, body) => {
	service.tokenMembers.access_token = TOKEN;
	answer = json(status, JSON.stringify(body));
	for (const onError of [undefined, 'continueRegularOutput'] as const) {
		const seen = JSON.stringify(await run(1, {}, onError));
		expect(seen).toContain('•••');
		expect(seen).not.toContain(TOKEN);
	}
});
