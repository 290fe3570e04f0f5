import { asSentences } from '../../../../nodes/shared/result';
import { parseTokenResponse } from '../../../../nodes/shared/token/tokenResponse';
import { fc } from '../../../support/properties';

const SECRET = 's3cret+of/this client';
const URL_ = 'https://auth.example.com/passport/oauth/token';
const read = (status: number, body: unknown, contentType = 'application/json') =>
	parseTokenResponse(
		{
			status,
			headers: { 'content-type': contentType },
			body: typeof body === 'string' ? body : JSON.stringify(body),
		},
		URL_,
		SECRET,
	);
/** What happened and how to go on, in one text. */
const parse = (...args: Parameters<typeof read>) => {
	const { problem } = read(...args);
	if (!problem) throw new Error('There is a token.');
	return { text: asSentences(problem), temporary: problem.temporary };
};
const permanent = (words: RegExp) => ({
	text: expect.stringMatching(words) as string,
	temporary: false,
});
const TOKEN = { access_token: 'T', token_type: 'Bearer', expires_in: 60, scope: 'PAYMENTS' };

describe('a token', () => {
	test.each([
		[200, {}, 60],
		[299, {}, 60],
		[200, { token_type: undefined }, 60],
		[200, { token_type: 5 }, 60],
		// Apigee has a name of its own.
		[200, { token_type: 'BearerToken' }, 60],
		[200, { expires_in: '120' }, 120],
		[200, { expires_in: 0.5 }, 0.5],
		[200, { expires_in: undefined }, 3600],
		[200, { expires_in: 0 }, 0],
		[200, { expires_in: -5 }, 0],
		[200, { expires_in: null }, 3600],
		[200, { expires_in: '' }, 3600],
		[200, { expires_in: 'soon' }, 3600],
		[200, { expires_in: '1e999' }, 3600],
	])('status %i with %p lasts %d s', (status, changes, expiresInSeconds) => {
		expect(read(status, { ...TOKEN, ...changes })).toEqual({
			value: { bearerToken: 'T', expiresInSeconds, scope: 'PAYMENTS' },
		});
	});

	test.each(['', 'T\n', 'T 2', 5])('%p is none', (access_token) =>
		expect(parse(200, { ...TOKEN, access_token })).toEqual(
			permanent(/without an access token.*Auth URL/),
		),
	);
});

const PAGE_INSTEAD = /without an access token \(status 200, with a web page\).*Auth URL/;
const NO_TOKEN = /without an access token \(status 200\).*Auth URL/;

test.each([
	['', 'application/json', NO_TOKEN],
	['<p>Hello</p>', '', PAGE_INSTEAD],
	['Hello', 'text/HTML; charset=utf-8', PAGE_INSTEAD],
	['[]', 'application/json', NO_TOKEN],
])('%j of type %s is no token: %s', (body, contentType, words) => {
	expect(parse(200, body, contentType)).toEqual(permanent(words));
});

const CLIENT = /Client ID and Client Secret.*Copy both/;
const REDIRECT = /redirects.*final address/;
const NOT_NOW = /at the moment.*in a minute/;
const REJECTED = /rejected.*\(status \d+\).*Client ID, Client Secret, and Scope.*allow list/;
const PAGE = /rejected.*\(status 403, with a web page\).*allow list.*may also block n8n/;

describe('an error of RFC 6749', () => {
	test.each([
		['invalid_client', CLIENT],
		['invalid_scope', /Scope.*another Scope/],
		['unauthorized_client', /client credentials.*dashboard/],
		// RFC 6749, section 4.1.2.1, and RFC 8707.
		['access_denied', /denies this client.*Ask the service/],
		['invalid_target', /Auth URL and Base URL belong to the same service/],
		['unsupported_grant_type', /client credentials.*Auth URL/],
		['invalid_request', /Client ID, Client Secret, and Scope/],
	])('%s', (error, words) => {
		expect(parse(400, { error })).toEqual(permanent(words));
		// Some services say so with a success status.
		expect(parse(200, { error })).toEqual(permanent(words));
		const said = parse(401, { error, error_description: 'Unknown client s3cret' });
		expect(said).toEqual(permanent(words));
		expect(said.text).toContain(`(${error}, status 401)`);
		expect(said.text).not.toContain('s3cret');
	});

	test.each([408, 429, 500, 503])('with %i, it may work later', (status) => {
		const said = parse(status, { error: 'invalid_request' });
		expect(said.temporary).toBe(true);
		expect(said.text).toMatch(NOT_NOW);
		expect(said.text).toContain(`(status ${status}: "invalid_request")`);
	});
});

