import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS, OPTIONS, type OptionName } from '../options';

const DESCRIPTIONS: Record<OptionName, string> = {
	dryRun:
		'Whether to check the input and the limits, and output what would be sent, without sending anything. Items that would be sent have the outcome "dryRun". The service can still reject them later. Without this option, items are sent.',
	maxAmount:
		"Largest amount of a single transaction: one amount for any currency, such as 1000, or amounts by currency, such as EUR 1000, USD 1200. Unlisted currencies are rejected unless you add an amount for any currency, such as any 500. Items beyond the limit aren't sent.",
	maxTotal:
		'Largest sum of the amounts that this node sends in one execution, including repeated runs, such as those of a tool of an agent. Enter one amount for any currency, or amounts by currency, as for Max Amount. Each currency has a sum of its own.',
	decimalSeparator:
		'What separates the decimals of amounts that are text, in Amount and Base Amount. Numbers stay as they are. Without this option, it is a dot, and an amount that can be read in two ways, such as 1.250, is invalid.',
	onDuplicate:
		'What to do when the service has recorded the Event ID before. With a generated Event ID, it is the same transaction. With a custom Event ID, the content can be different. Without this option, the node continues.',
	includeResponse:
		'Whether to output what was sent and answered also for what is created or a duplicate: the Event ID, and the status, the body, and some headers of the last response. All other items have the Event ID, status, and body anyway.',
	maxConcurrentRequests: `How many requests to have open at the same time, up to ${MAX_CONCURRENT_REQUESTS}. 0, as without this option, adapts to what the service can take.`,
	maxRequestsPerSecond:
		'How many requests to start in a second at most, evenly spaced, for a service with a known rate limit. 0, as without this option, sets no limit. It holds for one execution, so divide the limit of the service by the number of executions at the same time. In a loop, each batch counts on its own.',
	maxRetryTime:
		"For how many seconds to retry a transaction while the service is busy (status 503), and to go on while it decides about none, because it limits the rate (429) or can't be reached",
	retryUnknownOutcome:
		'Whether to retry when there is no response, or a status that leaves it open (408, 500, 502, 504, and most other 5xx), so it is unknown whether the transaction was recorded. Safe if the service deduplicates by Event ID. Without this option, it ends as unknown.',
	timeout: 'How many seconds to wait for the response to one request',
};

/** What AI builders read besides. */
const HINTS: Partial<Record<OptionName, string>> = {
	maxTotal:
		"With onError: 'continueRegularOutput', an item beyond it is invalid, and a later, smaller one is still sent. Duplicates count. In a sub-workflow as a tool, it limits one call only: each is an execution of its own.",
	maxConcurrentRequests:
		'1 sends in the order of the items; one with 429 or without a connection goes behind all. One that fails holds nothing back.',
	maxRequestsPerSecond:
		'Give the node all items at once. In a loop, the next batch starts without a pause, so end each round with a Wait of 1 second, or of more for less than one request per second.',
};

const EXAMPLES: Partial<Record<OptionName, string>> = {
	maxAmount: 'EUR 1000.00, USD 1200.00',
	maxTotal: 'EUR 5000.00',
};

const CHOICES: Partial<Record<OptionName, INodePropertyOptions[]>> = {
	decimalSeparator: [
		{ name: 'Comma', value: 'comma', description: 'Such as 1.250,00 or 1 250,00 or 1250,00' },
		{
			name: 'Dot',
			value: 'dot',
			description: 'Such as 1250.00 or 1.250, which is 1.25, without thousands separators',
		},
	],
	onDuplicate: [
		{
			name: 'Continue',
			value: 'continue',
			description: 'Output the item with the outcome "duplicate"',
		},
		{
			name: 'Stop or Use Error Output',
			value: 'stop',
			description: "Do what the node's On Error setting says",
		},
	],
};

/** The collection Options. */
export const options = (Object.keys(OPTIONS) as OptionName[]).map((name): INodeProperties => {
	const { displayName, shown } = OPTIONS[name];
	const [choices, example, propertyHint] = [CHOICES[name], EXAMPLES[name], HINTS[name]];
	return {
		displayName,
		name,
		...shown,
		description: DESCRIPTIONS[name],
		...(choices && { options: choices }),
		...(example && { placeholder: `e.g. ${example}` }),
		...(propertyHint && { builderHint: { propertyHint } }),
	};
});
