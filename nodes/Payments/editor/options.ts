import type { INodeProperties } from 'n8n-workflow';

import { parseAmountLimits, type AmountLimits } from '../../shared/limits/amountLimits';
import { MAX_CONCURRENT_REQUESTS } from '../../shared/maxConcurrentRequests';
import { failed, ok, type Result } from '../../shared/result';
import { isEmpty, isObject, quote } from '../../shared/values';

/** The values of the collection Options, checked. */
export interface Options {
	decimalSeparator: 'dot' | 'comma';
	dryRun: boolean;
	maxAmount: AmountLimits;
	maxConcurrentRequests: number;
	/** 0 for no limit. */
	maxRequestsPerSecond: number;
	/** s */
	maxRetryTime: number;
	maxTotal: AmountLimits;
	onDuplicate: 'continue' | 'stop';
	retryUnknownOutcome: boolean;
	/** s */
	timeout: number;
}

export const options: INodeProperties[] = [
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
			'Whether to check the input and the limits, and output what would be sent, without sending anything. Items that would be sent have the outcome "dryRun". The service can still reject them later.',
		builderHint: {
			propertyHint:
				"To pay nothing if anything is wrong, and say what: one Payments node with this and onError: 'continueRegularOutput', an If that every item of it is dryRun, and then the same node without this. Give both the same limits.",
		},
	},
	{
		displayName: 'Max Amount',
		name: 'maxAmount',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR 1000.00, USD 1200.00',
		description:
			"Largest amount of a single transaction: one amount for any currency, such as 1000, or amounts by currency, such as EUR 1000, USD 1200. Unlisted currencies are rejected unless you add an amount for any currency, such as any 500. Items beyond the limit aren't sent.",
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
			'How many requests to start in a second at most, evenly spaced, for a service with a known rate limit. 0 sets no limit. It holds for one execution, so divide the limit of the service by the number of executions at the same time. In a loop, each batch counts on its own.',
		builderHint: {
			propertyHint:
				'Give the node all items at once. In a loop, the next batch starts without a pause, so end each round with a Wait of 1 second, or of more for less than one request per second.',
		},
	},
	{
		displayName: 'Max Retry Time (Seconds)',
		name: 'maxRetryTime',
		type: 'number',
		typeOptions: { minValue: 0, maxValue: 3600, numberPrecision: 0 },
		default: 60,
		description:
			"For how many seconds to retry a transaction while the service is busy (status 429 or 503) or can't be reached",
	},
	{
		displayName: 'Max Total per Execution',
		name: 'maxTotal',
		type: 'string',
		default: '',
		placeholder: 'e.g. EUR 5000.00',
		description:
			'Largest sum of the amounts that this node sends in one execution, including repeated runs, such as those of a tool of an agent. Enter one amount for any currency, or amounts by currency, as for Max Amount. Each currency has a sum of its own.',
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
			'Whether to retry when there is no response, or a status that leaves it open (408, 500, 502, 504, and most other 5xx), so it is unknown whether the transaction was recorded. Safe if the service deduplicates by Event ID.',
	},
	{
		displayName: 'Timeout (Seconds)',
		name: 'timeout',
		type: 'number',
		typeOptions: { minValue: 1, maxValue: 600, numberPrecision: 0 },
		default: 30,
		description: 'How many seconds to wait for the response to one request',
	},
];

const OPTIONS = new Map(options.map((option) => [option.name, option]));

/** Returns the display name of an option, and any other name unchanged. */
export const displayNameOfOption = (name: string): string => OPTIONS.get(name)?.displayName ?? name;

/** The options that are largest amounts. No other has a text field. */
const AMOUNT_LIMITS = ['maxAmount', 'maxTotal'];

/** Checks that the collection can be read: an option that isn't known must not be ignored. */
export function checkOptions(given: unknown): Result<Record<string, unknown>> {
	if (!isObject(given)) {
		const message = `'Options' is ${quote(given)}, and not a collection`;
		return failed(message, 'Add each option by its name. Nothing was sent.');
	}
	const unknown = Object.keys(given).find((name) => !OPTIONS.has(name));
	if (unknown === undefined) return ok(given);
	const known = [...OPTIONS.keys()].join(', ');
	return optionProblem(
		`The option '${unknown}' doesn't exist`,
		`These exist: ${known}. Correct it`,
	);
}

/**
 * Reads the options of the node. Those that are not set get their defaults, and so do empty
 * numbers.
 *
 * @param given the values of the collection, evaluated: only what the user added
 */
export function readOptions(given: Record<string, unknown>): Result<Options> {
	const values: Record<string, unknown> = {};
	for (const [name, option] of OPTIONS) {
		const read = Object.hasOwn(given, name) ? readOption(option, given[name]) : ok(undefined);
		if (read.problem) return read;
		values[name] = read.value ?? (AMOUNT_LIMITS.includes(name) ? new Map() : option.default);
	}
	return ok(values as unknown as Options);
}

const optionProblem = (message: string, fix: string) =>
	failed(message, `${fix}, or remove the option. Nothing was sent.`);

const notAllowed = ({ displayName }: INodeProperties, value: unknown, fix: string) =>
	optionProblem(`The option '${displayName}' is ${quote(value)}`, fix);

const isNumberOrText = (value: unknown): value is number | string =>
	typeof value === 'number' || (typeof value === 'string' && !isEmpty(value));

/** A limit that is empty, for example from an expression, must not mean that there is none. */
function readAmountLimits(option: INodeProperties, value: unknown): Result<AmountLimits> {
	const fix = 'Enter an amount such as 1000, or amounts by currency such as EUR 1000, USD 1200';
	if (!isNumberOrText(value)) return notAllowed(option, value, fix);
	const limits = parseAmountLimits(String(value).trim());
	if (!limits.problem) return limits;
	const { because } = limits.problem;
	return optionProblem(`The option '${option.displayName}' can't be used, because ${because}`, fix);
}

/**
 * Reads the value of one option. It can come from an expression, so its type isn't certain, and
 * the text "false" must not count as true.
 */
function readOption(option: INodeProperties, value: unknown): Result<unknown> {
	const { name, type, options: choices = [], typeOptions = {} } = option;
	if (AMOUNT_LIMITS.includes(name)) return readAmountLimits(option, value);
	if (type === 'number') {
		// The editor lets users clear a number. Any other value that is empty comes from an expression,
		// and must not turn Dry Run off.
		if (isEmpty(value)) return ok(undefined);
		const { minValue = 0, maxValue = 0 } = typeOptions;
		const number = isNumberOrText(value) ? Number(value) : NaN;
		return number >= minValue && number <= maxValue
			? ok(number)
			: notAllowed(option, value, `Enter a number from ${minValue} to ${maxValue}`);
	}
	if (type === 'boolean') {
		if (value === true || value === 'true') return ok(true);
		if (value === false || value === 'false') return ok(false);
		return notAllowed(option, value, 'Enter true or false');
	}
	return choices.some((choice) => 'value' in choice && choice.value === value)
		? ok(value)
		: notAllowed(option, value, 'Select a value from the list');
}
