import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { ALL_EVENTS, eventTypes, recommendedEventTypes } from './events/eventTypes';
import { options } from './options';

function toSelectOption(eventType: string): INodePropertyOptions {
	const { name, meaning } = eventTypes[eventType];
	return { name, value: eventType, description: `${eventType}: ${meaning}` };
}

// The nodes panel lists the event types in this order: the recommended ones, then the alphabet.
const otherEventTypes = Object.keys(eventTypes).filter(
	(eventType) => !recommendedEventTypes.includes(eventType),
);

export const properties: INodeProperties[] = [
	{
		displayName: 'Authentication',
		name: 'authentication',
		type: 'options',
		noDataExpression: true,
		options: [
			{
				name: 'Webhook Signature',
				value: 'webhookSignature',
				description: "Only deliveries signed with the webhook endpoint's secret run the workflow",
			},
			{
				name: 'None',
				value: 'none',
				description: 'Anyone who knows the URL can run the workflow',
			},
		],
		default: 'webhookSignature',
		description: 'How to verify that a delivery comes from the service',
		builderHint: {
			propertyHint:
				"Keep 'webhookSignature', and add the credential. 'none' lets anyone who knows the URL start the workflow with made-up payments.",
		},
	},
	{
		displayName:
			'Anyone who learns the webhook URL can run this workflow with made-up payments. Use this only for a first try.',
		name: 'noAuthenticationNotice',
		type: 'notice',
		default: '',
		displayOptions: { show: { authentication: ['none'] } },
	},
	{
		displayName: 'Trigger On',
		name: 'events',
		type: 'multiOptions',
		required: true,
		options: [
			...recommendedEventTypes.map(toSelectOption),
			{
				name: 'All Events',
				value: ALL_EVENTS,
				description: 'Every event type, including those not in this list',
			},
			...otherEventTypes.map(toSelectOption),
		],
		default: [...recommendedEventTypes],
		description:
			"The event types that run the workflow. Select the same ones for the webhook endpoint in the service's dashboard.",
		builderHint: {
			propertyHint:
				"An array, such as ['PAYMENT.STATUS_UPDATED']; ['*'] takes every event type. Of a payment, {{ $json.data.status }} is CREATED, PROCESSING, then COMPLETED; or REJECTED, FAILED, RETURNED, COMPLIANCE_REVIEW, AWAITING_APPROVAL.",
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
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	},
];
