import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';

import { checkCollection } from '../shared/collection';
import { failed, ok, type Result } from '../shared/result';
import { asText, isBlank, isEmpty, quote } from '../shared/values';
import { isDecimal } from './decimals';
import { parameterReader } from './input/expressions';
import { parseAmountLimits, type AmountLimits } from './limits/parseLimits';

/** Of one run of the node, whether the number is learned or set by the user. */
export const MAX_CONCURRENT_REQUESTS = 200;

/** What the editor shows of an option, and how its value is read. */
interface Option<Value> {
	displayName: string;
	shown: Pick<INodeProperties, 'type' | 'default' | 'typeOptions'>;
	/** The value of an option that isn't set. */
	unset: Value;
	/**
	 * Reads a value. It can come from an expression, so its type isn't certain, and what is empty
	 * must not turn Dry Run off, or mean that there is no limit.
	 */
	parse: (value: unknown) => Result<Value>;
}

/*
 * `shown.default` is what an option has that somebody has just added, and not looked at again: what
 * he wants who adds it, and otherwise what sends less.
 */

/**
 * @param values the first is what the editor selects when the option is added
 * @param unset what an option means that isn't added
 */
function choice<Value extends string, Unset extends Value | undefined>(
	displayName: string,
	values: readonly [Value, ...Value[]],
	unset: Unset,
): Option<Value | Unset> {
	return {
		displayName,
		shown: { type: 'options', default: values[0] },
		unset,
		parse(value) {
			const selected = values.find((one) => one === value);
			return selected === undefined
				? notAllowed(displayName, value, 'Select a value from the list')
				: ok(selected);
		},
	};
}

const flag = (displayName: string): Option<boolean> => ({
	displayName,
	shown: { type: 'boolean', default: true },
	unset: false,
	parse(value) {
		// The text "false" must not count as true.
		if (value === true || value === 'true') return ok(true);
		if (value === false || value === 'false') return ok(false);
		return notAllowed(displayName, value, 'Enter true or false');
	},
});

interface NumberOption {
	unset?: number;
	added?: number;
	min?: number;
	max: number;
	decimals?: number;
}

const number = (
	displayName: string,
	{ unset = 0, added = unset, min = 0, max, decimals = 0 }: NumberOption,
): Option<number> => ({
	displayName,
	shown: {
		type: 'number',
		default: added,
		typeOptions: { minValue: min, maxValue: max, numberPrecision: decimals },
	},
	unset,
	parse(value) {
		const given = numberOf(value);
		if (given >= min && given <= max && (decimals > 0 || Number.isInteger(given))) return ok(given);
		const kind = decimals > 0 ? 'number' : 'whole number';
		return notAllowed(displayName, value, `Enter a ${kind} from ${min} to ${max}`);
	},
});

const amounts = (displayName: string): Option<AmountLimits> => ({
	displayName,
	shown: { type: 'string', default: '' },
	unset: new Map(),
	parse(value) {
		const fix = 'Enter an amount such as 1000, or amounts by currency such as EUR 1000, USD 1200';
		if (isEmpty(value) || (typeof value !== 'number' && typeof value !== 'string'))
			return notAllowed(displayName, value, fix);
		const limits = parseAmountLimits(value);
		if (!limits.problem) return limits;
		const { because } = limits.problem;
		return optionProblem(`The option '${displayName}' can't be used, because ${because}`, fix);
	},
});

/**
 * The collection Options, in the order of the editor (editor/options.ts): first what keeps money
 * safe, then what becomes of the items, and then how they're sent.
 */
