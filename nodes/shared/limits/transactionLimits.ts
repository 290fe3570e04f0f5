import { compareDecimals, isDecimal } from '../decimals';
import {
	isCurrencyCode,
	parseAmountLimits,
	parseCurrencyCode,
	SEPARATOR,
	limitFor,
	type AmountLimits,
} from './amountLimits';

/** What the credential allows for a single transaction. */
export interface TransactionLimits {
	/** The largest amount. Empty: amounts aren't limited. */
	maxAmounts: AmountLimits;
	/** Empty: every currency is allowed. */
	allowedCurrencies: ReadonlySet<string>;
}

export type LimitsResult =
	| { limits?: TransactionLimits; problem?: undefined }
	| { limits?: undefined; problem: string };

/** What of a transaction is beyond the limits, and how to correct it. */
export interface LimitIssue {
	field: 'amount' | 'currency';
	/** Without a period at the end. */
	problem: string;
	/** In whole sentences. */
	fix: string;
}

const MAX_AMOUNT = "'Max Amount per Transaction'";
const ALLOWED_CURRENCIES = "'Allowed Currencies'";

/**
 * Reads the limits from the fields of the credential "Payments API". A value that can't be read is a problem and never "no limit".
 *
 * @param credentials the decrypted data; `maxAmounts` such as `1000` or `EUR 1000, USD 1200.50, any 500`, `allowedCurrencies` such as `EUR, USD`
 * @returns the limits, neither limits nor a problem when both fields are empty, or a message for the user that names the field
 */
export function parseLimits(credentials: Record<string, unknown>): LimitsResult {
	try {
		const maxAmounts = readMaxAmounts(readText(credentials, 'maxAmounts', MAX_AMOUNT));
		const allowedCurrencies = readCurrencies(
			readText(credentials, 'allowedCurrencies', ALLOWED_CURRENCIES),
		);
		if (maxAmounts.size === 0 && allowedCurrencies.size === 0) return {};
		return { limits: { maxAmounts, allowedCurrencies } };
	} catch (error) {
		return { problem: (error as Error).message };
	}
}

const unreadable = (field: string, reason: string) =>
	new RangeError(
		`${field} in the credential can't be used, because ${reason}. Nothing is sent until it is corrected in the credential.`,
	);

function readText(credentials: Record<string, unknown>, name: string, field: string): string {
	if (!Object.hasOwn(credentials, name)) return '';
	const value = credentials[name];
	if (typeof value === 'string') return value.trim();
	if (typeof value === 'number') return String(value);
	// n8n fills in '' for a field that was never set, so this comes from an expression or from outside the editor.
	throw unreadable(field, 'its value is not text');
}

function readMaxAmounts(text: string): AmountLimits {
	const { value, problem } = parseAmountLimits(text);
	if (problem !== undefined) throw unreadable(MAX_AMOUNT, problem);
	return value;
}

function readCurrencies(text: string): Set<string> {
	const codes = new Set<string>();
	if (text === '') return codes;
	for (const entry of text.split(SEPARATOR)) {
		const { value, problem } = parseCurrencyCode(entry);
		if (problem !== undefined) throw unreadable(ALLOWED_CURRENCIES, problem);
		codes.add(value);
	}
	return codes;
}

const quote = (value: unknown) =>
	typeof value === 'string' ? `"${value.trim().slice(0, 40)}"` : 'its value';

/**
 * Compares a transaction with the limits of the credential. Never throws.
 *
 * @param transaction amount as a decimal string and currency as an ISO 4217 code; anything else is an issue
 * @returns the first thing that is beyond the limits, or `undefined` when the transaction is within all of them
 */
export function checkLimits(
	{ amount, currency }: { amount: unknown; currency: unknown },
	{ maxAmounts, allowedCurrencies }: TransactionLimits,
): LimitIssue | undefined {
	if (!isCurrencyCode(currency))
		return {
			field: 'currency',
			problem: `The credential limits transactions, and ${quote(currency)} is not a currency code in capital letters such as EUR`,
			fix: 'Correct the currency.',
		};
	if (typeof amount !== 'string' || !isDecimal(amount))
		return {
			field: 'amount',
			problem: `The credential limits transactions, and the amount is not a decimal number as text, such as "1234.50"`,
			fix: 'Correct the amount.',
		};
	if (allowedCurrencies.size > 0 && !allowedCurrencies.has(currency))
		return {
			field: 'currency',
			problem: `${currency} is not one of the currencies that the credential allows (${ALLOWED_CURRENCIES}: ${[...allowedCurrencies].join(', ')})`,
			fix: 'Use one of them, or ask the owner of the credential to change the limit.',
		};
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

const shorten = (amount: string) => (amount.length > 40 ? `${amount.slice(0, 40)}…` : amount);
