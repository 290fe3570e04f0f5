import { MONEY, settings } from './shared';
import {
	chain,
	code,
	email,
	node,
	only,
	paymentsTrigger,
	rows,
	seal,
	updateSealed,
	type Job,
} from './workflow';

const EVENTS = 'What the Events Change';

export const paymentsFollow: Job = {
	file: 'payout-run-4-follow',
	name: 'Payout run 4: follow',
	lines: [
		[
			paymentsTrigger('Payments Trigger', ['PAYMENT.STATUS_UPDATED']),
			settings(),
			code('Events', 'events'),
			rows(
				'Payments of Events',
				'payments',
				[['externalId', 'eq', "={{ $json.data.metadata?.externalId ?? '' }}"]],
				'allConditions',
				{ executeOnce: false },
			),
			code(EVENTS, 'eventResult'),
			seal('Seals', 'payments'),
			updateSealed('Save Results', 'payments'),
		],
		[
			only(
				'filter',
				'Came Back',
				"={{ ['rejected', 'failed', 'returned'].includes($json.result) ? 'yes' : '' }}",
				'notEmpty',
			),
			email(
				'Send Alert',
				`=Payment {{ $json.result }}: {{ $json.supplier }}, {{ ${MONEY} }}`,
				'=Invoice {{ $json.invoice }}, External ID {{ $json.externalId }}, payout run {{ $json.run }}, row {{ $json.row }}.\n{{ $json.explanation }}',
			),
		],
		[
			only(
				'if',
				'Were All Saved',
				`={{ $input.all().filter(({ json }) => json.externalId).length === $('${EVENTS}').all().length ? 'yes' : '' }}`,
				'notEmpty',
				undefined,
				{ executeOnce: true },
			),
			only('if', 'Tried Five Times', "={{ $runIndex < 4 ? '' : 'yes' }}", 'notEmpty'),
			node('Deliver It Again', 'stopAndError', 1, {
				errorMessage:
					'Another job changed this payment at the same moment. The service delivers the event again.',
			}),
		],
	],
	connections: {
		...chain(
			'Payments Trigger',
			'Settings',
			'Events',
			'Payments of Events',
			EVENTS,
			'Seals',
			'Save Results',
		),
		'Save Results': [['Came Back', 'Were All Saved']],
		'Came Back': ['Send Alert'],
		'Were All Saved': [[], 'Tried Five Times'],
		'Tried Five Times': ['Deliver It Again', 'Events'],
	},
	notes: [
		{
			line: 0,
			height: 220,
			width: 1100,
			content:
				'## Payout run 4: follow\nEvents say what became of each payment, whichever job asked for it: *paid*, *rejected*, *failed*, or *returned*. What came back sends an email, and can be paid again: upload its row again, and have it approved.\n\n**Change after the import:** the credentials *Payments Webhook account*, *Payment seals*, and *SMTP account*. Publish the workflow, and register the production URL of **Payments Trigger** with your service.',
		},
	],
};
