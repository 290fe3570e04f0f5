import { describeProbeResponse } from '../../nodes/shared/probeResponse';
import {
	checkAddress,
	parseServiceUrl,
	requestUrl,
	transactionsUrl,
	type RequestUrlParts,
} from '../../nodes/shared/serviceUrl';

const BASE = 'https://api.example.com';
const ENDPOINT = '/passport/oauth/token';
const parse = (text: unknown, allowHttp = false) =>
	parseServiceUrl(text, 'Auth URL', { endpoint: ENDPOINT, allowHttp });

describe('an address of the credential', () => {
	test.each([
		[BASE, BASE],
		[` ${BASE}\n`, BASE],
		[`${BASE}/`, BASE],
		[`${BASE}///`, BASE],
		[`${BASE}//pay/`, `${BASE}//pay`],
		[`${BASE}${ENDPOINT}`, BASE],
		[`${BASE}${ENDPOINT}/`, BASE],
		[`${BASE}/x${ENDPOINT}`, `${BASE}/x`],
		[`${BASE}${ENDPOINT}/x`, `${BASE}${ENDPOINT}/x`],
		['http://localhost:8080', 'http://localhost:8080'],
		['http://LOCALHOST', 'http://LOCALHOST'],
		['http://pay.localhost', 'http://pay.localhost'],
		['http://127.0.0.1:3000', 'http://127.0.0.1:3000'],
		['http://127.100.200.255', 'http://127.100.200.255'],
		['http://[::1]:3000', 'http://[::1]:3000'],
	])('%j becomes %s', (text, url) => expect(parse(text)).toEqual({ url }));

	test('without an endpoint, its path stays', () => {
		const url = `${BASE}${ENDPOINT}`;
		expect(parseServiceUrl(url, 'Auth URL', { allowHttp: false })).toEqual({ url });
	});

	const EMPTY =
		"'Auth URL' is empty. Enter the address of the service, for example https://api.example.com.";
	const unencrypted = (host: string) =>
		`'Auth URL' starts with http://, so anybody on the way could read what is sent to ${host}. Use https://, or turn on 'Allow Unencrypted HTTP' in the credential.`;

	test.each([
		['', EMPTY],
		['  ', EMPTY],
		[undefined, EMPTY],
		[5, EMPTY],
		[
			'api.example.com',
			`'Auth URL' is not a web address: "api.example.com". It starts with https://, for example https://api.example.com.`,
		],
		[
			'ftp://api.example.com',
			`'Auth URL' starts with "ftp:". Only https:// addresses can be used.`,
		],
		[
			'https://user@api.example.com',
			"'Auth URL' contains a user name or a password. Enter only the address, for example https://api.example.com.",
		],
		[
			'https://:secret@api.example.com',
			"'Auth URL' contains a user name or a password. Enter only the address, for example https://api.example.com.",
		],
		['http://api.example.com', unencrypted('api.example.com')],
		['http://localhost.example.com', unencrypted('localhost.example.com')],
		['http://notlocalhost', unencrypted('notlocalhost')],
		['http://127.0.0.1.example.com', unencrypted('127.0.0.1.example.com')],
		['http://a127.0.0.1.example', unencrypted('a127.0.0.1.example')],
		['http://128.0.0.1', unencrypted('128.0.0.1')],
		['http://[::2]', unencrypted('[::2]')],
		[
			`${BASE}?x=1`,
			`'Auth URL' contains a query (everything from "?" on), and no path can follow it. Enter only the address: ${BASE}`,
		],
		[
			`${BASE}/a#x?y`,
			`'Auth URL' contains a fragment (everything from "#" on), and no path can follow it. Enter only the address: ${BASE}/a`,
		],
	])('%j cannot be used', (text, problem) => expect(parse(text)).toEqual({ problem }));

	test('over http to another machine only when that is allowed', () => {
		expect(parse('http://api.example.com', true)).toEqual({ url: 'http://api.example.com' });
		expect(checkAddress('http://api.example.com/?a=1', 'URL', true)).toBeUndefined();
		expect(checkAddress('ftp://api.example.com/', 'URL', true)).toContain('"ftp:"');
	});
});

