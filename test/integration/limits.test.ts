import type { IDataObject, IRequestOptions } from 'n8n-workflow';
import { Readable } from 'node:stream';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { SAMPLE } from '../support/builders/transactions';
import { startFakeService, type FakeService } from '../support/servers/fakeService';
import { testCredential } from './credentialTester';
import { EngineCredentials } from './harness';
import { sendRequests, type HttpHelper } from './requestNode';

/* The limits of the credential, enforced by both of n8n's HTTP helpers in the real engine. */

const TOKEN = 'POST /passport/oauth/token';
const POST = 'POST /api/v1/transactions';

let service: FakeService;
let elsewhere: FakeService;
let clients = 0;

beforeAll(async () => {
	const accept = (_: unknown, response: { writeHead(status: number): { end(): void } }) =>
		response.writeHead(202).end();
	service = await startFakeService(accept);
	elsewhere = await startFakeService(accept);
});
afterAll(async () => {
	await service.stop();
	await elsewhere.stop();
});
beforeEach(() => {
	service.received.length = 0;
	elsewhere.received.length = 0;
});

const data = (limits: IDataObject) => ({
	authUrl: service.url,
	baseUrl: service.url,
	clientId: `limits-${++clients}`,
	clientSecret: 'the-secret',
	scope: 'PAYMENTS',
	accessToken: '',
	...limits,
});

async function send(helper: HttpHelper, limits: IDataObject, requests: IRequestOptions[]) {
	const credentials = new EngineCredentials({ paymentsApi: new PaymentsApi() });
	await credentials.seed('c1', 'paymentsApi', data(limits) as never);
	return await sendRequests(helper, requests, credentials);
}

const LIMITS = { maxAmounts: 'EUR 1000, any 500', allowedCurrencies: 'EUR, USD' };
const within = { ...SAMPLE, amount: '1000.00' };
const beyond = { ...SAMPLE, amount: '1000.01' };
const RAW = { 'content-type': 'application/json' };

