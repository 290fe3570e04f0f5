import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

import axios from 'axios';
import type { IDataObject, INode } from 'n8n-workflow';

import type { Credential, StoredWorkflow, WorkflowJson } from '../../host/n8n/client';
import { paymentsApiData } from '../../host/n8n/credentials';
import { startChatModel } from '../support/servers/chatModel';
import { startFakeService, type FakeService } from '../support/servers/fakeService';
import { agentWorkflow } from './agentWorkflow';
import { sharedN8n } from './shared';

/*
 * How many requests other nodes make with the credential, compared with the same workflow and n8n's
 * own Header Auth.
 */

const n8n = sharedN8n();

/** How a service answers a request, each in a way in which n8n could repeat it. */
const ENDINGS: Record<string, (response: ServerResponse) => void> = {
	'status 500': (response) => void response.writeHead(500).end('{}'),
	'status 504': (response) => void response.writeHead(504).end(),
	'status 409': (response) => void response.writeHead(409).end('{"errorCode":"X"}'),
	'status 422': (response) => void response.writeHead(422).end('{}'),
	'status 401': (response) => void response.writeHead(401).end('{}'),
	'a lost connection': (response) => void response.destroy(),
	'status 201': (response) => void response.writeHead(201).end('{"more":true}'),
};

const START: INode = {
	id: 'start',
	name: 'Start',
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

interface Authentication {
	parameters: IDataObject;
	credentials: INode['credentials'];
}

const NONE = { id: '', name: '' };
const PAYMENTS_API: Authentication = {
	parameters: { authentication: 'predefinedCredentialType', nodeCredentialType: 'paymentsApi' },
	credentials: { paymentsApi: NONE },
};
const HEADER_AUTH: Authentication = {
	parameters: { authentication: 'genericCredentialType', genericAuthType: 'httpHeaderAuth' },
	credentials: { httpHeaderAuth: NONE },
};

type Variant = Pick<INode, 'retryOnFail' | 'maxTries' | 'waitBetweenTries' | 'onError'> & {
	parameters?: IDataObject;
};

const VARIANTS: Record<string, Variant> = {
	'as it is': {},
	'with Retry On Fail': {
		retryOnFail: true,
		maxTries: 3,
		waitBetweenTries: 10,
		// A node that continues doesn't fail, so n8n doesn't run it again.
		onError: 'stopWorkflow',
	},
	'with pagination': {
		parameters: {
			options: {
				pagination: {
					pagination: {
						paginationMode: 'updateAParameterInEachRequest',
						parameters: {
							parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
						},
						paginationCompleteWhen: 'other',
						completeExpression: '={{ $pageCount >= 2 }}',
						requestInterval: 0,
					},
				},
			},
		},
	},
};

const httpRequest = (
	type: 'httpRequest' | 'httpRequestTool',
	url: string,
	{ parameters, credentials }: Authentication,
	variant: Variant = {},
): INode => ({
	id: 'send',
	name: 'Send',
	type: `n8n-nodes-base.${type}`,
	typeVersion: 4.2,
	position: [200, 0],
	onError: 'continueRegularOutput',
	credentials,
	...variant,
	parameters: {
		method: 'POST',
		url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: '={}',
		options: {},
		...parameters,
		...variant.parameters,
	} as INode['parameters'],
});

const byNode = (send: INode): WorkflowJson => ({
	name: 'Requests of the HTTP Request node',
	nodes: [START, send],
	connections: { Start: { main: [[{ node: 'Send', type: 'main', index: 0 }]] } },
	settings: { executionOrder: 'v1' },
});

const byAgent = (send: INode): WorkflowJson =>
	agentWorkflow('Requests of the HTTP Request Tool', [
		{ ...send, parameters: { ...send.parameters, toolDescription: 'Sends a request' } },
	]);

/** Runs a workflow with a chat trigger. */
async function chat(workflow: StoredWorkflow): Promise<void> {
	await n8n.activate(workflow);
	const { production } = await n8n.webhookUrls(workflow, 'Chat');
	await axios.post(
		production.replace(/(\/chat)?$/, '/chat'),
		{ action: 'sendMessage', sessionId: randomUUID(), chatInput: 'Send it.' },
		{ proxy: false, validateStatus: null },
	);
	await n8n.deactivate(workflow);
}

let service: FakeService;
let end = ENDINGS['status 201'];
let credentials: Credential[];

beforeAll(async () => {
	service = await startFakeService((_request, response) => end(response));
	const client = { clientId: 'client', clientSecret: 'secret-of-the-client' };
	credentials = [
		await n8n.createCredential(
			'Payments API of a service that fails',
			'paymentsApi',
			paymentsApiData({ url: service.url, ...client }),
		),
		await n8n.createCredential('Header Auth', 'httpHeaderAuth', {
			name: 'Authorization',
			value: 'Bearer of-n8n',
		}),
	];
});
afterAll(async () => await service?.stop());

/** The POSTs that arrive, without the token requests. */
async function countPosts(send: () => Promise<unknown>): Promise<number> {
	service.received.length = 0;
	await send();
	return service.received.filter(({ url }) => url.startsWith('/refunds')).length;
}

const postsOfNode = async (authentication: Authentication, variant: Variant) => {
	const node = httpRequest('httpRequest', `${service.url}/refunds`, authentication, variant);
	const workflow = await n8n.importWorkflow(byNode(node), credentials);
	return await countPosts(async () => await n8n.run(workflow, 'Start'));
};

const postsOfAgent = async (authentication: Authentication) => {
	const node = httpRequest('httpRequestTool', `${service.url}/refunds`, authentication);
	const model = await startChatModel([{ tool: 'Send', args: {} }, { say: 'Done.' }]);
	const openAi = await n8n.createCredential('Scripted model', 'openAiApi', {
		apiKey: 'not-a-key',
		url: model.url,
	});
	const workflow = await n8n.importWorkflow(byAgent(node), [...credentials, openAi]);
	const count = await countPosts(async () => await chat(workflow));
	await model.stop();
	return count;
};

const cases = Object.keys(VARIANTS).flatMap((variant) =>
	Object.keys(ENDINGS).map((ending) => [variant, ending] as const),
);
test.each(cases)(
	'the HTTP Request node %s, after %s: as many POSTs as with Header Auth',
	async (variant, ending) => {
		end = ENDINGS[ending];
		const expected = await postsOfNode(HEADER_AUTH, VARIANTS[variant]);
		if (ending !== 'status 201') expect(expected).toBe(variant === 'with Retry On Fail' ? 3 : 1);
		else expect(expected).toBe(variant === 'with pagination' ? 2 : 1);
		expect(await postsOfNode(PAYMENTS_API, VARIANTS[variant])).toBe(expected);
	},
);

test.each(Object.keys(ENDINGS))(
	'the HTTP Request Tool of an agent, after %s: one POST',
	async (ending) => {
		end = ENDINGS[ending];
		expect(await postsOfAgent(HEADER_AUTH)).toBe(1);
		expect(await postsOfAgent(PAYMENTS_API)).toBe(1);
	},
);
