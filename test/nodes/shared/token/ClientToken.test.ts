import { sleep } from 'n8n-workflow';

import { ClientToken, type Token } from '../../../../nodes/shared/token/ClientToken';

afterEach(() => jest.restoreAllMocks());

test('a clock that is set back by a minute keeps no payment back', async () => {
	const client = new ClientToken();
	const issue = (bearerToken: string) => async () =>
		await Promise.resolve({ bearerToken, renewAt: Infinity });
	await client.renew(issue('first'));
	const setBackTo = Date.now() - 60_000;
	jest.spyOn(Date, 'now').mockReturnValue(setBackTo);
	const startedAt = performance.now();
	await sleep(client.reject('first').waitMs + 5);
	await client.renew(issue('second'));
	expect(client.usable?.bearerToken).toBe('second');
	expect(performance.now() - startedAt).toBeLessThan(10_000);
});

test('a token that is dropped stays so, although the next is requested and it is rejected once more', async () => {
	const client = new ClientToken();
	client.adopt({ bearerToken: 'first', renewAt: Infinity });
	expect(client.reject('first')).toEqual({ isCurrent: true, waitMs: 0 });
	let issue!: (token: Token) => void;
	const renewed = client.renew(async () => await new Promise((resolve) => (issue = resolve)));
	expect(client.reject('first')).toEqual({ isCurrent: false, waitMs: 0 });
	expect(client.usable).toBeUndefined();
	issue({ bearerToken: 'second', renewAt: Infinity });
	await renewed;
	expect(client.usable?.bearerToken).toBe('second');
});
