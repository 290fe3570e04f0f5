import type { INodeProperties } from 'n8n-workflow';

import { choice, collection, defaultsOf, flag, notice, number, text } from '../shared/properties';
import { ALL_EVENTS, eventTypes, recommendedEventTypes } from './events/eventTypes';

/** The options of the node. */
export interface Options {
	eventIdMember: string;
	eventMember: string;
	includeHeaders: boolean;
	maximumAge: number;
	otherEvents: string;
	outputPerKind: boolean;
	skipRepeated: boolean;
}

const options: INodeProperties[] = [
	text(
		'Event ID Member',
		'eventIdMember',
		'Where in an event its unique ID stands, by which a repeated delivery is recognised. A path of names with dots for a nested member.',
		{ default: 'id' },
	),
	text(
		'Event Kind Member',
		'eventMember',
		'Where in an event its kind stands. A path of names with dots for a nested member, for example meta.type.',
		{ default: 'event' },
	),
	flag(
		'Include Headers',
		'includeHeaders',
		'Whether to add the headers of the delivery to each item, as the member headers. Headers that hold a secret are left out.',
	),
	number(
		'Maximum Age (Minutes)',
		'maximumAge',
		'How long after it was signed a delivery is still accepted. The service repeats a delivery for about 100 minutes. Does not apply to schemes that carry no time: HMAC-SHA256 of the body and fixed header value.',
		120,
		{ minValue: 1 },
	),
	flag(
		'One Output per Kind',
		'outputPerKind',
		'Whether each chosen kind of event leaves through an output of its own. With All Events chosen, a last output takes the kinds that are not named.',
	),
	text(
		'Other Events',
		'otherEvents',
		'Kinds of events that the list does not have, exactly as the service writes them, separated by commas',
		{
			placeholder: 'e.g. PAYOUT.CREATED, PAYOUT.FAILED',
		},
	),
	flag(
		'Skip Repeated Deliveries',
		'skipRepeated',
		'Whether an event that was already answered with success is not run again when the service delivers it once more. Remembered in the memory of this n8n process, up to 10,000 events and 24 hours for each trigger.',
		true,
	),
];

export const defaults = defaultsOf(options) as unknown as Options;

export const fields: INodeProperties[] = [
	choice(
		'Verify Signature',
		'authentication',
		'Who may start the workflow',
		[
			[
				'Payments Webhook API',
				'paymentsWebhookApi',
				'Only deliveries that were signed with the secret of the webhook endpoint start the workflow',
			],
			['None', 'none', 'Anybody who knows the URL can start the workflow'],
		],
		{ noDataExpression: true },
	),
	notice(
		'noVerificationNotice',
		'Without verification, anybody who learns the webhook URL can start this workflow with invented payments. Use this for a first try only.',
		{ displayOptions: { show: { authentication: ['none'] } } },
	),
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		options: [
			{
				name: 'All Events',
				value: ALL_EVENTS,
				description: 'Every kind of event, also kinds that are not in this list',
			},
			...Object.entries(eventTypes).map(([kind, description]) => ({
				name: kind,
				value: kind,
				description,
			})),
		],
		default: [...recommendedEventTypes],
		description:
			'The kinds of events that start the workflow. Select the same ones for the webhook endpoint in the dashboard of the service.',
	},
	choice('Answer', 'responseMode', 'When the service is told that the event was taken', [
		[
			'When Received',
			'onReceived',
			'Answers with success as soon as n8n has recorded the run. If the workflow fails, the service does not send the event again.',
		],
		[
			'When the Workflow Has Ended',
			'lastNode',
			'Answers with success when the workflow succeeded, and with status 500 when it failed, so that the service sends the event again',
		],
	]),
	collection('Options', 'options', 'Add Option', options),
];
