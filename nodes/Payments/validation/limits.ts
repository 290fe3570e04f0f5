import { quote } from '../../shared/values';
import { addDecimals, compareDecimals } from '../decimals';
import { limitFor, type AmountLimits } from '../limits/amountLimits';
import { LIMIT_FIELDS, type CredentialLimits } from '../limits/credentialLimits';
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
	/** Whether the transaction has been counted. */
	has(transaction: Transaction): boolean;
}

/** Compares a transaction with the limits of the credential, and reports the first it exceeds. */
export function checkCredentialLimits(
	{ amount, currency, recipient }: Pick<Transaction, 'amount' | 'currency' | 'recipient'>,
	{ allowedCurrencies, maxAmounts, allowedRecipients }: CredentialLimits,
): FieldProblem | undefined {
	if (allowedCurrencies.size > 0 && !allowedCurrencies.has(currency))
		return {
			field: 'currency',
			message: `${currency} isn't one of the currencies that the credential allows (${LIMIT_FIELDS.allowedCurrencies}: ${[...allowedCurrencies].join(', ')})`,
			fix: 'Use one of them, or ask the owner of the credential to change the limit.',
			isBeyondLimit: true,
		};
	const exceeded = checkAmount(`${amount} ${currency}`, { amount, currency }, maxAmounts, {
		limit: `the ${LIMIT_FIELDS.maxAmounts} of the credential`,
		change: 'ask the owner of the credential to change the limit',
	});
	if (exceeded) return exceeded;
	// Not the entity, because the money goes to the channel, and entities and channels can have equal
	// IDs.
	const { externalPaymentChannelId: channel } = recipient;
	if (allowedRecipients.size === 0 || allowedRecipients.has(channel)) return undefined;
	return {
		field: 'recipient.externalPaymentChannelId',
		// The list isn't shown, because who sees the message needn't know the other recipients.
		message: `The payment channel ${quote(channel)} isn't one of the ${LIMIT_FIELDS.allowedRecipients} of the credential`,
		fix: 'Correct the payment channel, or ask the owner of the credential to add it.',
		isBeyondLimit: true,
	};
}

/**
 * Compares transactions with the limits of the options, in the order of the items. One that would
 * exceed the total of its currency has a problem and doesn't count, so a later and smaller one can
 * still fit. A transaction that this execution has sent before doesn't count again.
 */
export function applyOptionLimits(
	results: ValidationResult[],
	{ maxAmount, maxTotal }: OptionLimits,
	totals: ExecutionTotals,
): ValidationResult[] {
	const newTotals = new Map<string, string>();
	return results.map((result) => {
		const { transaction } = result;
		if (!transaction || totals.has(transaction)) return result;
		const { amount, currency } = transaction;
		const before = newTotals.get(currency) ?? totals.totalOf(currency);
		const total = addDecimals(before, amount);
		const change = 'change the option';
		const problem =
			checkAmount(`${amount} ${currency}`, { amount, currency }, maxAmount, {
				limit: "the limit of the option 'Max Amount'",
				change,
			}) ??
			checkAmount(
				`With ${amount} ${currency}, the total of ${total} ${currency}`,
				{ amount: total, currency },
				maxTotal,
				{ limit: "the limit of the option 'Max Total per Execution'", change },
			);
		if (problem) return { problems: [problem] };
		newTotals.set(currency, total);
		return result;
	});
}

/**
 * Compares an amount with the limit of its currency.
 *
 * @param what names the amount at the beginning of the message
 * @param words name the limit, and say how it's changed
 */
function checkAmount(
	what: string,
	{ amount, currency }: Pick<Transaction, 'amount' | 'currency'>,
	limits: AmountLimits,
	{ limit, change }: { limit: string; change: string },
): FieldProblem | undefined {
	if (limits.size === 0) return undefined;
	const max = limitFor(limits, currency);
	if (max === undefined)
		return {
			field: 'currency',
			message: `${limit} is for ${[...limits.keys()].join(', ')}, so ${currency} isn't allowed`,
			fix: `Correct the currency, or ${change}.`,
			isBeyondLimit: true,
		};
	if (compareDecimals(amount, max) <= 0) return undefined;
	return {
		field: 'amount',
		message: `${what} is more than ${max} ${currency}, ${limit}`,
		fix: `Correct the amount, or ${change}.`,
		isBeyondLimit: true,
	};
}
