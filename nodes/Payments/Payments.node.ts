import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { transactionFields } from './transaction/description';
import { createTransactions } from './transaction/create';
import { listSearch } from './transaction/listSearch';

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
		description: 'Record transactions with a payments service, each exactly once',
		defaults: { name: 'Payments' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'paymentsApi', required: true }],
		properties: [
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
						action: 'Create a transaction',
						description: 'Record a movement of money, such as a payment, with the service',
					},
				],
				default: 'create',
			},
			...transactionFields,
		],
	};

	methods = { listSearch };

	execute = createTransactions;
}
