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
