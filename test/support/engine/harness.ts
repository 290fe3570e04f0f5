import 'reflect-metadata';

import { Container } from '@n8n/di';
import {
	Cipher,
	Credentials,
	EncryptionKeyProxy,
	ExecutionLifecycleHooks,
	WorkflowExecute,
	getAdditionalKeys,
} from 'n8n-core';
import {
	ICredentialsHelper,
	NodeHelpers,
	Workflow,
	createRunExecutionData,
	type ICredentialDataDecryptedObject,
	type ICredentialType,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeExecutionData,
	type INodeType,
	type INodeTypes,
	type IRequestOptionsSimplified,
	type IRun,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

/*
 * The engine of n8n 2.41.1 in this process: WorkflowExecute, expressions, encrypted credentials,
 * and the HTTP helpers of n8n-core 2.41.1. What n8n's own server adds is mirrored from the package
 * n8n 2.41.1 (credentials-helper.js, workflow-execute-additional-data.js), with a Map as the
 * database. The webhook server, the editor, and a real database are tested in test/e2e.
 */

const dataKey = {
	id: 'k1',
	algorithm: 'aes-256-gcm',
	format: 'prefixed' as const,
	value: Container.get(Cipher).encryptDEKWithInstanceKey('ab'.repeat(32)),
};
Container.get(EncryptionKeyProxy).setProvider({
	getActiveKey: async () => dataKey,
	getKeyById: async () => dataKey,
	getLegacyKey: async () => dataKey,
});

export class NodeTypes implements INodeTypes {
	constructor(private readonly types: Record<string, INodeType>) {}

	getByName(type: string) {
		return this.types[type];
	}

	getByNameAndVersion(type: string, version?: number) {
		if (!this.types[type]) throw new Error(`unknown node type ${type}`);
		return NodeHelpers.getVersionedNodeType(this.types[type], version);
	}

	getKnownTypes() {
		return {};
	}
}

/**
 * Mirrors `CredentialsHelper` of n8n 2.41.1, with a Map as the database and n8n-core's encryption.
 */
export class EngineCredentials extends ICredentialsHelper {
	readonly stored = new Map<string, Credentials>();
	reads = 0;
	writes = 0;

	constructor(private readonly types: Record<string, ICredentialType>) {
		super();
	}

	async seed(id: string, type: string, data: ICredentialDataDecryptedObject) {
		const credential = new Credentials({ id, name: type }, type);
		await credential.setData(data);
		this.stored.set(id, credential);
	}

	getParentTypes() {
		return [];
	}

	isCredentialUsableByNode() {
		return true;
	}

	getCredentialsProperties(type: string) {
		return this.types[type].properties;
	}

	async getCredentials(details: INodeCredentialsDetails) {
		const found = this.stored.get(details.id!);
		if (!found) throw new Error(`no credential with id ${details.id}`);
		return found;
	}

	async getDecrypted(
		data: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		_raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	) {
		this.reads++;
		const stored = await (await this.getCredentials(details)).getData();
		const { properties } = this.types[type];
		const raw = NodeHelpers.getNodeParameters(properties, stored as never, true, false, null, null);
		if (!values) return raw as ICredentialDataDecryptedObject;
		return values.workflow.expression.getParameterValue(
			raw as never,
			values.runExecutionData,
			values.runIndex,
			values.itemIndex,
			values.node.name,
			values.connectionInputData,
			mode,
			getAdditionalKeys(data, mode, null, { isCredential: true }),
			executeData,
			false,
			raw as never,
		) as unknown as ICredentialDataDecryptedObject;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		type: string,
		options: IHttpRequestOptions | IRequestOptionsSimplified,
	) {
		const { authenticate } = this.types[type];
		if (typeof authenticate !== 'function') throw new Error(`${type} has another form.`);
		return await authenticate(credentials, options as IHttpRequestOptions);
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		type: string,
		node: INode,
		expired: boolean,
	) {
		const credentialType = this.types[type];
		const token = credentialType.properties.find(
			(one) => one.type === 'hidden' && one.typeOptions?.expirable === true,
		);
		if (!token || !credentialType.preAuthentication) return undefined;
		if (credentials[token.name] !== '' && !expired) return undefined;
		const changes = (await credentialType.preAuthentication.call(
			helpers,
			credentials,
		)) as ICredentialDataDecryptedObject;
		if (changes[token.name] === undefined || !node.credentials) return undefined;
		const details = node.credentials[type];
		await this.updateCredentials(details, type, {
			...(await (await this.getCredentials(details)).getData()),
			...changes,
		});
		return Object.assign(credentials, changes);
	}

	async runPreAuthentication() {
		return undefined;
	}

	async updateCredentials(
		details: INodeCredentialsDetails,
		_type: string,
		data: ICredentialDataDecryptedObject,
	) {
		this.writes++;
		await (await this.getCredentials(details)).setData(data);
	}

	async updateCredentialsOauthTokenData() {}

	getCredentialsExpressionValues(): ICredentialsExpressionResolveValues | undefined {
		return undefined;
	}
}

let executions = 0;

/**
 * Mirrors `getBase` of n8n 2.41.1: what the server adds to an execution, for a workflow with the ID
 * `wf1`. Each call is another execution.
 */
export const additionalData = (
	credentialsHelper: ICredentialsHelper,
	mode: WorkflowExecuteMode,
	workflow: Partial<IWorkflowBase>,
) =>
	({
		credentialsHelper,
		executionId: `ex${++executions}`,
		currentNodeExecutionIndex: 0,
		variables: {},
		userId: 'u1',
		restApiUrl: 'http://localhost:5678/rest',
		instanceBaseUrl: 'http://localhost:5678',
		formWaitingBaseUrl: 'http://localhost:5678/form-waiting',
		webhookBaseUrl: 'http://localhost:5678/webhook',
		webhookTestBaseUrl: 'http://localhost:5678/webhook-test',
		webhookWaitingBaseUrl: 'http://localhost:5678/webhook-waiting',
		hooks: new ExecutionLifecycleHooks(mode, 'ex1', {
			id: 'wf1',
			name: 'test',
			...workflow,
		} as IWorkflowBase),
	}) as unknown as IWorkflowExecuteAdditionalData;

/** Returns a trigger node that outputs the given items. */
const startWith = (items: INodeExecutionData[]): INodeType => ({
	description: {
		displayName: 'Start',
		name: 'manualTrigger',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	async execute() {
		return [items];
	},
});

/**
 * Runs one node after a start node that outputs `items`. Returns the execution and a function that
 * cancels it.
 */
export function runNode(options: {
	node: Pick<INode, 'type' | 'parameters'> & Partial<INode>;
	nodeType: INodeType;
	items: INodeExecutionData[];
	credentials: ICredentialsHelper;
	/** How often the node runs in the execution, as in a loop. */
	runs?: number;
}): { finished: Promise<IRun>; cancel: () => void } {
	const start: INode = {
		id: '1',
		name: 'Start',
		type: 'n8n-nodes-base.manualTrigger',
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
	};
	const node: INode = {
		id: '2',
		name: 'Payments',
		typeVersion: 1,
		position: [1, 0],
		...options.node,
	};
	const nodes = [start, node];
	const connection = { node: node.name, type: 'main' as const, index: 0 };
	const connections = {
		Start: { main: [Array.from({ length: options.runs ?? 1 }, () => connection)] },
	};
	const nodeTypes = new NodeTypes({
		[start.type]: startWith(options.items),
		[node.type]: options.nodeType,
	});
	const workflow = new Workflow({
		id: 'wf1',
		name: 'test',
		active: false,
		settings: { executionOrder: 'v1' },
		nodes,
		connections,
		nodeTypes,
	});
	const execution = new WorkflowExecute(
		additionalData(options.credentials, 'manual', { nodes, connections }),
		'manual',
		createRunExecutionData({}),
	).run({ workflow });
	return {
		finished: execution as unknown as Promise<IRun>,
		cancel: () => (execution as { cancel?: () => void }).cancel?.(),
	};
}
