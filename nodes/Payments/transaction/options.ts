import type { INodeProperties } from 'n8n-workflow';

import { choice, defaultsOf, flag, number } from '../../shared/properties';
import { MAX_CONCURRENT_REQUESTS } from '../transport/forEachConcurrent';
import { formatValue, isEmpty, type ParseResult } from './parse';

const PROBLEM: [string, string, string] = [
	'Report as Problem',
	'problem',
	'The item counts as refused',
];
const SUCCESS: [string, string, string] = [
	'Take as Success',
	'success',
	'The item goes on, marked with "duplicate": true',
];

type WhenExisting = 'success' | 'problem';

/** The options of the node. */
export interface Options {
	dryRun: boolean;
	onExistingDerived: WhenExisting;
	onExistingGiven: WhenExisting;
	includeStatusCode: boolean;
	parallelRequests: number;
	resendUnclear: boolean;
	/** s */
	retryTime: number;
	skipDecimalsCheck: boolean;
	/** s */
	timeout: number;
}

export const options = [
	flag(
		'Dry Run',
		'dryRun',
		'Whether to check everything and show what would be sent, without sending it',
	),
	choice(
		'If Event Exists (Derived ID)',
		'onExistingDerived',
		'What to do when the service has the event already and its ID was worked out from the content: it is the same payment',
		[SUCCESS, PROBLEM],
	),
	choice(
		'If Event Exists (Given ID)',
		'onExistingGiven',
		'What to do when the service has the event already and you gave its ID: its content may be another',
		[PROBLEM, SUCCESS],
	),
	flag(
		'Include Status Code',
		'includeStatusCode',
		'Whether to add the HTTP status of the service\'s answer to each item, as "statusCode"',
	),
	number(
		'Parallel Requests',
		'parallelRequests',
		`How many transactions may be on their way at the same time, 1 to ${MAX_CONCURRENT_REQUESTS}`,
		10,
		{ minValue: 1, maxValue: MAX_CONCURRENT_REQUESTS },
	),
	flag(
		'Resend if Outcome Is Unclear',
		'resendUnclear',
		'Whether to send again when no answer came, or status 500, 502 or 504, so that nobody knows whether the transaction was recorded. Safe where the service recognises an Event ID it has seen.',
	),
	number(
		'Retry Time (Seconds)',
		'retryTime',
		'How long to keep trying each transaction while the service is too busy (429, 503) or cannot be reached',
		60,
		{ minValue: 0, maxValue: 3600 },
	),
	flag(
		'Skip Decimals Check',
		'skipDecimalsCheck',
		'Whether to accept amounts with more decimals than their currency has',
	),
	number('Timeout (Seconds)', 'timeout', 'How long to wait for the answer to one request', 30, {
		minValue: 1,
		maxValue: 600,
	}),
];

/** What an option comes to: an expression may have made anything of it, and a text such as "false" must not count as yes. */
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
			: { problem: `Enter a number from ${minValue} to ${maxValue}` };
	}
	if (type === 'boolean') {
		const yes = value === true || value === 'true';
		return yes || value === false || value === 'false'
			? { value: yes }
			: { problem: 'Let it be true or false' };
	}
	return choices.some((one) => 'value' in one && one.value === value)
		? { value }
		: { problem: 'Choose one of those in the list' };
}

/** The options as the user set them, what was left empty by its default. */
export function readOptions(given: object): ParseResult<Options> {
	const set = Object.entries(given).filter(([, value]) => !isEmpty(value));
	const all: Record<string, unknown> = { ...defaultsOf(options), ...Object.fromEntries(set) };
	for (const option of options) {
		const { value, problem } = readOption(option, all[option.name]);
		if (problem !== undefined)
			return {
				problem: `The option ${option.displayName} is ${formatValue(all[option.name])}. ${problem}, or remove the option. Nothing was sent.`,
			};
		all[option.name] = value;
	}
	return { value: all as unknown as Options };
}
