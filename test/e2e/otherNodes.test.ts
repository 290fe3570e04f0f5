import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowJson } from '../../host/n8n/client';
import { outputOf } from '../../host/n8n/executions';
import { startFakeService, type FakeService } from '../support/servers/fakeService';
import { createPaymentsApi } from '../../host/n8n/credentials';
import { n8nInstallation } from '../../host/n8n/installation';
import { sharedN8n } from './shared';

/*
 * n8n refuses the credential "Payments API" in other nodes, when a workflow is saved and when it
 * runs. That the node, its tool, and MCP work is in action.test, agent.test, and mcp.test.
 */

const n8n = sharedN8n();
let service: FakeService;
beforeAll(async () => {
	service = await startFakeService((_, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end('{"items":[]}');
	});
});
afterAll(async () => await service.stop());
beforeEach(() => void (service.received.length = 0));

type NodeUnderTest = Pick<INode, 'type' | 'typeVersion' | 'parameters'>;

/** Start → a node with a credential. */
const workflowOf = (node: NodeUnderTest, credential: string): WorkflowJson => ({
	name: 'With the credential',
	nodes: [
		{
			id: 'start',
			name: 'Start',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'node',
			name: 'Node',
			position: [200, 0],
			credentials: { [credential]: { id: '', name: '' } },
			...node,
		},
	],
	connections: { Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] } },
	settings: { executionOrder: 'v1' },
});

const httpRequest = (parameters: INodeParameters): NodeUnderTest => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: {
		method: 'GET',
		url: `${service.url}/api/v1/transactions`,
		nodeCredentialType: 'paymentsApi',
		options: {},
		...parameters,
	},
});
const graphQl = (parameters: INodeParameters): NodeUnderTest => ({
	type: 'n8n-nodes-base.graphql',
	typeVersion: 1.1,
	parameters: {
		requestMethod: 'GET',
		endpoint: `${service.url}/api/v1/transactions`,
		nodeCredentialType: 'paymentsApi',
		query: '{ id }',
		...parameters,
	},
});
const PREDEFINED = { authentication: 'predefinedCredentialType' };

test.each<[string, () => NodeUnderTest]>([
	['HTTP Request', () => httpRequest(PREDEFINED)],
	[
		'HTTP Request as a tool',
		() => ({ ...httpRequest(PREDEFINED), type: 'n8n-nodes-base.httpRequestTool' }),
	],
	['GraphQL', () => graphQl(PREDEFINED)],
	['Code', () => ({ type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: '' } })],
])('%s with the credential is not saved', async (_, nodeOf) => {
	const credential = await createPaymentsApi(n8n, { ...CLIENT, url: service.url });
	await expect(
		n8n.importWorkflow(workflowOf(nodeOf(), 'paymentsApi'), [credential]),
	).rejects.toThrow(/restricted to: .*n8n-nodes-payments\.payments/);
});

test.each([
	['HTTP Request', httpRequest],
	['GraphQL', graphQl],
])('a workflow that was saved before n8n refused it is refused when it runs: %s', async (_, of) => {
	const credential = await createPaymentsApi(n8n, { ...CLIENT, url: service.url });
	const unused = of({ authentication: 'none' });
	const workflow = await n8n.importWorkflow(workflowOf(unused, 'paymentsApi'), [credential]);
	putIntoDatabase(workflow.id);
	const { data } = await n8n.run(workflow, 'Start');
	expect(JSON.stringify(data.resultData.error)).toContain('restricted to specific nodes');
	expect(service.calls()).toEqual([]);
});

/** Lets a saved node use the credential, without the checks of n8n's API. */
function putIntoDatabase(workflowId: string): void {
	const program = `
		const { DatabaseSync } = require('node:sqlite');
		const [file, id, before, after] = process.argv.slice(1);
		const database = new DatabaseSync(file);
		database.exec('pragma busy_timeout = 10000'); // n8n writes, too.
		for (const [table, key] of [['workflow_entity', 'id'], ['workflow_history', 'workflowId']])
			database
				.prepare(\`update \${table} set nodes = replace(nodes, ?, ?) where \${key} = ?\`)
				.run(before, after, id);
	`;
	const file = join(process.env.E2E_N8N_FOLDER!, '.n8n', 'database.sqlite');
	const [before, after] = ['none', 'predefinedCredentialType'].map(
		(authentication) => `"authentication":"${authentication}"`,
	);
	const args = ['-e', program, file, workflowId, before, after];
	execFileSync(n8nInstallation().node, args, { stdio: 'pipe' });
}

test("the HTTP Request node reads with n8n's OAuth2 API credential, as docs/credentials.md says", async () => {
	const credential = await n8n.createCredential('Read payments', 'oAuth2Api', {
		grantType: 'clientCredentials',
		accessTokenUrl: `${service.url}/passport/oauth/token`,
		...CLIENT,
		scope: 'PAYMENTS',
		authentication: 'body',
	});
	const generic = { authentication: 'genericCredentialType', genericAuthType: 'oAuth2Api' };
	const workflow = await n8n.importWorkflow(workflowOf(httpRequest(generic), 'oAuth2Api'), [
		credential,
	]);
	const execution = await n8n.run(workflow, 'Start');
	expect(outputOf(execution, 'Node')).toMatchObject([{ json: { items: [] } }]);
	expect(service.calls()).toEqual(['POST /passport/oauth/token', 'GET /api/v1/transactions']);
});

const CLIENT = { clientId: 'reader', clientSecret: 'the-secret' };
