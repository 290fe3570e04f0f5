import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Problem } from '../shared/result';
import { ALL_EVENTS, eventTypes, recommendedEventTypes } from './events/eventTypes';

/** The options of the node. Those that the user has not added have their default. */
export interface Options {
	additionalEventTypes: string;
	deduplicateDeliveries: boolean;
	/** In minutes. */
	deduplicationWindow: number;
	/** Dotted path. */
	eventIdField: string;
	/** Dotted path. */
	eventTypeField: string;
	includeHeaders: boolean;
	oneOutputPerEventType: boolean;
	/** In minutes. */
	timestampTolerance: number;
}

const options: INodeProperties[] = [
	{
		displayName: 'Additional Event Types',
		name: 'additionalEventTypes',
		type: 'string',
		default: '',
		placeholder: 'e.g. PAYOUT.CREATED, PAYOUT.FAILED',
		description: "Event types that the list doesn't have, separated by commas",
	},
	{
		displayName: 'Deduplicate Deliveries',
		name: 'deduplicateDeliveries',
		type: 'boolean',
		default: true,
		description:
			'Whether to acknowledge an event that was already acknowledged without running the workflow again',
	},
	{
		displayName: 'Deduplication Window (Minutes)',
		name: 'deduplicationWindow',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 30,
		description:
			'For how many minutes an acknowledged event counts as a duplicate. After that, an event that you resend from the service runs the workflow again.',
	},
	{
		displayName: 'Event ID Field',
		name: 'eventIdField',
		type: 'string',
		default: 'id',
		description: "The field with the event's unique ID, to recognize duplicates. Use dots to nest.",
		builderHint: { propertyHint: 'Leave it out: the ID is in id' },
	},
	{
		displayName: 'Event Type Field',
		name: 'eventTypeField',
		type: 'string',
		default: 'event',
		placeholder: 'e.g. meta.type',
		description: "The field with the event's type. Use dots to nest.",
	},
	{
		displayName: 'Include Headers',
		name: 'includeHeaders',
		type: 'boolean',
		default: false,
		description: 'Whether to add the request headers to each item, except those with secrets',
	},
	{
		displayName: 'One Output per Event Type',
		name: 'oneOutputPerEventType',
		type: 'boolean',
		default: false,
		description: 'Whether to send each selected event type to an output of its own',
		builderHint: { propertyHint: 'The outputs have the order of events' },
	},
	{
		displayName: 'Timestamp Tolerance (Minutes)',
		name: 'timestampTolerance',
		type: 'number',
		typeOptions: { minValue: 1, numberPrecision: 0 },
		default: 120,
		description:
			'How many minutes old a signature may be. The service retries for about 100 minutes. Applies to signature schemes with a timestamp.',
	},
];

// n8n stores only the members of a collection that the user has added.
export const defaultOptions = Object.fromEntries(
	options.map((option) => [option.name, option.default]),
) as unknown as Options;

const TYPE_NAMES: Record<string, string> = { boolean: 'true or false', string: 'text' };

/**
 * Checks the options that are text, true, or false. They can come from expressions, and the text
 * "false" must not count as true. Numbers are checked where they are used.
 */
export function checkOptions(given: Partial<Record<string, unknown>>): Problem | undefined {
	const wrong = options.find(({ name, type }) => {
		const value = given[name];
		return value !== undefined && type in TYPE_NAMES && typeof value !== type;
	});
	return (
		wrong && {
			message: `The option '${wrong.displayName}' isn't ${TYPE_NAMES[wrong.type]}`,
			fix: 'Correct its expression, or remove the option.',
		}
	);
}

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
