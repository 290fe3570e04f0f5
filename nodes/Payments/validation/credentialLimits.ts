import { compareDecimals } from '../../shared/decimals';
import { limitFor } from '../../shared/limits/amountLimits';
import { LIMIT_FIELDS, type TransactionLimits } from '../../shared/limits/transactionLimits';
import type { Field, Transaction } from '../Transaction';

/** What of a transaction is beyond the limits of the credential, and how to correct it. */
export interface LimitIssue {
	field: Field;
	/** Without a period at the end. */
	problem: string;
	/** In whole sentences. */
	fix: string;
}

const {
	maxAmounts: MAX_AMOUNT,
	allowedCurrencies: CURRENCIES,
	allowedRecipients: RECIPIENTS,
} = LIMIT_FIELDS;

/**
 * Compares a transaction with the limits of the credential. Never throws.
 *
 * @returns the first thing that is beyond the limits, or `undefined` when the transaction is within all of them
 */
export const findLimitIssue = (
	transaction: Pick<Transaction, 'amount' | 'currency' | 'recipient'>,
	limits: TransactionLimits,
): LimitIssue | undefined =>
	findCurrencyIssue(transaction, limits) ??
	findAmountIssue(transaction, limits) ??
	findRecipientIssue(transaction, limits);

function findCurrencyIssue(
	{ currency }: Pick<Transaction, 'currency'>,
	{ allowedCurrencies }: TransactionLimits,
): LimitIssue | undefined {
	if (allowedCurrencies.size === 0 || allowedCurrencies.has(currency)) return undefined;
	return {
		field: 'currency',
		problem: `${currency} is not one of the currencies that the credential allows (${CURRENCIES}: ${[...allowedCurrencies].join(', ')})`,
		fix: 'Use one of them, or ask the owner of the credential to change the limit.',
	};
}

function findAmountIssue(
	{ amount, currency }: Pick<Transaction, 'amount' | 'currency'>,
	{ maxAmounts }: TransactionLimits,
): LimitIssue | undefined {
	if (maxAmounts.size === 0) return undefined;
	const maxAmount = limitFor(maxAmounts, currency);
	if (maxAmount === undefined)
		return {
			field: 'currency',
			problem: `The credential has a ${MAX_AMOUNT} for ${[...maxAmounts.keys()].join(', ')} and none for ${currency}, so ${currency} is not allowed`,
			fix: `Use one of these currencies, or ask the owner of the credential to add ${currency}.`,
		};
	if (compareDecimals(amount, maxAmount) <= 0) return undefined;
	return {
		field: 'amount',
		problem: `${shorten(amount)} ${currency} is more than ${maxAmount} ${currency}, the ${MAX_AMOUNT} that is set in the credential`,
		fix: 'Lower the amount, or ask the owner of the credential to raise the limit.',
	};
}

function findRecipientIssue(
	{ recipient }: Pick<Transaction, 'recipient'>,
	{ allowedRecipients }: TransactionLimits,
): LimitIssue | undefined {
	const { externalEntityId, externalPaymentChannelId } = recipient;
	const isAllowed =
		allowedRecipients.size === 0 ||
		allowedRecipients.has(externalEntityId) ||
		allowedRecipients.has(externalPaymentChannelId);
	if (isAllowed) return undefined;
	// The list isn't named: whoever sees the message needn't know who else may be paid.
	return {
		field: 'recipient.externalEntityId',
		problem: `The recipient ${shorten(externalEntityId)} with the payment channel ${shorten(externalPaymentChannelId)} is not one of the ${RECIPIENTS} of the credential`,
		fix: 'Correct the recipient, or ask the owner of the credential to add it.',
	};
}

const shorten = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);
