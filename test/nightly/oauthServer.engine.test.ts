import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { PaymentsApi } from '../../credentials/PaymentsApi.credentials';
import { Payments } from '../../nodes/Payments/Payments.node';
import { rows } from '../support/builders/transactions';
import { isNightly } from '../support/nightly';
import { OAUTH_CLIENT_SECRET, startOAuthService, type OAuthService } from './oauthService';
import { testCredential } from '../support/engine/credentialTester';
import { EngineCredentials, runNode } from '../support/engine/harness';
import { readRun } from '../support/engine/payments';

/*
 * The credential with an OAuth server that others made and certified (oidc-provider): token
 * requests, scopes, and tokens that expire are judged by that server.
 */

/** What open requests meet is a race, so it is tried more often at night. */
const REVOKED_RUNS = isNightly ? 30 : 3;

let service: OAuthService;
beforeAll(async () => (service = await startOAuthService()), 60_000);
afterAll(async () => await service.stop());

const credentialOf = (
	clientId: string,
	changes: ICredentialDataDecryptedObject = {},
): ICredentialDataDecryptedObject => ({
	authUrl: service.url,
	baseUrl: service.url,
	clientId,
	clientSecret: OAUTH_CLIENT_SECRET,
	scope: 'PAYMENTS',
	accessToken: '',
	...changes,
});

const pressTest = async (clientId: string, changes?: ICredentialDataDecryptedObject) =>
	await testCredential(credentialOf(clientId, changes));

/** Runs the node once for each list of items, with the same stored credential. */
async function runPayments(
	credential: ICredentialDataDecryptedObject,
	itemsOfRuns = [rows(2)],
	afterRun = async () => {},
) {
	const credentials = new EngineCredentials({ paymentsApi: new PaymentsApi() });
	await credentials.seed('c1', 'paymentsApi', credential);
	const outcomes = [];
	for (const items of itemsOfRuns) {
		const { finished } = runNode({
			node: {
				type: 'n8n-nodes-payments.payments',
				parameters: { resource: 'transaction', operation: 'create', specifyTransaction: 'item' },
				credentials: { paymentsApi: { id: 'c1', name: 'Payments' } },
			},
			nodeType: new Payments(),
			items: items.map((json, item) => ({ json, pairedItem: { item } })),
			credentials,
		});
		outcomes.push(readRun(await finished));
		await afterRun();
	}
	return outcomes;
}

async function countsOf(action: () => Promise<unknown>) {
	const before = await service.counts();
	await action();
	const after = await service.counts();
	return {
		tokenRequests: after.tokenRequests - before.tokenRequests,
		transactions: after.transactions - before.transactions,
	};
}

describe('what is granted as requested', () => {
	test.each(['PAYMENTS', 'PAYMENTS payments.*', 'PAYMENTS OXYGEN'])(
		'the scope %s: the credential test succeeds, and transactions are created',
		async (scope) => {
			expect(await pressTest('full', { scope })).toMatchObject({ status: 'OK' });
			const counts = await countsOf(async () => {
				const [{ json, error }] = await runPayments(credentialOf('full', { scope }));
				expect(error).toBeUndefined();
				expect(json).toHaveLength(2);
			});
			expect(counts.transactions).toBe(2);
		},
	);
});

describe('what the OAuth server rejects', () => {
	test.each<[string, string, ICredentialDataDecryptedObject, RegExp]>([
		['a wrong secret', 'full', { clientSecret: 'wrong' }, /Client ID/],
		['an unknown client', 'nobody', {}, /Client ID.*invalid_client/],
		['a scope that it does not allow', 'may-not-request', {}, /doesn't grant this Scope/],
		['another grant', 'other-grant', {}, /invalid_request|unauthorized_client/],
	])(
		'%s: the credential test and the node say so, and nothing is sent',
		async (_, id, changes, words) => {
			const { status, message } = await pressTest(id, changes);
			expect(status).toBe('Error');
			expect(message).toMatch(words);
			expect(message).not.toContain(OAUTH_CLIENT_SECRET);
			const counts = await countsOf(async () => {
				const [{ error }] = await runPayments(credentialOf(id, changes));
				expect(error?.message).toMatch(words);
			});
			expect(counts).toEqual({ tokenRequests: 1, transactions: 0 });
		},
	);
});

test('a token that has expired is replaced by one token request, and nothing is lost', async () => {
	const runs = [rows(3), rows(20, (index) => ({ externalId: `later_${index}` }))];
	const counts = await countsOf(async () => {
		const outcomes = await runPayments(
			credentialOf('expiring'),
			runs,
			async () => await service.advanceClock(),
		);
		expect(outcomes.map(({ json }) => json.length)).toEqual([3, 20]);
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
			await service.revokeIn(revokeIn);
			const counts = await countsOf(async () => {
				const [{ json }] = await runPayments(credentialOf('full'), [
					rows(items, (index) => ({ externalId: `${revokeIn}_${run}_${index}` })),
				]);
				expect(json.filter(({ outcome }) => outcome === 'created')).toHaveLength(items);
			});
			expect(counts.transactions).toBe(items);
			expect(counts.tokenRequests).toBeLessThanOrEqual(2);
		}
	},
);
