import { CURRENCIES } from '../../shared/codes.generated';
import { ok, type Reason, type Result } from '../../shared/result';
import { quote } from '../../shared/values';
import { isAmbiguous, isDecimal, readAmount } from '../decimals';

/**
 * Largest amounts by currency. `any` applies to currencies without an entry. Empty for no limit.
 */
export type AmountLimits = ReadonlyMap<string, string>;

/** No currency code has lower-case letters. */
const ANY = 'any';

/** A comma can also be in an amount, so it separates entries only before a letter. */
const BETWEEN_ENTRIES = /\s*[,;\n]\s*(?=[a-z])/i;
const ENTRY = /^([a-z]{3})\s+(.+)$/i;

/**
 * Parses the largest amounts, by currency or for any currency.
 *
 * @param value such as `1000` or `EUR 1000, USD 1200.50, any 500`; empty for no limit
 */
export function parseAmountLimits(value: string | number): Result<AmountLimits, Reason> {
	const limits = new Map<string, string>();
	const text = String(value).trim();
	if (text === '') return ok(limits);
	// A number has no thousands separators.
	const isExact = typeof value === 'number' && isDecimal(text);
	const forAny = isExact ? ok(text) : parseLimit(text);
	if (forAny) return forAny.problem ? forAny : ok(limits.set(ANY, forAny.value));
	for (const entry of text.split(BETWEEN_ENTRIES)) {
		const [, code = '', amount = ''] = ENTRY.exec(entry) ?? [];
		const limit = parseLimit(amount);
		if (!limit)
			return because(
				`${quote(entry)} is neither an amount alone, such as 1000, nor a currency with its amount, such as EUR 1000.00`,
			);
		if (limit.problem) return limit;
		const currency = code.toLowerCase() === ANY ? ok(ANY) : parseCurrencyCode(code);
		if (currency.problem) return currency;
		if (limits.has(currency.value)) return because(`it has two amounts for ${currency.value}`);
		limits.set(currency.value, limit.value);
	}
	return ok(limits);
}

/** @returns `undefined` for what isn't an amount */
function parseLimit(text: string): Result<string, Reason> | undefined {
	const [thousands, decimals] = [text.replace(/[.,]/, ''), text.replace(',', '.')];
	if (isAmbiguous(text))
		return because(
			`${quote(text)} can be ${thousands} or ${decimals}. Write it with no separator, or with a fourth decimal: ${thousands} or ${decimals}0`,
		);
	const amount = readAmount(text, '.') ?? readAmount(text, ',');
	if (amount === undefined) return undefined;
	if (isDecimal(text)) return ok(amount);
	return because(`${quote(text)} has thousands separators, or a comma. Write ${amount}`);
}

export const because = (reason: string) => ({ problem: { because: reason } });

/** Parses an ISO 4217 code, also in lower case. */
export function parseCurrencyCode(text: string): Result<string, Reason> {
	const code = text.toUpperCase();
	if (Object.hasOwn(CURRENCIES, code)) return ok(code);
	return because(`${quote(text)} isn't a currency code such as EUR`);
}

/** Finds the limit of a currency. `undefined` if only other currencies have limits. */
export const limitFor = (limits: AmountLimits, currency: string): string | undefined =>
	limits.get(currency) ?? limits.get(ANY);
