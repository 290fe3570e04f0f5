import { log, settings, TRANSACTION } from './shared';
import { chain, code, node, payments, rows, seal, set, type Job } from './workflow';

export const check: Job = {
	file: 'check-payments',
	name: 'Check payments',
	lines: [
		[
			node('Rows to Check', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			code('Cell Texts', 'cellTexts'),
			code('Check Cells', 'checkCells'),
			code('Amount Texts', 'amountTexts'),
			code('Read Amounts', 'readAmounts'),
			settings(),
			log('Log'),
			rows('Payees', 'payees'),
			seal('Seals of Payees', 'payees', 'check'),
			rows('Earlier Payments', 'payments'),
			code('Methods', 'methods'),
			code('Account Reasons', 'accountReasons'),
			code('Supplier Names', 'supplierNames'),
			code('Account Numbers', 'accountNumbers'),
			code('Approvals Needed', 'approvalsNeeded'),
			code('Same Payments', 'samePayments'),
			code('Possible Duplicates', 'possibleDuplicates'),
			code('Unusual Payments', 'unusualPayments'),
			set('External ID', {
				externalId:
					"={{ $json.externalId || ($json.verdict !== 'to approve' ? '' : $json.invoice + '.' + JSON.stringify([$json.supplier, $json.account, $json.invoice, $json.amount, $json.currency]).hash('sha256').slice(0, 10) + ($json.attempt > 1 ? '.' + $json.attempt : '')) }}",
			}),
			code('Sent Before', 'sentBefore'),
			{
				...payments('Dry Run', TRANSACTION, { dryRun: true }),
				onError: 'continueRegularOutput',
			},
			code('Checked Rows', 'checkResult'),
		],
	],
	connections: chain(
		'Rows to Check',
		'Cell Texts',
		'Check Cells',
		'Amount Texts',
		'Read Amounts',
		'Settings',
		'Log',
		'Payees',
		'Seals of Payees',
		'Earlier Payments',
		'Methods',
		'Account Reasons',
		'Supplier Names',
		'Account Numbers',
		'Approvals Needed',
		'Same Payments',
		'Possible Duplicates',
		'Unusual Payments',
		'External ID',
		'Sent Before',
		'Dry Run',
		'Checked Rows',
	),
	notes: [
		{
			line: 0,
			height: 260,
			width: 1100,
			content:
				"## Check payments\nThe rules that all jobs share, as a sub-workflow. Each item is a payment, as a file has it or as it is saved. It comes back with `verdict` (*to approve*, *left out*, *to correct*), `obstacles` (why it can't be approved now), `held` (why somebody has to tick it), `needs` (how many must approve it), and its External ID.\n\nNothing is sent: **Dry Run** is the Payments node with the option *Dry Run*. Select the credentials *Payment seals* and *Payments account*, and publish this workflow.",
		},
	],
};
