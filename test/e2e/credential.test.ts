import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { paymentsApiData } from '../../host/n8n/credentials';
import { sharedN8n, useService } from './shared';

const n8n = sharedN8n();
const service = useService(n8n);
let good: ICredentialDataDecryptedObject;

beforeAll(async () => {
	good = paymentsApiData({ url: service.sandbox.url, ...service.client });
});
afterEach(async () => await service.sandbox.client.setFaults({}));

/** Creates a credential over n8n's own API and presses its Test button. */
async function pressTest(change: ICredentialDataDecryptedObject = {}) {
	const data = { ...good, ...change };
	const stored = await n8n.createCredential('Payments API under test', 'paymentsApi', data);
	return await n8n.send<{ status: string; message: string }>('POST', '/credentials/test', {
		credentials: { ...stored, data },
	});
}

const wrong: Array<[string, () => ICredentialDataDecryptedObject, RegExp]> = [
	['a wrong secret', () => ({ clientSecret: 'not-the-secret' }), /Client ID.*Client Secret/],
	[
		'the address of n8n as Base URL',
		() => ({ baseUrl: process.env.E2E_N8N_URL! }),
		/has no http:\S+\/api\/v1\/transactions \(status 404\).*Check the Base URL/,
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

test('n8n never hands the secret or the token to the editor', async () => {
	const { id } = await n8n.createCredential('Payments API kept secret', 'paymentsApi', good);
	const path = `/credentials/${id}?includeData=true`;
	const { data: stored } = await n8n.send<{ data: object }>('GET', path);
	expect(stored).toMatchObject({ authUrl: service.sandbox.url, clientId: good.clientId });
	expect(JSON.stringify(stored)).not.toContain(good.clientSecret);
});
