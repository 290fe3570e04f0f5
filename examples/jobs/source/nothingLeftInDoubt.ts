import { schedule } from './otherNodes';
import { log, settings } from './shared';
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
			log('Log'),
			rows(
				'Read Payments',
				'payments',
				OPEN.map((result) => ['result', 'eq', result]),
				'anyCondition',
			),
			seal('Calculate Seals', 'payments', 'check'),
			code('Open Payments', 'openPayments'),
			code('Alerts at Once', 'alertsAtOnce'),
			code('Alerts of the Day', 'alertsOfTheDay'),
			code('Reminders', 'reminders'),
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
			code('Tables', 'openPaymentsTables'),
			code('Question', 'findingFields'),
			code('Page', 'tablesPage'),
			page('Show List', 'Open payments', '', 'Save what I found out'),
			code('Finding', 'foundOut', { alwaysOutputData: true }),
			only('if', 'Something Changes', '={{ $json.externalId }}', 'notEmpty'),
			seal('Seal', 'payments'),
			updateSealed('Save Finding', 'payments'),
			ending(
				'What Was Done',
				"={{ $json.externalId ? 'Saved' : 'Nothing was changed' }}",
				"={{ $json.externalId ? 'The payment is ' + $json.result + ' now.' : $('Save Finding').isExecuted ? 'Another job changed this payment at the same moment. Open the list again.' : 'To save what you found out, select a payment and a finding, say how you know, and be one of the approvers in the settings.' }}",
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
			node('One Email for Each', 'summarize', 1.1, {
				fieldsToSummarize: { values: [{ aggregation: 'append', field: 'text' }] },
				...{ fieldsToSplitBy: 'to', options: {} },
			}),
			email(
				'Send Alert',
				'=Payments: {{ $json.appended_text.length }} to look at',
				"={{ $json.appended_text.join('\\n\\n') }}\n\nEverything that is open: {{ $execution.resumeFormUrl.replace(/\\/form-waiting\\/.*$/, '/form/open-payments') }}",
				'={{ $json.to }}',
			),
		],
	],
	connections: {
		...chain(
			'Show Open Payments',
			'Settings',
			'Log',
			'Read Payments',
			'Calculate Seals',
			'Open Payments',
			'Alerts at Once',
			'Alerts of the Day',
			'Reminders',
			'Was Asked by Form',
		),
		'Every 15 Minutes': ['Settings'],
		'When an Execution Fails': ['Settings'],
		'Was Asked by Form': ['Tables', 'Alerts'],
		...chain('Tables', 'Question', 'Page', 'Show List', 'Finding', 'Something Changes'),
		'Something Changes': ['Seal', 'What Was Done'],
		...chain('Seal', 'Save Finding', 'What Was Done'),
		...chain('Alerts', 'Not Sent Before', 'One Email for Each', 'Send Alert'),
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
