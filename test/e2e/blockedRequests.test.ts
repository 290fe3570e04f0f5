import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { paymentsApiData, readExample } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
import { sharedN8n, useService } from './shared';

/*
 * What n8n itself blocks isn't retried, which would last longer than the test: it ends as not sent,
 * in n8n's words and with the fix.
 */

const n8n = sharedN8n();
const service = useService(n8n);

/** The sandbox, at an address that isn't allowed: see setup.ts. */
const elsewhere = () => service.sandbox.url.replace('127.0.0.1', '127.0.0.2');

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
])('%s', async (_, change) => {
	const client = await service.sandbox.client.createClient({ name: 'blocked' });
	const credential = await n8n.createCredential('Blocked', 'paymentsApi', {
		...paymentsApiData({ url: service.sandbox.url, ...client }),
		...change(),
	});
	const example = readExample('rows-to-transactions');
	for (const node of example.nodes)
		if (node.name === 'Create Transactions') {
			node.onError = 'continueRegularOutput';
			node.parameters.options = { maxRetryTime: 3600 };
		}
	const workflow = await n8n.importWorkflow(example, [credential]);
	const execution = await n8n.run(workflow, 'When clicking ‘Execute workflow’');
	const [right, toCorrect] = [0, 4].map((from) =>
		outputOf(execution, 'Create Transactions').slice(from, from + 4),
	);
	for (const { json } of right)
		expect(json).toMatchObject({
			outcome: 'notSent',
			message: expect.stringMatching(/blocked the request: (Domain not allowed|The request was)/),
			fix: expect.stringContaining("'Allowed HTTP Request Domains'"),
		});
	expect([right.length, toCorrect.map(({ json }) => json.outcome)]).toEqual([
		4,
		['invalid', 'invalid'],
	]);
	expect((await service.sandbox.client.getCounts()).transactions.requests).toBe(0);
});
