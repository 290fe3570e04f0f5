import { asSentences } from '../../nodes/shared/result';
import { hideSecret, parseTokenResponse } from '../../nodes/shared/token/tokenResponse';
import { fc, propertyRuns } from '../support/properties';

const URL_ = 'https://auth.example.com/passport/oauth/token';
const read = (statusCode: number, body: unknown, contentType = 'application/json') =>
	parseTokenResponse(
		{ statusCode, body: typeof body === 'string' ? body : JSON.stringify(body), contentType },
		URL_,
		's3cret/+x',
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
		[201, {}, 60],
		[299, {}, 60],
		[200, { token_type: undefined }, 60],
		[200, { token_type: 'BEARER' }, 60],
		[200, { token_type: 5 }, 60],
		[200, { expires_in: '120' }, 120],
		[200, { expires_in: 0.5 }, 0.5],
		[200, { expires_in: undefined }, 3600],
		[200, { expires_in: 0 }, 3600],
		[200, { expires_in: -5 }, 3600],
		[200, { expires_in: 'soon' }, 3600],
		[200, { expires_in: '1e999' }, 3600],
	])('status %i with %p lasts %d s', (status, changes, expiresInSeconds) => {
		expect(read(status, { ...TOKEN, ...changes })).toEqual({
			value: { bearerToken: 'T', expiresInSeconds, scope: 'PAYMENTS' },
		});
	});

	test.each([
		[{ access_token: '' }, /without an access token.*Auth URL/],
		[{ access_token: 'T\n' }, /without an access token.*Auth URL/],
		[{ access_token: 'T 2' }, /without an access token.*Auth URL/],
		[{ access_token: 5 }, /without an access token.*Auth URL/],
		[{ token_type: `mac${'x'.repeat(50)}` }, /"mac(?:x{37})".*Auth URL/],
	])('%p is none', (changes, words) => {
		expect(parse(200, { ...TOKEN, ...changes })).toEqual(permanent(words));
	});
});

test.each([
	['', 'application/json', 'nothing'],
	[' \n', 'application/json', 'nothing'],
	['<p>Hello</p>', '', 'a web page'],
	[' <p>Hello</p>', '', 'a web page'],
	['Hello', 'text/HTML; charset=utf-8', 'a web page'],
	['<?xml version="1.0"?><a/>', '', "n't JSON"],
	['Hello <b>', 'text/plain', "n't JSON"],
	['[]', 'application/json', "n't JSON"],
	['null', 'application/json', "n't JSON"],
	['"text"', 'application/json', "n't JSON"],
])('%j of type %s is %s', (body, contentType, content) => {
	const words = new RegExp(`${content} instead of a token.*Auth URL`);
	expect(parse(200, body, contentType)).toEqual(permanent(words));
});

const CLIENT = /Client ID and Client Secret.*Copy both/;
const REDIRECT = /redirects.*final address/;
const NOT_NOW = /at the moment.*in a minute/;
const REJECTED = /rejected.*Client ID, Client Secret, and Scope/;

describe('an error of RFC 6749', () => {
	test.each([
		['invalid_client', CLIENT],
		['invalid_scope', /Scope.*another Scope/],
		['unauthorized_client', /client credentials.*dashboard/],
		['unsupported_grant_type', /client credentials.*Auth URL/],
		['invalid_request', /Client ID, Client Secret, and Scope/],
	])('%s', (error, words) => {
		expect(parse(400, { error })).toEqual(permanent(words));
		const said = parse(503, { error, error_description: ' Not\n this  one. ' });
		expect(said).toEqual(permanent(words));
		expect(said.text).toContain('"Not this one."');
	});
});

describe('another rejection', () => {
	test.each([
		[401, {}, CLIENT, undefined, false],
		[403, { message: 'No.' }, CLIENT, '"No."', false],
		[401, { error: 'x' }, CLIENT, '"x"', false],
		[401, 'no JSON', CLIENT, undefined, false],
		[300, { message: 'There.' }, REDIRECT, undefined, false],
		[399, {}, REDIRECT, undefined, false],
		[404, {}, /no token endpoint.*404.*Auth URL/, undefined, false],
		[405, {}, /no token endpoint.*405.*Auth URL/, undefined, false],
		[429, { error_description: 'Slower.', message: 'x', error: 'y' }, NOT_NOW, '"Slower."', true],
		[500, { message: 'm', error: 'e' }, NOT_NOW, '"m"', true],
		[599, {}, NOT_NOW, undefined, true],
		[400, { error: 'x' }, REJECTED, '"x"', false],
		[499, { message: 'x'.repeat(300) }, REJECTED, `"${'x'.repeat(200)}"`, false],
		[199, TOKEN, REJECTED, undefined, false],
		[400, { error: 'toString', message: ' ' }, REJECTED, undefined, false],
		[400, { error: ['invalid_client'], message: 'No.' }, REJECTED, '"No."', false],
		[400, { error: 5 }, REJECTED, undefined, false],
	])('status %i with %j: %s, and the words %s', (status, body, words, said, temporary) => {
		const parsed = parse(status, body);
		expect(parsed).toEqual({ text: expect.stringMatching(words), temporary });
		if (said === undefined) expect(parsed.text).not.toContain('said');
		else expect(parsed.text).toContain(said);
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

test.each(['s3cret/+x', 's3cret%2F%2Bx', 's3cret%2f%2bx'])(
	'a service that repeats the secret as %s',
	(secret) => {
		const { text } = parse(400, {
			error: 'invalid_client',
			error_description: `Unknown client with ${secret}`,
		});
		expect(text).toContain('Unknown client with');
		expect(text).not.toContain(secret);
	},
);

const percent = (text: string) =>
	[...Buffer.from(text)].map((byte) => `%${byte.toString(16)}`).join('');
const htmlCodes = (text: string) =>
	[...text].map((character) => `&#${character.codePointAt(0)};`).join('');

test.each<[string, (secret: string) => string]>([
	['plain', (secret) => secret],
	['in a URL', encodeURIComponent],
	['in a URL of a URL', (secret) => encodeURIComponent(encodeURIComponent(secret))],
	['in a URL as RFC 3986 has it', (secret) => secret.replace(/[^\w.~-]/gu, percent)],
	['in a form', (secret) => new URLSearchParams({ secret }).toString().slice('secret='.length)],
	['in JSON', (secret) => JSON.stringify(secret).slice(1, -1)],
	['in JSON with slashes escaped', (secret) => secret.replace(/["\\/]/g, '\\$&')],
	[
		'in JSON of ASCII',
		(secret) =>
			secret.replace(/[^\w]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
	],
	['in HTML', (secret) => secret.replace(/[&<>"']/g, htmlCodes)],
	['in HTML with a name', (secret) => secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
])('a secret is hidden %s', (_, encode) => {
	const secrets = fc
		.string({ unit: fc.constantFrom(...`aZ09 !"#$%&'()*+,-./:;<=>?@[\\]^_{|}~é😀`), minLength: 8 })
		.filter((secret) => secret.trim() === secret);
	fc.assert(
		fc.property(secrets, (secret) => {
			expect(hideSecret(`before ${encode(secret)} behind`, secret)).toBe('before ••• behind');
		}),
		{ numRuns: propertyRuns(1000) },
	);
});

test('a token type that repeats the secret', () => {
	const { text } = parse(200, { ...TOKEN, token_type: 'mac s3cret/+x' });
	expect(text).not.toContain('s3cret');
});
