import { ExecuteContext, RoutingNode } from 'n8n-core';
import {
	Workflow,
	createEmptyRunExecutionData,
	type ICredentialDataDecryptedObject,
	type ICredentialTestRequest,
	type ICredentialType,
	type INode,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { additionalData, EngineCredentials, NodeTypes } from './harness';

/**
 * Tests a credential in the way of n8n 2.41's CredentialsTester (packages/cli,
 * services/credentials-tester.service): a temporary node of type noOp with one property, whose
 * routing makes the credential's test request.
 */
export async function testCredential(
	type: ICredentialType,
	data: ICredentialDataDecryptedObject,
): Promise<{ status: 'OK' | 'Error'; message: string }> {
	const credentials = new EngineCredentials({ [type.name]: type });
	await credentials.seed('c1', type.name, data);
	const description: INodeTypeDescription = {
		displayName: 'No Operation, do nothing',
		name: 'noOp',
		group: ['organization'],
		version: 1,
		description: '',
		defaults: {},
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: type.name, required: true }],
		properties: [
			{
				displayName: 'Temp',
				name: 'temp',
				type: 'string',
				routing: { request: (type.test as ICredentialTestRequest).request as never },
				default: '',
			},
		],
	};
	const nodeType: INodeType = { description };
	const node: INode = {
		id: 'temp',
		parameters: {},
		name: 'Temp-Node',
		type: 'noOp',
		typeVersion: 1,
		position: [0, 0],
		credentials: { [type.name]: { id: 'c1', name: 'Payments' } },
	};
	const nodeTypes = new NodeTypes({ noOp: nodeType });
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const inputData = { main: [[{ json: {} }]] };
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData(credentials, 'internal', {}),
		'internal',
		createEmptyRunExecutionData(),
		0,
		[],
		inputData,
		{ node, data: {}, source: null },
		[],
	);
	const decrypted = { id: 'c1', name: 'Payments', type: type.name, data };
	try {
		await new RoutingNode(context, nodeType, decrypted).runNode();
		return { status: 'OK', message: 'Connection successful!' };
	} catch (error) {
		const { cause, message } = error as Error & { cause?: { code?: string; response?: object } };
		const text = cause?.response ? undefined : cause?.code;
		return { status: 'Error', message: text ?? message };
	}
}
