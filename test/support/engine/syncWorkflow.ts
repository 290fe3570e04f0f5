import {
	createRunExecutionData,
	Workflow,
	type IExecuteFunctions,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeType,
	type IRun,
	type IWorkflowBase,
} from 'n8n-workflow';
import { WorkflowExecute } from 'n8n-core';

import { Payments } from '../../../nodes/Payments/Payments.node';
import type { Sync } from '../sync';
import { read } from '../sourceTexts';
import { additionalData, NodeTypes, type EngineCredentials } from './harness';

/* The workflows of the sync in n8n's engine, with their own expressions. */

const START = 'n8n-nodes-base.manualTrigger';

type Execute = (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;

const nodeType = (name: string, group: 'trigger' | 'output', run: Execute): INodeType => ({
	description: {
		...{ displayName: name, name, version: [1, 1.1, 1.4, 2.1, 2.7], description: '' },
		...{ group: [group], defaults: {}, outputs: ['main'] },
		inputs: group === 'trigger' ? [] : ['main'],
		// Every parameter is kept as it is, as far as these nodes are concerned.
		properties: ['query', 'options', 'subject', 'text'].map((parameter) => ({
			...{ displayName: parameter, name: parameter, default: '' },
			type: parameter === 'options' ? ('json' as const) : ('string' as const),
		})),
	},
	async execute() {
		return [await run(this)];
	},
});

/** Runs a query for each item, as the Postgres node does with *Execute Query*. */
const postgres = (sync: Sync) =>
	nodeType('postgres', 'output', async (context) => {
		const rows: INodeExecutionData[] = [];
		for (const item of context.getInputData().keys()) {
			const sql = context.getNodeParameter('query', item) as string;
			const values = context.getNodeParameter('options.queryReplacement', item, []) as unknown[];
			const found = (await sync.n8n.query<IDataObject>(sql, values)).rows;
			// n8n hands data between nodes as JSON when it saves them.
			const json = JSON.parse(JSON.stringify(found)) as IDataObject[];
			rows.push(...json.map((row) => ({ json: row, pairedItem: { item } })));
		}
		return rows;
	});

export interface SyncRun {
	sync: Sync;
	credentials: EngineCredentials;
	/** What starts the workflow. */
	input?: IDataObject;
	/** In place of the Payments node's own. */
	payments?: INodeType;
	/** Takes an email, or throws. */
	sendMail?: (subject: string, text: string) => void;
}

/** Executes one of the workflows to its end. */
export async function runSyncWorkflow(
	name: 'send' | 'follow' | 'tell-me',
	{ sync, credentials, input = {}, payments = new Payments(), sendMail }: SyncRun,
): Promise<IRun> {
	const { nodes, connections, settings } = JSON.parse(
		// A published workflow sends.
		read(`examples/sync/${name}.json`).replaceAll('$execution.mode', "'production'"),
	) as IWorkflowBase;
	const start = nodeType('start', 'trigger', async () => [{ json: input }]);
	const email = nodeType('emailSend', 'output', async (context) => {
		const parameter = (one: string) => context.getNodeParameter(one, 0) as string;
		sendMail?.(parameter('subject'), parameter('text'));
		return [{ json: {} }];
	});
	const nodeTypes = new NodeTypes({
		[START]: start,
		'n8n-nodes-base.postgres': postgres(sync),
		'n8n-nodes-base.emailSend': email,
		'n8n-nodes-payments.payments': payments,
	});
	const own = nodes
		.filter(({ type }) => !type.endsWith('.stickyNote'))
		.map((node): INode => {
			// Whatever starts the workflow, the engine begins with a node that is started by hand.
			const type = node.type.endsWith('Trigger') ? START : node.type;
			const isPayments = type === 'n8n-nodes-payments.payments';
			const credentials: INode['credentials'] = isPayments
				? { paymentsApi: { id: 'c1', name: '' } }
				: undefined;
			return { ...node, type, credentials };
		});
	const workflow = new Workflow({
		...{ id: 'wf1', name, active: false, nodes: own, connections, nodeTypes, settings },
	});
	const execution = new WorkflowExecute(
		additionalData(credentials, 'manual', { nodes: own, connections }),
		'manual',
		createRunExecutionData({}),
	);
	return await (execution.run({ workflow }) as unknown as Promise<IRun>);
}
