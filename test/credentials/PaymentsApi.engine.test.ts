import type { ServerResponse } from 'node:http';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { DEPARTURE, type Departure } from '../../nodes/shared/departure';
import { renewToken } from '../../nodes/shared/token/tokenRequest';
import { USER_AGENT } from '../../nodes/shared/userAgent';
import { startFakeService, type FakeService } from '../support/servers/fakeService';
import { testCredential } from '../support/engine/credentialTester';

/* The credential test. What a response means is in serviceUrl.test.ts and tokenResponse.test.ts. */

const TOKEN = 'POST /passport/oauth/token';
const GET = 'GET /api/v1/transactions';
const POST = 'POST /api/v1/transactions';

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
const OK = { status: 'OK', message: 'Connection successful!' };
const fails = (message: RegExp) => ({
	status: 'Error',
	message: expect.stringMatching(message) as string,
});

const HTML = { 'content-type': 'text/html; charset=utf-8' };
const JSON_TYPE = { 'content-type': 'application/json' };

const LACKS_SCOPE = {
	'www-authenticate': 'Bearer error="insufficient_scope", scope="OXYGEN"',
};

describe('what the credential test makes of the response at the Base URL', () => {
	test.each<[number, Record<string, string>, object]>([
		[405, JSON_TYPE, OK],
		[403, HTML, fails(/a web page \(status 403\)\. Check the Base URL.*firewall/)],
		[307, { location: 'https://login.example' }, fails(/status 307.*final address as Base URL/)],
		[401, LACKS_SCOPE, fails(/asks for "OXYGEN" \(status 401\)\. Select the Scope "OXYGEN"/)],
		[403, LACKS_SCOPE, fails(/Select the Scope "OXYGEN"/)],
	])('%i (%p)', async (status, headers, expected) => {
		answer = (response) => void response.writeHead(status, headers).end();
		const result = await press();
		expect(result).toEqual(expected);
		expect(result.message).not.toMatch(/the-secret|token-\d/);
		expect(service.calls()).toEqual([TOKEN, GET]);
	});

	test.each([
		[400, JSON_TYPE, OK],
		[401, JSON_TYPE, OK],
		[403, JSON_TYPE, OK],
		[404, JSON_TYPE, fails(/status 404/)],
		[405, JSON_TYPE, fails(/status 404/)],
		[403, HTML, fails(/status 404/)],
	])('404 to GET, and %i (%p) to a POST without a token', async (status, headers, expected) => {
		answer = (response) =>
			void response.writeHead(response.req.method === 'POST' ? status : 404, headers).end();
		expect(await press()).toEqual(expected);
		expect(service.calls()).toEqual([TOKEN, GET, POST]);
		const post = service.received.at(-1)!;
		expect([post.headers.authorization, post.body]).toEqual([undefined, '{}']);
		const named = { accept: 'application/json', 'user-agent': USER_AGENT['User-Agent'] };
		for (const { headers } of service.received) expect(headers).toMatchObject(named);
	});

	test('no response at all', async () => {
		answer = (response) => void response.destroy();
		expect(await press()).toEqual(fails(/without a response/));
	});
});

test.each<[ICredentialDataDecryptedObject, RegExp]>([
	[{ clientId: '' }, /'Client ID' is empty/],
	[{ baseUrl: 'ftp://a.example' }, /'Base URL'/],
	[{ maxAmounts: 'x' }, /'Max Amount per Transaction' in the credential/],
	[{ recordedCodes: 'E100, "already' }, /'Codes for Recorded Already'.*entry 2.*double quotes/],
])('%j: is named, and nothing is sent', async (changes, message) => {
	expect(await press(changes)).toEqual(fails(message));
	expect(service.received).toEqual([]);
});

test('without a Base URL, and with limits and codes: the Auth URL is where transactions are sent', async () => {
	const limits = { maxAmounts: '1000', allowedRecipients: 'a; b' };
	const recordedCodes = 'E100, "already, there", 409';
	expect(await press({ baseUrl: '', recordedCodes, ...limits })).toEqual(OK);
	expect(service.calls()).toEqual([TOKEN, GET]);
});

test('a scope that is not granted as a whole is named', async () => {
	service.tokenMembers = { scope: 'PAYMENTS' };
	const message = /didn't grant all of the Scope "PAYMENTS payments\.\*"/;
	expect(await press({ scope: 'PAYMENTS payments.*' })).toEqual(fails(message));
});

test('the test makes a token request although a token is stored', async () => {
	const used = data();
	for (let round = 0; round < 2; round++) expect(await testCredential(used)).toEqual(OK);
	expect(service.calls()).toEqual([TOKEN, GET, TOKEN, GET]);
});

describe('authenticate', () => {
	const authenticate = async (abortSignal: AbortSignal, timeout?: number) => {
		const headers = { [DEPARTURE]: {} as Departure };
		const used = data();
		await renewToken(used, async () => ({
			statusCode: 200,
			headers: {},
			body: JSON.stringify({ access_token: 'token-of-a-test' }),
		}));
		const request = { url: service.url, headers, abortSignal, timeout };
		const departure = headers[DEPARTURE];
		return { sent: new PaymentsApi().authenticate(used, request as never), departure };
	};

	test('adds the token, and says so', async () => {
		const { sent, departure } = await authenticate(new AbortController().signal);
		expect((await sent).headers).toMatchObject({ Authorization: 'Bearer token-of-a-test' });
		expect(departure.token).toBe('token-of-a-test');
	});

	test('lets nothing leave once the execution is canceled', async () => {
		const { sent, departure } = await authenticate(AbortSignal.abort());
		await expect(sent).rejects.toThrow(/execution ended.*Nothing was sent/);
		expect(departure.token).toBeUndefined();
	});

	test.each([undefined, 60_000])(
		'ends a request with the execution, timeout %p',
		async (timeout) => {
			const canceled = new AbortController();
			const request = await (await authenticate(canceled.signal, timeout)).sent;
			const signal = request.abortSignal as AbortSignal;
			expect(signal.aborted).toBe(false);
			canceled.abort();
			expect(signal.aborted).toBe(true);
		},
	);

	test('ends a request when its time is up', async () => {
		const request = await (await authenticate(new AbortController().signal, 20)).sent;
		await new Promise((resolve) =>
			(request.abortSignal as AbortSignal).addEventListener('abort', resolve),
		);
	});
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
