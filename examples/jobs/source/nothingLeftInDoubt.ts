import { schedule } from './otherNodes';
import { settings } from './shared';
import {
	chain,
	code,
	email,
	ending,
	formTrigger,
	node,
	only,
	page,
	rows,
	seal,
	updateSealed,
	type Job,
} from './workflow';

const OPEN = ['to approve', 'not sent', 'sent', 'in doubt', 'accepted', 'needs attention'];

export const nothingLeftInDoubt: Job = {
	file: 'nothing-left-in-doubt',
	name: 'Nothing left in doubt',
	lines: [
		[
			formTrigger(
				'Show Open Payments',
				'open-payments',
				'Open payments',
				'Shows every payment that is open, and what it waits for.',
				[],
				'Show',
			),
			settings(),
			rows(
				'Read Payments',
				'payments',
				OPEN.map((result) => ['result', 'eq', result]),
				'anyCondition',
			),
			seal('Calculate Seals', 'payments', 'check'),
			code('Open Payments', 'openPayments'),
			only(
				'if',
				'Was Asked by Form',
				"={{ $('Show Open Payments').isExecuted }}",
				'equals',
				'true',
			),
		],
		[
			schedule('Every 15 Minutes', { field: 'minutes', minutesInterval: 15 }),
			node('When an Execution Fails', 'errorTrigger', 1, {}),
		],
		[
			code('Page', 'openPaymentsPage'),
			page('Show List', 'Open payments', '', 'Save what I found out'),
			code('Finding', 'foundOut', { alwaysOutputData: true }),
			only('if', 'Something Changes', '={{ $json.externalId }}', 'notEmpty'),
			seal('Seal', 'payments'),
			updateSealed('Save Finding', 'payments'),
			ending(
				'Saved',
				"={{ $json.externalId ? 'Saved' : 'Nothing was changed' }}",
				"={{ $json.externalId ? 'The payment is ' + $json.result + ' now.' : 'Another job changed this payment at the same moment. Open the list again.' }}",
			),
			ending(
				'Nothing Was Changed',
				'Nothing was changed',
				'To save what you found out, select a payment and a finding, say how you know, and be one of the approvers in the settings.',
			),
		],
		[
			node('Alerts', 'splitOut', 1, { fieldToSplitOut: 'alerts', options: {} }),
			node('Not Sent Before', 'removeDuplicates', 2, {
				operation: 'removeItemsSeenInPreviousExecutions',
				logic: 'removeItemsWithAlreadySeenKeyValues',
				dedupeValue: '={{ $json.key }}',
				options: {},
			}),
			node('One Email', 'aggregate', 1, {
				fieldsToAggregate: { fieldToAggregate: [{ fieldToAggregate: 'text' }] },
				options: {},
			}),
			email(
				'Send Alert',
				'=Payments: {{ $json.text.length }} to look at',
				"={{ $json.text.join('\\n\\n') }}\n\nEverything that is open: {{ $execution.resumeFormUrl.replace(/\\/form-waiting\\/.*$/, '/form/open-payments') }}",
			),
		],
	],
	connections: {
		...chain(
			'Show Open Payments',
			'Settings',
			'Read Payments',
			'Calculate Seals',
			'Open Payments',
			'Was Asked by Form',
		),
		'Every 15 Minutes': ['Settings'],
		'When an Execution Fails': ['Settings'],
		'Was Asked by Form': ['Page', 'Alerts'],
		...chain('Page', 'Show List', 'Finding', 'Something Changes'),
		'Something Changes': ['Seal', 'Nothing Was Changed'],
		...chain('Seal', 'Save Finding', 'Saved'),
		...chain('Alerts', 'Not Sent Before', 'One Email', 'Send Alert'),
	},
	notes: [
		{
			line: 0,
			height: 190,
			width: 1180,
			content:
				"## Nothing left in doubt\nA page with everything that is open, at `/form/open-payments`, and an email as soon as a person must look: a payment needs attention or stays in doubt, approved ones aren't sent, no event comes, sending is stopped, or a row was changed in the table. Nothing is sent or retried here: only *Pay* does.\n\n**Change after the import:** the credential *Payment seals*, and the SMTP credential. Then publish. In the settings of the other jobs, select this workflow as **Error Workflow**: then you also hear of executions that stopped.",
		},
		{
			line: 2,
			height: 80,
			width: 1180,
			content:
				'### What a person found out\nAn approver says if the service has a payment that *needs attention*, and how this is known. Only then it can be paid again.',
		},
		{
			line: 3,
			height: 80,
			width: 1180,
			content: '### Alerts\n**Not Sent Before** remembers each alert, so that it is sent once.',
		},
	],
};