export const OPTIONS = {
	dryRun: flag('Dry Run'),
	maxAmount: amounts('Max Amount'),
	maxTotal: amounts('Max Total per Execution'),
	decimalSeparator: choice('Decimal Separator', ['comma', 'dot'], undefined),
	onDuplicate: choice('On Duplicate', ['stop', 'continue'], 'continue'),
	includeResponse: flag('Include Response'),
	maxConcurrentRequests: number('Max Concurrent Requests', {
		added: 1,
		max: MAX_CONCURRENT_REQUESTS,
	}),
	maxRequestsPerSecond: number('Max Requests per Second', { added: 1, max: 1000, decimals: 2 }),
	maxRetryTime: number('Max Retry Time (Seconds)', { unset: 90, max: 3600 }),
	retryUnknownOutcome: flag('Retry on Unknown Outcome'),
	timeout: number('Timeout (Seconds)', { unset: 30, min: 1, max: 600 }),
};

export type OptionName = keyof typeof OPTIONS;

/** The values of the options. Those with a default of 0 set no limit of their own then. */
export type Options = { [Name in OptionName]: (typeof OPTIONS)[Name]['unset'] };

const optionProblem = (message: string, fix: string) =>
	failed(message, `${fix}, or remove the option.`);

const notAllowed = (displayName: string, value: unknown, fix: string) =>
	optionProblem(`The option '${displayName}' is ${quote(value)}`, fix);

export function readOptions(context: IExecuteFunctions): Result<Options> {
	const raw = context.getNodeParameter('options', 0, {}, { rawExpressions: true });
	const asTyped = checkCollection(raw, {
		displayName: 'Options',
		member: 'option',
		names: Object.keys(OPTIONS),
	});
	if (asTyped.problem) return asTyped;
	const evaluated = evaluateForAllItems(context, withoutClearedNumbers(asTyped.value));
	return evaluated.problem ? evaluated : parseOptions(evaluated.value);
}

/** The editor lets users clear a number, which then isn't set. An expression must give a value. */
const withoutClearedNumbers = (rawByName: Record<string, unknown>): Record<string, unknown> =>
	Object.fromEntries(
		Object.entries(rawByName).filter(
			([name, raw]) => OPTIONS[name as OptionName].shown.type !== 'number' || !isBlank(raw),
		),
	);

/**
 * Options hold for all items. An expression that gives items different values is a problem: the
 * value of the first item would apply to the others.
 */
function evaluateForAllItems(
	context: IExecuteFunctions,
	rawByName: Record<string, unknown>,
): Result<Record<string, unknown>> {
	const { read, codeByName } = parameterReader(context, new Map(Object.entries(rawByName)));
	const values: Record<string, unknown> = {};
	const count = codeByName.size === 0 ? 1 : context.getInputData().length;
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		for (const [name, { value, problem }] of read(itemIndex)) {
			const option = `The option '${OPTIONS[name as OptionName].displayName}'`;
			if (problem) {
				const forItem = codeByName.has(name) ? ` for item ${itemIndex + 1}` : '';
				return failed(`${option}${forItem}: ${problem.message}`, problem.fix);
			}
			if (itemIndex === 0) values[name] = value;
			else if (JSON.stringify(value) !== JSON.stringify(values[name])) {
				return failed(
					`${option} is ${quote(values[name])} for the first item, and ${quote(value)} for item ${itemIndex + 1}`,
					'It holds for all items, so give it the same value for each, or send the items apart.',
				);
			}
		}
	}
	return ok(values);
}

/**
 * Parses the options of the node. Those that are not set get their defaults.
 *
 * @param given the values of the collection, evaluated: only what the user added
 */
export function parseOptions(given: Record<string, unknown>): Result<Options> {
	const values: Partial<Record<OptionName, unknown>> = {};
	for (const [name, { parse, unset }] of Object.entries<Option<unknown>>(OPTIONS)) {
		const { value, problem } = Object.hasOwn(given, name) ? parse(given[name]) : ok(unset);
		if (problem) return { problem };
		values[name as OptionName] = value;
	}
	return ok(values as Options);
}

/** Reads a number, also as text. JavaScript takes true, a list, and "0x10" for numbers, too. */
function numberOf(value: unknown): number {
	if (typeof value === 'number') return value;
	const text = asText(value).trim();
	return isDecimal(text) ? Number(text) : NaN;
}
