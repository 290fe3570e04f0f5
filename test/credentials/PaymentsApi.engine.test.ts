import type { ServerResponse } from 'node:http';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { startFakeService, type FakeService } from '../support/servers/fakeService';
import { testCredential } from '../support/engine/credentialTester';

const TOKEN = 'POST /passport/oauth/token';
const GET = 'GET /api/v1/transactions';

let service: FakeService;
let answer: (response: ServerResponse) => void;
let clients = 0;

beforeAll(async () => {
	service = await startFakeService((_, response) => answer(response));
});
afterAll(async () => await service.stop());
beforeEach(() => {
	service.received.length = 0;
	service.tokenMembers = {};
	answer = (response) => void response.writeHead(405).end();
});

/** A client of its own for each test, because the token of a client is kept for the process. */
const data = (changes: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject => ({
	authUrl: service.url,
	baseUrl: service.url,
	clientId: `client-${++clients}`,
	clientSecret: 'the-secret',
	scope: 'PAYMENTS',
	accessToken: '',
	...changes,
});

const press = async (changes: ICredentialDataDecryptedObject = {}) =>
	await testCredential(data(changes));

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('what the credential test makes of the response at the Base URL', () => {
	test.each([
		[200, JSON_TYPE],
		[405, JSON_TYPE],
	])('%i (%p): the service is there', async (status, headers) => {
		answer = (response) => void response.writeHead(status, headers).end();
		expect(await press()).toEqual({ status: 'OK', message: 'Connection successful!' });
		expect(service.calls()).toEqual([TOKEN, GET]);
	});

	test.each<[number, Record<string, string>, RegExp]>([
		[200, HTML, /a web page \(status 200\)\. Check the Base URL/],
		[403, HTML, /a web page \(status 403\)\. Check the Base URL.*firewall/],
		[307, { location: 'https://login.example.com' }, /status 307.*final address as Base URL/],
	])('%i (%p): the test does not succeed, and says why', async (status, headers, message) => {
		answer = (response) => void response.writeHead(status, headers).end();
		const result = await press();
		expect(result).toEqual({
			status: 'Error',
			message: expect.stringMatching(message) as string,
		});
		expect(result.message).not.toMatch(/the-secret|token-\d/);
	});

	test.each([400, 401, 403, 415, 422])(
		'404 to GET, and %i to a POST without a token and without content: the service is there',
		async (status) => {
			answer = (response) =>
				void response.writeHead(response.req.method === 'POST' ? status : 404).end();
			expect(await press()).toEqual({ status: 'OK', message: 'Connection successful!' });
			const post = service.received.find(
				({ method, url }) => method === 'POST' && url === '/api/v1/transactions',
			)!;
			expect(post.headers.authorization).toBeUndefined();
			expect(post.body).toBe('{}');
		},
	);

	test.each([
		[404, JSON_TYPE],
		[405, JSON_TYPE],
		[403, HTML],
	])('404 to GET, and %i (%p) to the POST: it is not', async (status, headers) => {
		answer = (response) =>
			void response.writeHead(response.req.method === 'POST' ? status : 404, headers).end();
		expect(await press()).toMatchObject({ status: 'Error' });
	});

	test('no response at all', async () => {
		answer = (response) => void response.destroy();
		expect((await press()).message).toMatch(/without a response/);
	});
});

test.each([
	['authUrl', "'Auth URL' is empty"],
	['clientId', "'Client ID' is empty"],
	['clientSecret', "'Client Secret' is empty"],
	['scope', "'Scope' is empty"],
])('a %s that is empty is named, and nothing is sent', async (name, message) => {
	const result = await press({ [name]: '', baseUrl: service.url });
	expect(result).toEqual({ status: 'Error', message: expect.stringContaining(message) as string });
	expect(service.calls()).toEqual([]);
});

test('a Base URL that cannot be used is named, and nothing is sent', async () => {
	expect((await press({ baseUrl: 'ftp://a.example' })).message).toContain("'Base URL'");
	expect(service.calls()).toEqual([]);
});

test('without a Base URL, the Auth URL is where transactions are sent', async () => {
	expect(await press({ baseUrl: '' })).toMatchObject({ status: 'OK' });
	expect(service.calls()).toEqual([TOKEN, GET]);
});

test('limits that cannot be read are named', async () => {
	expect(await press({ maxAmounts: '1000', allowedRecipients: 'a; b' })).toMatchObject({
		status: 'OK',
	});
	expect(await press({ maxAmounts: 'x' })).toEqual({
		status: 'Error',
		message: expect.stringContaining("'Max Amount per Transaction' in the credential") as string,
	});
});

test('codes for recorded already that cannot be read are named', async () => {
	expect(await press({ recordedCodes: 'E100, "already, there", 409' })).toMatchObject({
		status: 'OK',
	});
	service.received.length = 0;
	expect(await press({ recordedCodes: 'E100, "already' })).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			/'Codes for Recorded Already'.*entry 2.*double quotes/,
		) as string,
	});
	expect(service.received).toEqual([]);
});

test('a scope that is not granted as a whole is named', async () => {
	service.tokenMembers = { scope: 'PAYMENTS' };
	expect(await press({ scope: 'PAYMENTS' })).toMatchObject({ status: 'OK' });
	const { status, message } = await press({ scope: 'PAYMENTS payments.*' });
	expect(status).toBe('Error');
	expect(message).toContain(`didn't grant all of the Scope "PAYMENTS payments.*"`);
});

test('the test makes a token request although a token is stored', async () => {
	const used = data();
	await testCredential(used);
	service.received.length = 0;
	answer = (response) => void response.writeHead(404).end();
	expect(await testCredential({ ...used, scope: 'OXYGEN' })).toMatchObject({ status: 'Error' });
	expect(service.calls()).toEqual([TOKEN, GET, 'POST /api/v1/transactions']);
});

test('addresses and client come first, limits next, and what only some services need last', () => {
	const names = new PaymentsApi().properties.map(({ displayName }) => displayName);
	expect(names).toEqual([
		'Auth URL',
		'Base URL',
		'Client ID',
		'Client Secret',
		'Scope',
		'Max Amount per Transaction',
		'Allowed Currencies',
		'Allowed Recipients',
		'Codes for Recorded Already',
		'Allow Unencrypted HTTP',
		'Send Idempotency-Key Header',
		'Access Token',
	]);
});
