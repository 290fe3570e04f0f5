import { addDecimals, compareDecimals } from '../decimals';
import { limitFor, type AmountLimits } from '../limits/amountLimits';
import type { FieldProblem, Transaction } from '../Transaction';
import type { ValidationResult } from './validate';

/** The limits that the options of the node set. */
export interface OptionLimits {
	/** For each transaction. */
	maxAmount: AmountLimits;
	/** For all transactions of an execution, by currency. */
	maxTotal: AmountLimits;
}

/** What an execution has sent before. */
export interface ExecutionTotals {
	/** Sum of the amounts in a currency, as a decimal string. */
	totalOf(currency: string): string;
	/** Whether the payment has been counted. */
	has(transaction: Transaction): boolean;
}

/**
 * Compares transactions with the limits, in the order of the items. One that would exceed the total
 * of its currency has a problem and doesn't count, so a later and smaller one can still fit. A
 * payment that this execution has sent before doesn't count again.
 */
export function applyOptionLimits(
	results: ValidationResult[],
	limits: OptionLimits,
	totals: ExecutionTotals,
): ValidationResult[] {
	const newTotals = new Map<string, string>();
	return results.map((result) => {
		const { transaction } = result;
		if (!transaction || totals.has(transaction)) return result;
		const { amount, currency } = transaction;
		const before = newTotals.get(currency) ?? totals.totalOf(currency);
		const total = addDecimals(before, amount);
		const problem =
			checkMaxAmount(transaction, limits.maxAmount) ??
			checkMaxTotal(transaction, total, limits.maxTotal);
		if (problem) return { problems: [{ ...problem, isBeyondLimit: true }] };
		newTotals.set(currency, total);
		return result;
	});
}

function checkMaxAmount(
	{ amount, currency }: Transaction,
	limits: AmountLimits,
): FieldProblem | undefined {
	const option = "'Max Amount'";
	if (limits.size === 0) return undefined;
	const limit = limitFor(limits, currency);
	if (limit === undefined) return currencyNotAllowed(currency, option, limits);
	if (compareDecimals(amount, limit) <= 0) return undefined;
	return {
		field: 'amount',
		message: `${amount} ${currency} is more than ${limit} ${currency}, the limit in the option ${option}`,
		fix: 'Correct the amount, or raise the limit.',
	};
}

function checkMaxTotal(
	{ amount, currency }: Transaction,
	total: string,
	limits: AmountLimits,
): FieldProblem | undefined {
	const option = "'Max Total per Execution'";
	if (limits.size === 0) return undefined;
	const limit = limitFor(limits, currency);
	if (limit === undefined) return currencyNotAllowed(currency, option, limits);
	if (compareDecimals(total, limit) <= 0) return undefined;
	return {
		field: 'amount',
		message: `With ${amount} ${currency}, this execution would come to ${total} ${currency}, and the limit in the option ${option} is ${limit} ${currency}`,
		fix: 'Remove items, or raise the limit.',
	};
}

const currencyNotAllowed = (
	currency: string,
	option: string,
	limits: AmountLimits,
): FieldProblem => ({
	field: 'currency',
	message: `The option ${option} has a limit for ${[...limits.keys()].join(', ')} and none for ${currency}, so ${currency} isn't allowed`,
	fix: `Correct the currency, or add ${currency} to the option.`,
});
