import { CURRENCIES } from '../codes.generated';
import { failed, ok, type Result } from '../result';
import { quote } from '../values';

/**
 * Largest amounts by currency. `any` applies to currencies without an entry. Empty for no limit.
 */
export type AmountLimits = ReadonlyMap<string, string>;

/** No currency code has lower-case letters. */
const ANY = 'any';

/** Whether a value is an ISO 4217 code in capital letters. */
const isCurrencyCode = (value: unknown): value is string =>
	typeof value === 'string' && Object.hasOwn(CURRENCIES, value);

export const SEPARATOR = /\s*[,;\n]\s*/;
const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?$/;
const ENTER_AMOUNTS =
	'Enter an amount such as 1000, or amounts by currency such as EUR 1000, USD 1200.';
const ENTRY = /^([a-z]{3})\s+(\S+)$/i;

/**
 * Parses the largest amounts, by currency or for any currency.
 *
 * @param text such as `1000` or `EUR 1000, USD 1200.50, any 500`; empty for no limit
 */
export function parseAmountLimits(text: string): Result<AmountLimits> {
	const limits = new Map<string, string>();
	if (text === '') return ok(limits);
	if (AMOUNT.test(text)) return ok(limits.set(ANY, text));
	for (const entry of text.split(SEPARATOR)) {
		const match = ENTRY.exec(entry);
		// An amount alone is no entry: "EUR 1,500" must not become EUR 1 and 500 for any currency.
		if (!match || !AMOUNT.test(match[2])) {
			return failed(
				`${quote(entry)} is neither an amount alone, such as 1000, nor a currency with its amount, such as EUR 1000.00`,
				ENTER_AMOUNTS,
			);
		}
		const [, code, amount] = match;
		const currency = code.toLowerCase() === ANY ? ok(ANY) : parseCurrencyCode(code);
		if (currency.problem) return currency;
		if (limits.has(currency.value))
			return failed(`it has two amounts for ${currency.value}`, ENTER_AMOUNTS);
		limits.set(currency.value, amount);
	}
	return ok(limits);
}

/** Parses an ISO 4217 code, also in lower case. */
export function parseCurrencyCode(text: string): Result<string> {
	const code = text.toUpperCase();
	if (isCurrencyCode(code)) return ok(code);
	return failed(`${quote(text)} isn't a currency code such as EUR`, 'Use codes of ISO 4217.');
}

/** Finds the limit of a currency. `undefined` if only other currencies have limits. */
export const limitFor = (limits: AmountLimits, currency: string): string | undefined =>
	limits.get(currency) ?? limits.get(ANY);
