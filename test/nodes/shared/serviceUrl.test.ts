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

describe('the response of the Base URL to a credential test', () => {
	const URL_ = `${BASE}/api/v1/transactions`;
	const read = (statusCode: number, contentType: string | undefined = 'application/json') => {
		const headers = { 'content-type': contentType };
		const problem = findProbeProblem(URL_, { statusCode, headers });
		return problem && asSentences(problem);
	};
	const each = <T>(statuses: number[], words: T) =>
		statuses.map((status) => [status, words] as const);

	test.each(each([200, 204, 299, 400, 403, 405, 406, 415, 422, 499, 501], undefined))(
		'status %i: the service is there',
		(status) => expect(read(status)).toBeUndefined(),
	);

	test.each([
		...each([401], /status 401.*Base URL and Auth URL/),
		...each([300, 301, 399], /status 3\d\d.*Check the Base URL/),
		...each([307, 308], /status 30[78].*final address/),
		...each([404, 410, 421], /status 4\d\d.*Check the Base URL/),
		...each([407], /status 407.*proxy/i),
		...each([408, 425, 429, 500, 502, 503], /status \d+.*in a minute/),
	])('status %i: %s', (status, words) => {
		expect(read(status)).toMatch(words);
		expect(read(status)).toContain(URL_);
	});

	test.each([
		[200, 'text/html', true],
		[400, 'TEXT/HTML; charset=utf-8', true],
		[403, 'text/html', true],
		[403, 'application/json', false],
		[405, 'text/html', false],
		[422, 'text/html', true],
		[200, 'text/plain', false],
		[200, undefined, false],
	])('status %i of type %s is a web page: %p', (status, contentType, isWebPage) =>
		expect(read(status, contentType)?.includes('with a web page') ?? false).toBe(isWebPage),
	);
});
