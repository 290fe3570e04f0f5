import type { INodeProperties } from 'n8n-workflow';

import { MAX_CONCURRENT_REQUESTS } from '../../shared/maxConcurrentRequests';
import { parseAmountLimits, type AmountLimits } from '../../shared/limits/amountLimits';
import { quote } from '../../shared/values';
import { isEmpty, type DecimalSeparator, type ParseResult } from '../validation/parse';

/** The options of the node. */
export interface Options {
	allowZeroAmounts: boolean;
	decimalSeparator: DecimalSeparator;
	dryRun: boolean;
	includeStatusCode: boolean;
	maxAmount: AmountLimits;
	maxConcurrentRequests: number;
	/** 0 for no limit. */
	maxRequestsPerSecond: number;
	/** s */
	maxRetryTime: number;
	maxTotal: AmountLimits;
	onDuplicate: 'continue' | 'stop';
	retryUnknownOutcome: boolean;
	skipDecimalsCheck: boolean;
	/** s */
	timeout: number;
}

export const options: INodeProperties[] = [
	{
		displayName: 'Allow Zero Amounts',
		name: 'allowZeroAmounts',
		type: 'boolean',
		default: false,
		description:
			'Whether to accept an amount of 0. It is usually an empty cell or a calculation without a value.',
	},
	{
		displayName: 'Decimal Separator',
		name: 'decimalSeparator',
		type: 'options',
		options: [
			{
				name: 'Comma',
				value: 'comma',
				description: 'Such as 1.250,00 or 1 250,00 or 1250,00',
			},
			{
				name: 'Dot',
				value: 'dot',
				description: 'Such as 1250.00, without thousands separators',
			},
		],
		default: 'dot',
		description:
			'What separates the decimals of amounts that are text, in Amount and Base Amount. Numbers stay as they are.',
	},
	{
		displayName: 'Dry Run',
		name: 'dryRun',
		type: 'boolean',
		default: false,
		description:
			'Whether to check the input and output what would be sent, without sending anything',
	},
	{
		displayName: 'Include Status Code',
		name: 'includeStatusCode',
		type: 'boolean',
		default: false,
		description:
			'Whether to add the HTTP status code of the response to each item, as "statusCode"',
	},
	{
		displayName: 'Max Amount',
		name: 'maxAmount',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR 1000.00, USD 1200.00',
		description:
			'Largest amount of a single transaction: one amount for any currency, such as 1000, or amounts by currency, such as EUR 1000, USD 1200. Other currencies are then not allowed, unless you add an amount for them, such as any 500. Items beyond the limit are not sent.',
	},
	{
		displayName: 'Max Concurrent Requests',
		name: 'maxConcurrentRequests',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: MAX_CONCURRENT_REQUESTS, numberPrecision: 0 },
		default: 0,
		description: `How many requests to have open at the same time, up to ${MAX_CONCURRENT_REQUESTS}. 0 adapts to what the service can take.`,
	},
	{
		displayName: 'Max Requests per Second',
		name: 'maxRequestsPerSecond',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 1000, numberPrecision: 2 },
		default: 0,
		description:
			'How many requests to start in a second at most, evenly spaced, for a service with a known rate limit. 0 sets no limit.',
	},
	{
		displayName: 'Max Retry Time (Seconds)',
		name: 'maxRetryTime',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 },
		default: 60,
		description:
			"How long to retry a transaction while the service is busy (status 429 or 503) or can't be reached",
	},
	{
		displayName: 'Max Total per Execution',
		name: 'maxTotal',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR 5000.00',
		description:
			'Largest sum of the amounts that this node sends in one execution, also when it runs several times in it, such as the tool of an agent. Enter one amount for any currency, or amounts by currency, as for Max Amount. Each currency has a sum of its own.',
	},
	{
		displayName: 'On Duplicate',
		name: 'onDuplicate',
		type: 'options',
		options: [
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
		default: 'continue',
		description:
			'What to do when the service has recorded the Event ID before. With a generated Event ID, it is the same payment. With a custom Event ID, the content can be different.',
	},
	{
		displayName: 'Retry on Unknown Outcome',
		name: 'retryUnknownOutcome',
		type: 'boolean',
		default: false,
		description:
			'Whether to retry when there is no response, or status 408, 500, 502, or 504, so it is unknown whether the transaction was recorded. Safe if the service deduplicates by Event ID.',
	},
	{
		displayName: 'Skip Decimals Check',
		name: 'skipDecimalsCheck',
		type: 'boolean',
		default: false,
		description: 'Whether to accept amounts with more decimals than their currency has',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 600, numberPrecision: 0 },
		default: 30,
		description: 'How long to wait for the response to one request',
	},
];

/** What is wrong with the value of an option is what the option can have. */
function expected(fix: string): { value?: undefined; problem: string; fix: string } {
	return { problem: fix, fix };
}

/**
 * Reads the value of one option. It can come from an expression, so its type isn't certain, and a text such as "false" must not count as true.
 */
function readOption(
	{
		type,
		options: choices = [],
		typeOptions: { minValue = 0, maxValue = 0 } = {},
	}: INodeProperties,
	value: unknown,
): ParseResult<unknown> {
	if (type === 'number') {
		const number = typeof value === 'number' || typeof value === 'string' ? Number(value) : NaN;
		return number >= minValue && number <= maxValue
			? { value: number }
			: expected(`Enter a number from ${minValue} to ${maxValue}`);
	}
	if (type === 'boolean') {
		const isTrue = value === true || value === 'true';
		return isTrue || value === false || value === 'false'
			? { value: isTrue }
			: expected('Enter true or false');
	}
	if (type === 'string') return readLimits(value);
	return choices.some((choice) => 'value' in choice && choice.value === value)
		? { value }
		: expected('Choose a value from the list');
}

const ENTER_LIMITS = expected(
	'Enter an amount such as 1000, or amounts by currency such as EUR 1000, USD 1200',
);

function readLimits(value: unknown): ParseResult<AmountLimits> {
	const isText = typeof value === 'string' || typeof value === 'number';
	const limits = isText ? parseAmountLimits(String(value).trim()) : undefined;
	if (limits?.value) return { value: limits.value };
	return ENTER_LIMITS;
}

/**
 * Reads the options of the node. Those that are not set, or empty, get their defaults.
 *
 * @param given the value of the collection: only what the user added
 */
export function readOptions(given: Record<string, unknown>): ParseResult<Options> {
	const values: Record<string, unknown> = {};
	for (const option of options) {
		const isSet = Object.hasOwn(given, option.name);
		const set = isSet ? given[option.name] : undefined;
		// A limit without a value, for example from an expression, must not become no limit.
		const isEmptyLimit = isSet && isEmpty(set) && option.type === 'string';
		const value = isEmpty(set) && !isEmptyLimit ? option.default : set;
		const read = isEmptyLimit ? ENTER_LIMITS : readOption(option, value);
		if (read.problem !== undefined) {
			return {
				problem: `The option '${option.displayName}' is ${quote(value)}`,
				fix: `${read.fix}, or remove the option. Nothing was sent.`,
			};
		}
		values[option.name] = read.value;
	}
	return { value: values as unknown as Options };
}
