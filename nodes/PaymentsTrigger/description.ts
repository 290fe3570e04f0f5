import type { INodeProperties } from 'n8n-workflow';

import { ALL_EVENTS, eventTypes, recommendedEventTypes } from './eventTypes';
import { DEFAULT_TOLERANCE_MINUTES, MAX_MINUTES } from './settings';

const optionFields: INodeProperties[] = [
	{
		displayName: 'Additional Event Types',
		name: 'additionalEventTypes',
		type: 'string',
		default: '',
		placeholder: 'e.g. PAYOUT.CREATED, PAYOUT.FAILED',
		description: "Event types that the list doesn't have, separated by commas",
		builderHint: { propertyHint: 'Leave it out, unless events has no such event type' },
	},
	{
		displayName: 'Deduplicate (Minutes)',
		name: 'deduplicate',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_MINUTES, numberPrecision: 0 },
		default: DEFAULT_TOLERANCE_MINUTES,
		description:
			'For how many minutes after its last delivery an acknowledged event that is delivered again is acknowledged without running the workflow again. At least as long as the timestamp tolerance. 5 minutes are added, because a signature can be that much in the future. Without this option, 120, or the tolerance if it is longer. 0 turns it off: each delivery runs the workflow.',
		builderHint: { propertyHint: 'Leave it out' },
	},
	{
		displayName: 'Path',
		name: 'path',
		type: 'string',
		default: '',
		placeholder: 'e.g. payments',
		description:
			"End of the URL, so that it stays the same when the node is copied, added anew, or imported elsewhere. Without a path, n8n makes one for each node. Two published workflows can't have the same path.",
		builderHint: { propertyHint: 'Leave it out, unless the user names a path' },
	},
	{
		displayName: 'Timestamp Tolerance (Minutes)',
		name: 'timestampTolerance',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: MAX_MINUTES, numberPrecision: 0 },
		default: DEFAULT_TOLERANCE_MINUTES,
		description:
			'How many minutes old a signature may be. It must be longer than the service retries, unless it signs each attempt anew. Applies to signature schemes with a timestamp.',
	},
];

export const properties: INodeProperties[] = [
	// By n8n's guidelines, a parameter with this name needs no description.
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			{
				name: 'All Events',
				value: ALL_EVENTS,
				description: 'Every event type, including those not in this list',
			},
			...eventTypes.map(({ value, name, meaning }) => ({
				name,
				value,
				description: `${value}: ${meaning}`,
			})),
		],
		default: [...recommendedEventTypes],
		builderHint: {
			propertyHint: "An array, such as ['PAYMENT.STATUS_UPDATED']; ['*'] takes every event type.",
		},
	},
	{
		displayName: 'Respond',
		name: 'responseMode',
		type: 'options',
		options: [
			{
				name: 'Immediately',
				value: 'onReceived',
				description: 'Once n8n has stored the execution. The service never retries the event.',
			},
			{
				name: 'When Last Node Finishes',
				value: 'lastNode',
				description:
					'With 200 if the workflow succeeds, or 500 if it fails, so that the service retries the event',
			},
		],
		default: 'onReceived',
		description: 'When to respond to a delivery',
		builderHint: {
			propertyHint:
				"Leave it out, unless the service must retry an event whose execution fails: then 'lastNode', and no Wait or Send and Wait node in the workflow. One that ends without items has succeeded.",
		},
	},
	{
		displayName:
			'If the workflow pauses, such as at a Wait node, n8n responds with 200 at that point. The service then never retries the event.',
		name: 'pauseNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { responseMode: ['lastNode'] } },
	},
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'None',
				value: 'none',
				description: 'Anyone who knows the URL can run the workflow',
			},
			{
				name: 'Webhook Signature',
				value: 'webhookSignature',
				description: "Only deliveries signed with the webhook endpoint's secret run the workflow",
			},
		],
		default: 'webhookSignature',
		description: 'How to verify that a delivery comes from the service',
		builderHint: {
			propertyHint:
				"Keep 'webhookSignature', and add the credential. 'none' lets anyone who knows the URL start the workflow with made-up events.",
		},
	},
	{
		displayName:
			'Anyone who learns the webhook URL can run this workflow with made-up events. Use this only for a first try.',
		name: 'noAuthenticationNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: optionFields,
	},
];
