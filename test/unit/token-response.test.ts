import { parseTokenResponse } from '../../nodes/shared/token/tokenResponse';
import { fc } from '../support/properties';

const URL_ = 'https://auth.example.com/passport/oauth/token';
const read = (statusCode: number, body: unknown, contentType = 'application/json') =>
	parseTokenResponse(
		{ statusCode, body: typeof body === 'string' ? body : JSON.stringify(body), contentType },
		URL_,
		['s3cret/+x'],
	);
/** What happened and how to go on, in one text. */
const parse = (...args: Parameters<typeof read>) => {
	const result = read(...args);
	if (!result.failure) throw new Error('There is a token.');
	const { message, fix, temporary } = result.failure;
	return { text: `${message}. ${fix}`, temporary };
};
const lasting = (text: string) => ({ text, temporary: false });
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
			value: { accessToken: 'T', expiresInSeconds, scope: 'PAYMENTS' },
		});
	});

	test.each([
		[{ access_token: '' }, `${URL_} answered without an access token. Check the Auth URL.`],
		[{ access_token: 5 }, `${URL_} answered without an access token. Check the Auth URL.`],
		[
			{ token_type: `mac${'x'.repeat(50)}` },
			`${URL_} issued a token of the type "mac${'x'.repeat(37)}", but the service interface uses bearer tokens. Check the Auth URL.`,
		],
	])('%p is none', (changes, problem) => {
		expect(parse(200, { ...TOKEN, ...changes })).toEqual(lasting(problem));
	});
});

test.each([
	['', 'application/json', 'nothing'],
	[' \n', 'application/json', 'nothing'],
	['<p>Hello</p>', '', 'a web page'],
	[' <p>Hello</p>', '', 'a web page'],
	['Hello', 'text/HTML; charset=utf-8', 'a web page'],
	['Hello <b>', 'text/plain', 'something that is not JSON'],
	['[]', 'application/json', 'something that is not JSON'],
	['null', 'application/json', 'something that is not JSON'],
	['"text"', 'application/json', 'something that is not JSON'],
])('%j of type %s is %s', (body, contentType, content) => {
	expect(parse(200, body, contentType)).toEqual(
		lasting(`${URL_} answered with ${content} instead of a token. Check the Auth URL.`),
	);
});

/** @param words of the service */
const invalidClient = (words = '') =>
	`The service does not know this Client ID and Client Secret${words}. Copy both again from the Developers section of the dashboard. The dashboard does not show a lost secret again, so create a new client instead.`;

describe('an error of RFC 6749', () => {
	test.each([
		['invalid_client', invalidClient()],
		[
			'invalid_scope',
			'The service does not grant this Scope to the client. Choose another Scope, or have the client allowed to use it.',
		],
		[
			'unauthorized_client',
			'The service does not let this client use client credentials. Check the client in the Developers section of the dashboard.',
		],
		[
			'unsupported_grant_type',
			'The service does not issue access tokens for client credentials at this Auth URL. Check the Auth URL.',
		],
		[
			'invalid_request',
			'The service could not read the access token request. Check that Client ID, Client Secret, and Scope are filled in.',
		],
	])('%s', (error, text) => {
		expect(parse(400, { error })).toEqual(lasting(text));
		const withWords = text.replace('. ', '. The service said: "Not this one.". ');
		expect(parse(503, { error, error_description: ' Not\n this  one. ' })).toEqual(
			lasting(withWords),
		);
	});
});

describe('another rejection', () => {
	test.each([
		[401, {}, invalidClient(), false],
		[403, { message: 'No.' }, invalidClient('. The service said: "No."'), false],
		[401, { error: 'x' }, invalidClient('. The service said: "x"'), false],
		[401, 'no JSON', invalidClient(), false],
		[
			300,
			{ message: 'There.' },
			`${URL_} redirects to another address. Enter the final address as Auth URL: the secret is not sent to an address that you did not enter.`,
			false,
		],
		[
			399,
			{},
			`${URL_} redirects to another address. Enter the final address as Auth URL: the secret is not sent to an address that you did not enter.`,
			false,
		],
		[404, {}, `There is no token endpoint at ${URL_} (status 404). Check the Auth URL.`, false],
		[405, {}, `There is no token endpoint at ${URL_} (status 405). Check the Auth URL.`, false],
		[
			429,
			{ error_description: 'Slower.', message: 'x', error: 'y' },
			`The token endpoint ${URL_} can't answer at the moment (status 429). The service said: "Slower.". Try again in a minute.`,
			true,
		],
		[
			500,
			{ message: 'm', error: 'e' },
			`The token endpoint ${URL_} can't answer at the moment (status 500). The service said: "m". Try again in a minute.`,
			true,
		],
		[
			599,
			{},
			`The token endpoint ${URL_} can't answer at the moment (status 599). Try again in a minute.`,
			true,
		],
		[
			400,
			{ error: 'x' },
			`${URL_} rejected the access token request (status 400). The service said: "x". Check Auth URL, Client ID, Client Secret, and Scope.`,
			false,
		],
		[
			499,
			{ message: 'x'.repeat(300) },
			`${URL_} rejected the access token request (status 499). The service said: "${'x'.repeat(200)}". Check Auth URL, Client ID, Client Secret, and Scope.`,
			false,
		],
		[
			199,
			TOKEN,
			`${URL_} rejected the access token request (status 199). Check Auth URL, Client ID, Client Secret, and Scope.`,
			false,
		],
		[
			400,
			{ error: 'toString', message: ' ' },
			`${URL_} rejected the access token request (status 400). Check Auth URL, Client ID, Client Secret, and Scope.`,
			false,
		],
		[
			400,
			{ error: ['invalid_client'], message: 'No.' },
			`${URL_} rejected the access token request (status 400). The service said: "No.". Check Auth URL, Client ID, Client Secret, and Scope.`,
			false,
		],
		[
			400,
			{ error: 5 },
			`${URL_} rejected the access token request (status 400). Check Auth URL, Client ID, Client Secret, and Scope.`,
			false,
		],
	])('status %i with %j', (status, body, text, temporary) => {
		expect(parse(status, body)).toEqual({ text, temporary });
	});
});

test('any response is read without a throw', () => {
	fc.assert(
		fc.property(fc.nat({ max: 600 }), fc.jsonValue(), (status, body) => {
			const result = read(status, body as never);
			expect(result.failure ?? result.value.accessToken).toBeTruthy();
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

test('a token type that repeats the secret', () => {
	const { text } = parse(200, { ...TOKEN, token_type: 'mac s3cret/+x' });
	expect(text).not.toContain('s3cret');
});
