import { ClientToken, type Token } from '../../../../nodes/shared/token/ClientToken';

afterEach(() => jest.restoreAllMocks());

/** A client whose tokens are 1, 2, …, on a clock that a test sets. */
function startClient() {
	let time = 0;
	const sleeps: number[] = [];
	const clock = {
		now: () => time,
		sleep: async (ms: number) => {
			sleeps.push(ms);
			time += ms;
			await Promise.resolve();
		},
	};
	const client = new ClientToken(clock);
	let issued = 0;
	return {
		client,
		sleeps,
		now: () => time,
		/** Lets time pass, and gets a new token if one is needed. */
		pass: async (ms: number) => {
			time += ms;
			await client.renew(async () => await Promise.resolve(token(String(++issued))));
			return client.usable?.bearerToken;
		},
	};
}

const token = (bearerToken: string): Token => ({ bearerToken, renewAt: Infinity });
const KEPT = { counts: false, isProven: false, waitMs: 500 };

test('the system clock that is set back by a minute keeps no transaction back', async () => {
	const { client, pass } = startClient();
	await pass(0);
	client.accept('1');
	jest.spyOn(Date, 'now').mockReturnValue(Date.now() - 60_000);
	client.reject('1');
	expect(await pass(1000)).toBe('2');
});

test('a token that is dropped stays so, although the next is requested and it is rejected once more', async () => {
	const { client } = startClient();
	client.adopt(token('first'));
	expect(client.reject('first')).toEqual({ counts: true, isProven: true, waitMs: 0 });
	let issue!: (token: Token) => void;
	const renewed = client.renew(async () => await new Promise((resolve) => (issue = resolve)));
	expect(client.reject('first')).toEqual({ counts: false, isProven: true, waitMs: 0 });
	client.accept('first');
	expect(client.usable).toBeUndefined();
	issue(token('second'));
	await renewed;
	expect(client.usable?.bearerToken).toBe('second');
});

describe('a new token that has never been accepted', () => {
	test('is tried again each half a second for 3.5 s, and then replaced', async () => {
		const { client, pass, now } = startClient();
		await pass(0);
		while (now() < 3500) {
			expect(client.reject('1')).toEqual(KEPT);
			expect(await pass(500)).toBe('1');
		}
		expect(client.reject('1')).toEqual({ counts: true, isProven: false, waitMs: 0 });
		expect(await pass(0)).toBe('2');
	});

	test('stays once it is accepted', async () => {
		const { client, pass } = startClient();
		await pass(0);
		client.reject('1');
		await pass(3000);
		client.accept('1');
		expect(await pass(5000)).toBe('1');
	});

	test('counts once, when it is replaced, however many had it rejected', async () => {
		const { client, pass } = startClient();
		await pass(0);
		const early = Array.from({ length: 50 }, () => client.reject('1'));
		expect(early.filter(({ counts }) => counts)).toHaveLength(0);
		await pass(3600);
		const late = Array.from({ length: 50 }, () => client.reject('1'));
		expect(late.filter(({ counts }) => counts)).toHaveLength(1);
	});

	test('is kept from when it came, and not from when it was requested', async () => {
		let time = 0;
		const clock = { now: () => time, sleep: async () => await Promise.resolve() };
		const client = new ClientToken(clock);
		await client.renew(async () => {
			time += 10_000;
			return await Promise.resolve(token('slow'));
		});
		expect(client.reject('slow')).toEqual(KEPT);
	});

	test('is replaced after a second if it replaces one that was accepted once, and the next is kept', async () => {
		const { client, pass } = startClient();
		client.adopt(token('stored'));
		client.reject('stored');
		expect(await pass(0)).toBe('1');
		expect(client.reject('1')).toEqual(KEPT);
		expect(await pass(1000)).toBe('1');
		expect(client.reject('1')).toMatchObject({ counts: true });
		expect(await pass(0)).toBe('2');
		await pass(3400);
		expect(client.reject('2')).toEqual(KEPT);
	});
});

test('after one was accepted, the next that is rejected is suspected anew', async () => {
	const { client, pass } = startClient();
	client.adopt(token('stored'));
	client.reject('stored');
	await pass(0);
	client.accept('1');
	await pass(2000);
	client.reject('1');
	expect(await pass(0)).toBe('2');
	await pass(1000);
	expect(client.reject('2')).toMatchObject({ counts: true });
});

test('a young token that is rejected for one transaction stays if another is accepted with it', async () => {
	const { client, pass } = startClient();
	await pass(0);
	client.accept('1');
	expect(client.reject('1')).toEqual({ counts: true, isProven: true, waitMs: 0 });
	expect(client.reject('1')).toEqual({ counts: false, isProven: true, waitMs: 1000 });
	client.accept('1');
	expect(await pass(2000)).toBe('1');
});

test('an old token says nothing of the one in use', async () => {
	const { client, pass } = startClient();
	client.adopt(token('stored'));
	client.reject('stored');
	await pass(0);
	client.accept('stored');
	expect(client.reject('stored')).toEqual({ counts: false, isProven: false, waitMs: 0 });
	expect(client.reject('1')).toEqual(KEPT);
});

test('one token request a second, also if they fail, and none while the service asks to wait', async () => {
	const { client, sleeps, pass, now } = startClient();
	const fail = async (error: Error) =>
		await expect(client.renew(async () => await Promise.reject(error))).rejects.toBe(error);
	await fail(new Error('down'));
	expect(sleeps).toEqual([]);
	const busy = Object.assign(new Error('busy'), { retryAt: 7000 });
	await fail(busy);
	expect(sleeps).toEqual([1000]);
	await expect(pass(5999)).rejects.toBe(busy);
	expect(now()).toBe(6999);
	expect(await pass(1)).toBe('1');
});
