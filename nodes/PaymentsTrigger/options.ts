import type { INodeProperties } from 'n8n-workflow';

import type { Problem } from '../shared/result';

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

export const options: INodeProperties[] = [
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
 * "false" must not count as true. Nor is the text "true" accepted, because n8n also reads them for
 * `outputsExpression`, where any text counts as true. Numbers are checked where they are used.
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
