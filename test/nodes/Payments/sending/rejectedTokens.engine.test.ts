import { rows } from '../../../support/builders/transactions';
import { accept, after, count, reject, useServices } from '../../../support/engine/services';

/* How a list of transactions is sent to services that reject its tokens. */

const { serve, run } = useServices();

test('a service that rejects every token ends the list after at most 3 token requests', async () => {
	const { received, stop } = await serve((_request, response) => reject(response, 401));
	const { json } = await run(rows(200), {});
	const tokenRequests = received.filter(({ url }) => url === '/passport/oauth/token').length;
	expect(tokenRequests).toBeLessThanOrEqual(3);
	expect(received.length - tokenRequests).toBeLessThanOrEqual(120);
	expect(json).toHaveLength(200);
	expect(count(json, 'rejected') + count(json, 'notSent')).toBe(200);
	expect(json.at(-1)).toMatchObject({
		outcome: 'notSent',
		message: expect.stringContaining('401'),
	});
	await stop();
});

test('a service with one token per client, which another system takes again and again', async () => {
	let current = '';
	let requestsLeft = 0;
	const seen = new Set<string>();
	await serve(({ headers: { authorization = '' } }, response) => {
		if (!seen.has(authorization)) {
			seen.add(authorization);
			current = authorization;
			requestsLeft = 100;
		}
		if (authorization === current && requestsLeft-- > 0) accept(response);
		else reject(response, 401);
	});
	const { json } = await run(rows(400), {});
	expect(count(json, 'created')).toBe(400);
});

describe('a token that ended early, answered with 403 (RFC 6750, section 3.1)', () => {
	test('200 items: all are created with one new token', async () => {
		const { received } = await serve((request, response) => {
			if (request.headers.authorization === 'Bearer token-1')
				response.writeHead(403, { 'www-authenticate': 'Bearer error="invalid_token"' }).end();
			else after(20, response);
		});
		const { json } = await run(rows(200), { maxConcurrentRequests: 50 });
		expect(count(json, 'created')).toBe(200);
		expect(received.filter(({ url }) => url === '/passport/oauth/token')).toHaveLength(2);
	});
});
