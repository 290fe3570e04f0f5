import { CURRENCIES } from '../../shared/codes.generated';
import { failed, ok, type Reason, type Result } from '../../shared/result';
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

const because = (reason: string) => ({ problem: { because: reason } });

/** Parses an ISO 4217 code, also in lower case. */
function parseCurrencyCode(text: string): Result<string, Reason> {
	const code = text.toUpperCase();
	if (Object.hasOwn(CURRENCIES, code)) return ok(code);
	return because(`${quote(text)} isn't a currency code such as EUR`);
}

/** Finds the limit of a currency. `undefined` if only other currencies have limits. */
export const limitFor = (limits: AmountLimits, currency: string): string | undefined =>
	limits.get(currency) ?? limits.get(ANY);

/** What the credential allows for each transaction. */
export interface CredentialLimits {
	/** The largest amount. Empty: amounts aren't limited. */
	maxAmounts: AmountLimits;
	/** Empty: every currency is allowed. */
	allowedCurrencies: ReadonlySet<string>;
	/** IDs of payment channels. Empty: every recipient is allowed. */
	allowedRecipients: ReadonlySet<string>;
}

/** The names of the fields in messages. */
export const LIMIT_FIELDS = {
	maxAmounts: "'Max Amount per Transaction'",
	allowedCurrencies: "'Allowed Currencies'",
	allowedRecipients: "'Allowed Recipients'",
};

/**
 * Reads the limits of the Payments API credential. A value that can't be read is a problem, and
 * never means that there is no limit.
 *
 * @param credentials the decrypted data: `maxAmounts` such as `1000` or `EUR 1000, any 500`,
 *   `allowedCurrencies` such as `EUR, USD`, `allowedRecipients` such as `bakery, city-power`
 */
export function parseCredentialLimits(
	credentials: Record<string, unknown>,
): Result<CredentialLimits> {
	const maxAmounts = readField(credentials, 'maxAmounts', parseAmountLimits);
	if (maxAmounts.problem) return maxAmounts;
	const allowedCurrencies = readField(credentials, 'allowedCurrencies', parseCurrencies);
	if (allowedCurrencies.problem) return allowedCurrencies;
	const allowedRecipients = readField(credentials, 'allowedRecipients', parseRecipients);
	if (allowedRecipients.problem) return allowedRecipients;
	return ok({
		maxAmounts: maxAmounts.value,
		allowedCurrencies: allowedCurrencies.value,
		allowedRecipients: allowedRecipients.value,
	});
}

function readField<T>(
	credentials: Record<string, unknown>,
	name: keyof typeof LIMIT_FIELDS,
	parse: (value: string | number) => Result<T, Reason>,
): Result<T> {
	// A field that was never set is '', so another value comes from an expression.
	const value = Object.hasOwn(credentials, name) ? credentials[name] : '';
	const isReadable = typeof value === 'string' || typeof value === 'number';
	const parsed = isReadable ? parse(value) : because("its value isn't text");
	if (!parsed.problem) return parsed;
	return failed(
		`${LIMIT_FIELDS[name]} in the credential can't be used, because ${parsed.problem.because}`,
		'Correct it in the credential.',
	);
}

function parseCurrencies(value: string | number): Result<ReadonlySet<string>, Reason> {
	const codes = new Set<string>();
	for (const entry of entriesOf(value)) {
		const code = parseCurrencyCode(entry);
		if (code.problem) return code;
		codes.add(code.value);
	}
	return ok(codes);
}

function parseRecipients(value: string | number): Result<ReadonlySet<string>, Reason> {
	const ids = entriesOf(value);
	if (ids.includes('')) return because('it has a comma without an ID');
	return ok(new Set(ids));
}

function entriesOf(value: string | number): string[] {
	const text = String(value).trim();
	return text === '' ? [] : text.split(/\s*[,;\n]\s*/);
}
