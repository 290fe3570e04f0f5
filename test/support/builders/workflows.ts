import type { INode, INodeParameters } from 'n8n-workflow';
import type { WorkflowJson } from '../../../host/n8n/client';

/** A node. The type is one of n8n's own, unless it has the name of a package in front. */
export const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: INodeParameters = {},
	more: Partial<INode> = {},
): INode => ({
	...{ id: name, name, typeVersion, parameters, position: [0, 0] },
	type: type.includes('.') ? type : `n8n-nodes-base.${type}`,
	...more,
});

/** The node by which a test executes a workflow. */
export const START = node('Start', 'manualTrigger', 1);

/** A Payments node, which gets the credential that the workflow is imported with. */
export const payments = (name: string, parameters: INodeParameters, more: Partial<INode> = {}) =>
	node(
		name,
		'n8n-nodes-payments.payments',
		1,
		{ resource: 'transaction', operation: 'create', ...parameters },
		{ credentials: { paymentsApi: { id: '', name: '' } }, ...more },
	);

/** A workflow of nodes, each behind the one before. */
export const workflowOf = (...nodes: INode[]): WorkflowJson => ({
	name: nodes.at(-1)!.name,
	settings: { executionOrder: 'v1' },
	nodes,
	connections: Object.fromEntries(
		nodes.slice(1).map(({ name }, index) => [nodes[index].name, next(name)]),
	),
});

const next = (name: string) => ({ main: [[{ node: name, type: 'main' as const, index: 0 }]] });
