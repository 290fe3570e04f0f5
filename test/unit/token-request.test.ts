import {
	distrustToken,
	findMissingScope,
	hasNewerToken,
	renewToken,
	ownToken,
	replaceToken,
} from '../../nodes/shared/token/tokenRequest';

let clients = 0;
/** Each test has a client of its own, because the tokens of a client are kept for the process. */
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
	const httpRequest = async (): Promise<unknown> => {
		counter.requests++;
		const token = { access_token: `T${counter.requests}`, expires_in: 3600, ...members };
		return { statusCode: 200, headers: {}, body: JSON.stringify(token) };
	};
	return { counter, httpRequest };
}

interface Rejection {
	status: number;
	isOlder?: boolean;
	isReplaced?: boolean;
	isDistrusted?: boolean;
}

afterEach(() => jest.useRealTimers());

test.each([
	[3600, 3539, false],
	[3600, 3541, true],
	[100, 89, false],
	[100, 91, true],
	[1, 0, false],
])('a token that lasts %d s is renewed after %d s: %p', async (expires_in, age, needsRenewal) => {
	jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask'] });
	const client = newClient();
	client.accessToken = await renewToken(client, endpoint({ expires_in }).httpRequest);
	jest.advanceTimersByTime(age * 1000);
	expect(ownToken(client)).toMatchObject({ bearerToken: 'T1', needsRenewal });
});

test.each(['authUrl', 'clientId', 'clientSecret', 'scope'])(
	'a token belongs to the client: not to one with another %s',
	async (member) => {
		const client = newClient();
		client.accessToken = await renewToken(client, endpoint().httpRequest);
		expect(ownToken(client)).toBeDefined();
		expect(ownToken({ ...client, [member]: 'another' })).toBeUndefined();
	},
);

test('a stored token without its expiry is replaced', () => {
	const client = newClient();
	expect(ownToken({ ...client, accessToken: 'hash token' })).toBeUndefined();
});

test('concurrent requests share one token request, and so do those with the token that it replaced', async () => {
	const { counter, httpRequest } = endpoint();
	const client = newClient();
	const [first] = await Promise.all([1, 2, 3].map(() => renewToken(client, httpRequest)));
	const outdated = { ...client, accessToken: first };
	const second = await renewToken(outdated, httpRequest);
	expect(await renewToken(outdated, httpRequest)).toBe(second);
	expect(counter.requests).toBe(2);
});

test('a distrusted token is renewed once, and not again for each failure', async () => {
	const { counter, httpRequest } = endpoint();
	const client = newClient();
	client.accessToken = await renewToken(client, httpRequest);
	distrustToken(client);
	expect(ownToken(client)?.needsRenewal).toBe(true);
	client.accessToken = await renewToken(client, httpRequest);
	expect(ownToken(client)).toMatchObject({ bearerToken: 'T2', needsRenewal: false });
	distrustToken(client);
	expect(ownToken(client)?.needsRenewal).toBe(false);
	expect(counter.requests).toBe(2);
});

test.each([
	['401, n8n has just fetched the token', { status: 401, isOlder: false }, false],
	['401, the token is older than the request', { status: 401, isOlder: true }, true],
	['401, and this process has a newer one', { status: 401, isReplaced: true }, true],
	['403, and this process has a newer one', { status: 403, isReplaced: true }, true],
	['403, and the next request fetches one', { status: 403 }, true],
	['403, and one was fetched a moment ago', { status: 403, isDistrusted: true }, false],
])(
	'a newer token after status %s: %p is %p',
	async (_, { status, isOlder, isReplaced, isDistrusted }: Rejection, expected) => {
		const { httpRequest } = endpoint();
		const client = newClient();
		const startedAt = Date.now();
		if (isDistrusted) distrustToken({ ...client, accessToken: 'another' });
		client.accessToken = await renewToken(client, httpRequest);
		if (isReplaced) await renewToken(client, httpRequest);
		const began = isOlder ? Date.now() + 1 : startedAt;
		expect(status === 401 ? hasNewerToken(client, began) : replaceToken(client)).toBe(expected);
	},
);

test.each([
	['PAYMENTS', undefined],
	['PAYMENTS other', undefined],
	[undefined, undefined],
	['other', expect.stringContaining('"other" instead of "PAYMENTS"')],
])('the granted scope %p', async (scope, expected) => {
	const client = newClient();
	await renewToken(client, endpoint({ scope }).httpRequest);
	expect(findMissingScope(client)?.message).toEqual(expected);
});
