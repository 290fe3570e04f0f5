import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { rows } from '../../../support/builders/transactions';
import { startFakeService } from '../../../support/servers/fakeService';
import { startHttpServer } from '../../../support/servers/httpServer';
import { useBench, type PaymentsBench } from '../../../support/engine/payments';

let bench: PaymentsBench;
useBench((one) => (bench = one));

const counts = async () => await bench.sandbox.client.getCounts();
/** A client that no other test uses: a token that another has just fetched would be handed on. */
const seedOwnClient = async () =>
	await bench.seed({ ...(await bench.sandbox.client.createClient()) } as never);

test('50 executions at once on an expired token: one token request, shared by all', async () => {
	await bench.run(rows(1));
	await bench.sandbox.client.reset();
	await bench.sandbox.client.setFaults({
		revokeTokens: true,
		latencyMs: 50,
		token: { latencyMs: 50 },
	});
	const runs = await Promise.all(rows(50).map(async (row) => await bench.run([row])));
	expect(runs.map(({ run }) => run.status)).toEqual(Array(50).fill('success'));
	const { tokens, transactions } = await counts();
	expect([tokens.requests, transactions.created]).toEqual([1, 50]);
	expect(transactions.unauthorized).toBeGreaterThanOrEqual(50);
	// The one whose rejection came first tries the token once more, if it's still young.
	expect(transactions.unauthorized).toBeLessThanOrEqual(51);
});

test('the token is stored once, encrypted, however many items need it, and used by the next execution', async () => {
	await seedOwnClient();
	const writes = bench.credentials.writes;
	await bench.run(rows(40), {
		specifyTransaction: 'item',
		options: { maxConcurrentRequests: 50 },
	});
	expect(bench.credentials.writes - writes).toBe(1);
	const stored = bench.credentials.stored.get('c1')!;
	const { accessToken } = (await stored.getData()) as { accessToken: string };
	expect(accessToken).toEqual(expect.stringMatching(/.{8,}/));
	expect(stored.data).not.toContain(accessToken);
	await bench.run(rows(1, () => ({ externalId: 'next' })));
	expect((await counts()).tokens.requests).toBe(1);
});

/** Executes with these fields of the credential. Nothing is sent. */
const messageOf = async (changes: ICredentialDataDecryptedObject) => {
	await bench.seed(changes as never);
	const { error } = await bench.run(rows(40), {
		specifyTransaction: 'item',
		options: { maxRetryTime: 0 },
	});
	expect((await counts()).transactions.requests).toBe(0);
	return error?.message ?? '';
};

test('the token request is exactly that of docs/interface.md, 4.1, and follows no redirect', async () => {
	const service = await startFakeService();
	await bench.seed({
		authUrl: `${service.url}/`,
		baseUrl: service.url,
		clientId: 'id',
		clientSecret: 's+/=&',
		scope: 'PAYMENTS payments.*',
	});
	await bench.run(rows(1));
	await service.stop();
	const [request] = service.received;
	expect(request).toEqual({
		method: 'POST',
		url: '/passport/oauth/token',
		headers: expect.objectContaining({
			'content-type': expect.stringContaining('application/x-www-form-urlencoded'),
			accept: 'application/json',
		}),
		body: 'grant_type=client_credentials&scope=PAYMENTS+payments.*&client_id=id&client_secret=s%2B%2F%3D%26',
	});
	expect(request.headers.authorization).toBeUndefined();

	// An HTTP client that follows it would send the secret there.
	const redirecting = await startHttpServer((_, response) => {
		response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end();
	});
	expect(await messageOf({ authUrl: redirecting.url })).toMatch(/redirects to another address/);
	await redirecting.stop();
});

test.each([
	['authUrl', 'http://auth.example.com', /'Auth URL' starts with http:.* unencrypted/],
	['baseUrl', 'http://api.example.com', /'Base URL' starts with http:.* unencrypted/],
	['authUrl', '={{ $json.nothing }}', /^'Auth URL' is empty$/],
	['baseUrl', '={{ $json.nothing }}', /^'Base URL' is empty$/],
	['clientSecret', '={{ $json.nothing }}', /^'Client Secret' is empty$/],
	['scope', '={{ null }}', /^'Scope' is empty$/],
])('a %s of %s is named, without a token request', async (name, value, words) => {
	expect(await messageOf({ [name]: value })).toMatch(words);
	expect((await counts()).tokens.requests).toBe(0);
});

test('a wrong secret is tried once, and not once for each item', async () => {
	expect(await messageOf({ clientSecret: 'wrong' })).toMatch(/Client ID.*Client Secret/);
	expect((await counts()).tokens.requests).toBe(1);
});
