import type { ICredentialDataDecryptedObject, INode, INodeParameters } from 'n8n-workflow';
import { paymentsApiData, readLiveExample } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
import { node, START, workflowOf } from '../support/builders/workflows';
import { startFakeService } from '../support/servers/fakeService';
import { sharedN8n, useService } from './shared';

/* What n8n does with the credential: stores it, keeps other nodes from it, and blocks requests. */

const n8n = sharedN8n();
const service = useService(n8n);
const createCredential = async (changes: ICredentialDataDecryptedObject = {}) =>
	await n8n.createCredential('Payments API', 'paymentsApi', {
		...paymentsApiData({ url: service.sandbox.url, ...service.client }),
		...changes,
	});

test('a wrong secret is said in words, and neither the editor nor the message gets it', async () => {
	const clientSecret = 'not-the-secret';
	const stored = await createCredential({ clientSecret });
	const data = paymentsApiData({ url: service.sandbox.url, ...service.client, clientSecret });
	const tested = await n8n.send<object>('POST', '/credentials/test', {
		credentials: { ...stored, data },
	});
	expect(tested).toMatchObject({
		status: 'Error',
		message: expect.stringMatching(/Client ID.*Client Secret/) as string,
	});
	const path = `/credentials/${stored.id}?includeData=true`;
	const read = await n8n.send<{ data: object }>('GET', path);
	expect(read.data).toMatchObject({ authUrl: service.sandbox.url });
	for (const seen of [tested, read.data]) expect(JSON.stringify(seen)).not.toContain(clientSecret);
});

/** A node that requests something with a credential. */
const requesting = (type: string, version: number, parameters: INodeParameters, name: string) =>
	node('Node', type, version, parameters, { credentials: { [name]: { id: '', name: '' } } });
const TO_THE_SERVICE = { url: 'http://127.0.0.1/api/v1/transactions', options: {} };
const PREDEFINED = {
	authentication: 'predefinedCredentialType',
	nodeCredentialType: 'paymentsApi',
};

test.each<[string, number, INodeParameters]>([
	['httpRequest', 4.2, { ...TO_THE_SERVICE, ...PREDEFINED }],
	['httpRequestTool', 4.2, { ...TO_THE_SERVICE, ...PREDEFINED }],
	['graphql', 1.1, { endpoint: TO_THE_SERVICE.url, query: '{ id }', ...PREDEFINED }],
	['code', 2, { jsCode: '' }],
])('%s with the credential is not saved', async (type, version, parameters) => {
	const workflow = workflowOf(START, requesting(type, version, parameters, 'paymentsApi'));
	await expect(n8n.importWorkflow(workflow, [await createCredential()])).rejects.toThrow(
		/restricted to: .*n8n-nodes-payments\.payments/,
	);
});

test("the HTTP Request node reads with n8n's OAuth2 API credential, as docs/credentials.md says", async () => {
	const reading = await startFakeService((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}');
	});
	const credential = await n8n.createCredential('Read payments', 'oAuth2Api', {
		...{ grantType: 'clientCredentials', accessTokenUrl: `${reading.url}/passport/oauth/token` },
		...{
			clientId: 'reader',
			clientSecret: 'the-secret',
			scope: 'PAYMENTS',
			authentication: 'body',
		},
	});
	const parameters = {
		...{ url: `${reading.url}/api/v1/transactions`, options: {} },
		...{ authentication: 'genericCredentialType', genericAuthType: 'oAuth2Api' },
	};
	const request = requesting('httpRequest', 4.2, parameters, 'oAuth2Api');
	const workflow = await n8n.importWorkflow(workflowOf(START, request), [credential]);
	const execution = await n8n.run(workflow, 'Start');
	await reading.stop();
	expect(outputOf(execution, 'Node')).toMatchObject([{ json: { items: [] } }]);
	expect(reading.calls()).toEqual(['POST /passport/oauth/token', 'GET /api/v1/transactions']);
});

/** The sandbox, at an address that isn't allowed: see setup.ts. */
const elsewhere = () => service.sandbox.url.replace('127.0.0.1', '127.0.0.2');

// It isn't retried, which would last longer than the test.
test.each<[string, () => ICredentialDataDecryptedObject]>([
	// n8n applies it to the requests of a credential and of the HTTP Request node, and not to those
	// of other nodes.
	[
		"the token request, by the credential's restriction of domains",
		() => ({ allowedHttpRequestDomains: 'domains', allowedDomains: 'example.com' }),
	],
	[
		"the token request, by n8n's protection against server-side request forgery",
		() => ({ authUrl: elsewhere() }),
	],
	['the transaction, by the same', () => ({ baseUrl: elsewhere() })],
])('n8n blocks %s: not sent, with its words and the fix', async (_, change) => {
	// A client of its own has no token yet.
	const { clientId, clientSecret } = await service.sandbox.createClient();
	const credential = await createCredential({ clientId, clientSecret, ...change() });
	const example = readLiveExample('rows-to-transactions');
	const create = example.nodes.find(({ name }) => name === 'Create Transactions') as INode;
	create.onError = 'continueRegularOutput';
	create.parameters.options = { maxRetryTime: 3600 };
	const workflow = await n8n.importWorkflow(example, [credential]);
	const execution = await n8n.run(workflow, 'When clicking ‘Execute workflow’');
	const outcomes = outputOf(execution, 'Create Transactions').map(({ json }) => json);
	expect(outcomes.map(({ outcome }) => outcome)).toEqual([
		...['notSent', 'notSent', 'notSent', 'notSent', 'invalid', 'invalid'],
	]);
	expect(outcomes[0]).toMatchObject({
		message: expect.stringMatching(/blocked the request: (Domain not allowed|The request was)/),
		fix: expect.stringContaining("'Allowed HTTP Request Domains'"),
	});
	expect((await service.sandbox.getCounts()).transactions.requests).toBe(0);
});
