import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

import { credentialTest } from '../shared/token/credentialTest';
import { createTransactions } from './createTransactions';
import { builderHint, toolDescription } from './editor/aiTexts';
import { transactionFields } from './editor/fields';
import { parseCredentialLimits } from './limits/parseLimits';
import { parseRecordedCodes } from './recordedCodes';

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
		builderHint,
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
							'Create a new transaction, which records a movement of funds: sender, recipient, amount, and what it is for. The same one counts once.',
					},
				],
				default: 'create',
			},
			...transactionFields,
		],
	};

	methods = {
		credentialTest: {
			testPaymentsApi: credentialTest(
				(data) =>
					parseCredentialLimits(data).problem ?? parseRecordedCodes(data.recordedCodes).problem,
			),
		},
	};

	execute = createTransactions;
}
