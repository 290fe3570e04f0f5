import { compareDecimals } from '../decimals';
import { limitFor } from '../limits/amountLimits';
import { LIMIT_FIELDS, type CredentialLimits } from '../limits/credentialLimits';
import type { FieldProblem, Transaction } from '../Transaction';

const {
	maxAmounts: MAX_AMOUNT,
	allowedCurrencies: CURRENCIES,
	allowedRecipients: RECIPIENTS,
} = LIMIT_FIELDS;

/** Compares a transaction with the limits of the credential, and reports the first it exceeds. */
export function checkCredentialLimits(
	transaction: Pick<Transaction, 'amount' | 'currency' | 'recipient'>,
	limits: CredentialLimits,
): FieldProblem | undefined {
	const problem =
		checkAllowedCurrencies(transaction, limits) ??
		checkMaxAmounts(transaction, limits) ??
		checkAllowedRecipients(transaction, limits);
	return problem && { ...problem, isBeyondLimit: true };
}

function checkAllowedCurrencies(
	{ currency }: Pick<Transaction, 'currency'>,
	{ allowedCurrencies }: CredentialLimits,
): FieldProblem | undefined {
	if (allowedCurrencies.size === 0 || allowedCurrencies.has(currency)) return undefined;
	return {
		field: 'currency',
		message: `${currency} isn't one of the currencies that the credential allows (${CURRENCIES}: ${[...allowedCurrencies].join(', ')})`,
		fix: 'Use one of them, or ask the owner of the credential to change the limit.',
	};
}

function checkMaxAmounts(
	{ amount, currency }: Pick<Transaction, 'amount' | 'currency'>,
	{ maxAmounts }: CredentialLimits,
): FieldProblem | undefined {
	if (maxAmounts.size === 0) return undefined;
	const maxAmount = limitFor(maxAmounts, currency);
	if (maxAmount === undefined)
		return {
			field: 'currency',
			message: `The credential has a ${MAX_AMOUNT} for ${[...maxAmounts.keys()].join(', ')} and none for ${currency}, so ${currency} isn't allowed`,
			fix: `Use one of these currencies, or ask the owner of the credential to add ${currency}.`,
		};
	if (compareDecimals(amount, maxAmount) <= 0) return undefined;
	return {
		field: 'amount',
		message: `${shorten(amount)} ${currency} is more than ${maxAmount} ${currency}, the ${MAX_AMOUNT} that is set in the credential`,
		fix: 'Lower the amount, or ask the owner of the credential to raise the limit.',
	};
}

function checkAllowedRecipients(
	{ recipient }: Pick<Transaction, 'recipient'>,
	{ allowedRecipients }: CredentialLimits,
): FieldProblem | undefined {
	// Not the entity, because the money goes to the channel, and entities and channels can have equal
	// IDs.
	const { externalPaymentChannelId: channel } = recipient;
	if (allowedRecipients.size === 0 || allowedRecipients.has(channel)) return undefined;
	// The list isn't shown, because who sees the message needn't know who else may be paid.
	return {
		field: 'recipient.externalPaymentChannelId',
		message: `The payment channel ${shorten(channel)} isn't one of the ${RECIPIENTS} of the credential`,
		fix: 'Correct the payment channel, or ask the owner of the credential to add it.',
	};
}

const MAX_SHOWN_LENGTH = 40;

const shorten = (text: string) =>
	text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH)}…` : text;
