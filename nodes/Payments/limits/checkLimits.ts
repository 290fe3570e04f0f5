import { quote } from '../../shared/values';
import { addDecimals, compareDecimals } from '../decimals';
import type { Field, ItemProblem, Transaction } from '../Transaction';
import { LIMIT_FIELDS, limitFor, type AmountLimits, type CredentialLimits } from './parseLimits';

/** The limits that the options of the node set. */
interface OptionLimits {
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

const beyondLimit = (field: Field, message: string, fix: string): ItemProblem => ({
	isBeyondLimit: true,
	field,
	message,
	fix,
});

const ASK_OWNER = 'ask the owner of the credential to change the limit';

/** Compares a transaction with the limits of the credential, and reports the first it exceeds. */
function checkCredentialLimits(
	{ amount, currency, recipient }: Transaction,
	{ allowedCurrencies, maxAmounts, allowedRecipients }: CredentialLimits,
): ItemProblem | undefined {
	if (allowedCurrencies.size > 0 && !allowedCurrencies.has(currency))
		return beyondLimit(
			'currency',
			`${currency} isn't one of the currencies that the credential allows (${LIMIT_FIELDS.allowedCurrencies}: ${[...allowedCurrencies].join(', ')})`,
			`Use one of them, or ${ASK_OWNER}.`,
		);
	const limit = `the ${LIMIT_FIELDS.maxAmounts} of the credential`;
	const exceeded = checkAmount(
		{ amount, currency, name: `${amount} ${currency}` },
		{ limits: maxAmounts, limit, change: ASK_OWNER },
	);
	if (exceeded) return exceeded;
	// Not the entity, because the funds go to the channel, and entities and channels can have equal
	// IDs.
	const { externalPaymentChannelId: channel } = recipient;
	if (allowedRecipients.size === 0 || allowedRecipients.has(channel)) return undefined;
	return beyondLimit(
		'recipient.externalPaymentChannelId',
		// The list isn't shown, because who sees the message needn't know the other recipients.
		`The payment channel ${quote(channel)} isn't one of the ${LIMIT_FIELDS.allowedRecipients} of the credential`,
		'Correct the payment channel, or ask the owner of the credential to add it.',
	);
}

/**
 * Returns the function that compares transactions with all limits, in the order of the items, and
 * reports the first that one exceeds. One that would exceed the total of its currency doesn't
 * count, so a later and smaller one can still fit. A transaction that this execution has sent
 * before doesn't count again.
 */
export function limitsCheck(
	{ credential, options }: { credential: CredentialLimits; options: OptionLimits },
	sentBefore: ExecutionTotals,
): (transaction: Transaction) => ItemProblem | undefined {
	const change = 'change the option';
	const ofItem = {
		limits: options.maxAmount,
		limit: "the limit of the option 'Max Amount'",
		change,
	};
	const ofExecution = {
		limits: options.maxTotal,
		limit: "the limit of the option 'Max Total per Execution'",
		change,
	};
	const totals = new Map<string, string>();
	return (transaction) => {
		const exceeded = checkCredentialLimits(transaction, credential);
		if (exceeded || sentBefore.has(transaction)) return exceeded;
		const { amount, currency } = transaction;
		const total = addDecimals(totals.get(currency) ?? sentBefore.totalOf(currency), amount);
		const name = `${amount} ${currency}`;
		const nameOfTotal = `With ${name}, the total of ${total} ${currency}`;
		const problem =
			checkAmount({ amount, currency, name }, ofItem) ??
			checkAmount({ amount: total, currency, name: nameOfTotal }, ofExecution);
		if (!problem) totals.set(currency, total);
		return problem;
	};
}

/**
 * Compares an amount with the limit of its currency.
 *
 * @param amount.name begins the message
 * @param rule.limit names the limit
 * @param rule.change says how it's changed
 */
function checkAmount(
	{ amount, currency, name }: { amount: string; currency: string; name: string },
	{ limits, limit, change }: { limits: AmountLimits; limit: string; change: string },
): ItemProblem | undefined {
	if (limits.size === 0) return undefined;
	const max = limitFor(limits, currency);
	if (max === undefined)
		return beyondLimit(
			'currency',
			`${limit} is for ${[...limits.keys()].join(', ')}, so ${currency} isn't allowed`,
			`Correct the currency, or ${change}.`,
		);
	if (compareDecimals(amount, max) <= 0) return undefined;
	return beyondLimit(
		'amount',
		`${name} is more than ${max} ${currency}, ${limit}`,
		`Correct the amount, or ${change}.`,
	);
}
