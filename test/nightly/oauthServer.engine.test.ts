import { join } from 'node:path';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { startProcess, type ManagedProcess } from '../../host/processes';
import { rows } from '../support/builders/transactions';
import { testCredential } from '../support/engine/credentialTester';
import { useBench, type PaymentsBench } from '../support/engine/payments';
import { isNightly } from '../support/nightly';

/*
 * The credential with an OAuth server that others made and certified (oidc-provider): token
 * requests, scopes, and tokens that expire are judged by that server. It has a process of its own,
 * because it's an ES module, and Jest loads CommonJS.
 */

/** The secret of every client of the service. */
const CLIENT_SECRET = 'client-secret-of-the-oauth-tests';
/** What open requests meet is a race, so it is tried more often at night. */
const REVOKED_RUNS = isNightly ? 30 : 3;

let service: ManagedProcess;
let url: string;
let bench: PaymentsBench;
useBench((one) => (bench = one));
beforeAll(async () => {
	const program = join(__dirname, 'oauthServer.mjs');
	service = startProcess('OAuth service', process.execPath, [program, CLIENT_SECRET]);
	[, url] = await service.waitFor(/OAuth service: (http:\/\/\S+)/, 60_000);
}, 60_000);
afterAll(async () => await service.stop());

/** Tells the service something, or asks it. */
const ask = async (path: string) => await fetch(`${url}/${path}`);

const credentialOf = (clientId: string, changes: ICredentialDataDecryptedObject = {}) => ({
	...{ authUrl: url, baseUrl: url, clientId, clientSecret: CLIENT_SECRET },
	...{ scope: 'PAYMENTS', accessToken: '', ...changes },
});

/** Counts the token requests and transactions that the service gets meanwhile. */
async function countsOf(action: () => Promise<unknown>) {
	const read = async () =>
		(await (await ask('counts')).json()) as { tokenRequests: number; transactions: number };
	const before = await read();
	await action();
	const after = await read();
	return {
		tokenRequests: after.tokenRequests - before.tokenRequests,
		transactions: after.transactions - before.transactions,
	};
}

test.each(['PAYMENTS', 'PAYMENTS payments.*', 'PAYMENTS OXYGEN'])(
	'the scope %s is granted: the credential test succeeds, and transactions are created',
	async (scope) => {
		const credential = credentialOf('full', { scope });
		expect(await testCredential(credential)).toMatchObject({ status: 'OK' });
		await bench.seed(credential);
		const counts = await countsOf(async () => {
			const { json, error } = await bench.run(rows(2));
			expect([json.length, error]).toEqual([2, undefined]);
		});
		expect(counts.transactions).toBe(2);
	},
);

test.each<[string, string, ICredentialDataDecryptedObject, RegExp]>([
	['a wrong secret', 'full', { clientSecret: 'wrong' }, /Client ID/],
	['an unknown client', 'nobody', {}, /Client ID.*invalid_client/],
	['a scope that it does not allow', 'may-not-request', {}, /doesn't grant this Scope/],
	['another grant', 'other-grant', {}, /invalid_request|unauthorized_client/],
])('%s is rejected: the credential test and the node say so', async (_, id, changes, words) => {
	const credential = credentialOf(id, changes);
	const { status, message } = await testCredential(credential);
	expect([status, message]).toEqual(['Error', expect.stringMatching(words)]);
	expect(message).not.toContain(CLIENT_SECRET);
	await bench.seed(credential);
	const counts = await countsOf(async () => {
		expect((await bench.run(rows(2))).error?.message).toMatch(words);
	});
	expect(counts).toEqual({ tokenRequests: 1, transactions: 0 });
});

test('a token that has expired is replaced by one token request, and nothing is lost', async () => {
	await bench.seed(credentialOf('expiring'));
	const counts = await countsOf(async () => {
		expect((await bench.run(rows(3))).json).toHaveLength(3);
		await ask('advance-clock');
		const later = rows(20, (index) => ({ externalId: `later_${index}` }));
		expect((await bench.run(later)).json).toHaveLength(20);
	});
	expect(counts).toEqual({ tokenRequests: 2, transactions: 23 });
});

test.each([
	[10, 40, REVOKED_RUNS],
	[60, 500, isNightly ? 10 : 1],
])(
	'a token that is revoked at transaction %i of %i: all are created, with at most 2 new tokens',
	async (revokeIn, items, runs) => {
		for (let run = 0; run < runs; run++) {
			await ask(`revoke-in/${revokeIn}`);
			await bench.seed(credentialOf('full'));
			const list = rows(items, (index) => ({ externalId: `${revokeIn}_${run}_${index}` }));
			const counts = await countsOf(async () => {
				const { json } = await bench.run(list);
				expect(json.filter(({ outcome }) => outcome === 'created')).toHaveLength(items);
			});
			expect(counts.transactions).toBe(items);
			expect(counts.tokenRequests).toBeLessThanOrEqual(2);
		}
	},
);
