import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { createTransactions } from './createTransactions';
import { transactionFields } from './editor/fields';
import { listSearch } from './editor/listSearch';
import { resourceMapping } from './editor/resourceMapping';
import { toolDescription } from './editor/toolDescription';

/** What you do with the payments service. */
export class Payments implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Payments',
		name: 'payments',
		icon: { light: 'file:../../icons/payments.svg', dark: 'file:../../icons/payments.dark.svg' },
		group: ['output'],
		version: 1,
		subtitle:
			'={{ $parameter["operation"] + ": " + $parameter["resource"] + ($parameter["options"]?.dryRun === true ? " (dry run)" : "") }}',
		description: 'Record transactions with a payments service',
		defaults: { name: 'Payments' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Records payments with the payments service, one for each input item. The same values always have the same idempotency key. Each output item has outcome: created or duplicate (recorded), rejected, invalid, unknown, or notSent. With On Error: Continue, follow with a Switch on {{ $json.outcome }}.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.switch',
					relationHint: 'Branch on {{ $json.outcome }}',
				},
				{
					nodeType: 'n8n-nodes-base.splitInBatches',
					relationHint: 'For more than 10,000 items: Loop Over Items in batches of 1,000',
				},
				{
					nodeType: 'n8n-nodes-payments.paymentsTrigger',
					relationHint: 'Receives the events about what became of the payments',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'paymentsApi', required: true }],
		properties: [
			toolDescription,
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [{ name: 'Transaction', value: 'transaction' }],
				default: 'transaction',
			},
			{
				displayName: 'Operation',
				name: 'operation',
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: ['transaction'] } },
				options: [
					{
						name: 'Create',
						value: 'create',
						action: 'Create transaction',
						description:
							'Record a new payment with the service: who pays, who is paid, how much, and for what. Repeats are recorded once.',
					},
				],
				default: 'create',
			},
			...transactionFields,
		],
	};

	methods = { listSearch, resourceMapping };

	execute = createTransactions;
}
