import { sleep } from 'n8n-workflow';

import { ClientToken } from '../../../../nodes/shared/token/ClientToken';

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

test('a token that is rejected is used until another can be requested', async () => {
	const client = new ClientToken();
	const issue = (bearerToken: string) => async () =>
		await Promise.resolve({ bearerToken, renewAt: Infinity });
	await client.renew(issue('first'));
	const { isCurrent, waitMs } = client.reject('first');
	expect(isCurrent).toBe(true);
	expect(waitMs).toBeGreaterThan(0);
	expect(client.usable?.bearerToken).toBe('first');
	expect(client.reject('first').isCurrent).toBe(false);
	await sleep(waitMs + 5);
	expect(client.usable).toBe(undefined);
	await client.renew(issue('second'));
	expect(client.reject('first')).toEqual({ isCurrent: false, waitMs: 0 });
	expect(client.usable?.bearerToken).toBe('second');
});
