import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { test as credentialTest } from '../../nodes/shared/credentialTest';
import { stageOf } from '../../nodes/shared/requestStage';
import { storedToken } from '../../nodes/shared/token/tokenRequest';

const client = {
	authUrl: 'https://auth.example.com',
	clientId: 'id',
	clientSecret: 'secret',
	scope: 'PAYMENTS',
};
const used = { ...client, accessToken: storedToken(client, 'T') };
const authenticate = async (request: object, changes = {}) =>
	await new PaymentsApi().authenticate({ ...used, ...changes }, request as IHttpRequestOptions);

describe.each(['url', 'uri'])('a request whose address stands in "%s"', (member) => {
	test('gets the token', async () => {
		const request = {
			method: 'POST',
			[member]: 'https://api.example.com/api/v1/transactions?a=1',
			headers: { accept: 'x' },
		};
		expect(await authenticate(request)).toEqual({
			...request,
			headers: { accept: 'x', Authorization: 'Bearer T' },
		});
	});

	test('gets none over plain http to another machine, unless that is allowed', async () => {
		const request = { [member]: 'http://api.example.com/' };
		await expect(authenticate(request)).rejects.toThrow("'URL' starts with http://, so anybody");
		expect((await authenticate(request, { allowHttp: true })).headers).toEqual({
			Authorization: 'Bearer T',
		});
	});
});

describe('a token belongs to the client that it was issued to', () => {
	const request = { method: 'POST', url: 'https://api.example.com/api/v1/transactions' };

	test.each([
		[{ clientId: 'another' }],
		[{ clientSecret: 'another' }],
		[{ authUrl: 'https://other.example.com' }],
		[{ scope: 'OXYGEN' }],
		[{ accessToken: '' }],
		[{ accessToken: 'T' }],
	])(
		'%p: nothing is sent with it; n8n is made to fetch one',
		async (changes) =>
			await expect(authenticate(request, changes)).rejects.toMatchObject({
				response: { status: 401 },
			}),
	);

	test('it may be used at another address of the same client', async () => {
		expect((await authenticate(request, { baseUrl: 'https://other.example.com' })).headers).toEqual(
			{ Authorization: 'Bearer T' },
		);
	});
});

/**
 * Calls `preAuthentication` as n8n does, with a service that issues a token.
 *
 * @param probe how the service answers the probe: an error, or a status
 */
async function preAuthenticate(
	credentials: ICredentialDataDecryptedObject,
	{ probe = 405, scope }: { probe?: Error | number; scope?: string } = {},
) {
	const requests: IHttpRequestOptions[] = [];
	const stages: unknown[] = [];
	const httpRequest = async (request: IHttpRequestOptions) => {
		requests.push(request);
		stages.push(stageOf(credentials));
		const token = { access_token: 'T', token_type: 'Bearer', expires_in: 3600, scope };
		if (request.method === 'POST')
			return { statusCode: 200, headers: {}, body: JSON.stringify(token) };
		if (probe instanceof Error) throw probe;
		return { statusCode: probe, headers: {}, body: '' };
	};
	const helper = { helpers: { httpRequest: httpRequest as never } };
	const changes = await new PaymentsApi().preAuthentication.call(helper, credentials);
	return { changes, requests, stages: [...stages, stageOf(credentials)] };
}

test('how far a request has come is known', async () => {
	const credentials = { ...client, clientId: 'stages' };
	const request = { url: 'https://api.example.com/' } as IHttpRequestOptions;
	const { changes, stages } = await preAuthenticate(credentials);
	expect(stages).toEqual(['tokenRequest', 'tokenStorage']);
	await expect(new PaymentsApi().authenticate(credentials, request)).rejects.toThrow();
	expect(stageOf(credentials)).toBe('authentication');
	Object.assign(credentials, changes);
	await new PaymentsApi().authenticate(credentials, request);
	expect(stageOf(credentials)).toBe('request');
});

describe('the credential test', () => {
	const request = credentialTest.request as IHttpRequestOptions;

	test('sends its probe with a token that is new, and without its marker', async () => {
		const credentials = { ...client, clientId: 'test', baseUrl: 'https://api.example.com' };
		const { changes, requests } = await preAuthenticate(credentials);
		// Without the token that was issued, it isn't sent at all.
		await expect(new PaymentsApi().authenticate(credentials, request)).rejects.toMatchObject({
			response: { status: 401 },
		});
		Object.assign(credentials, changes);
		const probe = await new PaymentsApi().authenticate(credentials, request);
		expect(probe).toEqual({
			method: 'GET',
			url: 'https://api.example.com/api/v1/transactions',
			headers: { Authorization: 'Bearer T' },
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: 15_000,
		});
		expect(requests.slice(1)).toEqual([probe]);
	});

	test('is the request that n8n makes itself', () =>
		expect(request).toEqual({
			baseURL: '={{$credentials.baseUrl}}',
			url: '/api/v1/transactions',
			method: 'GET',
			headers: { 'x-n8n-credential-test': 'true' },
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		}));

	test.each<[string, { baseUrl?: string; probe?: Error | number; scope?: string }, RegExp]>([
		['an address that is none', { baseUrl: 'none' }, /^'Base URL' .*none/],
		['a service that is not there', { probe: 500 }, /status 500/],
		[
			'a host that cannot be reached',
			{ probe: Object.assign(new Error(), { code: 'ECONNREFUSED' }) },
			/^The service issued an access token, but 'Base URL' can't be used, because .*api\.example\.com.*\. Check the Base URL\.$/,
		],
		['a scope that was not granted', { scope: 'OTHER' }, /granted the Scope "OTHER"/],
	])('names %s', async (name, { baseUrl = 'https://api.example.com', ...service }, message) => {
		const credentials = { ...client, clientId: name, baseUrl };
		Object.assign(credentials, (await preAuthenticate(credentials, service)).changes);
		await expect(new PaymentsApi().authenticate(credentials, request)).rejects.toThrow(message);
	});

	test('names a limit that cannot be read', async () => {
		const credentials = { ...used, maxAmounts: 'abc' };
		await expect(new PaymentsApi().authenticate(credentials, request)).rejects.toThrow(
			"'Max Amount per Transaction' in the credential can't be used",
		);
	});
});
