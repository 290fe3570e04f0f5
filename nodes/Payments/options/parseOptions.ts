import type { INodeProperties } from 'n8n-workflow';

import { failed, ok, type Result } from '../../shared/result';
import { asText, isEmpty, quote } from '../../shared/values';
import { isDecimal } from '../decimals';
import { options } from '../editor/options';
import { parseAmountLimits, type AmountLimits } from '../limits/amountLimits';

/** The values of the collection Options, checked. */
export interface Options {
	decimalSeparator: 'dot' | 'comma';
	dryRun: boolean;
	includeResponseHeaders: boolean;
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

const OPTIONS = new Map(options.map((option) => [option.name, option]));

/** The options that are largest amounts. No other has a text field. */
const AMOUNT_LIMITS = ['maxAmount', 'maxTotal'];

/** Returns the display name of an option. */
export const displayNameOf = (name: string): string => OPTIONS.get(name)?.displayName ?? name;

/** The collection, as messages name it. */
export const COLLECTION = {
	displayName: 'Options',
	member: 'option',
	names: [...OPTIONS.keys()],
};

/**
 * Parses the options of the node. Those that are not set get their defaults, and so do empty
 * numbers.
 *
 * @param given the values of the collection, evaluated: only what the user added
 */
export function parseOptions(given: Record<string, unknown>): Result<Options> {
	const values: Record<string, unknown> = {};
	for (const [name, option] of OPTIONS) {
		const parsed = Object.hasOwn(given, name) ? parseOption(option, given[name]) : ok(undefined);
		if (parsed.problem) return parsed;
		values[name] = parsed.value ?? (AMOUNT_LIMITS.includes(name) ? new Map() : option.default);
	}
	return ok(values as unknown as Options);
}

/**
 * Parses the value of one option. It can come from an expression, so its type isn't certain, and
 * the text "false" must not count as true.
 */
function parseOption(option: INodeProperties, value: unknown): Result<unknown> {
	const { name, type, options: choices = [], typeOptions = {} } = option;
	if (AMOUNT_LIMITS.includes(name)) return parseLimits(option, value);
	if (type === 'number') {
		// The editor lets users clear a number. What is undefined comes from an expression, and so does
		// any other option that is empty, which must not turn Dry Run off.
		if (value !== undefined && isEmpty(value)) return ok(undefined);
		const { minValue = 0, maxValue = 0, numberPrecision } = typeOptions;
		const number = numberOf(value);
		const isWhole = numberPrecision === 0;
		return number >= minValue && number <= maxValue && !(isWhole && number % 1 !== 0)
			? ok(number)
			: notAllowed(
					option,
					value,
					`Enter a ${isWhole ? 'whole ' : ''}number from ${minValue} to ${maxValue}`,
				);
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

/** A limit that is empty, for example from an expression, must not mean that there is none. */
function parseLimits(option: INodeProperties, value: unknown): Result<AmountLimits> {
	const fix = 'Enter an amount such as 1000, or amounts by currency such as EUR 1000, USD 1200';
	if (!isNumberOrText(value)) return notAllowed(option, value, fix);
	const limits = parseAmountLimits(value);
	if (!limits.problem) return limits;
	const { because } = limits.problem;
	return optionProblem(`The option '${option.displayName}' can't be used, because ${because}`, fix);
}

const optionProblem = (message: string, fix: string) =>
	failed(message, `${fix}, or remove the option. Nothing was sent.`);

const notAllowed = ({ displayName }: INodeProperties, value: unknown, fix: string) =>
	optionProblem(`The option '${displayName}' is ${quote(value)}`, fix);

/** Reads a number, also as text. JavaScript takes true, a list, and "0x10" for numbers, too. */
function numberOf(value: unknown): number {
	if (typeof value === 'number') return value;
	const text = asText(value).trim();
	return isDecimal(text) ? Number(text) : NaN;
}

const isNumberOrText = (value: unknown): value is number | string =>
	typeof value === 'number' || (typeof value === 'string' && !isEmpty(value));
