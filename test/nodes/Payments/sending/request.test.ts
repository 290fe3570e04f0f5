import type { IExecuteFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { PaymentsApi } from '../../../../credentials/PaymentsApi.credentials';
import { sendRequest, type Sent } from '../../../../nodes/Payments/sending/request';
import { renewToken } from '../../../../nodes/shared/token/tokenRequest';

/* Whether a request left, however n8n hands its headers to the credential. */

const TOKEN = 'a-token-of-this-client';
const credential = {
	authUrl: 'https://a.example',
	clientId: 'a client',
	clientSecret: 'a secret',
	scope: 'PAYMENTS',
};
beforeAll(async () => {
	const body = JSON.stringify({ access_token: TOKEN, expires_in: 3600 });
	await renewToken(
		credential,
		async () => await Promise.resolve({ statusCode: 200, headers: {}, body }),
	);
});

type Headers = NonNullable<IHttpRequestOptions['headers']>;
const asTheyAre = (headers: Headers) => headers;
const copied = (headers: Headers) => ({ ...headers });
const copiedAsJson = (headers: Headers) => JSON.parse(JSON.stringify(headers)) as Headers;

/** Sends a request through an n8n that hands on headers so, to a network that answers so. */
async function send(handOn: (headers: Headers) => Headers, network: (headers: Headers) => unknown) {
	const httpRequestWithAuthentication = async (_: string, options: IHttpRequestOptions) => {
		const request = { ...options, headers: handOn(options.headers!) };
		const { headers } = await new PaymentsApi().authenticate(credential, request);
		return await Promise.resolve(network(headers!));
	};
	return await sendThrough(httpRequestWithAuthentication);
}

async function sendThrough(httpRequestWithAuthentication: unknown) {
	const context = {
		getExecutionCancelSignal: () => undefined,
		helpers: { httpRequestWithAuthentication },
	} as unknown as IExecuteFunctions;
	const request = { url: 'https://a.example/api', body: {}, headers: {}, timeout: 1000 };
	return await sendRequest(context, credential, request);
}

const breaks = () => {
	const cause = Object.assign(new Error('read ECONNRESET'), {
		code: 'ECONNRESET',
		syscall: 'read',
	});
	throw Object.assign(new Error('n8n'), { cause });
};
const storesNothing = async () =>
	await Promise.reject(Object.assign(new Error('SQLITE_FULL'), { code: 'SQLITE_FULL' }));
const repeatsToken = (headers: Headers) => {
	const authorization = headers.Authorization as string;
	return {
		statusCode: 401,
		headers: { 'x-request-id': `for ${authorization}` },
		body: { message: `Invalid: ${authorization}` },
	};
};

describe.each([
	['as they are', asTheyAre],
	['as a copy', copied],
])('n8n hands on headers %s', (_, handOn) => {
	test('a connection that breaks may have carried the request', async () =>
		expect((await send(handOn, breaks)).says).toBe('noAnswer'));

	test('the token of a response is known, and isn’t shown', async () => {
		const sent = await send(handOn, repeatsToken);
		expect(sent).toMatchObject({ says: 'response', token: TOKEN });
		expect(sent).toMatchObject({
			response: { shown: { body: { message: 'Invalid: Bearer •••' } } },
		});
		expect(sent).toMatchObject({ response: { shown: { requestId: 'for Bearer •••' } } });
	});

	test('the symbol isn’t sent', async () => {
		let names: string[] = [];
		await send(handOn, (headers) => {
			names = Object.keys(headers);
			return { statusCode: 202, headers: {}, body: '' };
		});
		expect(names).toEqual(['Content-Type', 'Accept', 'User-Agent', 'Authorization']);
	});
});

test('what n8n’s database keeps hasn’t left', async () =>
	expect((await sendThrough(storesNothing)).says).toBe('notSent'));

/* The last ones: from here on, it isn't known anymore what leaves. */
describe('n8n hands on headers as nobody knows here', () => {
	test('a connection that breaks may have carried the request', async () =>
		expect((await send(copiedAsJson, breaks)).says).toBe('noAnswer'));

	test('what n8n’s database keeps may have left', async () =>
		expect((await sendThrough(storesNothing)).says).toBe('noAnswer'));

	test('the token isn’t shown', async () => {
		const sent = await send(copiedAsJson, repeatsToken);
		const { shown } = (sent as Extract<Sent, { says: 'response' }>).response;
		expect(shown.body).toEqual({ message: 'Invalid: Bearer •••' });
	});
});
