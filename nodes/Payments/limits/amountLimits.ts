import { CURRENCIES } from '../../shared/codes.generated';
import { ok, type Reason, type Result } from '../../shared/result';
import { quote } from '../../shared/values';

/**
 * Largest amounts by currency. `any` applies to currencies without an entry. Empty for no limit.
 */
export type AmountLimits = ReadonlyMap<string, string>;

/** No currency code has lower-case letters. */
const ANY = 'any';

export const SEPARATOR = /\s*[,;\n]\s*/;
const AMOUNT = /^(0|[1-9]\d*)(\.\d+)?$/;
/** `5,000` and `5.000`: digits in groups of three. The dot could also separate decimals. */
const GROUPED = /(?<![\d.,])[1-9]\d{0,2}(?:[.,'’\s]\d{3})+(?!\d)/;
const ENTRY = /^([a-z]{3})\s+(\S+)$/i;

/**
 * Parses the largest amounts, by currency or for any currency.
 *
 * @param text such as `1000` or `EUR 1000, USD 1200.50, any 500`; empty for no limit
 */
export function parseAmountLimits(text: string): Result<AmountLimits, Reason> {
	const limits = new Map<string, string>();
	if (text === '') return ok(limits);
	const grouped = GROUPED.exec(text)?.[0];
	if (grouped !== undefined) return { problem: { because: explainGroups(grouped) } };
	if (AMOUNT.test(text)) return ok(limits.set(ANY, text));
	for (const entry of text.split(SEPARATOR)) {
		const match = ENTRY.exec(entry);
		// An amount alone is no entry: "EUR 1,500" must not become EUR 1 and 500 for any currency.
		if (!match || !AMOUNT.test(match[2])) {
			return {
				problem: {
					because: `${quote(entry)} is neither an amount alone, such as 1000, nor a currency with its amount, such as EUR 1000.00`,
				},
			};
		}
		const [, code, amount] = match;
		const currency = code.toLowerCase() === ANY ? ok(ANY) : parseCurrencyCode(code);
		if (currency.problem) return currency;
		if (limits.has(currency.value))
			return { problem: { because: `it has two amounts for ${currency.value}` } };
		limits.set(currency.value, amount);
	}
	return ok(limits);
}

/** The same digits with one separator that can also be that of the decimals. */
const ONE_SEPARATOR = /^(\d+)[.,](\d+)$/;

/** A payment must not be a thousand times off, so both ways to read an amount are named. */
function explainGroups(amount: string): string {
	const digits = amount.replace(/\D/g, '');
	const [, whole, decimals] = ONE_SEPARATOR.exec(amount) ?? [];
	return whole === undefined
		? `${quote(amount)} has thousands separators. Leave them out: ${digits}`
		: `${quote(amount)} can be ${digits} or ${whole}.${decimals}. Write it with no separator, or with a fourth decimal: ${digits} or ${whole}.${decimals}0`;
}

/** Parses an ISO 4217 code, also in lower case. */
export function parseCurrencyCode(text: string): Result<string, Reason> {
	const code = text.toUpperCase();
	if (Object.hasOwn(CURRENCIES, code)) return ok(code);
	return { problem: { because: `${quote(text)} isn't a currency code such as EUR` } };
}

/** Finds the limit of a currency. `undefined` if only other currencies have limits. */
export const limitFor = (limits: AmountLimits, currency: string): string | undefined =>
	limits.get(currency) ?? limits.get(ANY);