describe('another rejection', () => {
	test.each([
		[401, {}, REJECTED, false],
		[403, { message: 's3cret' }, REJECTED, false],
		// CloudFront's empty 403, and Cloudflare's page.
		[403, '', REJECTED, false],
		[403, '<!DOCTYPE html><title>Attention Required! | Cloudflare</title>', PAGE, false],
		[502, '<html>Bad gateway</html>', /at the moment \(status 502, with a web page\)/, true],
		[300, { message: 's3cret' }, REDIRECT, false],
		[404, {}, /no token endpoint.*404.*Auth URL/, false],
		[405, {}, /no token endpoint.*405.*Auth URL/, false],
		[429, { error_description: 's3cret', message: 'x', error: 'y' }, NOT_NOW, true],
		[500, { message: 's3cret', error: 'e' }, NOT_NOW, true],
		[400, { error: 's3cret' }, REJECTED, false],
		[199, TOKEN, REJECTED, false],
		[400, { error: 'toString', message: ' ' }, REJECTED, false],
		[400, { error: ['invalid_client'], message: 's3cret' }, REJECTED, false],
	])('status %i with %j: %s, and none of the free text', (status, body, words, temporary) => {
		const parsed = parse(status, body);
		expect(parsed).toEqual({ text: expect.stringMatching(words), temporary });
		expect(parsed.text).not.toContain('s3cret');
	});
});

describe('the reason of an outage', () => {
	test.each<[number, unknown, string]>([
		[503, { message: 'Maintenance until 15:00 UTC' }, '"Maintenance until 15:00 UTC"'],
		[500, 'The database is full', '"The database is full"'],
		[502, { error: 'server_error', error_description: 'No\ud83d.' }, '"server_error: No ."'],
		[429, { title: 'Too many', status: 429 }, '"Too many"'],
	])('%i %j is quoted', (status, body, words) =>
		expect(parse(status, body).text).toContain(`(status ${status}: ${words})`),
	);

	test.each<unknown>([
		`No: ${SECRET}`,
		{ message: `No: ${SECRET.toUpperCase()}` },
		{ form: `grant_type=x&client_secret=${encodeURIComponent(SECRET)}` },
		{ form: String(new URLSearchParams({ client_secret: SECRET })) },
		{ [SECRET]: 'No' },
		// Cut off.
		{ message: `client_secret=${SECRET.slice(0, 8)}…` },
		`<e>client_secret=${SECRET.slice(0, 8)}</e>`,
	])('%j isn’t, because the secret is in it', (body) => {
		const { text } = parse(500, body);
		expect(text).toContain('at the moment (status 500).');
	});

	test.each(['abc', '"\\/+ &=%é'])('nor is it with the secret %s', (secret) => {
		const form = String(new URLSearchParams({ client_secret: secret }));
		for (const body of [`No: ${secret}`, JSON.stringify({ message: secret }), form]) {
			const response = { status: 500, headers: {}, body };
			const { problem } = parseTokenResponse(response, URL_, secret);
			expect(problem?.message).toMatch(/\(status 500\)$/);
		}
	});
});

test('any response is read without a throw', () => {
	fc.assert(
		fc.property(fc.nat({ max: 600 }), fc.jsonValue(), (status, body) => {
			const result = read(status, body as never);
			expect(result.problem ?? result.value.bearerToken).toBeTruthy();
		}),
	);
});