describe.each<HttpHelper>(['requestWithAuthentication', 'httpRequestWithAuthentication'])(
	'%s',
	(helper) => {
		const uri = () => `${service.url}/api/v1/transactions`;
		const post = (request: object): IRequestOptions => ({ method: 'POST', uri: uri(), ...request });

		test('sends what is within the limits, byte by byte as it was checked', async () => {
			const results = await send(helper, LIMITS, [
				post({ body: within, json: true }),
				post({ body: ` ${JSON.stringify(within)}`, headers: RAW }),
				post({ body: { ...within, amount: '500', currency: 'USD' } }),
			]);
			expect(results.map(({ message }) => message)).toEqual([undefined, undefined, undefined]);
			expect(service.calls()).toEqual([TOKEN, POST, POST, POST]);
			for (const { headers } of service.received.slice(1)) {
				expect(headers).toMatchObject({
					'content-type': 'application/json',
					authorization: expect.stringMatching(/^Bearer token-/) as string,
				});
			}
			expect(service.received.slice(1).map(({ body }) => JSON.parse(body) as object)).toEqual([
				within,
				within,
				{ ...within, amount: '500', currency: 'USD' },
			]);
		});

		test('sends nothing else, and requests no token for it', async () => {
			const json = JSON.stringify(within);
			const requests: Array<[IRequestOptions, RegExp]> = [
				[post({ body: beyond, json: true }), /1000\.01 EUR is more than 1000 EUR/],
				[post({ body: JSON.stringify(beyond), headers: RAW }), /1000\.01 EUR is more than/],
				[post({ body: { ...within, currency: 'GBP' } }), /GBP is not one of the currencies/],
				[post({ body: { ...within, amount: 5 } }), /decimal number as text/],
				[post({ body: `{"amount":"9",${json.slice(1)}`, headers: RAW }), /"amount" twice/],
				[post({ form: within }), /form fields|is empty/],
				[post({ formData: within }), /form fields|is empty/],
				[post({ body: Buffer.from(json), headers: RAW }), /a file, a stream, or form data/],
				[post({ body: Readable.from([json]), headers: RAW }), /a file, a stream, or form data/],
				[post({ body: new URLSearchParams({ amount: '1' }) }), /a file, a stream/],
				[post({ body: 'amount=1&currency=EUR' }), /content type/],
				[post({ method: 'PUT', body: within }), /apart from reading/],
				[post({ body: within, qs: { amount: '9999' } }), /apart from reading/],
				[post({ uri: `${service.url}/api/v1/payments`, body: within }), /apart from reading/],
				[post({ uri: `${elsewhere.url}/api/v1/transactions`, body: within }), /Base URL/],
				[{ method: 'GET', uri: elsewhere.url }, /only to the Base URL/],
				[post({ body: within, proxy: elsewhere.url }), /through a proxy/],
			];
			// The first request of all gets the token that the others find stored.
			const [, ...results] = await send(helper, LIMITS, [
				post({ body: within }),
				...requests.map(([request]) => request),
			]);
			expect(service.calls()).toEqual([TOKEN, POST]);
			expect(elsewhere.calls()).toEqual([]);
			expect(results).toHaveLength(requests.length);
			results.forEach(({ message }, index) => expect(message).toMatch(requests[index][1]));
			expect(JSON.stringify(results)).not.toMatch(/the-secret|token-\d/);
		});

		test('follows no redirect', async () => {
			const redirecting = await startFakeService((_, response) => {
				response.writeHead(307, { location: `${elsewhere.url}/api/v1/transactions` }).end();
			});
			await send(helper, { ...LIMITS, authUrl: redirecting.url, baseUrl: redirecting.url }, [
				{
					method: 'POST',
					uri: `${redirecting.url}/api/v1/transactions`,
					body: within,
					followRedirect: true,
					followAllRedirects: true,
				},
			]);
			await redirecting.stop();
			expect(elsewhere.calls()).toEqual([]);
		});

		test.each([
			[{ maxAmounts: '1,000' }, /'Max Amount per Transaction' in the credential can't be used/],
			[{ maxAmounts: 'abc' }, /'Max Amount per Transaction' in the credential can't be used/],
			[{ allowedCurrencies: 'EURO' }, /'Allowed Currencies' in the credential can't be used/],
		])('sends nothing while a limit cannot be read: %p', async (limits, words) => {
			const [first, second] = await send(helper, limits, [
				post({ body: within }),
				{ method: 'GET', uri: uri() },
			]);
			expect(first.message).toMatch(words);
			expect(second.message).toMatch(words);
			expect(service.calls().filter((call) => call !== TOKEN)).toEqual([]);
		});

		test("a request with the credential test's marker creates nothing", async () => {
			await send(helper, LIMITS, [
				post({ body: beyond, headers: { ...RAW, 'x-n8n-credential-test': 'true' } }),
			]);
			expect(service.calls().filter((call) => call.startsWith('POST'))).toEqual([TOKEN]);
		});

		test('without limits a request is sent as it is', async () => {
			await send(helper, {}, [
				post({ body: beyond }),
				post({
					uri: `${service.url}/other?x=1`,
					body: 'a=1',
					headers: { 'content-type': 'text/plain' },
				}),
				{ method: 'GET', uri: elsewhere.url },
			]);
			expect(service.calls()).toEqual([TOKEN, POST, 'POST /other?x=1']);
			expect(service.received[2].body).toBe('a=1');
			expect(elsewhere.calls()).toEqual(['GET /']);
		});
	},
);

test('the credential test names a limit that cannot be read, and works with one that can', async () => {
	const type = new PaymentsApi();
	expect(await testCredential(type, data(LIMITS) as never)).toMatchObject({ status: 'OK' });
	const result = await testCredential(type, data({ maxAmounts: '1,000' }) as never);
	expect(result).toEqual({
		status: 'Error',
		message: expect.stringMatching(/"1" is neither an amount alone/) as string,
	});
});
