import { settings } from './shared';
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

export const paymentsFollow: Job = {
	file: 'payout-run-4-follow',
	name: 'Payout run 4: follow',
	lines: [
		[
			paymentsTrigger('Payments Trigger', ['PAYMENT.STATUS_UPDATED']),
			rows('Payments of Event', 'payments', [
				['externalId', 'eq', "={{ $json.data.metadata?.externalId ?? '' }}"],
			]),
			code('What the Event Changes', 'eventResult'),
			seal('Seal', 'payments'),
			updateSealed('Save Result', 'payments'),
			only('if', 'Was Saved', '={{ $json.externalId }}', 'notEmpty'),
			only(
				'filter',
				'Came Back',
				"={{ ['rejected', 'failed', 'returned'].includes($json.result) ? 'yes' : '' }}",
				'notEmpty',
			),
			settings(),
			email(
				'Send Alert',
				"=Payment {{ $('Came Back').first().json.result }}: {{ $('Came Back').first().json.supplier }}, {{ $('Came Back').first().json.currency }} {{ $('Came Back').first().json.amount }}",
				"=Invoice {{ $('Came Back').first().json.invoice }}, External ID {{ $('Came Back').first().json.externalId }}, run {{ $('Came Back').first().json.run }}, row {{ $('Came Back').first().json.row }}.\n{{ $('Came Back').first().json.explanation }}",
			),
		],
		[
			node('Deliver It Again', 'stopAndError', 1, {
				errorMessage:
					'Another job changed this payment at the same moment. The service delivers the event again.',
			}),
		],
	],
	connections: {
		...chain(
			'Payments Trigger',
			'Payments of Event',
			'What the Event Changes',
			'Seal',
			'Save Result',
			'Was Saved',
		),
		'Was Saved': ['Came Back', 'Deliver It Again'],
		...chain('Came Back', 'Settings', 'Send Alert'),
	},
	notes: [
		{
			line: 0,
			height: 220,
			width: 1100,
			content:
				'## Payout run 4: follow\nEvents say what became of each payment, whichever job asked for it: *paid*, *rejected*, *failed*, or *returned*. What came back sends an email, and can be paid again: upload its row again, and have it approved.\n\n**Change after the import:** the credentials *Payments Webhook API*, *Payment seals*, and *SMTP account*. Publish the workflow, and register the production URL of **Payments Trigger** with your service.',
		},
	],
};
