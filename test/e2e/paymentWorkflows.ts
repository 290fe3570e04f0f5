import type { IDataObject, INode } from 'n8n-workflow';

import { SAMPLE } from '../support/builders/transactions';
import type { WorkflowJson } from '../../host/n8n/client';

type Body = IDataObject & { externalId: string };

const body = (prefix: string, index: number, changes: IDataObject): Body => ({
	...(SAMPLE as unknown as IDataObject),
	eventId: `${prefix}-${index}`,
	externalId: `${prefix}-${index}`,
	...changes,
});

/** Small transactions. */
export const within = (prefix: string, count: number): Body[] =>
	Array.from({ length: count }, (_, index) =>
		body(
			`${prefix}-within`,
			index,
			[{ amount: '1000' }, { amount: '500', currency: 'USD' }][index % 2],
		),
	);

export const START = 'Start';
export const SEND = 'Send';

const START_NODE: INode = {
	id: 'start',
	name: START,
	type: 'n8n-nodes-base.manualTrigger',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Start → items → a node that sends, and goes on after items that it can't send. */
function workflow(
	name: string,
	items: object[],
	send: Pick<INode, 'type' | 'typeVersion' | 'parameters'>,
): WorkflowJson {
	const itemsNode: INode = {
		id: 'items',
		name: 'Items',
		type: 'n8n-nodes-base.code',
		typeVersion: 2,
		position: [200, 0],
		parameters: { jsCode: `return ${JSON.stringify(items)};` },
	};
	const sendNode: INode = {
		id: 'send',
		name: SEND,
		position: [400, 0],
		onError: 'continueRegularOutput',
		credentials: { paymentsApi: { id: '', name: '' } },
		...send,
	};
	return {
		name,
		nodes: [START_NODE, itemsNode, sendNode],
		connections: {
			[START]: { main: [[{ node: 'Items', type: 'main', index: 0 }]] },
			Items: { main: [[{ node: SEND, type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/** By the Payments node. */
export const byPaymentsNode = (bodies: Body[]): WorkflowJson =>
	workflow(
		'Payments node',
		bodies.map((json) => ({ json })),
		{
			type: 'n8n-nodes-payments.payments',
			typeVersion: 1,
			parameters: {
				resource: 'transaction',
				operation: 'create',
				specifyTransaction: 'item',
				options: {},
			},
		},
	);
