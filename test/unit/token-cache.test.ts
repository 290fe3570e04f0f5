import { TokenCache, type Token } from '../../nodes/shared/token/TokenCache';

const HOUR = 3_600_000;

/** A token endpoint that issues T1, T2, …, each valid for an hour from `now`. */
function endpoint() {
	let issued = 0;
	return {
		now: 0,
		get requests() {
			return issued;
		},
		fetch: async function (this: { now: number }): Promise<Token> {
			issued++;
			const storedToken = `T${issued}`;
			await Promise.resolve();
			return { storedToken, issuedAt: this.now, expiresAt: this.now + HOUR };
		},
	};
}

let cache: TokenCache;
let service: ReturnType<typeof endpoint>;
beforeEach(() => {
	cache = new TokenCache();
	service = endpoint();
});

/** Asks for a token in place of `rejected`, `now` ms after the start. */
const refresh = (rejected: string, now = 0) => {
	service.now = now;
	return cache.refresh(rejected, async () => await service.fetch(), now);
};

test('concurrent calls share one token request, whatever token they had', async () => {
	const tokens = await Promise.all([refresh(''), refresh('old'), refresh('older')]);
	expect(tokens).toEqual(['T1', 'T1', 'T1']);
	expect(service.requests).toBe(1);
});

test('a token that was replaced gets the one that replaced it', async () => {
	expect(await refresh('T0')).toBe('T1');
	expect(await refresh('T0')).toBe('T1');
	expect(await refresh('T1')).toBe('T2');
	expect(await refresh('T0')).toBe('T2');
	expect(await refresh('T1')).toBe('T2');
	expect(service.requests).toBe(2);
});

test('the current token, rejected, is replaced', async () => {
	await refresh('');
	expect(await refresh('T1')).toBe('T2');
});

test('a token that is not known may be newer than the current one, so it is replaced', async () => {
	await refresh('');
	expect(await refresh('from another process')).toBe('T2');
});

test.each([
	[9_999, 'T1'],
	[10_000, 'T2'],
])('without a token, a new one is shared: after %i ms it is %s', async (now, token) => {
	await refresh('');
	expect(await refresh('', now)).toBe(token);
});

test.each([
	[HOUR - 1, 'T1'],
	[HOUR, 'T2'],
])(
	'a current token that has expired replaces nothing: after %i ms it is %s',
	async (now, token) => {
		await refresh('T0');
		expect(await refresh('T0', now)).toBe(token);
	},
);

test('while a token request is pending, the current token is not handed out', async () => {
	await refresh('T0');
	const [replaced, waiting] = await Promise.all([refresh('T1'), refresh('T0')]);
	expect([replaced, waiting]).toEqual(['T2', 'T2']);
	expect(service.requests).toBe(2);
});

test('a token request that failed reaches all who wait, and the next call makes another', async () => {
	const failing = async () => await Promise.reject(new Error('no'));
	const calls = [cache.refresh('', failing, 0), cache.refresh('', failing, 0)];
	const results = await Promise.allSettled(calls);
	expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	expect(await refresh('')).toBe('T1');
});

test('a token that the service issues again counts as current', async () => {
	const token = (storedToken: string): Token => ({
		storedToken,
		issuedAt: 0,
		expiresAt: HOUR,
	});
	const issue = (rejected: string, value: string) =>
		cache.refresh(rejected, async () => token(value), 0);
	await issue('A', 'B');
	await issue('B', 'A');
	// A is current again, so rejecting it needs a new one.
	expect(await issue('A', 'C')).toBe('C');
	// B is known to be older.
	expect(await issue('B', 'D')).toBe('C');
});

test('the replaced token of the endpoint itself is known as older', async () => {
	await refresh('T0');
	await refresh('other');
	expect(await refresh('T1')).toBe('T2');
});

test('no more than twenty replaced tokens are remembered, the newest ones', async () => {
	for (let i = 0; i < 21; i++) await refresh(i === 0 ? 'T0' : `T${i}`);
	expect(service.requests).toBe(21);
	expect(await refresh('T1')).toBe('T21');
	expect(await refresh('T20')).toBe('T21');
	// T0 is forgotten.
	expect(await refresh('T0')).toBe('T22');
});

test('a call without a token is not remembered as a replaced one', async () => {
	await refresh('');
	expect(await refresh('', HOUR - 1)).toBe('T2');
});

test('a call without a token takes the place of no replaced one', async () => {
	for (let i = 0; i < 19; i++) await refresh(`T${i}`);
	// The twentieth is T19.
	expect(await refresh('', 10_000)).toBe('T20');
	expect(await refresh('T0', 10_000)).toBe('T20');
	expect(await refresh('T19', 10_000)).toBe('T20');
	expect(service.requests).toBe(20);
});
