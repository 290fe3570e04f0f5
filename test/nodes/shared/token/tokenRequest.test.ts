import {
	renewToken,
	requestToken,
	tokenOf,
	usableToken,
	type TokenRequestError,
} from '../../../../nodes/shared/token/tokenRequest';
import { findMissingScope } from '../../../../nodes/shared/token/tokenResponse';

let clients = 0;
/** Each test has a client of its own, because the token of a client is kept for the process. */
const newClient = () => ({
	authUrl: 'https://auth.example.com',
	clientId: `client ${++clients}`,
	clientSecret: 'secret',
	scope: 'PAYMENTS',
	accessToken: '',
});

/** A token endpoint that issues T1, T2, …, and counts. */
function endpoint(members: object = {}) {
	const counter = { requests: 0 };
	const httpRequest = async () => {
		counter.requests++;
		const token = { access_token: `T${counter.requests}`, expires_in: 3600, ...members };
		return { statusCode: 200, headers: {}, body: JSON.stringify(token) };
	};
	return { counter, httpRequest };
}

const fakeTime = () =>
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
afterEach(() => jest.useRealTimers());

test.each([
	[3600, 3539, true],
	[3600, 3541, false],
	[100, 89, true],
	[100, 91, false],
	// A token that just arrived is used, however short it lives.
	[1, 0.9, true],
	[0, 0.9, true],
	[0, 1.1, false],
])('a token that lasts %d s can be used after %d s: %p', async (expires_in, age, isUsable) => {
	fakeTime();
	const client = newClient();
	await renewToken(client, endpoint({ expires_in }).httpRequest);
	jest.advanceTimersByTime(age * 1000);
	expect(usableToken(client)).toBe(isUsable ? 'T1' : undefined);
});

test.each(['authUrl', 'clientId', 'clientSecret', 'scope'])(
	'a token belongs to the client: not to one with another %s',
	async (member) => {
		const client = newClient();
		client.accessToken = (await renewToken(client, endpoint().httpRequest))!;
		expect(usableToken({ ...client })).toBe('T1');
		expect(usableToken({ ...client, [member]: `another ${clients}` })).toBeUndefined();
	},
);

test('a stored token without its expiry is none', () => {
	expect(usableToken({ ...newClient(), accessToken: 'hash token' })).toBeUndefined();
});

test('50 requests with a rejected token share one token request', async () => {
	fakeTime();
	const { counter, httpRequest } = endpoint();
	const client = newClient();
	await renewToken(client, httpRequest);
	tokenOf(client).accept('T1');
	const rejected = Array.from({ length: 50 }, () => tokenOf(client).reject('T1'));
	expect(rejected.filter(({ counts }) => counts)).toHaveLength(1);
	jest.advanceTimersByTime(1000);
	const renewed = Array.from({ length: 50 }, async () => await renewToken(client, httpRequest));
	// One of them returns it, to be stored.
	expect((await Promise.all(renewed)).filter(Boolean)).toHaveLength(1);
	expect(usableToken(client)).toBe('T2');
	// Late: it isn't the current one.
	expect(tokenOf(client).reject('T1').counts).toBe(false);
	await renewToken(client, httpRequest);
	expect(counter.requests).toBe(2);
});

test('what n8n has stored is used until this process has a token of its own, and not after that', async () => {
	fakeTime();
	const { httpRequest } = endpoint();
	const issuer = newClient();
	const stored = (await renewToken(issuer, httpRequest))!;
	// Another process would begin so. Here, the client is the same, so it's the current token.
	const client = { ...issuer, accessToken: stored };
	expect(usableToken(client)).toBe('T1');
	tokenOf(client).accept('T1');
	tokenOf(client).reject('T1');
	jest.advanceTimersByTime(1000);
	expect(usableToken(client)).toBeUndefined();
	await renewToken(client, httpRequest);
	expect(usableToken({ ...client, accessToken: stored })).toBe('T2');
});

describe('a token endpoint that asks to wait', () => {
	const busy = (statusCode: number, headers: Record<string, string>) => {
		const counter = { requests: 0 };
		const httpRequest = async () => {
			counter.requests++;
			return await Promise.resolve({ statusCode, headers, body: '' });
		};
		return { counter, httpRequest };
	};
	const waitsOf = async (
		client: ReturnType<typeof newClient>,
		{ httpRequest }: ReturnType<typeof busy>,
	) => {
		const error = await renewToken(client, httpRequest).catch((thrown: unknown) => thrown);
		return (error as TokenRequestError).waitMs;
	};

	test.each([
		[429, { 'retry-after': '6' }],
		[429, { ratelimit: '"default";r=0;t=6' }],
	])('%i %j: no request before, and all who ask hear how long', async (status, headers) => {
		fakeTime();
		const client = newClient();
		const service = busy(status, headers);
		expect(await waitsOf(client, service)).toBe(6000);
		jest.advanceTimersByTime(2000);
		expect(await waitsOf(client, service)).toBe(4000);
		expect(await waitsOf(client, service)).toBe(4000);
		expect(service.counter.requests).toBe(1);
		jest.advanceTimersByTime(4000);
		expect(await renewToken(client, endpoint().httpRequest)).toMatch(/ T1$/);
	});

	test('an endpoint that doesn’t is asked again after a second', async () => {
		fakeTime();
		const client = newClient();
		const service = busy(429, {});
		expect(await waitsOf(client, service)).toBeUndefined();
		jest.advanceTimersByTime(1000);
		expect(await waitsOf(client, service)).toBeUndefined();
		expect(service.counter.requests).toBe(2);
	});
});

test.each([
	['PAYMENTS', undefined],
	['PAYMENTS other', undefined],
	['PAYMENTS,read', undefined],
	['read, PAYMENTS', undefined],
	['', undefined],
	[' ', undefined],
	[['other'], undefined],
	[undefined, undefined],
	['other', expect.stringMatching(/"PAYMENTS".*PAYMENTS is missing/)],
])('the granted scope %p', async (scope, expected) => {
	const client = newClient();
	const { value } = await requestToken(client, endpoint({ scope }).httpRequest);
	expect(findMissingScope(client, value!)?.message).toEqual(expected);
});

test.each([
	['authUrl', '', "'Auth URL' is empty"],
	['clientId', '', "'Client ID' is empty"],
	['clientId', 4711, "'Client ID' isn't text"],
	['clientSecret', undefined, "'Client Secret' is empty"],
	['clientSecret', ' \u200b', "'Client Secret' is empty"],
	['clientSecret', ['secret'], "'Client Secret' isn't text"],
	['scope', ' ', "'Scope' is empty"],
])('a credential whose %s is %p makes no token request', async (name, value, message) => {
	const { counter, httpRequest } = endpoint();
	const { problem } = await requestToken({ ...newClient(), [name]: value } as never, httpRequest);
	expect(problem).toMatchObject({ message, temporary: false });
	expect(counter.requests).toBe(0);
});
