import { checkPayments, log, MONEY, settings, TRANSACTION } from './shared';
import {
	chain,
	code,
	email,
	node,
	only,
	payments,
	rows,
	seal,
	update,
	updateSealed,
	type Job,
	type Where,
} from './workflow';

/** In an expression: what the service has, or may have. */
const SENT =
	"$('Save Outcomes').all().filter(({ json }) => json.externalId && json.result !== 'not sent')";
const OVER = ['accepted', 'paid', 'rejected', 'failed', 'returned', 'needs attention'];
/** What is approved, on its way, or in doubt. */
const OPEN: Where = [
	['decision', 'eq', 'approved'],
	...OVER.map((result): Where[number] => ['result', 'neq', result]),
];

export const paymentsPay: Job = {
	file: 'payout-run-3-pay',
	name: 'Payout run 3: pay',
	lines: [
		[
			node('Every Minute', 'scheduleTrigger', 1.2, {
				rule: { interval: [{ field: 'minutes', minutesInterval: 1 }] },
			}),
			rows('Are Some Open', 'payments', OPEN, 'allConditions', { alwaysOutputData: false }),
			update(
				'Take Lock',
				'settings',
				[
					['setting', 'eq', 'sending'],
					['value', 'lt', '={{ $now.toUTC().toISO() }}'],
				],
				{ value: '={{ $now.toUTC().plus({ minutes: 15 }).toISO() }}' },
				{ executeOnce: true },
			),
			settings(),
			rows('Open Payments', 'payments', OPEN),
			seal('Seals', 'payments', 'check'),
			rows('Payments of the Day', 'payments', [['day', 'isNotEmpty']]),
			code('Payments to Pay', 'rowsToPay'),
			checkPayments(),
			code('Still Approved', 'stillApproved', { alwaysOutputData: true }),
			code('Lost Answers', 'lostAnswers', { alwaysOutputData: true }),
			code('Within Limits', 'withinLimits', { alwaysOutputData: true }),
			code('Next Batch', 'nextBatch', { alwaysOutputData: true }),
			only('if', 'Some Are Left', '={{ $json.externalId }}', 'notEmpty'),
		],
		[
			seal('Seals of Batch', 'payments'),
			updateSealed('Save Batch', 'payments'),
			only('filter', 'To Send', '={{ $json.result }}', 'equals', 'sent', {
				alwaysOutputData: true,
			}),
			{
				...payments('Pay', TRANSACTION, { maxRetryTime: 30, timeout: 30 }),
				onError: 'continueRegularOutput',
			},
			code('Outcomes', 'outcomes', { alwaysOutputData: true }),
			seal('Seals of Outcomes', 'payments'),
			updateSealed('Save Outcomes', 'payments'),
			log('Log Sent', {
				who: 'Payout run 3: pay',
				what: `={{ ${SENT}.length > 0 ? 'payments sent' : '' }}`,
				to: `={{ ${SENT}.map(({ json }) => json.externalId).join('\\n') }}`,
			}),
			only(
				'filter',
				'Alert Is Due',
				"={{ ['rejected', 'needs attention'].includes($json.result) ? 'yes' : '' }}",
				'notEmpty',
			),
			email(
				'Send Alert',
				`=Payment {{ $json.result }}: {{ $json.supplier }}, {{ ${MONEY} }}`,
				'=Invoice {{ $json.invoice }}, External ID {{ $json.externalId }}, payout run {{ $json.run }}, row {{ $json.row }}.\n{{ $json.explanation }}',
			),
		],
		[
			update(
				'Give Lock Back',
				'settings',
				[
					['setting', 'eq', 'sending'],
					['value', 'eq', "={{ $('Take Lock').first().json.value }}"],
				],
				{ value: '={{ $now.toUTC().toISO() }}' },
				{ executeOnce: true },
			),
		],
	],
	connections: {
		...chain(
			'Every Minute',
			'Are Some Open',
			'Take Lock',
			'Settings',
			'Open Payments',
			'Seals',
			'Payments of the Day',
			'Payments to Pay',
			'Check Payments',
			'Still Approved',
			'Lost Answers',
			'Within Limits',
			'Next Batch',
			'Some Are Left',
		),
		'Some Are Left': ['Seals of Batch', 'Give Lock Back'],
		...chain(
			'Seals of Batch',
			'Save Batch',
			'To Send',
			'Pay',
			'Outcomes',
			'Seals of Outcomes',
			'Save Outcomes',
		),
		'Save Outcomes': [['Alert Is Due', 'Log Sent']],
		'Log Sent': ['Settings'],
		'Alert Is Due': ['Send Alert'],
	},
	notes: [
		{
			line: 0,
			height: 240,
			width: 1100,
			content:
				'## Payout run 3: pay\nThe only job that sends. Each minute, it takes the lock, checks what is approved again (account, limits, number of approvals, age), and sends it in batches of 50. Between two batches, it reads the settings again: with `stopped`, nothing more is sent. A payment whose answer was lost is retried with the same Event ID, but not after `retry hours`.\n\n**Change after the import:** the credentials *Payment seals*, *Payments account*, and *SMTP account*. Then publish.',
		},
	],
};
