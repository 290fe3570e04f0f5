import { CURRENCIES_BY_DECIMALS } from '../../Payments/transaction/codes.generated';
import { compareDecimals, isDecimal } from '../decimals';

/** What the credential allows for a single transaction. */
export interface TransactionLimits {
	/** The largest amount by currency code; `ANY` applies to the currencies without an entry. Empty: amounts aren't limited. */
	maxAmounts: ReadonlyMap<string, string>;
	/** Empty: every currency is allowed. */
	allowedCurrencies: ReadonlySet<string>;
}

export type LimitsResult =
	| { limits?: TransactionLimits; problem?: undefined }
	| { limits?: undefined; problem: string };

/** What of a transaction is beyond the limits, and how to correct it. */
export interface LimitIssue {
	field: 'amount' | 'currency';
	problem: string;
}

/** The entry for every currency that has none of its own; no currency code has lower-case letters. */
const ANY = 'any';
const MAX_AMOUNT = "'Max Amount per Transaction'";
const ALLOWED_CURRENCIES = "'Allowed Currencies'";
const CURRENCIES = new Set(
	Object.values(CURRENCIES_BY_DECIMALS).flatMap((codes) => codes.split(' ')),
);

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

const SEPARATOR = /\s*[,;\n]\s*/;
const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?$/;
const ENTRY = /^([a-z]{3})\s+(\S+)$/i;

function readMaxAmounts(text: string): Map<string, string> {
	if (text === '') return new Map();
	if (AMOUNT.test(text)) return new Map([[ANY, text]]);
	const maxAmounts = new Map<string, string>();
	for (const entry of text.split(SEPARATOR)) {
		const [, code = '', amount = ''] = ENTRY.exec(entry) ?? [];
		// An amount alone is no entry of a list: "EUR 1,500" must not become EUR 1 and 500 for any currency.
		if (!AMOUNT.test(amount))
			throw unreadable(
				MAX_AMOUNT,
				`${quote(entry)} is neither an amount alone, such as 1000, nor a currency with its amount, such as EUR 1000.00`,
			);
		const currency = code.toLowerCase() === ANY ? ANY : readCurrency(MAX_AMOUNT, code);
		if (maxAmounts.has(currency))
			throw unreadable(MAX_AMOUNT, `it has two amounts for ${currency}`);
		maxAmounts.set(currency, amount);
	}
	return maxAmounts;
}

const readCurrencies = (text: string): Set<string> =>
	text === ''
		? new Set()
		: new Set(text.split(SEPARATOR).map((code) => readCurrency(ALLOWED_CURRENCIES, code)));

function readCurrency(field: string, text: string): string {
	const code = text.toUpperCase();
	if (CURRENCIES.has(code)) return code;
	throw unreadable(field, `${quote(text)} is not a currency code such as EUR`);
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
	if (typeof currency !== 'string' || !CURRENCIES.has(currency))
		return {
			field: 'currency',
			problem: `The credential limits transactions, and ${quote(currency)} is not a currency code in capital letters such as EUR. Correct the currency.`,
		};
	if (typeof amount !== 'string' || !isDecimal(amount))
		return {
			field: 'amount',
			problem: `The credential limits transactions, and the amount is not a decimal number as text, such as "1234.50". Correct the amount.`,
		};
	if (allowedCurrencies.size > 0 && !allowedCurrencies.has(currency))
		return {
			field: 'currency',
			problem: `${currency} is not one of the currencies that the credential allows (${ALLOWED_CURRENCIES}: ${[...allowedCurrencies].join(', ')}). Use one of them, or ask the owner of the credential to change the limit.`,
		};
	if (maxAmounts.size === 0) return undefined;
	const maxAmount = maxAmounts.get(currency) ?? maxAmounts.get(ANY);
	if (maxAmount === undefined)
		return {
			field: 'currency',
			problem: `The credential has a ${MAX_AMOUNT} for ${[...maxAmounts.keys()].join(', ')} and none for ${currency}, so ${currency} is not allowed. Use one of these currencies, or ask the owner of the credential to add ${currency}.`,
		};
	if (compareDecimals(amount, maxAmount) <= 0) return undefined;
	return {
		field: 'amount',
		problem: `${shorten(amount)} ${currency} is more than ${maxAmount} ${currency}, the ${MAX_AMOUNT} that is set in the credential. Lower the amount, or ask the owner of the credential to raise the limit.`,
	};
}

const shorten = (amount: string) => (amount.length > 40 ? `${amount.slice(0, 40)}…` : amount);