describe('the URL of transactions', () => {
	test.each([
		[{ baseUrl: BASE }, { url: `${BASE}/api/v1/transactions` }],
		[{ baseUrl: `${BASE}/api/v1/transactions/` }, { url: `${BASE}/api/v1/transactions` }],
		[
			{ baseUrl: 'http://a.example', allowHttp: true },
			{ url: 'http://a.example/api/v1/transactions' },
		],
		[
			{ baseUrl: 'http://a.example', allowHttp: 'yes' },
			{ problem: expect.stringContaining("'Base URL' starts with http://") as string },
		],
	])('%j', (credentials, expected) => expect(transactionsUrl(credentials)).toEqual(expected));
});

test.each<[RequestUrlParts, string]>([
	[{ url: `${BASE}/a` }, `${BASE}/a`],
	[{ uri: `${BASE}/a` }, `${BASE}/a`],
	[{ url: ` ${BASE}/a `, uri: 'x' }, `${BASE}/a`],
	[{ url: new URL(`${BASE}/a`) }, `${BASE}/a`],
	[{ url: 'a' }, 'a'],
	[{ baseURL: ' ', url: '/a' }, '/a'],
	[{ url: 5 }, ''],
	[{}, ''],
	[{ baseURL: BASE }, BASE],
	[{ baseURL: ` ${BASE} `, url: '' }, BASE],
	[{ baseURL: BASE, url: 'a' }, `${BASE}/a`],
	[{ baseURL: `${BASE}//`, url: '/a' }, `${BASE}/a`],
	[{ baseURL: `${BASE}//b/`, url: 'a//' }, `${BASE}//b/a//`],
	[{ baseURL: BASE, url: 'a//b' }, `${BASE}/a//b`],
	[{ baseURL: BASE, url: 'http://other.example' }, 'http://other.example'],
	[{ baseURL: BASE, url: 'HTTP+x-1.2://other' }, 'HTTP+x-1.2://other'],
	[{ baseURL: BASE, url: '//other.example' }, '//other.example'],
	[{ baseURL: BASE, url: 'a/http://other' }, `${BASE}/a/http://other`],
	[{ baseURL: BASE, url: '1a://other' }, `${BASE}/1a://other`],
	[{ baseURL: BASE, url: 'http:/other' }, `${BASE}/http:/other`],
])('%j is requested at %s', (parts, url) => expect(requestUrl(parts)).toBe(url));

describe('the response of the Base URL to a credential test', () => {
	const URL_ = `${BASE}/api/v1/transactions`;
	const describeStatus = (statusCode: number, contentType: unknown = 'application/json') =>
		describeProbeResponse(URL_, { statusCode, headers: { 'content-type': contentType } });
	const redirect = (status: number) =>
		`${URL_} redirects to another address (status ${status}), and transactions are sent only to the address that you enter. Enter the final address as Base URL.`;
	const noPath = (status: number) =>
		`The server at the Base URL has no ${URL_} (status ${status}), so it isn't the payments service. Check the Base URL: enter it without the path /api/v1/transactions.`;
	const notNow = (status: number) =>
		`${URL_} can't answer at the moment (status ${status}). Test the credential again in a minute.`;

	test.each([
		...[200, 204, 299, 400, 403, 405, 406, 415, 422, 499, 501].map(
			(status) => [status, undefined] as const,
		),
		[
			401,
			'The service issued an access token, but the Base URL does not accept it. Check that Base URL and Auth URL belong to the same service.',
		] as const,
		...[300, 301, 399].map((status) => [status, redirect(status)] as const),
		...[404, 410, 421].map((status) => [status, noPath(status)] as const),
		[
			407,
			`A proxy between n8n and ${URL_} asks for a sign-in (status 407). Check the proxy settings of n8n.`,
		] as const,
		...[408, 425, 429, 500, 502, 503].map((status) => [status, notNow(status)] as const),
	])('status %i: %s', (status, message) => expect(describeStatus(status)).toBe(message));

	const webPage = `The service issued an access token, but 'Base URL' can't be used, because ${URL_} is a web page. Check the Base URL.`;
	test.each([
		[200, 'text/html', webPage],
		[400, 'TEXT/HTML; charset=utf-8', webPage],
		[403, 'text/html', undefined],
		[200, 'text/plain', undefined],
		[200, undefined, undefined],
	])('status %i of type %s', (status, contentType, message) =>
		expect(describeStatus(status, contentType)).toBe(message),
	);
});
