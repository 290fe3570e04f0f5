import type { IHttpRequestOptions } from 'n8n-workflow';

import {
	ForceTokenRefresh,
	TokenRequestError,
	describeMissingScope,
	getToken,
	hasOutdatedToken,
	ownToken,
	storedToken,
} from '../../nodes/shared/token/tokenRequest';

let clients = 0;
/** Each test has a client of its own, because the tokens of a client are kept for the process. */
const newClient = () => ({
	authUrl: 'https://auth.example.com',
	clientId: `client ${++clients}`,
	clientSecret: 'secret',
	scope: 'PAYMENTS',
});

/** A token endpoint that issues T1, T2, …; `requests` has what it was asked. */
function endpoint(response: object = {}) {
	const requests: IHttpRequestOptions[] = [];
	const httpRequest = async (options: IHttpRequestOptions): Promise<unknown> => {
		requests.push(options);
		return await Promise.resolve({
			statusCode: 200,
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({ access_token: `T${requests.length}`, expires_in: 60 }),
			...response,
		});
	};
	return { requests, httpRequest };
}

/** Why there is no token. */
async function failureOf(promise: Promise<unknown>) {
	const error: unknown = await promise.catch((thrown: unknown) => thrown);
	if (!(error instanceof TokenRequestError)) throw new Error('It failed in another way.');
	expect(error.message).toBe(
		error.failure.fix === ''
			? error.failure.problem
			: `${error.failure.problem}. ${error.failure.fix}`,
	);
	// The failed request contains the client secret.
	expect(error).not.toHaveProperty('cause');
	return error.failure;
}

test('the request is that of the service interface, and follows no redirect', async () => {
	const { requests, httpRequest } = endpoint();
	const client = { ...newClient(), clientId: ' id & more ', clientSecret: ' a=b ' };
	expect(await getToken(client, httpRequest)).toBe(storedToken(client, 'T1'));
	expect(requests).toEqual([
		{
			method: 'POST',
			url: 'https://auth.example.com/passport/oauth/token',
			headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' },
			body: 'grant_type=client_credentials&scope=PAYMENTS&client_id=id+%26+more&client_secret=a%3Db',
			encoding: 'text',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 30_000,
		},
	]);
});

test('the path of the endpoint may be part of the Auth URL', async () => {
	const { requests, httpRequest } = endpoint();
	const authUrl = 'https://auth.example.com/passport/oauth/token/';
	await getToken({ ...newClient(), authUrl }, httpRequest);
	expect(requests[0].url).toBe('https://auth.example.com/passport/oauth/token');
});

test.each([
	['an object', { access_token: 'T', expires_in: 60 }, 'T'],
	['text', '{"access_token":"T"}', 'T'],
])('a body that is %s', async (_, body, token) => {
	const client = newClient();
	expect(await getToken(client, endpoint({ body }).httpRequest)).toBe(storedToken(client, token));
});

test.each([
	[{ body: undefined, headers: {} }, 'something that is not JSON'],
	[{ body: null, headers: {} }, 'something that is not JSON'],
	[{ body: 'x', headers: { 'content-type': 'text/html' } }, 'a web page'],
	[{ body: '', headers: {} }, 'nothing'],
])('a response without a token: %j', async (response, content) => {
	const failure = await failureOf(getToken(newClient(), endpoint(response).httpRequest));
	expect(failure.problem).toBe(
		`https://auth.example.com/passport/oauth/token answered with ${content} instead of a token`,
	);
});

test('an Auth URL that cannot be used sends nothing', async () => {
	const { requests, httpRequest } = endpoint();
	const client = { ...newClient(), authUrl: 'http://auth.example.com' };
	expect(await failureOf(getToken(client, httpRequest))).toEqual({
		problem:
			"'Auth URL' starts with http://, so anybody on the way could read what is sent to auth.example.com. Use https://, or turn on 'Allow Unencrypted HTTP' in the credential.",
		fix: '',
		temporary: false,
	});
	expect(requests).toEqual([]);
	await failureOf(getToken({ ...client, allowHttp: 'true' }, httpRequest));
	expect(requests).toEqual([]);
	await getToken({ ...client, allowHttp: true }, httpRequest);
	expect(requests).toHaveLength(1);
});

test.each([
	[{ code: 'ECONNREFUSED' }, true],
	[{ code: 'CERT_HAS_EXPIRED' }, false],
])('without a connection (%j), it says why', async (error, temporary) => {
	const failing = async () => await Promise.reject(Object.assign(new Error('x'), error));
	const failure = await failureOf(getToken(newClient(), failing));
	expect(failure).toEqual({
		problem: expect.stringMatching(
			/^n8n can't get an access token, because .*auth\.example\.com/,
		) as string,
		fix: 'Check the Auth URL, then try again.',
		temporary,
	});
});

test('concurrent calls of one client share a token request, and other clients make their own', async () => {
	const { requests, httpRequest } = endpoint();
	const [client, other] = [newClient(), newClient()];
	await Promise.all([client, client, other].map((one) => getToken(one, httpRequest)));
	expect(requests).toHaveLength(2);
});

