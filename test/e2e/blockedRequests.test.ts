import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { join } from 'node:path';

import type { N8nClient } from '../../host/n8n/client';
import { paymentsApiData } from '../../host/n8n/credentials';
import { outputOf } from '../../host/n8n/executions';
import { startN8n, type N8n } from '../../host/n8n/startN8n';
import { launchSandbox, type Sandbox } from '../../host/sandbox';
import { ARTIFACTS } from '../support/pages/browser';
import { byPaymentsNode, SEND, START, within } from './paymentWorkflows';
import { sharedN8n } from './shared';

/* What n8n itself blocks ends at once as not sent, in n8n's words and with the fix. */

let sandbox: Sandbox;
beforeAll(async () => (sandbox = await launchSandbox()));
afterAll(async () => await sandbox?.stop());

/** The sandbox, at an address that isn't allowed. */
const elsewhere = () => sandbox.url.replace('127.0.0.1', '127.0.0.2');

async function expectBlocked(n8n: N8nClient, change: ICredentialDataDecryptedObject) {
	const client = await sandbox.client.createClient({ name: 'blocked' });
	const credential = await n8n.createCredential('Blocked', 'paymentsApi', {
		...paymentsApiData({ url: sandbox.url, ...client }),
		...change,
	});
	const workflow = await n8n.importWorkflow(byPaymentsNode(within('blocked', 1)), [credential]);
	const startedAt = Date.now();
	const execution = await n8n.run(workflow, START);
	expect(outputOf(execution, SEND).map(({ json }) => json)).toEqual([
		expect.objectContaining({
			outcome: 'notSent',
			message: expect.stringMatching(/blocked the request: (Domain not allowed|The request was)/),
			fix: expect.stringContaining("'Allowed HTTP Request Domains'"),
		}),
	]);
	expect(Date.now() - startedAt).toBeLessThan(10_000);
	expect((await sandbox.client.getCounts()).transactions.requests).toBe(0);
}

// n8n applies it to the requests of a credential and of the HTTP Request node, and not to those of
// other nodes.
test("the token request, by the credential's restriction of domains", async () => {
	await expectBlocked(sharedN8n(), {
		allowedHttpRequestDomains: 'domains',
		allowedDomains: 'example.com',
	});
});

describe("by n8n's protection against server-side request forgery", () => {
	let strict: N8n;
	beforeAll(async () => {
		strict = await startN8n({
			tarball: process.env.E2E_TARBALL,
			logFile: join(ARTIFACTS, 'n8n-strict.log'),
			env: { N8N_SSRF_PROTECTION_ENABLED: 'true', N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32' },
		});
		await strict.client.setUpOwner();
	});
	afterAll(async () => await strict?.stop());

	test('the token request', async () =>
		await expectBlocked(strict.client, { authUrl: elsewhere() }));

	test('the transaction', async () => await expectBlocked(strict.client, { baseUrl: elsewhere() }));
});
