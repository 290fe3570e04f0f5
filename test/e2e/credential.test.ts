import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import type { CredentialTest } from '../../host/n8n/client';
import { paymentsApiData } from '../../host/n8n/credentials';
import { sharedN8n, useService } from './shared';

/** Where nobody listens on any machine: the port of a service that no longer exists. */
const NOBODY = 'http://127.0.0.1:9';

const n8n = sharedN8n();
const service = useService(n8n);
let good: ICredentialDataDecryptedObject;

beforeAll(async () => {
	good = paymentsApiData({ url: service.sandbox.url, ...service.client });
});
afterEach(async () => await service.sandbox.client.setFaults({}));

/** Creates a credential over n8n's own API and presses its Test button. */
async function pressTest(change: ICredentialDataDecryptedObject = {}): Promise<CredentialTest> {
	const data = { ...good, ...change };
	return await n8n.testCredential(
		await n8n.createCredential('Payments API under test', 'paymentsApi', data),
		data,
	);
}

test('a right credential is found good', async () => {
	expect(await pressTest()).toEqual({ status: 'OK', message: 'Connection successful!' });
});

const wrong: Array<[string, () => ICredentialDataDecryptedObject, RegExp]> = [
	['a wrong secret', () => ({ clientSecret: 'not-the-secret' }), /Client ID.*Client Secret/],
	['an unknown client', () => ({ clientId: 'nobody' }), /Client ID.*Client Secret/],
	[
		'a wrong path',
		() => ({ authUrl: `${service.sandbox.url}/elsewhere` }),
		/no token endpoint at .*\/elsewhere\/passport\/oauth\/token.*Check the Auth URL/,
	],
	[
		"a host that doesn't exist",
		() => ({ authUrl: 'https://payments.invalid' }),
		/payments\.invalid (doesn't exist|could not be looked up).*Check the Auth URL/,
	],
	[
		'a host that does not answer',
		() => ({ authUrl: NOBODY }),
		/nothing responds at 127\.0\.0\.1.*Check the Auth URL/,
	],
	['no address at all', () => ({ authUrl: 'payments' }), /'Auth URL' isn't a web address/],
	[
		'plain http to another machine',
		() => ({ authUrl: 'http://payments.example' }),
		/would be sent to .* unencrypted/,
	],
	[
		'a Base URL with a query',
		() => ({ baseUrl: `${service.sandbox.url}/?x=1` }),
		/'Base URL' contains a query .* Enter only http/,
	],
	[
		'a Base URL with a fragment',
		() => ({ baseUrl: `${service.sandbox.url}/#/home` }),
		/'Base URL' contains a fragment .* Enter only http/,
	],
	[
		'the address of n8n as Base URL',
		() => ({ baseUrl: process.env.E2E_N8N_URL! }),
		/has no http:\S+\/api\/v1\/transactions \(status 404\).*Check the Base URL/,
	],
	[
		"a limit that can't be read",
		() => ({ maxAmounts: '1,000' }),
		/'Max Amount per Transaction' in the credential can't be used, because "1,000" can be 1000 or 1\.000/,
	],
	[
		'a limit whose expression has no value',
		() => ({ maxAmounts: '={{ $vars.missing }}' }),
		/'Max Amount per Transaction' in the credential can't be used, because its value isn't text/,
	],
	["a scope that isn't granted", () => ({ scope: 'EVERYTHING' }), /doesn't grant this Scope/],
];
test.each(wrong)('%s is said in words, and the secret is not', async (_, change, words) => {
	const { status, message } = await pressTest(change());
	expect({ status, message }).toEqual({
		status: 'Error',
		message: expect.stringMatching(words) as string,
	});
	expect(message).not.toContain(good.clientSecret);
});

describe('a credential that has been used, as the editor sends it: with the stored token', () => {
	const testUsed = async (change: ICredentialDataDecryptedObject) => {
		const used = await n8n.createCredential('Payments API in use', 'paymentsApi', good);
		expect(await n8n.testCredential(used, good)).toMatchObject({ status: 'OK' });
		return await n8n.testCredential(used, { ...(await n8n.credentialData(used.id)), ...change });
	};

	test('is good as it is', async () => expect(await testUsed({})).toMatchObject({ status: 'OK' }));

	test('a wrong secret is not covered up by the token', async () => {
		expect(await testUsed({ clientSecret: 'not-the-secret' })).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(/Client ID/),
		});
	});

	test('a Base URL at which nothing answers is said in words', async () => {
		const { status, message } = await testUsed({ baseUrl: NOBODY });
		expect({ status, message }).toEqual({
			status: 'Error',
			message: expect.stringMatching(/nothing responds at 127\.0\.0\.1.*Check the Base URL/),
		});
	});
});

test('a web page in the place of a token is said in words', async () => {
	await service.sandbox.client.setFaults({ token: { fault: 'html' } });
	// Another client, so that no other test has its token.
	const { status, message } = await pressTest({ ...(await service.sandbox.client.createClient()) });
	expect(status).toBe('Error');
	expect(message).toMatch(/web page/);
	expect(message).not.toContain('<');
});

test('n8n never hands the secret or the token to the editor', async () => {
	const { id } = await n8n.createCredential('Payments API kept secret', 'paymentsApi', good);
	const stored = await n8n.credentialData(id);
	expect(stored).toMatchObject({ authUrl: service.sandbox.url, clientId: good.clientId });
	expect(JSON.stringify(stored)).not.toContain(good.clientSecret);
});