test('a token that was replaced gets the one that replaced it, until that has expired', async () => {
	const { requests, httpRequest } = endpoint();
	const client = newClient();
	jest.spyOn(Date, 'now').mockReturnValue(0);
	try {
		const first = await getToken(client, httpRequest);
		const old = { ...client, accessToken: first };
		const second = await getToken(old, httpRequest);
		expect(second).toBe(storedToken(client, 'T2'));
		jest.spyOn(Date, 'now').mockReturnValue(59_999);
		expect(await getToken(old, httpRequest)).toBe(second);
		expect(requests).toHaveLength(2);
		jest.spyOn(Date, 'now').mockReturnValue(60_000);
		expect(await getToken(old, httpRequest)).toBe(storedToken(client, 'T3'));
	} finally {
		jest.restoreAllMocks();
	}
});

test('the tokens of 200 clients are kept, those of the least recently used one are not', async () => {
	const { requests, httpRequest } = endpoint();
	const all = Array.from({ length: 200 }, newClient);
	for (const client of all) await getToken(client, httpRequest);
	// The first is the most recently used one now.
	await getToken(all[0], httpRequest);
	expect(requests).toHaveLength(200);
	await getToken(newClient(), httpRequest);
	await getToken(all[0], httpRequest);
	await getToken(all[2], httpRequest);
	expect(requests).toHaveLength(201);
	await getToken(all[1], httpRequest);
	expect(requests).toHaveLength(202);
});

describe('the stored token', () => {
	const client = newClient();

	test('says which client it belongs to, and nothing of the secret', () => {
		expect(storedToken(client, 'T')).toMatch(/^[0-9a-f]{64} T$/);
	});

	test.each([
		[{ accessToken: storedToken(client, 'T') }, 'T'],
		[{ accessToken: storedToken({ ...client, clientId: 'other' }, 'T') }, undefined],
		[{ accessToken: storedToken({ ...client, clientSecret: 'other' }, 'T') }, undefined],
		[{ accessToken: storedToken({ ...client, authUrl: 'other' }, 'T') }, undefined],
		[{ accessToken: storedToken({ ...client, scope: 'other' }, 'T') }, undefined],
		[{ accessToken: 'T' }, undefined],
		[{ accessToken: '' }, undefined],
		[{}, undefined],
	])('%j: %s', (stored, token) => expect(ownToken({ ...client, ...stored })).toBe(token));
});

describe('the scope that the service granted', () => {
	const missing = (granted: string, requested: string) =>
		`The service granted the Scope "${granted}" instead of "${requested}". Choose another Scope, or have the client allowed to use it.`;

	test.each<[string, unknown, string | undefined]>([
		['PAYMENTS', 'PAYMENTS', undefined],
		['PAYMENTS', 'ACCOUNTS PAYMENTS', undefined],
		['ACCOUNTS PAYMENTS', 'PAYMENTS ACCOUNTS', undefined],
		['PAYMENTS', 'ACCOUNTS', missing('ACCOUNTS', 'PAYMENTS')],
		['PAYMENTS', 'PAYMENTS_READ', missing('PAYMENTS_READ', 'PAYMENTS')],
		['PAYMENTS', '', missing('', 'PAYMENTS')],
		['ACCOUNTS PAYMENTS', 'PAYMENTS', missing('PAYMENTS', 'ACCOUNTS PAYMENTS')],
		['PAYMENTS', 'x'.repeat(101), missing('x'.repeat(100), 'PAYMENTS')],
		// A response without a scope grants the one that was requested.
		['PAYMENTS', undefined, undefined],
		['PAYMENTS', 5, undefined],
		['PAYMENTS', ['ACCOUNTS'], undefined],
	])('%j requested, %j granted', async (requested, granted, message) => {
		const client = { ...newClient(), scope: requested };
		await getToken(client, endpoint({ body: { access_token: 'T', scope: granted } }).httpRequest);
		expect(describeMissingScope(client)).toBe(message);
	});

	test('is not known before there is a token', () => {
		expect(describeMissingScope(newClient())).toBeUndefined();
	});
});

test('n8n is made to fetch a token by an error with status 401', () => {
	const error = new ForceTokenRefresh();
	expect(error.response).toEqual({ status: 401 });
	expect(error.message).toBe('The stored access token does not belong to this client.');
});

describe('a token is outdated', () => {
	test.each([
		['when the token was issued before the request', 1_001, true],
		['but not when it was issued at the start of the request', 1_000, false],
		['but not when it was issued after the start', 999, false],
	])('%s', async (_, startedAt, expected) => {
		const client = newClient();
		jest.spyOn(Date, 'now').mockReturnValue(1_000);
		try {
			const accessToken = await getToken(client, endpoint().httpRequest);
			expect(hasOutdatedToken({ ...client, accessToken }, startedAt)).toBe(expected);
		} finally {
			jest.restoreAllMocks();
		}
	});

	test('when it was replaced meanwhile', async () => {
		const client = newClient();
		const { httpRequest } = endpoint();
		const accessToken = await getToken(client, httpRequest);
		await getToken({ ...client, accessToken }, httpRequest);
		expect(hasOutdatedToken({ ...client, accessToken }, 0)).toBe(true);
	});

	test('but not when this process has fetched none', () =>
		expect(hasOutdatedToken({ ...newClient(), accessToken: 'T' }, Date.now())).toBe(false));
});
