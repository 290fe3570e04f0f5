import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { createTransactions } from './createTransactions';
import { testPaymentsApi } from './editor/credentialTest';
import { transactionFields } from './editor/fields';
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
		description: 'Create transactions in a payments service',
		defaults: { name: 'Payments' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				"Records payments with the payments service. Returns one item for each input item, paired and in order, with outcome: created or duplicate (recorded once, which means accepted: only an event says that it was paid), rejected (by the service), invalid (wrong input or beyond a limit), notSent (busy or unreachable: run it again later), unknown (maybe recorded: run it again with the same values), or dryRun (valid). An item also has message, fix, externalId, amount, currency, recipient, eventId, statusCode, and response, and no other field of the input: read those with {{ $('Name of the node').item.json }}. By default, one invalid item stops the node before anything is sent, and then the first item that isn't recorded. With onError: 'continueRegularOutput', follow with a Switch on {{ $json.outcome }}; with 'continueErrorOutput', items that aren't recorded take the second output.",
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-base.switch',
					relationHint: 'Branch on {{ $json.outcome }}',
				},
				{
					nodeType: 'n8n-nodes-base.splitInBatches',
					relationHint: 'Only for more than 10,000 items: Loop Over Items in batches of 1,000',
				},
				{
					nodeType: 'n8n-nodes-payments.paymentsTrigger',
					relationHint: 'Recorded means accepted: whether the money moved comes later, as an event',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'paymentsApi', required: true, testedBy: 'testPaymentsApi' }],
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
							'Tell the service about a new payment: who pays, who is paid, how much, and for what. The same payment is recorded once.',
					},
				],
				default: 'create',
			},
			...transactionFields,
		],
	};

	methods = { credentialTest: { testPaymentsApi } };

	execute = createTransactions;
}
