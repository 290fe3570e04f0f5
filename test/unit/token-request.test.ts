import {
	distrustToken,
	findMissingScope,
	getToken,
	ownToken,
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
	client.accessToken = await getToken(client, endpoint({ expires_in }).httpRequest);
	jest.advanceTimersByTime(age * 1000);
	expect(ownToken(client)).toMatchObject({ value: 'T1', needsRenewal });
});

test.each(['authUrl', 'clientId', 'clientSecret', 'scope'])(
	'a token belongs to the client: not to one with another %s',
	async (member) => {
		const client = newClient();
		client.accessToken = await getToken(client, endpoint().httpRequest);
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
	const [first] = await Promise.all([1, 2, 3].map(() => getToken(client, httpRequest)));
	const outdated = { ...client, accessToken: first };
	const second = await getToken(outdated, httpRequest);
	expect(await getToken(outdated, httpRequest)).toBe(second);
	expect(counter.requests).toBe(2);
});

test('a distrusted token is renewed once, and not again for each failure', async () => {
	const { counter, httpRequest } = endpoint();
	const client = newClient();
	client.accessToken = await getToken(client, httpRequest);
	expect(distrustToken(client)).toBe(true);
	expect(ownToken(client)?.needsRenewal).toBe(true);
	client.accessToken = await getToken(client, httpRequest);
	expect(ownToken(client)).toMatchObject({ value: 'T2', needsRenewal: false });
	expect(distrustToken(client)).toBe(false);
	expect(ownToken(client)?.needsRenewal).toBe(false);
	expect(counter.requests).toBe(2);
});

test.each([
	['PAYMENTS', undefined],
	['PAYMENTS other', undefined],
	[undefined, undefined],
	['other', expect.stringContaining('"other" instead of "PAYMENTS"')],
])('the granted scope %p', async (scope, expected) => {
	const client = newClient();
	await getToken(client, endpoint({ scope }).httpRequest);
	expect(findMissingScope(client)?.message).toEqual(expected);
});
