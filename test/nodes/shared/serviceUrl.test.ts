import { findProbeProblem } from '../../../nodes/shared/token/credentialTest';
import { asSentences } from '../../../nodes/shared/result';
import { tokenUrl, transactionsUrl } from '../../../nodes/shared/serviceUrl';

const BASE = 'https://api.example.com';
const ENDPOINT = '/passport/oauth/token';
const parse = (authUrl: unknown, allowHttp = false) => tokenUrl({ authUrl, allowHttp });

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
	])('%j becomes %s', (text, url) => expect(parse(text)).toEqual({ value: url + ENDPOINT }));

	const EMPTY = /is empty/;
	const CREDENTIALS = /user name or a password.*https:\/\/api\.example\.com/;
	const unencrypted = (host: string) => new RegExp(`http://.*${host}.*'Allow Unencrypted HTTP'`);

	test.each([
		['', EMPTY],
		['  ', EMPTY],
		[undefined, EMPTY],
		[5, EMPTY],
		['api.example.com', /isn't a web address.*https:\/\//],
		['ftp://api.example.com', /doesn't start with https:\/\//],
		['https://user@api.example.com', CREDENTIALS],
		['https://:secret@api.example.com', CREDENTIALS],
		['http://api.example.com', unencrypted('api.example.com')],
		['http://localhost.example.com', unencrypted('localhost.example.com')],
		['http://notlocalhost', unencrypted('notlocalhost')],
		['http://127.0.0.1.example.com', unencrypted('127.0.0.1.example.com')],
		['http://a127.0.0.1.example', unencrypted('a127.0.0.1.example')],
		['http://128.0.0.1', unencrypted('128.0.0.1')],
		['http://[::2]', unencrypted('\\[::2\\]')],
		[`${BASE}?x=1`, /query.*Enter only https:\/\/api\.example\.com /],
		[`${BASE}/a#x?y`, /fragment.*Enter only https:\/\/api\.example\.com\/a /],
	])('%j cannot be used', (text, words) => {
		const problem = parse(text).problem!;
		expect(problem.message).toMatch(/^'Auth URL' /);
		expect(asSentences(problem)).toMatch(words);
	});

	test.each([
		'https://user:the-secret@api example.com',
		'https://user:the-secret pass@api.example.com',
		'https://the-secret:x@api.example.com:port',
		'api.example.com?token=the-secret',
		'https://api.example.com?token=the-secret',
		'https://api.example.com/#the-secret',
		'the-secret',
		'the-secret:',
		'https://the secret',
	])('no secret of %j is in a message', (text) => {
		for (const { problem } of [parse(text), transactionsUrl({ baseUrl: text })]) {
			expect(problem).toBeDefined();
			expect(asSentences(problem!)).not.toMatch(/the.secret/);
		}
	});

	test('over http to another machine only when that is allowed', () => {
		expect(parse('http://api.example.com', true).value).toBe(`http://api.example.com${ENDPOINT}`);
		expect(parse('ftp://api.example.com/', true).problem?.message).toMatch(/doesn't start with/);
	});
});

describe('the URL of transactions', () => {
	test.each([
		[{ baseUrl: BASE }, { value: `${BASE}/api/v1/transactions` }],
		[{ baseUrl: `${BASE}/api/v1/transactions/` }, { value: `${BASE}/api/v1/transactions` }],
		[
			{ baseUrl: 'http://a.example', allowHttp: true },
			{ value: 'http://a.example/api/v1/transactions' },
		],
		[{ authUrl: BASE, baseUrl: '' }, { value: `${BASE}/api/v1/transactions` }],
		[{ authUrl: `${BASE}${ENDPOINT}/`, baseUrl: ' ' }, { value: `${BASE}/api/v1/transactions` }],
		[{ authUrl: `${BASE}/a/`, baseUrl: '' }, { value: `${BASE}/a/api/v1/transactions` }],
		[{ authUrl: '', baseUrl: '' }, { problem: { message: "'Auth URL' is empty" } }],
		// An expression gave nothing, so nobody knows where transactions belong.
		[{ authUrl: BASE, baseUrl: undefined }, { problem: { message: "'Base URL' is empty" } }],
		[{ authUrl: BASE, baseUrl: null }, { problem: { message: "'Base URL' is empty" } }],
		[
			{ baseUrl: 'http://a.example', allowHttp: 'yes' },
			{ problem: { message: expect.stringContaining("'Base URL'") as string } },
		],
	])('%j', (credentials, expected) => expect(transactionsUrl(credentials)).toMatchObject(expected));
});

const JSON_TYPE = 'application/json';

/* test/nodes/shared/statuses.test.ts has the statuses of each meaning. */
test.each<[number, string | undefined, RegExp | undefined]>([
	...[200, 299, 400, 403, 405, 422, 499, 501].map((status): [number, string, undefined] => [
		status,
		JSON_TYPE,
		undefined,
	]),
	[200, 'text/plain', undefined],
	[200, undefined, undefined],
	[405, 'text/html', undefined],
	[200, 'text/html', /web page \(status 200\)/],
	[400, 'TEXT/HTML; charset=utf-8', /web page \(status 400\)/],
	[403, 'text/html', /web page \(status 403\).*firewall/],
	[422, 'text/html', /web page \(status 422\)/],
	[401, JSON_TYPE, /status 401.*Base URL and Auth URL/],
	[307, JSON_TYPE, /status 307.*Check the Base URL.*final address/],
	[404, JSON_TYPE, /status 404.*Check the Base URL/],
	[407, JSON_TYPE, /status 407.*proxy/i],
	[429, JSON_TYPE, /status 429.*in a minute/],
	[503, JSON_TYPE, /status 503.*in a minute/],
])('a credential test that gets status %i of type %s: %s', (statusCode, contentType, words) => {
	const url = `${BASE}/api/v1/transactions`;
	const problem = findProbeProblem(url, { statusCode, headers: { 'content-type': contentType } });
	const said = problem && asSentences(problem);
	if (words === undefined) return expect(said).toBeUndefined();
	expect(said).toMatch(words);
	expect(said).toContain(url);
});
