import { CURRENCIES_BY_DECIMALS } from '../codes.generated';

/** The largest amount by currency code; `any` applies to the currencies without an entry. Empty: no limit. */
export type AmountLimits = ReadonlyMap<string, string>;

/** A value, or a clause that says why the text can't be read. */
type Parsed<T> = { value: T; problem?: undefined } | { value?: undefined; problem: string };

/** The entry for every currency that has none of its own; no currency code has lower-case letters. */
const ANY = 'any';
const CURRENCIES = new Set(Object.values(CURRENCIES_BY_DECIMALS).flat());

/** Whether a value is an ISO 4217 code in capital letters. */
export const isCurrencyCode = (value: unknown): value is string => CURRENCIES.has(value as string);

export const SEPARATOR = /\s*[,;\n]\s*/;
const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?$/;
const ENTRY = /^([a-z]{3})\s+(\S+)$/i;

/**
 * Parses the largest amounts, by currency or for any currency.
 *
 * @param text such as `1000` or `EUR 1000, USD 1200.50, any 500`; empty for no limit
 */
export function parseAmountLimits(text: string): Parsed<AmountLimits> {
	const limits = new Map<string, string>();
	if (text === '') return { value: limits };
	if (AMOUNT.test(text)) return { value: limits.set(ANY, text) };
	for (const entry of text.split(SEPARATOR)) {
		const match = ENTRY.exec(entry);
		// An amount alone is no entry of a list: "EUR 1,500" must not become EUR 1 and 500 for any currency.
		if (!match || !AMOUNT.test(match[2])) {
			return {
				problem: `${quote(entry)} is neither an amount alone, such as 1000, nor a currency with its amount, such as EUR 1000.00`,
			};
		}
		const [, code, amount] = match;
		const currency: Parsed<string> =
			code.toLowerCase() === ANY ? { value: ANY } : parseCurrencyCode(code);
		if (currency.problem !== undefined) return currency;
		if (limits.has(currency.value)) return { problem: `it has two amounts for ${currency.value}` };
		limits.set(currency.value, amount);
	}
	return { value: limits };
}

/** Parses an ISO 4217 code, also in lower case. */
export function parseCurrencyCode(text: string): Parsed<string> {
	const code = text.toUpperCase();
	if (isCurrencyCode(code)) return { value: code };
	return { problem: `${quote(text)} is not a currency code such as EUR` };
}

/** Finds the limit of a currency. `undefined` when there are limits for other currencies only. */
export const limitFor = (limits: AmountLimits, currency: string): string | undefined =>
	limits.get(currency) ?? limits.get(ANY);

const quote = (text: string) => `"${text.slice(0, 40)}"`;
