import type { IHttpRequestOptions } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
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
